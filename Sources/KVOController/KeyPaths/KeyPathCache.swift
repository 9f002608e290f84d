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
