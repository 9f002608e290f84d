import CKeyValueObserving

/// The properties of a class, and its keys. They are collected once for each class, and never deallocated.
///
/// - Thread safety: The tables of keys are guarded by the lock, which isn't held while the class is called; everything else
///   is immutable.
final class ClassProperties: LockedObject, @unchecked Sendable {
  let type: KeyValueObservable.Type
  /// Whether the engine doesn't observe objects of the class itself.
  let isForeign: Bool
  /// Whether the class and its superclasses were compiled with reflection metadata, so that all properties are known.
  let isComplete: Bool
  /// The `@Observed` properties, those of superclasses first.
  let fields: [ObservedField]
  /// The key paths that the class and its superclasses list in `keyPaths`.
  let listed: [String: OpenedKeyPath]
  /// The names of the properties and of the listed keys, those of superclasses first, each once.
  let names: [String]
  /// The recently used paths that begin at the class.
  let paths = KeyPathCache()
  /// For each offset in an object, the index of the field at that offset; -1 if there is none.
  private let fieldAtOffset: [Int32]
  private let fieldIndexes: [String: Int]

  // The lock excludes what the compiler would otherwise check at run time.

  /// The keys by name, except those that the class doesn't declare.
  @exclusivity(unchecked) private var keys: [String: ObservedKey] = [:]
  /// The one that was looked up last. To compare its name is cheaper than to hash one.
  @exclusivity(unchecked) private var latestKey: ObservedKey?
  /// Keys that the class doesn't declare, which exist while they are observed. Each is removed before its memory is freed.
  @exclusivity(unchecked) private var undeclaredKeys: [String: Weak<ObservedKey>] = [:]
  /// The key of each field, once it was observed.
  @exclusivity(unchecked) private var fieldKeys: [ObservedKey?]
  /// What observing all of an object is registered for, once it was.
  @exclusivity(unchecked) private var knownPathOfAllKeys: ObservedPath?
  /// The meaning of a step of a typed key path in the class, by the index of its field.
  @exclusivity(unchecked) private var meanings: [Int: Meaning] = [:]

  /// The meaning of a step of a typed key path in an object of the class.
  enum Meaning {
    /// The property itself.
    case key(ObservedKey)
    /// An override of it, or a property whose name is listed for another one. Its own key path reads it.
    case property(OpenedKeyPath)
  }

  fileprivate init(_ type: KeyValueObservable.Type) {
    requireNoLock("a class is asked for its properties")
    let superclass = (_getSuperclass(type) as? KeyValueObject.Type).map(ClassProperties.of)
    let inherited = superclass?.fields ?? []
    self.type = type
    isForeign = isForeignClass(type)
    let declared = isForeign ? [] : Self.declaredFields(of: type, after: inherited.count)
    isComplete = superclass?.isComplete != false && StoredProperty.areKnown(of: type)
    fields = inherited + declared
    listed = Self.listedKeyPaths(of: type)
    var known: Set<String> = []
    names = ((superclass?.names ?? []) + declared.map(\.name) + listed.keys.sorted())
      .filter { known.insert($0).inserted }
    // If private names are equal, the most derived class's property has the name. A listed property of another type than that
    // of the name isn't its override.
    let named = fields.filter { [listed] field in
      listed[field.name].map { $0.component == nil || $0.valueType == field.valueType } ?? true
    }
    fieldIndexes = Dictionary(named.map { ($0.name, $0.index) }, uniquingKeysWith: { _, last in last })
    var fieldAtOffset = [Int32](repeating: -1, count: (fields.map(\.offset).max() ?? -1) + 1)
    for field in fields where !field.isZeroSized { fieldAtOffset[field.offset] = Int32(field.index) }
    self.fieldAtOffset = fieldAtOffset
    fieldKeys = Array(repeating: nil, count: fields.count)
  }

