/// An observed key path: its keys, or how it is read if they aren't known, or the key paths of a list.
///
/// What distinguishes it from others is fixed when it is made, and comparing two reads nothing.
@usableFromInline
final class ObservedPath: Sendable {
  /// What is known of a path from the beginning, by which observations of it are found.
  enum Bucket: Hashable {
    case name(String)
    /// A hash that equal Swift key paths have.
    case keyPath(hash: Int)
    case list
    case allKeys

    var isOfFollowed: Bool { if case .keyPath = self { true } else { false } }
  }

  /// The keys, joined by dots; for a typed key path whose keys aren't known, a text that describes it.
  let name: String
  /// The keys, if they are known from the beginning.
  private let knownKeys: [PathKey]?
  /// The keys of which each change affects an observance, and nothing else does: all of an object's own, or one that the class
  /// declares and that depends on no other. Empty if the path has to be followed.
  let fixedKeys: [ObservedKey]
  /// The Swift key path that is followed by reading it, if its keys weren't known from the beginning.
  let followed: FollowedKeyPath?
  /// The key paths of a list.
  let list: PathList?
  let bucket: Bucket
  /// The Swift key path, if it was made from one. Its arguments are used on several threads, as those of any key path that is shared.
  nonisolated(unsafe) let keyPath: AnyKeyPath?
  /// Where observations of the same Swift key path are whose keys weren't known.
  let bucketOfFollowed: Bucket?
  /// Where the path is found as long as it exists. Set once, before other threads can find it.
  nonisolated(unsafe) var place: (cache: KeyPathCache, hash: Int)?

  /// - Parameter bucket: nil for that of the Swift key path, whose keys aren't known.
  private init(
    _ name: String, bucket: Bucket?, keys: [PathKey]? = nil, fixedKeys: [ObservedKey] = [],
    followed: FollowedKeyPath? = nil, list: PathList? = nil, of keyPath: AnyKeyPath? = nil
  ) {
    self.fixedKeys = fixedKeys
    (self.name, knownKeys, self.followed, self.list, self.keyPath) = (name, keys, followed, list, keyPath)
    let bucketOfKeyPath = keyPath.map { Bucket.keyPath(hash: Self.canonical($0).hashValue) }
    self.bucket = bucket ?? bucketOfKeyPath ?? .name(name)
    bucketOfFollowed = bucket == nil ? nil : bucketOfKeyPath
  }

  convenience init(_ keys: [PathKey], from properties: ClassProperties, of keyPath: AnyKeyPath? = nil) {
    let name = keys.map(\.text).joined(separator: ".")
    let key = keys.count == 1 ? properties.independentKey(keys[0]) : nil
    self.init(name, bucket: .name(name), keys: keys, fixedKeys: key.map { [$0] } ?? [], of: keyPath)
  }

  convenience init(_ followed: FollowedKeyPath) {
    self.init(followed.text, bucket: nil, followed: followed, of: followed.keyPath)
  }

  /// Creates a path of several, which are different.
  convenience init(several paths: [ObservedPath]) {
    self.init(paths.map(\.currentName).joined(separator: ", "), bucket: .list, list: PathList(paths))
  }

  /// Creates what stands for all of an object.
  convenience init(allKeys keys: [ObservedKey]) {
    self.init(keys.map(\.name).joined(separator: ", "), bucket: .allKeys, fixedKeys: keys)
  }

  deinit {
    requireNoLock("a path is released")
    if let place { place.cache.remove(ObjectIdentifier(self), hash: place.hash) }
  }

  var isOfAllKeys: Bool { bucket == .allKeys }

  /// Whether it is a list without paths, or that of all keys of an object without keys.
  var isEmpty: Bool { isOfAllKeys ? fixedKeys.isEmpty : list?.paths.isEmpty == true }

  /// The only key that affects an observance; nil if there are others, or may be.
  var onlyKey: ObservedKey? { isOfAllKeys ? nil : fixedKeys.first }

