#if !canImport(ObjectiveC)
/// The keys of a class: found by reflection once, and kept as long as the process lives, as the class is.
///
/// - Thread safety: The fields never change; the keys made on demand stand under a lock.
final class ClassKeys: @unchecked Sendable {
  private let type: KeyValueObject.Type
  private let fields: [ObservedField]
  private let fieldIndexes: [String: Int]
  private let declared: [String: DeclaredKeyPath]
  /// For each offset in an object the index of the field that lies there, -1 where none does.
  private let fieldAtOffset: [Int32]

  private let lock = UnfairLock()
  private var keys: [String: Key] = [:]
  private var nextIndex: Int

  private init(_ type: KeyValueObject.Type) {
    self.type = type
    fields = ObservedField.fields(of: type)
    declared = Self.declaredKeyPaths(of: type)
    fieldIndexes = Dictionary(zip(fields.map(\.name), fields.indices), uniquingKeysWith: { _, last in last })
    var fieldAtOffset = [Int32](repeating: -1, count: (fields.map(\.offset).max() ?? -1) + 1)
    for (index, field) in fields.enumerated() where !field.property.isZeroSized {
      fieldAtOffset[field.offset] = Int32(index)
    }
    self.fieldAtOffset = fieldAtOffset
    nextIndex = fields.count
  }

  /// The key of that name, if anybody ever observed it in an object of the class.
  func knownKey(_ name: String) -> Key? {
    lock.withLock { keys[name] }
  }

  /// The key of that name; made if the class has none, for a key may be observed that only `value(forKey:)` knows.
  func key(_ name: String) -> Key {
    if let key = knownKey(name) { return key }
    let fieldIndex = fieldIndexes[name]
    let index = fieldIndex ?? lock.withLock { takeIndex() }
    let made = Key(
      name: name, index: index, field: fieldIndex.map { fields[$0] }, declared: declared[name], of: type)
    return lock.withLock {
      if let key = keys[name] { return key }
      keys[name] = made
      return made
    }
  }

  /// The property that Key-Value Coding finds under that name.
  func field(_ name: String) -> ObservedField? {
    fieldIndexes[name].map { fields[$0] }
  }

  /// The key path that Key-Value Coding finds under that name.
  func declaredKeyPath(_ name: String) -> DeclaredKeyPath? {
    declared[name]
  }

  /// The index of the key of the property at `offset`; properties without size share theirs, so the type tells them apart.
  func index(atOffset offset: Int, _ property: any ObservedProperty.Type) -> Int? {
    guard property.isZeroSized else { return Int(fieldAtOffset[offset]) }
    return fields.firstIndex { $0.offset == offset && $0.property == property }
  }

  private func takeIndex() -> Int {
    defer { nextIndex += 1 }
    return nextIndex
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

extension ClassKeys {
  /// The keys of the class of `object`.
  static func of(_ object: KeyValueObject) -> ClassKeys {
    let type = Swift.type(of: object)
    return cache.keys(of: type, orMake: { ClassKeys(type) })
  }

  private static let cache = Cache()

  private final class Cache: @unchecked Sendable {
    private let lock = UnfairLock()
    private var keys: [ObjectIdentifier: ClassKeys] = [:]

    func keys(of type: KeyValueObject.Type, orMake make: () -> ClassKeys) -> ClassKeys {
      let identifier = ObjectIdentifier(type)
      if let keys = lock.withLock({ keys[identifier] }) { return keys }
      let made = make()
      return lock.withLock {
        if let keys = keys[identifier] { return keys }
        keys[identifier] = made
        return made
      }
    }
  }
}
#endif
