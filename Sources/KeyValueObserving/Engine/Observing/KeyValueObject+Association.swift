#if !canImport(ObjectiveC)
extension KeyValueObject {
  /// The associated object for `key`; nil if there is none, or if the base class's `deinit` has begun.
  package final func associatedObject(_ key: AssociationKey) -> AnyObject? {
    slot.info?.associatedObject(key)
  }

  /// Associates `value` with this object, which retains it until it is deallocated.
  ///
  /// - Returns: The associated object. Without `replacing` it is the first one, even if two threads call this at once.
  @discardableResult
  package final func associate(_ value: AnyObject, _ key: AssociationKey, replacing: Bool) -> AnyObject {
    guard let info = madeObservationInfo else { return value }
    let (kept, replaced) = info.associate(value, key, replacing: replacing)
    withExtendedLifetime(replaced) {}
    return kept
  }
}
#endif