  /// The keys; nil if the path must be followed by reading it, for a list, and for all of an object.
  var keys: [PathKey]? { knownKeys ?? followed?.keys }

  /// The types of the values of a typed path, or of those of a list.
  var valueTypes: [Any.Type] {
    list?.paths.flatMap(\.valueTypes) ?? keyPath.map { [type(of: $0).valueType] } ?? []
  }

  var currentName: String {
    if let keys = followed?.keys { return keys.map(\.text).joined(separator: ".") }
    guard let paths = list?.paths, !paths.isEmpty else { return name }
    return paths.map(\.currentName).joined(separator: ", ")
  }
}

/// The key paths of a list, of which each can be taken out. The lock guards them.
final class PathList: LockedState<[ObservedPath]>, @unchecked Sendable {
  var paths: [ObservedPath] { withLock { $0 } }

  /// Returns whether the path was there.
  func remove(_ path: ObservedPath) -> Bool {
    let removed = withLock { paths in
      paths.firstIndex { $0 === path }.map { paths.remove(at: $0) }
    }
    return removed != nil
  }
}

// MARK: Comparing

extension ObservedPath {
  /// Whether two paths from objects of the class of `root` are the same: whether they have the same Swift key path, or names that
  /// were known when they were made, that are equal, and mean the same properties. Lists are the same if their paths are, in any
  /// order. Runs foreign code, and reads no value.
  func isSame(as other: ObservedPath, at root: KeyValueObservable) -> Bool {
    guard self !== other else { return true }
    if let paths = list?.paths, let others = other.list?.paths {
      return paths.count == others.count
        && paths.allSatisfy { path in others.contains { $0.isSame(as: path, at: root) } }
    }
    if let knownKeys, let others = other.knownKeys, Self.meanTheSame(knownKeys, others, at: root) { return true }
    guard let keyPath, let otherKeyPath = other.keyPath else { return false }
    requireNoLock("key paths are compared")
    return keyPath == otherKeyPath || Self.canonical(keyPath) == Self.canonical(otherKeyPath)
  }

  /// Whether keys are equal and mean the same: the first ones in the class of `root`, and later ones the properties that steps of
  /// typed key paths name, where both do.
  private static func meanTheSame(_ keys: [PathKey], _ others: [PathKey], at root: KeyValueObservable) -> Bool {
    guard keys.elementsEqual(others, by: { $0.text == $1.text }) else { return false }
    for (index, (key, other)) in zip(keys, others).enumerated() where key.property !== other.property {
      if index > 0 {
        if key.property != nil, other.property != nil { return false }
      } else if let properties = root.own?.properties {
        switch (properties.meaning(of: key), properties.meaning(of: other)) {
        case (.key(let key), .key(let other)) where key === other: break
        case (.property(let property), .property(let other)) where property.keyPath == other.keyPath: break
        default: return false
        }
      }
    }
    return true
  }

  /// Without the paths that are the same as earlier ones.
  static func distinct(_ paths: [ObservedPath], at root: KeyValueObservable) -> [ObservedPath] {
    var known: [Bucket: [ObservedPath]] = [:]
    return paths.filter { path in
      guard known[path.bucket]?.contains(where: { $0.isSame(as: path, at: root) }) != true else { return false }
      known[path.bucket, default: []].append(path)
      return true
    }
  }
}

/// What `unobserve` names: a path, or whatever shows a name.
enum PathSelection {
  case path(ObservedPath)
  case name(String)

  /// Whether a path from an object of the class of `root` is selected. Runs foreign code.
  func matches(_ path: ObservedPath, at root: KeyValueObservable) -> Bool {
    switch self {
    case .path(let other): return path.isSame(as: other, at: root)
    case .name(let name):
      _ = path.followed?.learnKeys(wasRead: false)
      return path.currentName == name
    }
  }
}

// MARK: Swift key paths

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
    requireNoLock("a key path is made canonical")
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
