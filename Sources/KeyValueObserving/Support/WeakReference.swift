import CKeyValueObserving

/// A weak reference that is fast to read, because it is read for each notification.
///
/// On Apple platforms it is Swift's own. On other platforms it avoids the side table that the runtime
/// allocates for an object with weak references, and that makes every later retain and release of the object slow. In
/// exchange, the memory of a deallocated object isn't freed before the reference.
package struct WeakReference<Object: AnyObject>: ~Copyable, @unchecked Sendable {
  #if canImport(ObjectiveC)
  package private(set) weak var object: Object?

  package init(_ object: Object?) {
    if let object, allowsWeakReference(object) { self.object = object }
  }
  #else
  // Retains the memory but not the object, so that the address is never that of another object. It isn't read.
  @usableFromInline unowned let memory: Object?
  @usableFromInline let address: Unmanaged<Object>?

  @inlinable
  package init(_ object: Object?) {
    memory = object
    address = object.map(Unmanaged.passUnretained)
  }

  /// The object, unless its `deinit` has begun.
  @inlinable
  @inline(__always)
  package var object: Object? {
    guard let address, let retained = kvo_try_retain(address.toOpaque()) else { return nil }
    return Unmanaged.fromOpaque(retained).takeRetainedValue()
  }
  #endif
}
