import CKeyValueObserving

// Finding the property that a getter reads, if the compiler doesn't know its address: see PropertyMark.

extension ClassProperties {
  /// The `@Observed` property with a key path, which begins at the class that declares it.
  ///
  /// - Parameter object: An object of the class, or of a subclass.
  /// - Returns: nil if it isn't known.
  static func field(readBy keyPath: AnyKeyPath, in object: KeyValueObject) -> ObservedField? {
    guard let type = Swift.type(of: keyPath).rootType as? KeyValueObject.Type,
      case let properties = ClassProperties.of(type), properties.isComplete,
      let components = KeyPathComponent.all(of: keyPath), components.count == 1, let identity = components[0].identity
    else { return nil }
    let inherited = (_getSuperclass(type) as? KeyValueObject.Type).map { ClassProperties.of($0).fields.count } ?? 0
    let declared = properties.fields.dropFirst(inherited)
    if let known = declared.first(where: { $0.identity == identity }) { return known }
    let candidates = declared.filter { $0.valueType == components[0].valueType }
    let found = withExtendedLifetime(keyPath) { properties.field(among: candidates, readBy: components[0], in: object) }
    found?.learn { keyPath }
    return found
  }

  private func field(
    among candidates: [ObservedField], readBy getter: KeyPathComponent, in object: KeyValueObject
  ) -> ObservedField? {
    guard candidates.count > 1 else { return candidates.first }
    func open<Value>(_ valueType: Value.Type) -> ObservedField? {
      // The values are those of the object, which another thread may set.
      let lock = object.lockedStorage
      defer { lock?.unlock() }
      let (weak, strong) = (candidates.filter(\.isWeak), candidates.filter { !$0.isWeak })
      return strong.first { reads($0, of: strong, by: getter, as: valueType, in: object) }
        ?? (weak.count == 1 ? weak[0] : nil)
    }
    return _openExistential(getter.valueType, do: open)
  }

  /// Whether it is a property that a getter reads.
  ///
  /// The getter is called with memory that looks like an object of the class, which isn't observed. The property has another
  /// value there than all other candidates, and weak properties have nil. References in that memory aren't counted.
  private func reads<Value>(
    _ property: ObservedField, of candidates: [ObservedField], by getter: KeyPathComponent,
    as valueType: Value.Type, in object: KeyValueObject
  ) -> Bool {
    guard let change = PropertyMark.Change(of: valueType) else { return false }
    let header = 2 * MemoryLayout<UInt>.size
    let size = (candidates.map { $0.offset + $0.size }.max() ?? 0) + header
    return withUnsafeTemporaryAllocation(byteCount: size, alignment: 16) { memory in
      memory.initializeMemory(as: UInt8.self, repeating: 0)
      memory.copyMemory(from: UnsafeRawBufferPointer(start: object.address, count: header))
      memory.storeBytes(of: UInt(bitPattern: ObjectIdentifier(type)), as: UInt.self)
      memory.storeBytes(of: 0, toByteOffset: Int(kvo_word_offset()), as: UInt.self)
      let value = UnsafeRawBufferPointer(start: object.address(of: property), count: property.size)
      for field in candidates { UnsafeMutableRawBufferPointer(rebasing: memory[field.range]).copyMemory(from: value) }
      guard let address = memory.baseAddress else { return false }
      change.make(at: address + property.offset)
      let changed = memory[property.range].prefix(change.count)
      let (read, _) = ThreadFrame.run(.shield) { getter.value(of: UnsafeRawPointer(address), as: valueType) }
      return read.map { withUnsafeBytes(of: $0) { $0.starts(with: changed) } } ?? false
    }
  }
}

extension ObservedField {
  fileprivate var range: Range<Int> { offset..<(offset + size) }
}
