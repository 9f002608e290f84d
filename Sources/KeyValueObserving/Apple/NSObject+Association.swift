#if canImport(ObjectiveC)
import ObjectiveC

private let associationLock = UnfairLock()

extension NSObject {
  /// The object kept under `key`, or nil.
  package func associatedObject(_ key: AssociationKey) -> AnyObject? {
    objc_getAssociatedObject(self, key.address) as AnyObject?
  }

  /// Keeps `value` under `key` for as long as this object exists.
  ///
  /// - Returns: The object kept now. Without `replacing` that is the first one, even if two threads do this at once.
  @discardableResult
  package func associate(_ value: AnyObject, _ key: AssociationKey, replacing: Bool) -> AnyObject {
    // The replaced object is held until the lock is released, because its release may run foreign code.
    var present: AnyObject?
    return associationLock.withLock {
      present = associatedObject(key)
      if let present, !replacing { return present }
      objc_setAssociatedObject(self, key.address, value, .OBJC_ASSOCIATION_RETAIN)
      return value
    }
  }
}
#endif
