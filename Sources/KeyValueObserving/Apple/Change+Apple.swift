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

  /// Begins the change of the property at `address`, whose distance from the object tells the key.
  @usableFromInline
  final func willModify(_ address: UnsafeMutableRawPointer, identity: Any.Type?) -> Change? {
    let offset = UnsafeRawPointer(address) - UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    let properties = ClassProperties.of(self)
    guard let index = properties.fieldIndex(atOffset: offset, identity: identity) else { return nil }
    let key = properties.fields[index].name
    guard type(of: self).automaticallyNotifiesObservers(forKey: key) else { return nil }
    willChangeValue(forKey: key)
    return Change(key: key)
  }

  @usableFromInline
  final func didModify(_ address: UnsafeMutableRawPointer, identity: Any.Type?, _ change: Change?) {
    if let change { didChangeValue(forKey: change.key) }
  }

  @usableFromInline
  final func lockStorage() -> StorageLock { StorageLock() }
}

/// Nothing to lock: Foundation reads through the getter only.
@usableFromInline
struct StorageLock {
  @usableFromInline
  func unlock() {}
}
#endif
