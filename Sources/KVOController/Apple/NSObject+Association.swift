#if canImport(ObjectiveC)
import ObjectiveC

private let associationLock = LockedState(())

// The associations aren't atomic, because Objective-C's runtime would autorelease what it returns. A controller or a lifeline
// would then outlive its object until the pool is drained, and a lifeline must not. The lock does instead.
extension NSObject {
  /// The associated object for `key`, or nil.
  func associatedObject(_ key: AssociationKey) -> AnyObject? {
    associationLock.withLock { _ in currentAssociatedObject(key) }
  }

  private func currentAssociatedObject(_ key: AssociationKey) -> AnyObject? {
    objc_getAssociatedObject(self, key.address) as AnyObject?
  }

  /// Associates `value` with this object, which retains it until it is deallocated.
  ///
  /// - Returns: The associated object. Without `replacing` it is the first one, even if two threads call this at once.
  @discardableResult
  func associate(_ value: AnyObject, _ key: AssociationKey, replacing: Bool) -> AnyObject {
    // The replaced object is retained until the lock is released, because releasing it may run foreign code.
    var present: AnyObject?
    return associationLock.withLock { _ in
      present = currentAssociatedObject(key)
      if let present, !replacing { return present }
      objc_setAssociatedObject(self, key.address, value, .OBJC_ASSOCIATION_RETAIN_NONATOMIC)
      return value
    }
  }
}
#endif
