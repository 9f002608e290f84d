/// The paths of recently used key paths of a class, by name, and by the Swift key path object.
///
/// A key path literal is one object, which is identified by its address, because the cache retains it. So the cache doesn't
/// call `hash(into:)` and `==` of key paths, which are slow, and may run foreign code. Key paths with arguments aren't
/// stored: they are created for each use.
final class KeyPathCache: LockedObject, @unchecked Sendable {
  /// The number of entries at which the cache is emptied.
  private static let limit = 256
  @exclusivity(unchecked) private var names: [String: ObservedPath] = [:]
  @exclusivity(unchecked) private var keyPaths: [ObjectIdentifier: (keyPath: AnyKeyPath, path: ObservedPath)] = [:]

  /// The path of that name.
  func path(named name: String) -> ObservedPath {
    if let path = withLock({ names[name] }) { return path }
    let made = ObservedPath(name)
    let former = withLock { () -> [String: ObservedPath] in
      defer { names[name] = made }
      guard names.count >= Self.limit else { return [:] }
      defer { names = [:] }
      return names
    }
    return withExtendedLifetime(former) { made }
  }

  /// The path of a Swift key path, if it is known.
  func path(of keyPath: AnyKeyPath) -> ObservedPath? {
    withLock { keyPaths[ObjectIdentifier(keyPath)]?.path }
  }

  /// Stores the path of a Swift key path, unless its arguments distinguish it from others.
  func insert(_ path: ObservedPath, of keyPath: AnyKeyPath) {
    guard let components = KeyPathComponents(keyPath), !components.contains(where: \.hasArguments) else { return }
    let former = withLock { () -> [ObjectIdentifier: (keyPath: AnyKeyPath, path: ObservedPath)] in
      defer { keyPaths[ObjectIdentifier(keyPath)] = (keyPath, path) }
      guard keyPaths.count >= Self.limit else { return [:] }
      defer { keyPaths = [:] }
      return keyPaths
    }
    withExtendedLifetime(former) {}
  }

  private static let caches = ClassCache<KeyPathCache>()

  static func of(_ type: AnyClass) -> KeyPathCache { caches.value(for: type) { KeyPathCache() } }
}
