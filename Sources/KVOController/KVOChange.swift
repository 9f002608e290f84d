/// A change of the value at a key path, with the old and new values in the property's own type.
///
/// A value you didn't request is nil. A requested value that is nil, or that can't be reached because an object on the
/// path is nil, is `.some(nil)` if `Value` is an Optional, and nil otherwise.
@frozen
public struct KVOChange<Value> {
  /// The observed key path, as keys joined by dots.
  public let keyPath: String
  /// The kind of the change.
  public let kind: NSKeyValueChange
  /// The value before the change, with the option `.old`. For an insertion, a removal, or a replacement: the objects
  /// that were removed or replaced.
  public let oldValue: Value?
  /// The value after the change, with the option `.new`. For an insertion, a removal, or a replacement: the objects
  /// that were inserted.
  public let newValue: Value?
  /// The indexes at which objects of a to-many property were inserted, removed, or replaced; nil for other changes.
  public var indexes: IndexSet? { indexBox?.value }
  /// Whether this call precedes the change, with the option `.prior`.
  public let isPrior: Bool
  /// Whether this is the call that the option `.initial` requests, which reports the current value and not a change.
  public let isInitial: Bool
  @usableFromInline let indexBox: Box<IndexSet>?
}

extension KVOChange: Sendable where Value: Sendable {}

extension KVOChange {
  /// Creates a change, to test code that handles changes.
  ///
  /// - Parameters:
  ///   - keyPath: The observed key path, as keys joined by dots.
  ///   - kind: The kind of the change.
  ///   - oldValue: The value before the change.
  ///   - newValue: The value after the change.
  ///   - indexes: The indexes of the objects that changed in a to-many property.
  ///   - isPrior: Whether the call precedes the change.
  ///   - isInitial: Whether the call reports the current value and not a change.
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
    indexBox = indexes.map { Box($0) }
  }

  // Inlined where the type is known, so that the values need no casts, and the change isn't destroyed by its metadata.
  @inlinable
  @inline(__always)
  init(_ change: borrowing KeyValueChange) {
    keyPath = change.keyPath
    kind = change.kind
    oldValue = change.oldValue()
    newValue = change.newValue()
    indexBox = change.indexBox
    isPrior = change.isPrior
    isInitial = change.isInitial
  }
}
