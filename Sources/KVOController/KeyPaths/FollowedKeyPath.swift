/// A Swift key path that is followed by reading it, because a component of it isn't known to be a key.
///
/// - Thread safety: The keys are guarded by the lock.
final class FollowedKeyPath: LockedObject, @unchecked Sendable {
  let keyPath: AnyKeyPath
  let text: String
  /// Reads the value at the end of the path; nil if a step is nil.
  let read: (KeyValueObservable) -> Any?
  /// Whether the keys may become known, because a step was nil when the path was first read.
  var isIncomplete: Bool { foundKeys == nil }
  private let properties: ClassProperties
  /// The keys with which the path begins, unless reading it finds all of them. They are found out once if no step was nil, since the
  /// properties on the path are known then.
  var keysBesidesReads: [PathKey] { foundKeys ?? Self.keysBesidesReads(of: keyPath, from: properties) }
  private let foundKeys: [PathKey]?
  /// Empty once the path was read to its end, and has no keys.
  @exclusivity(unchecked) private var knownKeys: [PathKey]?

  init(
    _ keyPath: AnyKeyPath, from properties: ClassProperties, text: String, isIncomplete: Bool,
    read: @escaping (KeyValueObservable) -> Any?
  ) {
    self.keyPath = keyPath
    self.properties = properties
    self.text = text
    self.read = read
    foundKeys = isIncomplete ? nil : Self.keysBesidesReads(of: keyPath, from: properties)
  }

  /// The keys, once they are known.
  var keys: [PathKey]? { isIncomplete ? withLock { knownKeys?.isEmpty == false ? knownKeys : nil } : nil }

  /// Finds out the keys, if getters that were called since have made the properties known. Runs foreign code.
  ///
  /// - Returns: Whether they have become known.
  func learnKeys(wasRead: Bool) -> Bool {
    guard isIncomplete, withLock({ knownKeys == nil }) else { return false }
    let keys = KeyPathKeys.keys(of: keyPath, from: properties, wasRead: wasRead)
    withLock { knownKeys = knownKeys ?? keys ?? (wasRead ? [] : nil) }
    return keys != nil
  }

  private static func keysBesidesReads(of keyPath: AnyKeyPath, from properties: ClassProperties) -> [PathKey] {
    guard let steps = KeyPathKeys(keyPath, from: properties), !steps.areObserved else { return [] }
    return steps.keys
  }
}
