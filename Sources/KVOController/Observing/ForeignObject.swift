/// An object on a path that the engine doesn't observe itself: one of Foundation's, or of another class that Foundation
/// observes.
///
/// The engine registers with it as any observer does, key by key. On Apple platforms these are all objects but those of
/// ``KeyValueObject``; on other platforms it is the objects with which tests imitate them.
package protocol ForeignObject: KeyValueObservable {
  /// Whether it is a value, such as a string or a collection, whose properties don't change.
  var isValue: Bool { get }

  /// Whether its class registers observers in a way of its own, so that it takes whole paths.
  var registersPaths: Bool { get }

  /// Whether the class stores its observers where Foundation does, which removes them when the object is deallocated, and
  /// removes them as Foundation does.
  var keepsFoundationStorage: Bool { get }
}

extension ForeignObject {
  /// Whether the object must not be deallocated before the registration for a key is removed.
  ///
  /// Foundation removes what is registered with an object that is deallocated only if its class keeps Foundation's storage
  /// and notifies automatically. A class that registers observers in its own way may read its properties to remove them.
  func mustOutliveRegistration(forKey key: String) -> Bool {
    cannotRemoveInDeinit(forKey: key) || registersPaths
      || !type(of: self).automaticallyNotifiesObservers(forKey: key)
  }

  /// Whether the registration for a key must be left as it is when the object's `deinit` has begun: to remove it would use
  /// properties that are gone, or storage that the class has released.
  func cannotRemoveInDeinit(forKey key: String) -> Bool {
    isReadByRemoval(ofKey: key) || !keepsFoundationStorage
  }

  /// Whether removing the registration for a key reads the object's properties, which are gone in its `deinit`.
  ///
  /// Foundation reads the first key of a dotted path to remove a registration: of that for the path, and of one for a key
  /// that depends on the path, directly or through other keys.
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

/// `value`, which isn't an Optional, as an object on a path, whose keys can be observed; nil if it isn't one.
func pathObject(_ value: Any) -> KeyValueObservable? {
  guard let object = observableObject(value), object.foreign?.isValue != true else { return nil }
  return object
}
