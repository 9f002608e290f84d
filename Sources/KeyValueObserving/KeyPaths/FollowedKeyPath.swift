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
    hash = RebasedKeyPath.canonical(keyPath).hashValue
  }

  /// The keys, once they are known.
  var keys: [PathKey]? {
    guard isIncomplete else { return nil }
    let count = KnownProperties.count
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
    return keyPath == other.keyPath || RebasedKeyPath.canonical(keyPath) == RebasedKeyPath.canonical(other.keyPath)
  }
}
