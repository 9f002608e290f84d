#if !canImport(ObjectiveC)
/// The keys of a class that were ever observed.
///
/// - Thread safety: The keys are guarded by a lock; the properties are immutable.
final class ObservedKeys: @unchecked Sendable {
  let properties: ClassProperties
  /// The key paths of the class, which are never deallocated.
  let keyPaths: Unmanaged<ClassKeyPaths>
  /// For each offset in an object, the index of the field at that offset; -1 if there is none.
  private let fieldAtOffset: [Int32]

  #if canImport(Observation)
  let propertyIndexes = Unmanaged.passRetained(PropertyIndexes())
  #endif

  private let lock = Lock()
  private var keys: [HashedKey: ObservedKey] = [:]
  /// The keys, by index, of properties whose names belong to properties of subclasses.
  private var shadowedKeys: [Int: ObservedKey] = [:]
  /// The index of the next key. Keys of `@Observed` properties have the indexes of the properties; other keys follow.
  private var nextIndex: Int

  private init(_ object: KeyValueObject) {
    properties = ClassProperties.of(object)
    keyPaths = .passUnretained(ClassKeyPaths.of(properties))
    nextIndex = properties.fields.count
    fieldAtOffset = properties.fieldAtOffset
  }

  #if canImport(Observation)
  // Of two threads that create the keys of a class, one has created them in vain.
  deinit { propertyIndexes.release() }
  #endif

  /// The index of the property at `address` in `object`, which is that of its key.
  ///
  /// - Parameter identity: The property's type if it has no size, and so may share its address with others.
  @inline(__always)
  func fieldIndex(at address: UnsafeRawPointer, in object: KeyValueObject, identity: Any.Type?) -> Int? {
    let offset = address - UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    return identity == nil
      ? fieldIndex(atOffset: offset) : properties.fieldIndex(atOffset: offset, identity: identity)
  }

  /// The index of the property of some size at an offset in an object.
  @inline(__always)
  func fieldIndex(atOffset offset: Int) -> Int? {
    // A class that was compiled without reflection metadata has no known properties.
    guard offset < fieldAtOffset.count, fieldAtOffset[offset] >= 0 else { return nil }
    return Int(fieldAtOffset[offset])
  }

  /// The key of that name, if it was ever observed in an object of the class.
  func knownKey(_ name: String) -> ObservedKey? {
    let name = HashedKey(name)
    return lock.withLock { keys[name] }
  }

  /// The key of that name, created if necessary. Even a key that only `value(forKey:)` knows can be observed.
  ///
  /// If a key path means another property of that name, the key is that of the property.
  func key(_ name: HashedKey) -> ObservedKey {
    let key = namedKey(name)
    return name.place < 0 || name.place == key.index ? key : self.key(ofFieldAt: name.place)
  }

  private func namedKey(_ name: HashedKey) -> ObservedKey {
    if let key = lock.withLock({ keys[name] }) { return key }
    let index = properties.fieldIndex(name.text) ?? lock.withLock { takeIndex() }
    let made = ObservedKey(name: name.text, index: index, properties)
    return lock.withLock {
      if let key = keys[name] { return key }
      keys[name] = made
      return made
    }
  }

  /// The name of the property at that index, if its value depends on other keys.
  func dependentName(at index: Int) -> String? {
    let name = properties.fields[index].name
    return key(HashedKey(name)).isIndependent ? nil : name
  }

  /// The key of the property whose field has that index.
  func key(ofFieldAt index: Int) -> ObservedKey {
    let field = properties.fields[index]
    guard properties.isShadowed(index) else { return key(HashedKey(field.name)) }
    let made = ObservedKey(shadowed: field, index: index)
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

extension ObservedKeys {
  private static let cache = ClassCache<ObservedKeys>()

  /// The keys of the class of `object`.
  static func of(_ object: KeyValueObject) -> ObservedKeys {
    cache.value(for: Swift.type(of: object)) { ObservedKeys(object) }
  }
}

extension ClassKeyPaths {
  /// The key paths of the class of `object`, which are found without a lock if the object was ever observed.
  static func borrowed(of object: KeyValueObject) -> Unmanaged<ClassKeyPaths> {
    object.slot.borrowedInfo?._withUnsafeGuaranteedRef { $0.borrowedKeys._withUnsafeGuaranteedRef { $0.keyPaths } }
      ?? .passUnretained(of(object))
  }
}
#endif
