/// The `@Observed` properties whose own key paths are known, for all classes.
///
/// A property's key path can't be found by its name. But each getter knows both, and reports them when it is called
/// while reads are tracked. From then on the property is recognized in every key path that leads through it.
///
/// - Thread safety: The tables are guarded by a lock.
final class KnownProperties: Sendable {
  /// A property, with the class that declares it.
  struct Property {
    let name: String
    /// The index of its field, which is the same in subclasses.
    let index: Int
    let declaringClass: KeyValueObject.Type
    // Key paths are immutable.
    nonisolated(unsafe) let keyPath: AnyKeyPath
    let identity: PropertyIdentity
  }

  private struct Table {
    var byIdentity: [PropertyIdentity: Property] = [:]
    var byIndex: [Int: Property] = [:]
  }

  private static let lock = Lock()
  nonisolated(unsafe) private static var tables: [ObjectIdentifier: Table] = [:]

  /// Adds a property with its own key path, which begins at the class that declares it.
  static func learn(_ name: String, index: Int, _ keyPath: AnyKeyPath) {
    guard let components = KeyPathComponents(keyPath), components.count == 1, let identity = components[0].identity,
      let type = type(of: keyPath).rootType as? KeyValueObject.Type
    else { return }
    let property = Property(name: name, index: index, declaringClass: type, keyPath: keyPath, identity: identity)
    lock.withLock {
      tables[ObjectIdentifier(type), default: Table()].byIdentity[identity] = property
      tables[ObjectIdentifier(type), default: Table()].byIndex[index] = property
    }
  }

  /// Records that objects read observed properties for the key path.
  static func noteReads(through keyPath: AnyKeyPath) {
    let identities = lastIdentity(keyPath)
    lock.withLock { reading.formUnion(identities) }
  }

  /// Whether an object has read observed properties for the last component of the key path.
  static func areRead(through keyPath: AnyKeyPath) -> Bool {
    let identities = lastIdentity(keyPath)
    return lock.withLock { !reading.isDisjoint(with: identities) }
  }

  nonisolated(unsafe) private static var reading: Set<PropertyIdentity> = []

  private static func lastIdentity(_ keyPath: AnyKeyPath) -> [PropertyIdentity] {
    (KeyPathComponents(keyPath)?.last { $0.identity != nil }?.identity).map { [$0] } ?? []
  }

  /// The property with that identity in `type` or one of its superclasses.
  static func property(_ identity: PropertyIdentity, in type: AnyClass) -> Property? {
    first(in: type) { $0.byIdentity[identity] }
  }

  /// The property whose field has that index in `type`.
  static func property(at index: Int, in type: AnyClass) -> Property? {
    first(in: type) { $0.byIndex[index] }
  }

  private static func first(in type: AnyClass, _ find: (Table) -> Property?) -> Property? {
    lock.withLock {
      var next: AnyClass? = type
      while let type = next {
        if let property = tables[ObjectIdentifier(type)].flatMap(find) { return property }
        next = _getSuperclass(type)
      }
      return nil
    }
  }
}
