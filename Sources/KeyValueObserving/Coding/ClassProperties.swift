/// The properties of a class that Key-Value Coding reaches: found once, and kept as long as the process lives, as the class
/// is.
///
/// - Thread safety: The names of key paths stand under a lock; all else never changes.
final class ClassProperties: @unchecked Sendable {
  let fields: [ObservedField]
  private let fieldIndexes: [String: Int]
  private let declared: [String: DeclaredKeyPath]
  /// For each offset in an object the index of the field that lies there, -1 where none does.
  private let fieldAtOffset: [Int32]

  private let lock = UnfairLock()
  private var names: [AnyKeyPath: String] = [:]

  private init(_ object: KeyValueObject) {
    fields = ObservedField.fields(of: object)
    declared = Self.declaredKeyPaths(of: type(of: object))
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

  /// The index of the property at `offset`; properties without size share theirs, so the type tells them apart.
  func fieldIndex<Value>(atOffset offset: Int, _ type: Value.Type) -> Int? {
    guard MemoryLayout<Value>.size == 0 else { return Int(fieldAtOffset[offset]) }
    return fields.firstIndex { $0.offset == offset && $0.valueType == type }
  }

  /// The name of a key path that the class lists, or that was found out before.
  func name(of keyPath: AnyKeyPath) -> String? {
    if let name = lock.withLock({ names[keyPath] }) { return name }
    guard let name = declared.first(where: { $0.value.isSame(keyPath) })?.key else { return nil }
    remember(name, as: keyPath)
    return name
  }

  /// Keeps the name of a key path.
  func remember(_ name: String, as keyPath: AnyKeyPath) {
    lock.withLock { names[keyPath] = name }
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
