import CKeyValueObserving

#if canImport(ObjectiveC)
import ObjectiveC
#endif

/// Whether the `deinit` of `object` has begun, after which no weak reference to it can be formed.
package func isInDeinit(_ object: AnyObject) -> Bool {
  #if canImport(ObjectiveC)
  // Objective-C's runtime aborts if a weak reference to such an object is formed, so this asks first.
  let selector = NSSelectorFromString("allowsWeakReference")
  // The class is that which the runtime asks, even if the object stands for one of another class.
  guard let object = object as? NSObject,
    let method = class_getMethodImplementation(object_getClass(object), selector)
  else { return false }
  typealias AllowsWeakReference = @convention(c) (NSObject, Selector) -> ObjCBool
  return !unsafeBitCast(method, to: AllowsWeakReference.self)(object, selector).boolValue
  #else
  return kvo_is_deallocating(Unmanaged.passUnretained(object).toOpaque())
  #endif
}
