/// What the key paths mean that were used lately, found without their `hash` and `==`, which are slow and may be foreign
/// code.
///
/// The compiler makes one object of a key path that is written out, so that it is told by its address. The address
/// belongs to nobody else as long as the key path is held here.
struct KeyPathCache {
  private static let limit = 256
  private var entries: [ObjectIdentifier: (keyPath: AnyKeyPath, path: ObservedPath)] = [:]

  subscript(keyPath: AnyKeyPath) -> ObservedPath? {
    get { entries[ObjectIdentifier(keyPath)]?.path }
    set {
      // Key paths that are made anew each time would pile up. None is let go of here, for that may run foreign code.
      guard entries.count < Self.limit else { return }
      entries[ObjectIdentifier(keyPath)] = newValue.map { (keyPath, $0) }
    }
  }
}
