#if canImport(ObjectiveC)
import ObjectiveC

private let associationLock = Lock()

extension NSObject {
  /// The associated object for `key`, or nil.
  package func associatedObject(_ key: AssociationKey) -> AnyObject? {
    objc_getAssociatedObject(self, key.address) as AnyObject?
  }

  /// Associates `value` with this object, which retains it until it is deallocated.
  ///
  /// - Returns: The associated object. Without `replacing` it is the first one, even if two threads call this at once.
  @discardableResult
  package func associate(_ value: AnyObject, _ key: AssociationKey, replacing: Bool) -> AnyObject {
    // The replaced object is retained until the lock is released, because releasing it may run foreign code.
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
