/// The resolved key paths of one class.
///
/// - Thread safety: The tables are guarded by a lock, which isn't held while `hash(into:)` and `==` of key paths run,
///   because they may run foreign code.
final class ClassKeyPaths: @unchecked Sendable {
  let properties: ClassProperties

  private let lock = Lock()
  // The lock excludes what the compiler would otherwise check at run time.
  @exclusivity(unchecked) private var recent = KeyPathCache()
  /// Entries by the hash of the key path's canonical form.
  private var paths: [Int: [Entry]] = [:]
  @exclusivity(unchecked) private var namedPaths: [String: ObservedPath] = [:]
  /// The properties that a tracker has met, by index.
  private var readProperties: [Int: ReadTracker.Property] = [:]
  /// The number of paths with each text.
  private var textCounts: [String: Int] = [:]

  private struct Entry {
    let keyPath: AnyKeyPath
    let path: ObservedPath
  }

  private init(_ properties: ClassProperties) {
    self.properties = properties
  }

  /// The path of that name.
  func path(named name: String) -> ObservedPath {
    lock.withLock {
      if let path = namedPaths[name] { return path }
      let path = ObservedPath(name)
      namedPaths[name] = path
      return path
    }
  }

  /// The path that was resolved for a key path before.
  func knownPath(of keyPath: AnyKeyPath) -> ObservedPath? {
    if let recent = lock.withLock({ recent[keyPath] }) { return recent }
    let canonical = RebasedKeyPath.canonical(keyPath)
    let hash = canonical.hashValue
    let entries = lock.withLock { paths[hash] } ?? []
    guard let path = entries.first(where: { $0.keyPath == canonical })?.path else { return nil }
    lock.withLock { recent[keyPath] = path }
    return path
  }

  /// The path for a key path that was resolved before, or each of whose components is known to be a key; otherwise nil.
  func path(of keyPath: AnyKeyPath) -> ObservedPath? {
    if let known = knownPath(of: keyPath) { return known }
    guard let path = namedPath(of: keyPath) else { return nil }
    return remember(path, as: keyPath)
  }

  /// The path by its name; nil if a component isn't known to be a key.
  ///
  /// In an object of a subclass, a path of several keys means the property of the class that the key path names, and not
  /// one of the same name in the subclass.
  func namedPath(of keyPath: AnyKeyPath) -> ObservedPath? {
    guard let names = KeyPathNaming.names(of: keyPath, from: properties) else { return nil }
    return names.count == 1 ? path(named: names[0].text) : ObservedPath(names)
  }

  /// Stores the path for a key path, for all objects of the class. If another thread was faster, its path is returned.
  func remember(_ path: ObservedPath, as keyPath: AnyKeyPath) -> ObservedPath {
    let canonical = RebasedKeyPath.canonical(keyPath)
    let hash = canonical.hashValue
    var compared = 0
    while true {
      let entries = lock.withLock { paths[hash] } ?? []
      if let known = entries[compared...].first(where: { $0.keyPath == canonical }) { return known.path }
      compared = entries.count
      let isKept = lock.withLock {
        guard (paths[hash]?.count ?? 0) == compared else { return false }
        paths[hash, default: []].append(Entry(keyPath: canonical, path: path))
        recent[keyPath] = path
        return true
      }
      if isKept { return path }
    }
  }

  /// The property at an index, which `make` creates if no tracker has met it. It is never deallocated.
  func readProperty(at index: Int, orMake make: () -> ReadTracker.Property) -> ReadTracker.Property {
    if let known = lock.withLock({ readProperties[index] }) { return known }
    let made = make()
    return lock.withLock {
      if let known = readProperties[index] { return known }
      readProperties[index] = made
      return made
    }
  }

  /// A text for a path without a name, which is unique within the class.
  func uniqueText(_ text: String) -> String {
    let count = lock.withLock {
      textCounts[text, default: 0] += 1
      return textCounts[text]!
    }
    return count == 1 ? text : "\(text) (\(count))"
  }

  /// The key path of a key, if it is known.
  func keyPath(of name: String) -> AnyKeyPath? {
    if let listed = properties.listed[name] { return listed.keyPath }
    return properties.fieldIndex(name).flatMap { KnownProperties.property(at: $0, in: properties.type)?.keyPath }
  }
}

extension DeclaredKeyPath {
  /// Whether this is the key path of the `@Observed` property of that name itself, which a class can list too.
  func isProperty(_ name: String, of object: KeyValueObject) -> Bool {
    let properties = ClassProperties.of(object)
    guard let component, let index = properties.fieldIndex(name) else { return false }
    // Reading the property makes its key path known.
    if KnownProperties.property(at: index, in: properties.type) == nil {
      _ = ReadTracker.reads(from: object) { value($0) }
    }
    guard let property = KnownProperties.property(at: index, in: properties.type),
      component.identity == property.identity
    else { return false }
    #if !canImport(ObjectiveC)
    return properties.override(name) == nil
    #else
    return true
    #endif
  }
}

extension ClassKeyPaths {
  private static let cache = ClassCache<ClassKeyPaths>()

  /// The key paths of the class of `object`.
  static func of(_ object: KeyValueObservable) -> ClassKeyPaths {
    let properties = ClassProperties.of(object)
    return cache.value(for: properties.type) { ClassKeyPaths(properties) }
  }

  /// The key paths of a class.
  static func of(_ properties: ClassProperties) -> ClassKeyPaths {
    cache.value(for: properties.type) { ClassKeyPaths(properties) }
  }
}

/// A cache of the paths of recently used key paths. It doesn't call their `hash(into:)` and `==`, which are slow and
/// may run foreign code.
///
/// A key path literal is one object, which is identified by its address. The address isn't reused, because the key path
/// is retained here.
private struct KeyPathCache {
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
