#if !canImport(ObjectiveC)
/// A change that `observe(_:options:changeHandler:)` tells its handler of.
public struct NSKeyValueObservedChange<Value> {
  /// The kind of a change.
  public typealias Kind = NSKeyValueChange

  /// The kind of the change.
  public let kind: Kind
  /// The value after the change; nil if it was not asked for, `.some(nil)` if it was, is nil, and `Value` is an
  /// Optional.
  public let newValue: Value?
  /// The value before the change; nil if it was not asked for, `.some(nil)` if it was, is nil, and `Value` is an
  /// Optional.
  public let oldValue: Value?
  /// Where objects of a to-many property were inserted, removed or replaced.
  public let indexes: IndexSet?
  /// Whether the change is still to come, with the option `.prior`.
  public let isPrior: Bool

  /// Creates a change, for tests of code that handles changes.
  public init(
    kind: Kind, newValue: Value? = nil, oldValue: Value? = nil, indexes: IndexSet? = nil, isPrior: Bool = false
  ) {
    self.kind = kind
    self.newValue = newValue
    self.oldValue = oldValue
    self.indexes = indexes
    self.isPrior = isPrior
  }

  init(_ change: borrowing KeyValueChange) {
    kind = change.kind
    newValue = change.new.typed()
    oldValue = change.old.typed()
    indexes = change.indexes
    isPrior = change.isPrior
  }
}

extension NSKeyValueObservedChange: Sendable where Value: Sendable {}
#endif
