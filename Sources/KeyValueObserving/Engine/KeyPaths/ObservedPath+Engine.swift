#if !canImport(ObjectiveC)
extension ObservedPath {
  /// The path of that name from objects of the class of `object`.
  package static func named(_ name: String, of object: KeyValueObject) -> ObservedPath {
    ClassKeyPaths.of(object.properties).path(named: name)
  }

  /// The value at the end of the path, as observers receive it; nil if a step is nil.
  package func value(of root: KeyValueObject) -> Any? {
    if let read { return read(root) }
    if isOneKey { return firstKey(in: ObservedKeys.of(root)).value(of: root) }
    return Self.value(of: keys, from: root)
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

  /// The path's first key, in the class of `keys`.
  func firstKey(in keys: ObservedKeys) -> ObservedKey {
    if let known = UnsafeRawPointer(bitPattern: firstKeyAddress.load(ordering: .acquiring)) {
      return Unmanaged.fromOpaque(known).takeUnretainedValue()
    }
    let key = keys.key(self.keys[0])
    firstKeyAddress.store(UInt(bitPattern: Unmanaged.passUnretained(key).toOpaque()), ordering: .releasing)
    return key
  }
}
#endif
