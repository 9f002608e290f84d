#if canImport(ObjectiveC)
import ObjectiveC

private let associationLock = UnfairLock()

extension NSObject {
  /// What the object keeps under `key`; nil if it keeps nothing.
  package func associatedObject(_ key: AssociationKey) -> AnyObject? {
    objc_getAssociatedObject(self, key.address) as AnyObject?
  }

  /// Keeps `value` under `key` as long as the object lives.
  ///
  /// - Returns: What is kept now: without `replacing` whoever came first, on two threads at once too.
  @discardableResult
  package func associate(_ value: AnyObject, _ key: AssociationKey, replacing: Bool) -> AnyObject {
    // What is replaced is held until the lock is given back, for its release may run foreign code.
    var present: AnyObject?
    return associationLock.withLock {
      present = associatedObject(key)
      if let present, !replacing { return present }
      objc_setAssociatedObject(self, key.address, value, .OBJC_ASSOCIATION_RETAIN)
      return value
    }
  }
}

extension AssociationKey {
  /// An address that stands for nothing but this key: that of the selector of its name.
  fileprivate var address: UnsafeRawPointer {
    unsafeBitCast(NSSelectorFromString("KVOController.\(self)"), to: UnsafeRawPointer.self)
  }
}
#endif
