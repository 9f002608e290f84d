#if !canImport(ObjectiveC)
extension KeyValueObject {
  /// The associated object for `key`; nil if there is none, or if the base class's `deinit` has begun.
  package final func associatedObject(_ key: AssociationKey) -> AnyObject? {
    guard let info = observationInfoIfMade else { return nil }
    return info.withLock { info.extras?.associatedObjects[ObjectIdentifier(key)] }
  }

  /// Associates `value` with this object, which retains it until it is deallocated.
  ///
  /// - Returns: The associated object. Without `replacing` it is the first one, even if two threads call this at once.
  @discardableResult
  package final func associate(_ value: AnyObject, _ key: AssociationKey, replacing: Bool) -> AnyObject {
    guard let info = madeObservationInfo else { return value }
    let (kept, replaced) = info.withExtras { extras -> (AnyObject, AnyObject?) in
      let present = extras?.associatedObjects[ObjectIdentifier(key)]
      if let present, !replacing { return (present, nil) }
      extras?.associatedObjects[ObjectIdentifier(key)] = value
      return (value, present)
    }
    return withExtendedLifetime(replaced) { kept }
  }
}
#endif
