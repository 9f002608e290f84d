/// A cache of the paths of recently used key paths. It doesn't call their `hash(into:)` and `==`, which are slow and
/// may run foreign code.
///
/// A key path literal is one object, which is identified by its address. The address isn't reused, because the key path
/// is retained here.
struct KeyPathCache {
  private static let limit = 256
  private var entries: [ObjectIdentifier: (keyPath: AnyKeyPath, path: ObservedPath)] = [:]

  subscript(keyPath: AnyKeyPath) -> ObservedPath? {
    get { entries[ObjectIdentifier(keyPath)]?.path }
    set {
      // Key paths that are created for each use would accumulate. None is released here, because that may run foreign
      // code.
      guard entries.count < Self.limit else { return }
      entries[ObjectIdentifier(keyPath)] = newValue.map { (keyPath, $0) }
    }
  }
}
