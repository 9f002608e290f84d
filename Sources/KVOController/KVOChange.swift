/// A change of the value at a key path, with the old and new values in the property's own type.
///
/// A value you didn't request is nil. A requested value that is nil, or that can't be reached because an object on the
/// path is nil, is `.some(nil)` if `Value` is an Optional, or `Any`, and nil otherwise.
@frozen
public struct KVOChange<Value> {
  /// The observed key path, as keys joined by dots; for a typed key path that has no name, its Swift description.
  public let keyPath: String
  /// The kind of the change.
  public var kind: NSKeyValueChange { attributes.kind }
  /// The value before the change, with the option `.old`. For an insertion, a removal, or a replacement: the objects
  /// that were removed or replaced.
  public let oldValue: Value?
  /// The value after the change, with the option `.new`. For an insertion, a removal, or a replacement: the objects
  /// that were inserted.
  public let newValue: Value?
  /// The indexes at which objects of a to-many property were inserted, removed, or replaced; nil for other changes.
  public var indexes: IndexSet? { boxedIndexes?.value }
  /// Whether this call precedes the change, with the option `.prior`.
  public var isPrior: Bool { attributes.isPrior }
  /// Whether this is the call that the option `.initial` requests, which reports the current value and not a change.
  public var isInitial: Bool { attributes.isInitial }
  @usableFromInline let boxedIndexes: Box<IndexSet>?
  @usableFromInline let attributes: ChangeAttributes
}

extension KVOChange: Sendable where Value: Sendable {}

extension KVOChange {
  /// Creates a change, to test code that handles changes.
  public init(
    keyPath: String, kind: NSKeyValueChange = .setting, oldValue: Value? = nil, newValue: Value? = nil,
    indexes: IndexSet? = nil, isPrior: Bool = false, isInitial: Bool = false
  ) {
    self.oldValue = oldValue
    self.newValue = newValue
    self.keyPath = keyPath
    boxedIndexes = indexes.map { Box($0) }
    attributes = ChangeAttributes(kind: kind, isPrior: isPrior, isInitial: isInitial)
  }

  // Inlined where the type is known, so that the values need no casts, and the change isn't destroyed by its metadata.
  @inlinable
  @inline(__always)
  init(_ change: borrowing KeyValueChange) {
    oldValue = change.old.typed()
    newValue = change.new.typed()
    keyPath = change.ownKeyPath
    boxedIndexes = change.boxedIndexes
    attributes = change.attributes
  }

  /// Unavailable: the values can't be compared.
  @_disfavoredOverload
  @available(*, unavailable, message: "The type isn't Equatable. Compare what matters of oldValue and newValue.")
  public var changesValue: Bool { true }
}

extension KVOChange where Value: Equatable {
  /// Whether the value differs from the one before, even if that was never delivered: false only for an assignment of an equal
  /// value.
  ///
  ///     document.observe(song, \.title) { document, song, change in
  ///       if change.changesValue { document.isEdited = true }
  ///     }
  ///
  /// It is also true if a value isn't known, because the option `.old` or `.new` is missing, or because the call precedes
  /// the change or is the initial one; and for insertions, removals, and replacements of objects in a collection.
  public var changesValue: Bool {
    guard kind == .setting, let oldValue, let newValue else { return true }
    return newValue != newValue || isSame(oldValue, newValue) != true
  }
}

extension KVOChange: CustomReflectable {
  /// A mirror of the public properties, in which the change is printed.
  public var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "keyPath": keyPath, "kind": kind, "oldValue": oldValue as Any, "newValue": newValue as Any,
        "indexes": indexes as Any, "isPrior": isPrior, "isInitial": isInitial,
      ], displayStyle: .struct)
  }
}

extension KeyValueChange {
  /// The key path of a change for an observation of a controller, as text, not the path or the observation with its identifier,
  /// because a change may be sent to another task.
  @usableFromInline
  var ownKeyPath: String { info.keyPath ?? keyPath }
}
