#if !canImport(ObjectiveC)
/// The keys of a class that anybody ever observed.
///
/// - Thread safety: The keys stand under a lock; the properties never change.
final class ClassKeys: @unchecked Sendable {
  let properties: ClassProperties
  /// For each offset in an object the index of the field that lies there, -1 where none does.
  private let fieldAtOffset: [Int32]

  #if canImport(Observation)
  let propertyIndexes = PropertyIndexes()
  #endif

  private let lock = UnfairLock()
  private var keys: [KeyName: Key] = [:]
  /// The keys of properties whose names belong to properties of subclasses, by their indexes.
  private var shadowedKeys: [Int: Key] = [:]
  /// Keys of `@Observed` properties have the indexes of those; the others follow.
  private var nextIndex: Int

  private init(_ object: KeyValueObject) {
    properties = ClassProperties.of(object)
    nextIndex = properties.fields.count
    fieldAtOffset = properties.fieldAtOffset
  }

  /// The index of the property at an offset, which is that of its key.
  ///
  /// - Parameter identity: Its type, if it has no size: then it shares its address with others.
  func fieldIndex(atOffset offset: Int, identity: Any.Type?) -> Int? {
    guard identity == nil else { return properties.fieldIndex(atOffset: offset, identity: identity) }
    // There is none of a class that was compiled without metadata for reflection.
    guard offset < fieldAtOffset.count, fieldAtOffset[offset] >= 0 else { return nil }
    return Int(fieldAtOffset[offset])
  }

  /// The key of that name, if anybody ever observed it in an object of the class.
  func knownKey(_ name: String) -> Key? {
    let name = KeyName(name)
    return lock.withLock { keys[name] }
  }

  /// The key of that name; made if the class has none, for a key may be observed that only `value(forKey:)` knows.
  func key(_ name: KeyName) -> Key {
    if let key = lock.withLock({ keys[name] }) { return key }
    let index = properties.fieldIndex(name.text) ?? lock.withLock { takeIndex() }
    let made = Key(name: name.text, index: index, properties)
    return lock.withLock {
      if let key = keys[name] { return key }
      keys[name] = made
      return made
    }
  }

  /// The name of the property at that index, if its value depends on other keys.
  func dependentName(at index: Int) -> String? {
    let name = properties.fields[index].name
    return key(KeyName(name)).isIndependent ? nil : name
  }

  /// The key of the property whose field has that index.
  func key(ofFieldAt index: Int) -> Key {
    let field = properties.fields[index]
    guard properties.isShadowed(index) else { return key(KeyName(field.name)) }
    let made = Key(shadowed: field, index: index)
    return lock.withLock {
      if let key = shadowedKeys[index] { return key }
      shadowedKeys[index] = made
      return made
    }
  }

  private func takeIndex() -> Int {
    defer { nextIndex += 1 }
    return nextIndex
  }
}

extension ClassKeys {
  private static let cache = ClassCache<ClassKeys>()

  /// The keys of the class of `object`.
  static func of(_ object: KeyValueObject) -> ClassKeys {
    cache.value(for: Swift.type(of: object)) { ClassKeys(object) }
  }
}
#endif
