#if canImport(ObjectiveC)
import ObjectiveC

/// Whether the engine doesn't observe objects of a class itself.
func isForeignClass(_ type: KeyValueObservable.Type) -> Bool { !(type is KeyValueObject.Type) }

extension NSObject: ForeignObject {
  /// This object, if the engine doesn't observe it itself.
  package var foreign: (any ForeignObject)? {
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

  package var registersPaths: Bool {
    hasMethod(#selector(NSObject.addObserver(_:forKeyPath:options:context:)))
  }

  // Foundation removes what is registered with an object that is deallocated only if its class keeps Foundation's storage
  // and notifies automatically. It reads the first key of a dotted path that affects the key to remove the registration.
  package func mustOutliveRegistration(forKey key: String) -> Bool {
    let type = type(of: self)
    return key.contains(".") || !type.automaticallyNotifiesObservers(forKey: key)
      || hasMethod(NSSelectorFromString("observationInfo"))
      || type.keyPathsForValuesAffectingValue(forKey: key).contains { $0.contains(".") }
  }

  /// Whether the object's class has a method of its own in place of that of `NSObject`.
  private func hasMethod(_ selector: Selector) -> Bool {
    class_getMethodImplementation(type(of: self), selector) != class_getMethodImplementation(NSObject.self, selector)
  }
}

/// `value`, which isn't an Optional, as an object of the engine; nil if it isn't one.
func keyValueObject(_ value: Any) -> KeyValueObject? { observableObject(value) as? KeyValueObject }
#endif
