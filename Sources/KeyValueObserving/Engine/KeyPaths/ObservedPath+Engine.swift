#if !canImport(ObjectiveC)
extension ObservedPath {
  /// The path of that name from objects of the class of `object`.
  package static func named(_ name: String, of object: KeyValueObject) -> ObservedPath {
    ClassKeyPaths.borrowed(of: object)._withUnsafeGuaranteedRef { $0.path(named: name) }
  }

  /// The value at the end of the path, as observers receive it; nil if a step is nil.
  package func value(of root: KeyValueObject) -> Any? {
    if let read { return read(root) }
    if isOneKey { return firstKey(in: ObservedKeys.of(root)).takeUnretainedValue().value(of: root) }
    return Self.value(of: keys, from: root)
  }

  /// Whether a path of the same name leads to the same properties of the objects that are on it now.
  ///
  /// A typed path means the property of the class that it names, and a name means that of the object's own class, which
  /// differs if the class has a private property of the same name. Runs foreign code.
  ///
  /// - Parameter other: The other path; nil for the path that has only the name.
  package func isSame(as other: ObservedPath?, at root: KeyValueObservable) -> Bool {
    guard self !== other, let keys = named?.keys else { return true }
    let otherKeys = other.map { $0.named?.keys ?? [] } ?? keys.map { HashedKey($0.text) }
    guard keys.count == otherKeys.count, zip(keys, otherKeys).contains(where: { $0.place != $1.place }) else {
      return true
    }
    var object = root
    for (name, otherName) in zip(keys, otherKeys) {
      let properties = ObservedKeys.of(object)
      let key = properties.key(name)
      guard key === properties.key(otherName) else { return false }
      guard let next = key.object(of: object) ?? key.value(of: object).flatMap(keyValueObject) else { return true }
      object = next
    }
    return true
  }

  /// The value at the end of `path`, as observers receive it: `@Observed` keys are read from their properties.
  static func value(of path: [HashedKey], from root: KeyValueObject) -> Any? {
    var object = root
    for (index, component) in path.enumerated() {
      let keys = object.slot.borrowedInfo?._withUnsafeGuaranteedRef { $0.keys } ?? ObservedKeys.of(object)
      let key = keys.key(component)
      let isLast = index == path.count - 1
      if !isLast, let next = key.object(of: object) {
        guard let next else { return nil }
        object = next
        continue
      }
      guard let value = key.value(of: object) else { return nil }
      if isLast { return value }
      guard let next = keyValueObject(value) else {
        return KeyPathReader.value(path[(index + 1)...].map(\.text)[...], of: value)
      }
      object = next
    }
    return root
  }

  /// The path's first key, in the class of `keys`. It is never deallocated.
  func firstKey(in keys: @autoclosure () -> ObservedKeys) -> Unmanaged<ObservedKey> {
    if let known = UnsafeRawPointer(bitPattern: firstKeyAddress.load(ordering: .acquiring)) {
      return Unmanaged.fromOpaque(known)
    }
    let key = Unmanaged.passUnretained(keys().key(self.keys[0]))
    firstKeyAddress.store(UInt(bitPattern: key.toOpaque()), ordering: .releasing)
    return key
  }
}
#endif
