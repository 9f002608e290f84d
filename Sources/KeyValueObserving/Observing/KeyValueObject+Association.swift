#if !canImport(ObjectiveC)
extension KeyValueObject {
  /// What the object keeps under `key`; nil if it keeps nothing, or is dead.
  package final func associatedObject(_ key: AssociationKey) -> AnyObject? {
    slot.info?.associatedObject(key)
  }

  /// Keeps `value` under `key` as long as the object lives.
  ///
  /// - Returns: What is kept now: without `replacing` whoever came first, on two threads at once too.
  @discardableResult
  package final func associate(_ value: AnyObject, _ key: AssociationKey, replacing: Bool) -> AnyObject {
    guard let info = madeObservationInfo else { return value }
    let (kept, replaced) = info.associate(value, key, replacing: replacing)
    withExtendedLifetime(replaced) {}
    return kept
  }
}
#endif
