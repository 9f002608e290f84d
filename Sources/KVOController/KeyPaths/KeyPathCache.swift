/// The paths of recently used key paths of a class, by name, and by the Swift key path object, which is identified by
/// its address, because the cache retains it: `hash(into:)` and `==` of key paths are slow, and may run foreign code.
/// Key paths with arguments are created for each use. Their paths aren't retained, and are found by hash and equality.
final class KeyPathCache: LockedObject, @unchecked Sendable {
  @exclusivity(unchecked) private var names = Entries<String, ObservedPath>()
  @exclusivity(unchecked) private var keyPaths = Entries<ObjectIdentifier, (keyPath: AnyKeyPath, path: ObservedPath)>()
  /// The paths of key paths with arguments, by hash. Each is removed before its memory is freed.
  @exclusivity(unchecked) private var pathsInUse: [Int: [Weak<ObservedPath>]] = [:]

  private struct Entries<Key: Hashable, Value> {
    private(set) var values: [Key: Value] = [:]

    /// Inserts a value, unless another thread has inserted one. Empties the cache before if it is large. Returns what the caller has
    /// to release after the lock.
    mutating func insert(_ value: Value, _ key: Key) -> [Key: Value] {
      var former: [Key: Value] = [:]
      guard values[key] == nil else { return former }
      if values.count >= 256 { swap(&values, &former) }
      values[key] = value
      return former
    }
  }

  func path(named name: String, from properties: ClassProperties) -> ObservedPath {
    if let path = withLock({ names.values[name] }) { return path }
    let made = ObservedPath(PathKey.keys(of: name), from: properties)
    let former = withLock { names.insert(made, name) }
    return withExtendedLifetime(former) { made }
  }

  /// The path of a Swift key path, if it is known.
  subscript(keyPath: AnyKeyPath) -> ObservedPath? {
    let (known, isAny) = withLock { (keyPaths.values[ObjectIdentifier(keyPath)]?.path, !pathsInUse.isEmpty) }
    guard known == nil, isAny else { return known }
    requireNoLock("key paths are hashed and compared")
    let hash = keyPath.hashValue
    return withLock { pathsInUse[hash] }?.lazy.compactMap(\.object).first { $0.keyPath == keyPath }
  }

  /// Stores the path of a Swift key path: as long as it exists, if arguments distinguish the key path from others.
  func insert(_ path: ObservedPath, of keyPath: AnyKeyPath) {
    guard let components = KeyPathComponent.all(of: keyPath) else { return }
    guard components.contains(where: \.hasArguments) else {
      let former = withLock { keyPaths.insert((keyPath, path), ObjectIdentifier(keyPath)) }
      return withExtendedLifetime(former) {}
    }
    requireNoLock("a key path is hashed")
    let (hash, entry) = (keyPath.hashValue, Weak(path))
    path.place = (self, hash)
    withLock { pathsInUse[hash, default: []].append(entry) }
  }

  /// Removes the entry of a path, in its `deinit`.
  func remove(_ path: ObjectIdentifier, hash: Int) {
    let former = withLock {
      let former = pathsInUse[hash]
      let left = former?.filter { $0.reference.identity != path } ?? []
      pathsInUse[hash] = left.isEmpty ? nil : left
      return former
    }
    withExtendedLifetime(former) {}
  }
}

// MARK: Finding paths

extension ObservedPath {
  static func named(_ name: String, of object: KeyValueObservable) -> ObservedPath {
    let properties = ClassProperties.of(type(of: object))
    return properties.paths.path(named: name, from: properties)
  }

  /// The path of a Swift key path for `root`. Traps if it can't be observed.
  @usableFromInline
  static func resolved<Root>(
    _ keyPath: PartialKeyPath<Root>, of root: KeyValueObservable, _ site: CallSite? = nil
  ) -> ObservedPath {
    ClassProperties.of(type(of: root)).paths[keyPath]
      ?? KeyPathResolver(keyPath: keyPath, object: root, site: site).path()
  }

  /// The path of a Swift key path for `root`; nil if it can't be observed.
  static func found<Root>(_ keyPath: PartialKeyPath<Root>, of root: KeyValueObservable) -> ObservedPath? {
    ClassProperties.of(type(of: root)).paths[keyPath] ?? KeyPathResolver(keyPath: keyPath, object: root).foundPath()
  }

  /// The path of several, each once. Traps if one can't be observed; asserts in debug builds if there are none.
  static func list<Root>(
    _ keyPaths: [PartialKeyPath<Root>], of root: KeyValueObservable, _ site: CallSite
  ) -> ObservedPath {
    if keyPaths.isEmpty { misuseInDebugBuilds(ofEmpty: "the list of key paths", of: root, at: site) }
    return ObservedPath(several: distinct(keyPaths.map { resolved($0, of: root, site) }, at: root))
  }

  static func description(of keyPath: AnyKeyPath) -> String { KeyPathKeys.text(of: keyPath) }
}
