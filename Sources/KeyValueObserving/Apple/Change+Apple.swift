#if canImport(ObjectiveC)
/// One change of an `@Observed` property, which Foundation is told of before and after.
@usableFromInline
struct Change {
  let key: String
}

extension KeyValueObject {
  /// Whether anybody observes the object.
  @usableFromInline
  final var isAttended: Bool { observationInfo != nil }

  /// Sets an observed property, and notifies.
  ///
  /// The old value leaves the property before it is released, so that its `deinit` may use the property.
  @usableFromInline
  final func replace<Value>(_ storage: UnsafeMutablePointer<Observed<Value>>, with value: Value) {
    let change = willModify(storage)
    let replaced = storage.move()
    storage.initialize(to: Observed(wrappedValue: value))
    withExtendedLifetime(replaced) {}
    didModify(storage, change)
  }

  /// Begins the change of the property at `storage`, whose distance from the object tells the key.
  @usableFromInline
  final func willModify<Value>(_ storage: UnsafeMutablePointer<Observed<Value>>) -> Change? {
    let offset = UnsafeRawPointer(storage) - UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    let properties = ClassProperties.of(self)
    guard let index = properties.fieldIndex(atOffset: offset, Value.self) else { return nil }
    let key = properties.fields[index].name
    guard type(of: self).automaticallyNotifiesObservers(forKey: key) else { return nil }
    willChangeValue(forKey: key)
    return Change(key: key)
  }

  /// Reads a property's storage.
  final func withStorage<Result>(_ body: () -> Result) -> Result { body() }

  @usableFromInline
  final func didModify<Value>(_ storage: UnsafeMutablePointer<Observed<Value>>, _ change: Change?) {
    if let change { didChangeValue(forKey: change.key) }
  }
}
#endif
