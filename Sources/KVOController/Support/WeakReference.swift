import CKeyValueObserving

#if canImport(ObjectiveC)
import ObjectiveC
#endif

/// A weak reference that is fast to read, because it is read for each notification. On Apple platforms it is Swift's
/// own. On other platforms it avoids the side table that the runtime allocates, which makes every later retain and
/// release of the object slow. In exchange, the memory of a deallocated object isn't freed before the reference.
struct WeakReference: ~Copyable, @unchecked Sendable {
  #if canImport(ObjectiveC)
  private weak var reference: AnyObject?
  /// The address of the object, even if it is deallocated.
  let identity: ObjectIdentifier?

  var object: AnyObject? {
    requireNoLock("a weak reference is loaded")
    return reference
  }

  /// Whether this refers to an object that the caller retains, or that is in its `deinit`. So it is allowed with a lock.
  func refers(to object: AnyObject) -> Bool {
    identity == ObjectIdentifier(object) && (reference === object || isDying(object))
  }

  init(_ object: AnyObject?) {
    requireNoLock("a weak reference is formed")
    identity = object.map { ObjectIdentifier($0) }
    if let object, allowsWeakReference(object) { reference = object }
  }
  #else
  // Retains the memory but not the object, so that the address is never that of another object. It isn't read.
  private unowned let memory: AnyObject?
  private let address: Unmanaged<AnyObject>?

  init(_ object: AnyObject?) {
    requireNoLock("a weak reference is formed")
    memory = object
    address = object.map(Unmanaged.passUnretained)
  }

  /// The object, unless its `deinit` has begun. Loading it retains it, so that releasing it may be the end of it.
  @inline(__always)
  var object: AnyObject? {
    requireNoLock("a weak reference is loaded")
    guard let address, let retained = kvo_try_retain(address.toOpaque()) else { return nil }
    return Unmanaged.fromOpaque(retained).takeRetainedValue()
  }

  var identity: ObjectIdentifier? { address.map { unsafeBitCast($0.toOpaque(), to: ObjectIdentifier.self) } }

  /// Whether this refers to an object that the caller retains, or that is in its `deinit`. So it is allowed with a lock.
  func refers(to object: AnyObject) -> Bool { address?.toOpaque() == Unmanaged.passUnretained(object).toOpaque() }
  #endif
}

/// A weak reference that can be copied.
final class Weak<Object: AnyObject>: Sendable {
  let reference: WeakReference

  init(_ object: Object) { reference = WeakReference(object) }

  var object: Object? { reference.object.map { unsafeDowncast($0, to: Object.self) } }
}

/// Whether the `deinit` of `object` has begun, after which no weak reference to it can be formed.
func isInDeinit(_ object: AnyObject) -> Bool {
  requireNoLock("an object is asked whether it is in its deinit")
  #if canImport(ObjectiveC)
  return isDying(object)
  #else
  guard let retained = kvo_try_retain(Unmanaged.passUnretained(object).toOpaque()) else { return true }
  Unmanaged<AnyObject>.fromOpaque(retained).release()
  return false
  #endif
}

#if canImport(ObjectiveC)
private func isDying(_ object: AnyObject) -> Bool {
  guard let object = object as? NSObject, let type = object_getClass(object) else { return false }
  return object.hasBegunDeinit { allowsWeakReference(object, asOf: $0 ? type : NSObject.self) }
}

/// Whether a weak reference to `object` can be formed. Objective-C's runtime aborts if it can't be.
///
/// A few classes of the system's refuse weak references. An observer or a path needs them, so debug builds say so.
func allowsWeakReference(_ object: AnyObject) -> Bool {
  // The class is that which the runtime asks, even if the object stands for one of another class.
  guard let object = object as? NSObject, let type = object_getClass(object) else { return true }
  if allowsWeakReference(object, asOf: type) { return true }
  if !isInDeinit(object) {
    misuseInDebugBuilds(
      "Cannot observe with or through <\(debugName(of: object))>", because: "its class refuses weak references",
      remedy: "Let another object observe, or observe an object that leads there.")
  }
  return false
}

/// The answer of the method of a class that the runtime asks before it forms a weak reference.
private func allowsWeakReference(_ object: NSObject, asOf type: AnyClass) -> Bool {
  let selector = NSSelectorFromString("allowsWeakReference")
  guard let method = class_getMethodImplementation(type, selector) else { return true }
  typealias AllowsWeakReference = @convention(c) (NSObject, Selector) -> ObjCBool
  return unsafeBitCast(method, to: AllowsWeakReference.self)(object, selector).boolValue
}
#endif
