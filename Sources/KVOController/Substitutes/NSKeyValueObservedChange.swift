#if !canImport(ObjectiveC)
/// A change that `observe(_:options:changeHandler:)` passes to its handler.
public struct NSKeyValueObservedChange<Value> {
  /// The kind of a change.
  public typealias Kind = NSKeyValueChange

  /// The kind of the change.
  public let kind: Kind
  /// The value after the change, or nil if you didn't request it. A requested value that is nil is `.some(nil)` if
  /// `Value` is an Optional.
  public let newValue: Value?
  /// The value before the change, or nil if you didn't request it. A requested value that is nil is `.some(nil)` if
  /// `Value` is an Optional.
  public let oldValue: Value?
  /// The indexes at which objects of a to-many property were inserted, removed, or replaced; nil for other changes.
  public let indexes: IndexSet?
  /// Whether this call precedes the change, with the option `.prior`.
  public let isPrior: Bool

  /// Creates a change, to test code that handles changes.
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
    kind = change.attributes.kind
    newValue = change.new.typed()
    oldValue = change.old.typed()
    indexes = change.indexes?.pointee
    isPrior = change.attributes.isPrior
  }
}

extension NSKeyValueObservedChange: Sendable where Value: Sendable {}
#endif
