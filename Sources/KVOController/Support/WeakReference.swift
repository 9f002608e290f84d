import CKeyValueObserving

/// A weak reference that is fast to read, because it is read for each notification.
///
/// On Apple platforms it is Swift's own. On other platforms it avoids the side table that the runtime
/// allocates for an object with weak references, and that makes every later retain and release of the object slow. In
/// exchange, the memory of a deallocated object isn't freed before the reference.
package struct WeakReference: ~Copyable, @unchecked Sendable {
  #if canImport(ObjectiveC)
  private(set) weak var object: AnyObject?

  init(_ object: AnyObject?) {
    if let object, allowsWeakReference(object) { self.object = object }
  }
  #else
  // Retains the memory but not the object, so that the address is never that of another object. It isn't read.
  private unowned let memory: AnyObject?
  @usableFromInline let address: Unmanaged<AnyObject>?

  package init(_ object: AnyObject?) {
    memory = object
    address = object.map(Unmanaged.passUnretained)
  }

  /// The object, unless its `deinit` has begun.
  @inlinable
  @inline(__always)
  package var object: AnyObject? {
    guard let address, let retained = kvo_try_retain(address.toOpaque()) else { return nil }
    return Unmanaged.fromOpaque(retained).takeRetainedValue()
  }
  #endif
}
