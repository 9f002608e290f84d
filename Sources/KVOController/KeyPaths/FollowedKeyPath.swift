/// A Swift key path that is followed by reading it, because a component of it isn't known to be a key.
///
/// - Thread safety: The keys are guarded by the lock.
final class FollowedKeyPath: LockedObject, @unchecked Sendable {
  let keyPath: AnyKeyPath
  let text: String
  /// Reads the value at the end of the path; nil if a step is nil.
  let read: (KeyValueObservable) -> Any?
  /// Whether the keys may become known, because a step was nil when the path was first read.
  let isIncomplete: Bool
  /// The class of the object at which it begins.
  private let properties: ClassProperties
  @exclusivity(unchecked) private var knownKeys: [PathKey]?
  /// The number of known properties when the keys were looked for in vain.
  @exclusivity(unchecked) private var triedCount: Int?

  init(
    _ keyPath: AnyKeyPath, from properties: ClassProperties, text: String, isIncomplete: Bool,
    read: @escaping (KeyValueObservable) -> Any?
  ) {
    self.keyPath = keyPath
    self.properties = properties
    self.text = text
    self.isIncomplete = isIncomplete
    self.read = read
    hash = ObservedPath.canonical(keyPath).hashValue
  }

  /// The keys, once they are known.
  var keys: [PathKey]? {
    guard isIncomplete else { return nil }
    let count = ObservedField.knownCount
    let (known, wasTried) = withLock { (knownKeys, triedCount == count) }
    if known != nil || wasTried { return known }
    let keys = KeyPathKeys.keys(of: keyPath, from: properties, wasRead: false)
    withLock { (knownKeys, triedCount) = (keys ?? knownKeys, count) }
    return keys
  }

  /// The keys with which the path begins, unless reading it finds all of them.
  var keysBesidesReads: [PathKey] {
    guard let steps = KeyPathKeys(keyPath, from: properties), !steps.areObserved else { return [] }
    return steps.keys
  }

  /// A hash that equal key paths have, computed once, because it may run foreign code.
  let hash: Int

  /// Whether another key path is equal, even if it begins at another class.
  func isSame(as other: FollowedKeyPath?) -> Bool {
    guard let other else { return false }
    return keyPath == other.keyPath || ObservedPath.canonical(keyPath) == ObservedPath.canonical(other.keyPath)
  }
}

extension ObservedPath {
  /// The root of the common prefix.
  private struct Holder<Root> {
    var root: Root
  }

  /// A Swift key path that is equal for all key paths with the same components, whatever class they begin at.
  ///
  /// In Swift, `\Base.name` and `\Derived.name` are different, because their roots are. Appended to a common prefix, they
  /// are compared by their components. The cast changes only the root type; no values are read.
  static func canonical(_ keyPath: AnyKeyPath) -> AnyKeyPath {
    // `\.self` has no components to append.
    if type(of: keyPath).rootType == type(of: keyPath).valueType, KeyPathComponent.all(of: keyPath)?.isEmpty != false {
      return keyPath
    }
    func open<Value>(_ value: Value.Type) -> AnyKeyPath {
      let rebased = unsafeBitCast(keyPath as AnyObject, to: KeyPath<KeyValueObject, Value>.self)
      return (\Holder<KeyValueObject>.root).appending(path: rebased)
    }
    let valueType: Any.Type = type(of: keyPath).valueType
    return open(valueType)
  }
}
