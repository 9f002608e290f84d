#if canImport(ObjectiveC)
import ObjectiveC
#endif

/// Whether `object` is in its `deinit`, from which on no weak reference to it can be had.
package func isInDeinit(_ object: AnyObject) -> Bool {
  #if canImport(ObjectiveC)
  // Objective-C stops the process that forms a weak reference to such an object, so it is asked first.
  let selector = NSSelectorFromString("allowsWeakReference")
  guard let object = object as? NSObject, let method = class_getMethodImplementation(type(of: object), selector) else {
    return false
  }
  typealias AllowsWeakReference = @convention(c) (NSObject, Selector) -> ObjCBool
  return !unsafeBitCast(method, to: AllowsWeakReference.self)(object, selector).boolValue
  #else
  WeakReference(object).object == nil
  #endif
}
