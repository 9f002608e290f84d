/// A change of the value at a key path, with its type.
///
/// A value that was not asked for is nil. One that was asked for and is nil is `.some(nil)` if `Value` is an Optional;
/// otherwise it is nil too, as it is when the path meets a nil object on the way.
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
  /// Whether the change is still to come, with the option `.prior`.
  public let isPrior: Bool
  @usableFromInline let indexBox: IndexBox?
}

extension KVOChange: Sendable where Value: Sendable {}

extension KVOChange {
  // Inlined where the type is known, which takes the values over without casts.
  @inlinable
  init(_ change: borrowing KeyValueChange) {
    keyPath = change.keyPath
    kind = change.kind
    oldValue = change.old.typed()
    newValue = change.new.typed()
    indexBox = change.indexBox
    isPrior = change.isPrior
  }
}
