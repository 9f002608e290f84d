/// The properties of a class that Key-Value Coding can read. They are collected once for each class, and never
/// deallocated.
///
/// - Thread safety: Data that is found out later is guarded by locks; everything else is immutable.
final class ClassProperties: @unchecked Sendable {
  let type: KeyValueObservable.Type
  let fields: [ObservedField]
  /// The key paths that the class and its superclasses list in `keyPaths`.
  let listed: [String: DeclaredKeyPath]
  /// For each offset in an object, the index of the field at that offset; -1 if there is none.
  let fieldAtOffset: [Int32]
  private let fieldIndexes: [String: Int]

  private let lock = Lock()
  private var indexes: [AnyKeyPath: Int] = [:]
  #if !canImport(ObjectiveC)
  /// The properties that the class overrides, and nil for those that it doesn't, as far as that is known.
  private var overrides: [Int: DeclaredKeyPath?] = [:]
  #endif

  private init(_ type: KeyValueObservable.Type, _ fields: [ObservedField]) {
    self.type = type
    self.fields = fields
    listed = Self.listedKeyPaths(of: type)
    // If private names are equal, the most derived class's property has the name.
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

  /// Whether the field's name belongs to a property of a subclass.
  func isShadowed(_ index: Int) -> Bool {
    fieldIndexes[fields[index].name] != index
  }

  /// The key path that reads and sets a key: one that the class lists, or that of a property that it overrides.
  func declaredKeyPath(_ name: String) -> DeclaredKeyPath? {
    if let listed = listed[name] { return listed }
    #if !canImport(ObjectiveC)
    return override(name)
    #else
    return nil
    #endif
  }

  /// Whether the class has the key.
  func hasKey(_ name: String) -> Bool {
    fieldIndexes[name] != nil || listed[name] != nil
  }

  /// The index of the property at an offset.
  ///
  /// - Parameter identity: The property's type if it has no size, and so may share its address with others.
  func fieldIndex(atOffset offset: Int, identity: Any.Type?) -> Int? {
    guard let identity else {
      // A class that was compiled without reflection metadata has no known properties.
      guard fieldAtOffset.indices.contains(offset), fieldAtOffset[offset] >= 0 else { return nil }
      return Int(fieldAtOffset[offset])
    }
    // The optimizer may use any address for a value without size.
    return fields.firstIndex { $0.offset == offset && $0.valueType == identity }
      ?? fields.firstIndex { $0.valueType == identity }
  }

  /// The index of the property of a key path, which begins at the class that declares it. It is remembered.
  ///
  /// - Parameter offset: Returns the offset. It is called once, under the lock, because it may take the property's
  ///   address, which counts as a write of it.
  func fieldIndex(of property: AnyKeyPath, identity: Any.Type?, offset: () -> Int) -> Int? {
    let index = lock.withLock { () -> (Int?, isNew: Bool) in
      if let index = indexes[property] { return (index, isNew: false) }
      let index = fieldIndex(atOffset: offset(), identity: identity)
      indexes[property] = index
      return (index, isNew: true)
    }
    if index.isNew, let index = index.0 { KnownProperties.learn(fields[index].name, index: index, property) }
    return index.0
  }

  /// The key paths that a class and its superclasses list in `keyPaths`.
  static func listedKeyPaths(of type: KeyValueObservable.Type) -> [String: DeclaredKeyPath] {
    var listed: [String: DeclaredKeyPath] = [:]
    var next = type as AnyClass as? KeyValueObject.Type
    while let type = next {
      for (name, keyPath) in type.keyPaths where listed[name] == nil {
        listed[name] = DeclaredKeyPath(keyPath)
      }
      next = _getSuperclass(type) as? KeyValueObject.Type
    }
    return listed
  }
}

#if !canImport(ObjectiveC)
extension ClassProperties {
  /// The class's override of the property of that name; nil if there is none.
  ///
  /// Its key path calls the override, whatever class it begins at.
  func override(_ name: String) -> DeclaredKeyPath? {
    guard let index = fieldIndexes[name] else { return nil }
    if let known = lock.withLock({ overrides[index] }) { return known }
    guard let property = KnownProperties.property(at: index, in: type),
      let isOverridden = MethodOverrides.overrides(type, property.identity, of: property.declaringClass)
    else { return nil }
    let override = isOverridden ? DeclaredKeyPath(property.keyPath) : nil
    lock.withLock { overrides[index] = .some(override) }
    return override
  }
}
#endif

extension ClassProperties {
  private static let cache = ClassCache<ClassProperties>()

  /// The properties of the class of `object`.
  static func of(_ object: KeyValueObject) -> ClassProperties {
    let type = Swift.type(of: object)
    return cache.value(for: type) { ClassProperties(type, ObservedField.fields(of: object)) }
  }

  #if canImport(ObjectiveC)
  /// The properties of the class of any object; none if it isn't a ``KeyValueObject``.
  static func of(_ object: NSObject) -> ClassProperties {
    if let object = object as? KeyValueObject { return of(object) }
    let type = Swift.type(of: object)
    return cache.value(for: type) { ClassProperties(type, []) }
  }
  #else
  /// The properties of a class, which may have no objects yet.
  static func of(_ type: KeyValueObject.Type) -> ClassProperties {
    cache.value(for: type) { ClassProperties(type, ObservedField.fields(of: type)) }
  }
  #endif
}