  private static func declaredFields(of type: AnyClass, after count: Int) -> [ObservedField] {
    var fields: [ObservedField] = []
    for stored in StoredProperty.declared(by: type) ?? [] {
      // The storage of a wrapped property has the property's name after an underscore.
      guard let property = stored.type as? any ObservedProperty.Type, stored.name.hasPrefix("_") else { continue }
      fields.append(
        property.field(name: String(stored.name.dropFirst()), offset: stored.offset, index: count + fields.count))
    }
    return fields
  }

  /// Traps for a key path that doesn't begin at the class that lists it, or a superclass.
  private static func listedKeyPaths(of type: KeyValueObservable.Type) -> [String: OpenedKeyPath] {
    var listed: [String: OpenedKeyPath] = [:]
    for case let type as KeyValueObject.Type in superclasses(from: type) {
      for (name, keyPath) in type.keyPaths where listed[name] == nil {
        guard let declared = OpenedKeyPath.of(keyPath),
          superclasses(from: type).contains(where: { $0 == declared.rootType })
        else {
          misuse(
            "Cannot use the key \"\(name)\" of \(type)",
            because: "keyPaths lists a key path for it that begins at \(Swift.type(of: keyPath).rootType)",
            remedy: "Begin it at \(type).")
        }
        listed[name] = declared
      }
    }
    return listed
  }

  // MARK: Properties

  /// What to do if a property isn't known: `remedy`, unless the class or a superclass was compiled without reflection metadata.
  func remedy(_ remedy: String) -> String {
    guard !isComplete else { return remedy }
    return "\(type), or a superclass, is compiled without reflection metadata, which @Observed needs: set "
      + "SWIFT_REFLECTION_METADATA_LEVEL to \"all\" in Xcode, or remove -disable-reflection-metadata."
  }

  static func remedy(of object: AnyObject, _ remedy: String) -> String {
    (object as? KeyValueObject)?.properties.remedy(remedy) ?? remedy
  }

  func field(_ name: String) -> ObservedField? {
    fieldIndexes[name].map { fields[$0] }
  }

  func hasKey(_ name: String) -> Bool {
    fieldIndexes[name] != nil || listed[name] != nil
  }

  /// The name for which the class lists this key path; the first in the alphabet if there are several.
  func listedName(of keyPath: AnyKeyPath) -> String? {
    listed.lazy.filter { $0.value.isSame(as: keyPath) }.map(\.key).min()
  }

  /// The property at an offset in an object. One without size, which may share its address with another, isn't found.
  @inline(__always)
  subscript(offset offset: Int) -> ObservedField? { self[indexAtOffset: offset].map { fields[$0] } }

  /// The index of that property, for which no reference is counted.
  @inline(__always)
  subscript(indexAtOffset offset: Int) -> Int? {
    // A class that was compiled without reflection metadata has no known properties.
    guard fieldAtOffset.indices.contains(offset), fieldAtOffset[offset] >= 0 else { return nil }
    return Int(fieldAtOffset[offset])
  }

  // MARK: Keys

  /// The key of that name, if it was ever observed, and still is if the class doesn't declare it.
  func knownKey(_ name: PathKey) -> ObservedKey? {
    let (key, undeclared) = withLock { () -> (ObservedKey?, Weak<ObservedKey>?) in
      if let latestKey, latestKey.name == name.text { return (latestKey, nil) }
      if let key = keys[name.text] {
        latestKey = key
        return (key, nil)
      }
      return (nil, undeclaredKeys.isEmpty ? nil : undeclaredKeys[name.text])
    }
    return key ?? undeclared?.object
  }

