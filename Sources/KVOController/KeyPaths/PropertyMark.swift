import CKeyValueObserving

/// Finds the property that a setter means, if the compiler doesn't know its address.
///
/// That is so in a generic class with a superclass in a library that evolves. There the compiler reaches a property by a
/// getter and a setter, so that what it calls the property's address is that of a copy of the value, which it stores again.
/// The mark changes the copy. The change shows in the object which property it is, and is undone.
///
/// References aren't counted for that: what the property's getter has retained is what its setter releases.
///
/// - Thread safety: The object's lock is held from the beginning until ``end(of:)``. Nothing is released that might be the last
///   reference.
@usableFromInline
final class PropertyMark {
  /// The properties of the same type, each with its bytes before.
  private let candidates: [(field: ObservedField, bytes: [UInt8])]
  /// The bytes of the property's value, once the copy was changed.
  private let saved: UnsafeMutableRawBufferPointer

  private init<Value>(_ type: Value.Type, of owner: KeyValueObject) {
    saved = .allocate(byteCount: MemoryLayout<Value>.size, alignment: MemoryLayout<UInt>.alignment)
    let properties = owner.properties
    // What can't be found can't be undone.
    candidates =
      properties.isComplete
      ? properties.fields.filter { $0.valueType == type && !$0.isWeak }.map { ($0, $0.bytes(in: owner)) } : []
  }

  deinit { saved.deallocate() }

  /// A change of the first bytes of a value, after which it can still be copied and released.
  ///
  /// Making it calls nothing: if there was a call within an access to the property, Swift would check each access to it.
  @frozen
  @usableFromInline
  struct Change {
    @usableFromInline let word: UInt
    @usableFromInline let flipsBit: Bool

    /// - Returns: nil if values of the type can't be changed like this.
    init?<Value>(of type: Value.Type) {
      flipsBit = _isPOD(type) && MemoryLayout<Value>.size > 0
      // The first word is a reference, or may be any number.
      word = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
      guard flipsBit || (_isBitwiseTakable(type) && MemoryLayout<Value>.size >= MemoryLayout<UInt>.size) else {
        return nil
      }
    }

    /// How many bytes are changed.
    var count: Int { flipsBit ? 1 : MemoryLayout<UInt>.size }

    @inlinable
    @inline(__always)
    func make(at address: UnsafeMutableRawPointer) {
      if flipsBit {
        address.assumingMemoryBound(to: UInt8.self).pointee ^= 1
      } else {
        address.assumingMemoryBound(to: UInt.self).pointee = word
      }
    }
  }

  /// A change of the copy of a property's value.
  @frozen
  @usableFromInline
  struct CopyChange {
    /// Where to save the bytes of the copy.
    @usableFromInline let saved: UnsafeMutableRawPointer
    @usableFromInline let change: Change

    @inlinable
    @inline(__always)
    func make<Property>(_ copy: UnsafeMutablePointer<Property>) {
      saved.copyMemory(from: copy, byteCount: MemoryLayout<Property>.size)
      change.make(at: UnsafeMutableRawPointer(copy))
    }
  }

  /// Any object, which is never deallocated.
  private static let object = LockedObject()

  /// Undoes the change.
  ///
  /// - Returns: The property's address; nil if it isn't known.
  private func end(of owner: KeyValueObject) -> UnsafeMutableRawPointer? {
    guard let field = candidates.first(where: { $0.bytes != $0.field.bytes(in: owner) })?.field else {
      return candidates.count == 1 ? owner.address(of: candidates[0].field) : nil
    }
    if let bytes = saved.baseAddress { owner.address(of: field).copyMemory(from: bytes, byteCount: saved.count) }
    return owner.address(of: field)
  }
}

extension ObservedField {
  fileprivate func bytes(in object: KeyValueObject) -> [UInt8] {
    Array(UnsafeRawBufferPointer(start: object.address(of: self), count: size))
  }
}

// MARK: In place of an address

extension PropertyMark {
  /// The mark that this thread has made and not ended yet.
  private static let current = ThreadLocal()

  /// Begins a mark. The object's own address stands for the property's until it ends.
  ///
  /// - Returns: The change to be made in a copy of the property's value; nil if none is needed, or possible.
  @usableFromInline
  static func begin<Value>(_ type: Value.Type, of owner: KeyValueObject) -> CopyChange? {
    let mark = PropertyMark(type, of: owner)
    current.value = UInt(bitPattern: Unmanaged.passRetained(mark).toOpaque())
    guard mark.candidates.count > 1, let saved = mark.saved.baseAddress else { return nil }
    return Change(of: type).map { CopyChange(saved: saved, change: $0) }
  }

  /// The address of a property, in place of which the object's own address may stand for a mark, which ends.
  ///
  /// - Parameter identity: The property's type if it has no size.
  /// - Returns: nil if it isn't known.
  @usableFromInline
  static func address(
    _ place: UnsafeRawPointer, identity: Any.Type?, of owner: KeyValueObject
  ) -> UnsafeMutableRawPointer? {
    // A value without size may have any address.
    guard place == owner.address, identity == nil else { return UnsafeMutableRawPointer(mutating: place) }
    let mark = UnsafeRawPointer(bitPattern: current.value).unsafelyUnwrapped
    current.value = 0
    return Unmanaged<PropertyMark>.fromOpaque(mark).takeRetainedValue().end(of: owner)
  }
}

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
