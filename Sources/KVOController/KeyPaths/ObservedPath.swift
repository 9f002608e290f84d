/// An observed key path: its keys, or how it is read if they aren't known.
@usableFromInline
final class ObservedPath: Sendable {
  /// The keys, joined by dots; for a typed key path whose keys aren't known, a text that describes it.
  let name: String
  private let names: [PathKey]
  /// The key path, if its keys aren't known.
  let typed: FollowedKeyPath?

  init(_ name: String) {
    self.name = name
    names = PathKey.keys(of: name)
    typed = nil
  }

  init(_ names: [PathKey]) {
    name = names.map(\.text).joined(separator: ".")
    self.names = names
    typed = nil
  }

  init(_ typed: FollowedKeyPath) {
    name = typed.text
    names = []
    self.typed = typed
  }

  /// The keys; nil if the path must be followed by reading it. Those of a path that was nil at some step may become known.
  var keys: [PathKey]? { typed == nil ? names : typed?.keys }

  /// The index of the last of the keys that are known from the beginning.
  var lastIndex: Int { names.count - 1 }

  /// Whether the keys are known.
  var isNamed: Bool { keys != nil }

  /// Whether its keys are names, which mean what the classes of the objects on the path call so.
  var hasOnlyNames: Bool { keys?.allSatisfy { $0.property == nil } == true }

  /// Whether the keys may become known later.
  var isIncomplete: Bool { typed?.isIncomplete ?? false }

  /// The current name of the path.
  var currentName: String { typed?.keys.map { $0.map(\.text).joined(separator: ".") } ?? name }

  /// Distinguishes key paths of one name, such as those with different arguments; nil for a path whose keys are known.
  var hash: Int? { typed?.hash }

  /// The only key of the path in a class; nil if there are several, or if it must be followed by reading it.
  func onlyKey(in properties: ClassProperties) -> ObservedKey? {
    guard let keys, keys.count == 1, case .key(let key) = properties.meaning(of: keys[0]) else { return nil }
    return key
  }
}

extension ObservedPath {
  /// Whether two paths lead to the same properties of the objects that are on them now.
  ///
  /// A step of a typed key path means the property of the class that it names, and a name means that of the object's own
  /// class. They differ if the class overrides the property, or has a private property of the same name. Runs foreign code.
  func isSame(as other: ObservedPath, at root: KeyValueObservable) -> Bool {
    guard self !== other else { return true }
    guard let keys, let otherKeys = other.keys else { return typed.map { $0.isSame(as: other.typed) } ?? false }
    guard keys == otherKeys else { return false }
    guard zip(keys, otherKeys).contains(where: { $0.property !== $1.property }) else { return true }
    var object = root
    for (key, otherKey) in zip(keys, otherKeys) {
      // A name means the same in a foreign object for both.
      if let properties = ownObject(object)?.properties {
        switch (properties.meaning(of: key), properties.meaning(of: otherKey)) {
        case (.key(let key), .key(let otherKey)) where key === otherKey: break
        case (.property(let property), .property(let other)) where property.keyPath == other.keyPath: break
        default: return false
        }
      }
      guard let next = object.value(forKey: key.text).flatMap(unwrapped).flatMap(pathObject) else { return true }
      object = next
    }
    return true
  }
}

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

/// The paths of recently used key paths of a class, by name, and by the Swift key path object.
///
/// A key path literal is one object, which is identified by its address, because the cache retains it. So the cache doesn't
/// call `hash(into:)` and `==` of key paths, which are slow, and may run foreign code. Key paths with arguments aren't
/// stored: they are created for each use.
final class KeyPathCache: LockedObject, @unchecked Sendable {
  @exclusivity(unchecked) private var names = Entries<String, ObservedPath>()
  @exclusivity(unchecked) private var keyPaths = Entries<ObjectIdentifier, (keyPath: AnyKeyPath, path: ObservedPath)>()

  private struct Entries<Key: Hashable, Value> {
    private(set) var values: [Key: Value] = [:]

    /// Inserts a value. Empties the cache before if it is large.
    ///
    /// - Returns: What the caller has to release after the lock.
    mutating func insert(_ value: Value, _ key: Key) -> [Key: Value] {
      var former: [Key: Value] = [:]
      if values.count >= 256 { swap(&values, &former) }
      values[key] = value
      return former
    }
  }

  /// The path of that name.
  func path(named name: String) -> ObservedPath {
    if let path = withLock({ names.values[name] }) { return path }
    let made = ObservedPath(name)
    let former = withLock { names.insert(made, name) }
    return withExtendedLifetime(former) { made }
  }

  /// The path of a Swift key path, if it is known.
  func path(of keyPath: AnyKeyPath) -> ObservedPath? {
    withLock { keyPaths.values[ObjectIdentifier(keyPath)]?.path }
  }

  /// Stores the path of a Swift key path, unless its arguments distinguish it from others.
  func insert(_ path: ObservedPath, of keyPath: AnyKeyPath) {
    guard let components = KeyPathComponent.all(of: keyPath), !components.contains(where: \.hasArguments) else {
      return
    }
    let former = withLock { keyPaths.insert((keyPath, path), ObjectIdentifier(keyPath)) }
    withExtendedLifetime(former) {}
  }
}
