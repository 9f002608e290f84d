import CKeyValueObserving

extension KeyValueObject {
  /// The value that observers of a key receive: an `@Observed` key is read from its property, any other with
  /// `value(forKey:)`, which runs foreign code.
  final func read(_ key: ObservedKey) -> Reading {
    guard let field = key.field else { return .value(value(forKey: key.name).flatMap(unwrapped)) }
    guard let info = observationInfoIfMade else { return .ended }
    return info.withLock { info.read(field) }
  }

  /// The value of a property, for coding. Traps if the property is being modified.
  final func value(of field: ObservedField) -> Any? {
    let storage = address(of: field)
    if !field.isZeroSized { kvo_check_access(storage, false) }
    let lock = lockedStorage
    defer { lock?.unlock() }
    return field.storedValue(at: storage)
  }
}

/// The key's own value, which is read once for consecutive receivers unless it may have changed between their turns.
struct OwnValue {
  private let key: ObservedKey
  private var value: Any??
  /// The info's counter before the value was read.
  private var counter: UInt32 = 0

  init(of key: ObservedKey) {
    self.key = key
  }

  /// The value, unwrapped; nil for nil.
  mutating func read(_ object: KeyValueObject, _ info: ObservationInfo) -> Any? {
    if let value, counter == info.counter { return value }
    counter = info.counter
    guard case .value(let value) = object.read(key) else { return nil }
    self.value = .some(value)
    return value
  }

  /// Records that an observer is called. Only a property of the object has a counter that shows whether it changes.
  mutating func observerIsCalled() {
    if key.field == nil { value = nil }
  }
}