  /// The key of that name, created if necessary. Even a key that only `value(forKey:)` knows can be observed.
  func key(_ name: PathKey) -> ObservedKey {
    if let key = knownKey(name) { return key }
    let made = ObservedKey(name.text, of: self)
    let (entry, isDeclared) = (Weak(made), hasKey(name.text))
    var dead: Weak<ObservedKey>?
    while true {
      let (key, other) = withLock { () -> (ObservedKey?, Weak<ObservedKey>?) in
        if let key = keys[name.text] { return (key, nil) }
        if let other = undeclaredKeys[name.text], other !== dead { return (nil, other) }
        if isDeclared { keys[name.text] = made } else { undeclaredKeys[name.text] = entry }
        return (made, nil)
      }
      if let key = key ?? other?.object { return key }
      dead = other
    }
  }

  /// Removes the entry of a key that the class doesn't declare, in its `deinit`, unless another key has taken its place.
  func removeDeallocatedKey(_ name: String, _ identity: ObjectIdentifier) {
    let removed = withLock {
      undeclaredKeys[name]?.reference.identity == identity ? undeclaredKeys.removeValue(forKey: name) : nil
    }
    withExtendedLifetime(removed) {}
  }

  /// The key that is notified when a field is set.
  func key(of field: ObservedField) -> ObservedKey {
    if let key = withLock({ fieldKeys[field.index] }) { return key }
    let isShadowed = fieldIndexes[field.name] != field.index
    let made = isShadowed ? ObservedKey(shadowed: field) : key(PathKey(field.name))
    return withLock {
      let key = fieldKeys[field.index] ?? made
      fieldKeys[field.index] = key
      return key
    }
  }

  /// The path of the keys whose values an object has of its own: those of the properties, inherited ones included, and the listed keys
  /// that aren't computed from others.
  var pathOfAllKeys: ObservedPath {
    if let known = withLock({ knownPathOfAllKeys }) { return known }
    let listed = listed.keys.sorted().filter { field($0) == nil }.map { key(PathKey($0)) }
    let keys = fields.map { key(of: $0) } + listed.filter { $0.isIndependent || $0.isFollowedByName }
    let made = ObservedPath(allKeys: keys)
    return withLock {
      knownPathOfAllKeys = knownPathOfAllKeys ?? made
      return knownPathOfAllKeys ?? made
    }
  }

  func meaning(of key: PathKey) -> Meaning {
    guard let property = key.property else { return .key(self.key(key)) }
    if let known = withLock({ meanings[property.index] }) { return known }
    guard let declared = property.property else { return .key(self.key(of: property)) }
    let meaning: Meaning =
      if let listed = listed[property.name], field(property.name) === property {
        // The class lists the property itself, or another one under its name.
        listed.component?.identity == property.identity ? .key(self.key(of: property)) : .property(declared)
      } else {
        declared.component?.isOverridden(in: type) == true ? .property(declared) : .key(self.key(of: property))
      }
    withLock { meanings[property.index] = meaning }
    return meaning
  }

  /// The key of a property or of a listed key path, if only a change of the key itself changes its value.
  func independentKey(_ key: PathKey) -> ObservedKey? {
    if !isForeign, case .key(let key) = meaning(of: key), key.isDefined, key.isIndependent { key } else { nil }
  }

  private static let all = LockedState<[ObjectIdentifier: ClassProperties]>([:])

  /// The properties of a class, which may have no objects yet.
  static func of(_ type: KeyValueObservable.Type) -> ClassProperties {
    let address = unsafeBitCast(type, to: UnsafeRawPointer.self)
    if let known = kvo_known(address) {
      let properties = Unmanaged<ClassProperties>.fromOpaque(known).takeUnretainedValue()
      if properties.type == type { return properties }
    }
    let kept = all.withLock({ $0[ObjectIdentifier(type)] }) ?? insert(type)
    kvo_set_known(address, Unmanaged.passUnretained(kept).toOpaque())
    return kept
  }

  private static func insert(_ type: KeyValueObservable.Type) -> ClassProperties {
    // This calls the class, and another thread may do the same.
    let made = ClassProperties(type)
    return all.withLock { all in
      let kept = all[ObjectIdentifier(type)] ?? made
      all[ObjectIdentifier(type)] = kept
      return kept
    }
  }
}
