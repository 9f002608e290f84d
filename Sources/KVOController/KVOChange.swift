/// A change of the value at a key path, with its type.
///
/// A value you didn't request is nil. A requested value that is nil is `.some(nil)` if `Value` is an Optional; otherwise it
/// is nil too, as it is when an object on the path is nil.
@frozen
public struct KVOChange<Value> {
  /// The key path, as keys joined by dots.
  public let keyPath: String
  /// The kind of the change.
  public let kind: NSKeyValueChange
  /// The value before the change, with the option `.old`; of a to-many change the objects removed or replaced.
  public let oldValue: Value?
  /// The value after the change, with the option `.new`; of a to-many change the objects inserted.
  public let newValue: Value?
  /// Where objects of a to-many property were inserted, removed or replaced.
  public var indexes: IndexSet? { indexBox?.indexes }
  /// Whether this call comes before the change, with the option `.prior`.
  public let isPrior: Bool
  /// Whether this is the initial call, with the option `.initial`, and not a change.
  public let isInitial: Bool
  @usableFromInline let indexBox: IndexBox?
}

extension KVOChange: Sendable where Value: Sendable {}

extension KVOChange {
  /// Creates a change, for tests of code that handles changes.
  public init(
    keyPath: String, kind: NSKeyValueChange = .setting, oldValue: Value? = nil, newValue: Value? = nil,
    indexes: IndexSet? = nil, isPrior: Bool = false, isInitial: Bool = false
  ) {
    self.keyPath = keyPath
    self.kind = kind
    self.oldValue = oldValue
    self.newValue = newValue
    self.isPrior = isPrior
    self.isInitial = isInitial
    indexBox = indexes.map { IndexBox($0) }
  }

  // Inlined where the type is known, which takes the values over without casts.
  @inlinable
  init(_ change: borrowing KeyValueChange) {
    keyPath = change.keyPath
    kind = change.kind
    oldValue = change.old.typed()
    newValue = change.new.typed()
    indexBox = change.indexBox
    isPrior = change.isPrior
    isInitial = change.isInitial
  }
}
