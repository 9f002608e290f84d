/// The properties of a class that Key-Value Coding reaches: found once, and kept as long as the process lives, as the
/// class is.
///
/// - Thread safety: What is known of key paths stands under a lock; all else never changes.
final class ClassProperties: @unchecked Sendable {
  let fields: [ObservedField]
  private let fieldIndexes: [String: Int]
  private let declared: [String: DeclaredKeyPath]
  /// For each offset in an object the index of the field that lies there, -1 where none does.
  let fieldAtOffset: [Int32]

  private let lock = UnfairLock()
  private var indexes: [AnyKeyPath: Int] = [:]
  private var paths = (version: 0, paths: [AnyKeyPath: ObservedPath]())
  private var namedPaths: [String: ObservedPath] = [:]
  private var recentPaths = RecentPaths()
  private var keyPaths: [String: AnyKeyPath]
  private let isCustomized: Bool

  private init(_ object: KeyValueObject) {
    fields = ObservedField.fields(of: object)
    declared = Self.declaredKeyPaths(of: type(of: object))
    isCustomized = object is any NSKeyValueObservingCustomization
    keyPaths = declared.mapValues(\.keyPath)
    fieldIndexes = Dictionary(zip(fields.map(\.name), fields.indices), uniquingKeysWith: { _, last in last })
    var fieldAtOffset = [Int32](repeating: -1, count: (fields.map(\.offset).max() ?? -1) + 1)
    for (index, field) in fields.enumerated() where !field.isZeroSized {
      fieldAtOffset[field.offset] = Int32(index)
    }
    self.fieldAtOffset = fieldAtOffset
  }

  /// The index of the `@Observed` property of that name.
  func fieldIndex(_ name: String) -> Int? {
    fieldIndexes[name]
  }

  /// The `@Observed` property of that name.
  func field(_ name: String) -> ObservedField? {
    fieldIndexes[name].map { fields[$0] }
  }

  /// The key path that the class lists under that name.
  func declaredKeyPath(_ name: String) -> DeclaredKeyPath? {
    declared[name]
  }

  /// The index of the property at an offset.
  ///
  /// - Parameter identity: Its type, if it has no size: then it shares its address with others.
  func fieldIndex(atOffset offset: Int, identity: Any.Type?) -> Int? {
    guard let identity else {
      // There is none of a class that was compiled without metadata for reflection.
      guard fieldAtOffset.indices.contains(offset), fieldAtOffset[offset] >= 0 else { return nil }
      return Int(fieldAtOffset[offset])
    }
    // The optimiser may take any address for that of nothing.
    return fields.firstIndex { $0.offset == offset && $0.valueType == identity }
      ?? fields.firstIndex { $0.valueType == identity }
  }

  /// The index of the property that a key path from the class that declares it means.
  ///
  /// - Parameter offset: Finds out the offset, the first time. It takes the address of the property, which counts as a
  ///   write of it, and so is done no more often than that, and under the lock.
  func fieldIndex(of property: AnyKeyPath, identity: Any.Type?, offset: () -> Int) -> Int? {
    lock.withLock {
      if let index = indexes[property] { return index }
      let index = fieldIndex(atOffset: offset(), identity: identity)
      indexes[property] = index
      return index
    }
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

  /// What a key path means that the class lists, or that was found out before.
  func path(of keyPath: AnyKeyPath) -> ObservedPath? {
    if let recent = lock.withLock({ recentPaths[keyPath] }) { return recent }
    let known = lock.withLock { paths }
    if let path = known.paths[keyPath] {
      if !path.isIncomplete { lock.withLock { recentPaths[keyPath] = path } }
      return path
    }
    guard let name = declared.first(where: { $0.value.isSame(keyPath) })?.key else { return nil }
    let path = path(named: name)
    remember(path, as: keyPath)
    return path
  }

  /// Keeps what a key path means for all objects of the class.
  ///
  /// A key path may hold arguments, whose `hash` is foreign code: the table is changed outside the lock, and again if
  /// another thread was faster.
  func remember(_ path: ObservedPath, as keyPath: AnyKeyPath) {
    var isKept = false
    while !isKept {
      var known = lock.withLock { paths }
      let version = known.version
      known.paths[keyPath] = path
      known.version += 1
      isKept = lock.withLock {
        guard paths.version == version else { return false }
        swap(&paths, &known)
        return true
      }
    }
  }

  /// The key path of a key that the class lists, or that was read while key paths were found out.
  func keyPath(of name: String) -> AnyKeyPath? {
    lock.withLock { keyPaths[name] }
  }

  /// Keeps the key path of a property, if the class may be asked about it.
  func learn(_ keyPath: AnyKeyPath, of name: String) {
    guard isCustomized else { return }
    lock.withLock { keyPaths[name] = keyPaths[name] ?? keyPath }
  }

  private static func declaredKeyPaths(of type: KeyValueObject.Type) -> [String: DeclaredKeyPath] {
    var declared: [String: DeclaredKeyPath] = [:]
    var next: KeyValueObject.Type? = type
    while let type = next {
      for (name, keyPath) in type.keyPaths where declared[name] == nil {
        declared[name] = DeclaredKeyPath(keyPath)
      }
      next = _getSuperclass(type) as? KeyValueObject.Type
    }
    return declared
  }
}

extension ClassProperties {
  private static let cache = ClassCache<ClassProperties>()

  /// The properties of the class of `object`.
  static func of(_ object: KeyValueObject) -> ClassProperties {
    cache.value(for: type(of: object)) { ClassProperties(object) }
  }
}
