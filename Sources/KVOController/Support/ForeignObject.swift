/// An object on a path that the engine doesn't observe itself, but registers with as any observer does, key by key. On
/// Apple platforms these are all objects but those of ``KeyValueObject``; on other platforms those with which tests
/// imitate them.
package protocol ForeignObject: KeyValueObservable {
  /// Whether it is a value, such as a string or a collection, whose properties don't change.
  var isValue: Bool { get }

  /// Whether it takes names with dots for keys, as `UserDefaults` does, of which Foundation observes only the first part.
  var hasKeysWithDots: Bool { get }

  /// Whether it notifies of changes without their values, as AppKit's controllers do. They are read after each change.
  var omitsValues: Bool { get }

  /// Whether its class has a method of its own in place of that of `NSObject`, given the name in Objective-C.
  func overrides(_ method: String) -> Bool

  /// The names in Objective-C of the class and its superclasses.
  static var classNames: [String] { get }

  /// The name of the key whose getter the class identifies so; nil if there is none.
  static func key(of property: PropertyIdentity) -> String?
}

extension ForeignObject {
  /// Whether its class registers observers in a way of its own, so that it takes whole paths.
  package var registersPaths: Bool { overrides("addObserver:forKeyPath:options:context:") && !passesObserversOn }

  /// Whether its class has methods of its own that register and remove observers, but passes these on to Foundation, which removes
  /// those of keys that notify automatically when the object is deallocated. A window must not be retained by what it shows.
  private var passesObserversOn: Bool {
    let classes = ["NSWindow", "NSWorkspace", "NSRunningApplication", "WKWebView", "MTKView"]
    return overrides("addObserver:forKeyPath:options:context:") && !overrides("observationInfo")
      && type(of: self).classNames.contains(where: classes.contains)
  }

  /// Whether its class inherits from a ``KeyValueObject`` that isn't the engine's.
  static var isOfOtherCopy: Bool { classNames.contains(_typeName(KeyValueObject.self)) }

  /// Whether its class reads paths in a way of its own, also into a value that has no keys: `CALayer` has `position.x`. Foundation
  /// can't register an observer of such a path, so its first key is observed.
  package var readsPaths: Bool { overrides("valueForKeyPath:") && !isValue }

  /// Whether a change may come without a notification before it, as one of `UserDefaults` that another process has made.
  var mayOmitPriorCalls: Bool { hasKeysWithDots || omitsValues }

  /// Whether the class stores its observers where Foundation does, which removes them when the object is deallocated, and
  /// removes them as Foundation does.
  package var keepsFoundationStorage: Bool {
    !["observationInfo", "removeObserver:forKeyPath:context:", "removeObserver:forKeyPath:"].contains(where: overrides)
  }

  /// Whether its `deinit` has begun, given what `allowsWeakReference` of its own class answers, or that of `NSObject`.
  /// The latter counts, because a class may refuse weak references at any time, but it doesn't know of the `deinit` of
  /// an object that counts its references itself, as a `CALayer` does.
  package func hasBegunDeinit(_ allowsWeakReference: (_ asOfOwnClass: Bool) -> Bool) -> Bool {
    !allowsWeakReference(overrides("retain"))
  }

  /// Whether the object must not be deallocated before the registration for a key is removed. Foundation removes what
  /// is registered with a deallocated object only if its class keeps Foundation's storage and notifies automatically. A
  /// class that registers observers in its own way may read its properties to remove them.
  func mustOutliveRegistration(forKey key: String) -> Bool {
    guard type(of: self).automaticallyNotifiesObservers(forKey: key) else { return true }
    return registersPaths || (cannotRemoveInDeinit(forKey: key) && !passesObserversOn)
  }

  /// Whether the registration for a key must be left as it is when the object's `deinit` has begun: to remove it would use
  /// properties that are gone, or storage that the class has released.
  func cannotRemoveInDeinit(forKey key: String) -> Bool {
    isReadByRemoval(ofKey: key) || !keepsFoundationStorage
  }

  /// Whether removing the registration for a key reads the object's properties, which are gone in its `deinit`.
  /// Foundation reads the first key of a dotted path: of that for the path, and of one for a key that depends on the
  /// path, directly or through other keys.
  private func isReadByRemoval(ofKey key: String) -> Bool {
    var (keys, unvisited) = (Set([key]), [key])
    while let key = unvisited.popLast() {
      if key.contains(".") { return true }
      for affecting in type(of: self).keyPathsForValuesAffectingValue(forKey: key)
      where keys.insert(affecting).inserted {
        unvisited.append(affecting)
      }
    }
    return false
  }
}

/// The identity of a property in key path objects: the address of its method descriptor, or of its getter if the
/// property can't be overridden. Unrelated classes may share an identical getter, so it is unique only within a class.
package struct PropertyIdentity: Hashable, Sendable {
  /// The address, whose memory isn't read here; for a property of Objective-C that of its getter's selector.
  let address: UInt

  package init(address: UInt) { self.address = address }
}

extension PropertyIdentity {
  /// The name of the property in a class, by which Foundation observes it; nil if there is none.
  func foundationName(in type: AnyClass) -> String? { (type as? any ForeignObject.Type)?.key(of: self) }
}

/// `value`, which isn't an Optional, as an object on a path, whose keys can be observed; nil if it isn't one.
func pathObject(_ value: Any) -> KeyValueObservable? {
  guard let object = observableObject(value), object.foreign?.isValue != true else { return nil }
  return object
}
