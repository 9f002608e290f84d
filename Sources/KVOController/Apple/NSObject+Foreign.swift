#if canImport(ObjectiveC)
import ObjectiveC

/// Whether the engine doesn't observe objects of a class itself.
func isForeignClass(_ type: KeyValueObservable.Type) -> Bool { !(type is KeyValueObject.Type) }

extension NSObject: ForeignObject {
  /// This object, if the engine observes it itself.
  var own: KeyValueObject? { isForeignClass(type(of: self)) ? nil : self as? KeyValueObject }

  /// This object, if the engine doesn't observe it itself.
  var foreign: (any ForeignObject)? {
    if isForeignClass(type(of: self)) { return self }
    return nil
  }

  package var isValue: Bool {
    let classes = [
      NSString.self, NSValue.self, NSDate.self, NSData.self, NSNull.self, NSDictionary.self, NSArray.self, NSSet.self,
      NSOrderedSet.self,
    ]
    return classes.contains { isKind(of: $0) }
  }

  package var hasKeysWithDots: Bool { isKind(of: UserDefaults.self) }

  package var omitsValues: Bool {
    #if os(macOS)
    NSClassFromString("NSController").map { isKind(of: $0) } == true  // AppKit isn't imported.
    #else
    false
    #endif
  }

  package func overrides(_ method: String) -> Bool {
    let selector = NSSelectorFromString(method)
    return class_getMethodImplementation(type(of: self), selector)
      != class_getMethodImplementation(NSObject.self, selector)
  }

  package static var classNames: [String] {
    sequence(first: self as AnyClass, next: { class_getSuperclass($0) }).map { NSStringFromClass($0) }
  }

  package static func key(of property: PropertyIdentity) -> String? { ObjectiveCClass(type: self).name(of: property) }
}

private let associationLock = LockedState(())

// The associations aren't atomic, because Objective-C's runtime would autorelease what it returns. A controller or a lifeline
// would then outlive its object until the pool is drained, and a lifeline must not. The lock does instead.
extension NSObject {
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
  package func associate(_ value: AnyObject, _ key: AssociationKey, replacing: Bool) -> AnyObject {
    requireNoLock("an object is associated")
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
