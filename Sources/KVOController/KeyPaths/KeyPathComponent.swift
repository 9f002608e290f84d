import CKeyValueObserving

/// A component of a Swift key path, with the identity that the key path object contains for its property.
///
/// `docs/ABI/KeyPaths.md` in the Swift repository describes the object: a header, a word that isn't used here, and a
/// buffer of components. This relies on that layout only after reading key paths whose components are known; if they
/// aren't as expected, all components are unknown. The memory that is read belongs to the key path object, which the
/// caller retains, and is immutable.
struct KeyPathComponent: @unchecked Sendable {
  enum Kind: Equatable {
    /// A stored property of a struct, or an element of a tuple.
    case structField(offset: Int)
    /// A stored property of a class that is accessed directly.
    case classField(offset: Int, isVariable: Bool)
    /// A computed property, an overridable one of a class, or a subscript.
    case computed
    /// `?`
    case optionalChain
    /// The end of a path with a `?`, where the value becomes an Optional.
    case optionalWrap
    /// `!`
    case optionalForce
  }

  private(set) var kind = Kind.computed
  /// The type at which the component begins, as written in the key path: perhaps a subclass of the class that
  /// declares the property.
  let rootType: Any.Type
  private(set) var valueType: Any.Type
  /// The identity of a computed property, which is equal in all key paths to it; nil if there is no reliable one.
  private(set) var identity: PropertyIdentity?
  /// The number of a stored property that isn't loaded directly, such as a weak one of a final class. It is equal in all
  /// key paths to the property that begin at the same class.
  private(set) var number: UInt?
  /// The words of the arguments of a subscript, or of the types of a generic context.
  private(set) var arguments: [UInt]?
  var hasArguments: Bool { arguments != nil }
  private(set) var isSettable = false
  /// The address of the word with the address of a computed component's getter, which is signed for this place on some systems.
  private var getter: UnsafeRawPointer?
  /// The getter's arguments, in the memory of the key path object.
  private var argumentBytes = UnsafeRawBufferPointer(start: nil, count: 0)

  /// The components of `keyPath`; nil if they are unknown.
  static func all(of keyPath: AnyKeyPath) -> [KeyPathComponent]? { areUnderstood ? read(keyPath) : nil }
}

// MARK: Reading

extension KeyPathComponent {
  private static let word = MemoryLayout<UInt>.size
  /// The offset of the buffer, after the object's header of two words and a word that isn't used.
  private static let bufferOffset = 3 * word

  /// Bits of the header words; see the Swift repository.
  private enum Bits {
    static let bufferSize: UInt32 = 0x00FF_FFFF
    static let kind: UInt32 = 0x7F00_0000
    static let storedOffset: UInt32 = 0x007F_FFFF
    /// The offset doesn't fit, and is in the next four bytes.
    static let offsetFollows: UInt32 = 0x007F_FFFF
    static let largestOffset: UInt32 = 0x007F_FFFC
    static let isVariable: UInt32 = 0x0080_0000
    static let isSettable: UInt32 = 0x0040_0000
    /// The identity isn't an address but a number within a type.
    static let isNumbered: UInt32 = 0x0030_0000
    /// The number is that of a stored property.
    static let isStoredNumber: UInt32 = 0x0020_0000
    static let hasArguments: UInt32 = 0x0008_0000
    /// Another word precedes the arguments.
    static let isExternal: UInt32 = 0x0000_0010
    /// The identity isn't resolved yet.
    static let isUnresolved: UInt32 = 0x0000_000F
    static let payload: UInt32 = 0x00FF_FFFF
  }

  private struct Cursor {
    let start: UnsafeRawPointer
    let size: Int
    var offset = 0

    var isAtEnd: Bool { offset >= size }

    mutating func next() -> UInt32? { load() }

    mutating func nextWord() -> UInt? {
      align()
      return load()
    }

    /// The address of the next word.
    mutating func position() -> UnsafeRawPointer {
      align()
      return start + offset
    }

    private mutating func load<Number: FixedWidthInteger>() -> Number? {
      guard offset + MemoryLayout<Number>.size <= size else { return nil }
      defer { offset += MemoryLayout<Number>.size }
      return start.loadUnaligned(fromByteOffset: offset, as: Number.self)
    }

    /// The next bytes, in whole words.
    mutating func nextWords(_ bytes: Int) -> [UInt]? {
      var words: [UInt] = []
      for _ in 0..<(bytes + word - 1) / word {
        guard let next = nextWord() else { return nil }
        words.append(next)
      }
      return words
    }

    private mutating func align() {
      offset = (offset + word - 1) & ~(word - 1)
    }
  }

  static func read(_ keyPath: AnyKeyPath) -> [KeyPathComponent]? {
    withExtendedLifetime(keyPath) {
      let buffer = UnsafeRawPointer(Unmanaged.passUnretained(keyPath).toOpaque()) + bufferOffset
      let size = Int(buffer.load(as: UInt32.self) & Bits.bufferSize)
      var cursor = Cursor(start: buffer + word, size: size)
      var components: [KeyPathComponent] = []
      var type = Swift.type(of: keyPath).rootType
      while !cursor.isAtEnd {
        guard let component = KeyPathComponent(&cursor, from: type, lastType: Swift.type(of: keyPath).valueType) else {
          return nil
        }
        components.append(component)
        type = component.valueType
      }
      return components
    }
  }

  /// Reads the next component and the type of its value, which is `lastType` at the end of the key path.
  private init?(_ cursor: inout Cursor, from rootType: Any.Type, lastType: Any.Type) {
    self.rootType = rootType
    valueType = lastType
    guard let header = cursor.next() else { return nil }
    switch (header & Bits.kind, header & Bits.payload) {
    case (0x0100_0000, _):
      guard let offset = Self.offset(header, &cursor) else { return nil }
      kind = .structField(offset: offset)
    case (0x0300_0000, _):
      guard let offset = Self.offset(header, &cursor) else { return nil }
      kind = .classField(offset: offset, isVariable: header & Bits.isVariable != 0)
    case (0x0200_0000, _): guard readComputed(header, &cursor) else { return nil }
    case (0x0400_0000, 0): kind = .optionalChain
    case (0x0400_0000, 1): kind = .optionalWrap
    case (0x0400_0000, 2): kind = .optionalForce
    default: return nil
    }
    guard !cursor.isAtEnd else { return }
    guard let address = cursor.nextWord(), address != 0 else { return nil }
    valueType = unsafeBitCast(address, to: Any.Type.self)
  }

  private static func offset(_ header: UInt32, _ cursor: inout Cursor) -> Int? {
    let offset = header & Bits.storedOffset
    if offset == Bits.offsetFollows { return cursor.next().map(Int.init) }
    return offset <= Bits.largestOffset ? Int(offset) : nil
  }

  private mutating func readComputed(_ header: UInt32, _ cursor: inout Cursor) -> Bool {
    guard let identity = cursor.nextWord() else { return false }
    getter = cursor.position()
    guard cursor.nextWord() ?? 0 != 0 else { return false }
    let isProof = header & (Bits.isNumbered | Bits.isUnresolved) == 0
    self.identity = isProof ? PropertyIdentity(address: identity) : nil
    number = header & Bits.isNumbered == Bits.isStoredNumber ? identity : nil
    isSettable = header & Bits.isSettable != 0
    if isSettable, cursor.nextWord() == nil { return false }
    guard header & Bits.hasArguments != 0 else { return true }
    // The highest bit of the size means an unknown alignment.
    guard let size = cursor.nextWord(), size <= UInt(Bits.bufferSize), cursor.nextWord() != nil else { return false }
    if header & Bits.isExternal != 0, cursor.nextWord() == nil { return false }
    argumentBytes = UnsafeRawBufferPointer(start: cursor.position(), count: Int(size))
    arguments = cursor.nextWords(Int(size))
    return arguments != nil
  }

  // MARK: Calling getters

  /// The value of a property or subscript of `root`, whose type is the component's, or a subclass of it. The caller retains
  /// the key path object.
  func value<Root, Value>(of root: Root, as type: Value.Type) -> Value? {
    switch kind {
    case .structField(let offset):
      return withUnsafePointer(to: root) {
        (UnsafeRawPointer($0) + offset).assumingMemoryBound(to: Value.self).pointee
      }
    case .classField(let offset, _):
      let address = Unmanaged.passUnretained(root as AnyObject).toOpaque() + offset
      return withExtendedLifetime(root) {
        kvo_check_access(address, false)
        return address.assumingMemoryBound(to: Value.self).pointee
      }
    case .computed:
      guard let getter else { return nil }
      return withUnsafePointer(to: root) { root in
        withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { result in
          kvo_call_getter(getter, result.baseAddress!, root, argumentBytes.baseAddress, argumentBytes.count)
          return result.moveElement(from: 0)
        }
      }
    case .optionalChain, .optionalForce, .optionalWrap:
      return nil
    }
  }

  // MARK: Overrides

  /// The descriptor of the getter's method; nil if the property can't be overridden.
  var method: UnsafePointer<UInt32>? {
    // It is the identity, and begins with the flags of an instance getter, above which arm64e has a discriminator. Otherwise the
    // identity is the getter, and no code begins like that.
    guard case .computed = kind, let method = UnsafePointer<UInt32>(bitPattern: identity?.address ?? 0),
      method.pointee & 0xFFFF == 0x12
    else { return nil }
    return method
  }

  /// The class that declares the property, if it can be overridden.
  private var declaringClass: AnyClass? {
    guard let method, let type = rootType as? AnyClass else { return nil }
    // The descriptor is a part of the description of the class, so none of another one begins between them.
    let candidates = superclasses(from: type).compactMap { type in
      kvo_description(Self.metadata(of: type)).map { (type: type, start: $0) }
    }
    return candidates.filter { $0.start <= UnsafeRawPointer(method) }.max { $0.start < $1.start }?.type
  }

  /// The implementation of the getter in a class that inherits the property, or nil if it can't be overridden.
  private func getter(in type: AnyClass) -> UnsafeRawPointer? {
    guard let method, let declaringClass else { return nil }
    return kvo_implementation(Self.metadata(of: type), method, Self.metadata(of: declaringClass))
  }

  /// Whether a class that inherits the property overrides it.
  func isOverridden(in type: AnyClass) -> Bool {
    declaringClass.map { getter(in: $0) != getter(in: type) } ?? false
  }

  /// The names of the stored variables that this may be, which aren't observed; none if it is computed, or a constant.
  var plainVariables: [String] {
    let classes = (rootType as? AnyClass).map { type in declaringClass.map { [$0] } ?? Array(superclasses(from: type)) }
    let stored = (classes ?? []).flatMap { StoredProperty.declared(by: $0) ?? [] }.filter(\.isVariable)
    switch kind {
    case .classField(let offset, isVariable: true): return stored.filter { $0.offset == offset }.map(\.name)
    // A setter's descriptor follows that of the getter. The storage of a lazy property has a name with a dollar sign.
    case .computed where number != nil || method.map({ $0[2] & 0xFFFF == 0x13 }) == true:
      return stored.filter { $0.type == valueType && !$0.name.hasPrefix("$") }.map(\.name)
    default: return []
    }
  }

  private static func metadata(of type: AnyClass) -> UnsafeRawPointer {
    unsafeBitCast(type as Any.Type, to: UnsafeRawPointer.self)
  }

  // MARK: Checking the layout

  /// A class with key paths of each kind of component.
  private class Sample {
    struct Pair {
      var first = 0
      var second = 0
    }

    var next: Sample? { nil }
    var other: Sample? { nil }
    var number: Int {
      get { 0 }
      set {}
    }
    final var pair = Pair()
    final let constant = 0
    subscript(index: Int, text: String) -> Sample? { nil }
  }

  private final class SubclassedSample: Sample {}

  private final class OverridingSample: Sample {
    override var number: Int {
      get { 1 }
      set {}
    }

    override subscript(index: Int, text: String) -> Sample? { index == 1 && text == "a" ? self : nil }
  }

  /// Whether known key paths are read as expected, their getters can be called, and those that override others be recognized.
  static let areUnderstood: Bool = {
    let (numberPath, indexedPath) = (\Sample.number, \Sample[1, "a"]?.number)
    guard let next = read(\Sample.next), let other = read(\Sample.other), let number = read(numberPath),
      let inherited = read(\SubclassedSample.number), let chain = read(\Sample.next?.other?.number),
      let forced = read(\Sample.next!.pair.second), let indexed = read(indexedPath),
      let length = read(\Sample.next?.pair.first.description.count), let constant = read(\Sample.constant),
      [next, number, constant].allSatisfy({ $0.count == 1 }), forced.count == 4, length.count == 7,
      chain.map(\.kind) == [.computed, .optionalChain, .computed, .optionalChain, .computed, .optionalWrap],
      indexed.map(\.kind) == [.computed, .optionalChain, .computed, .optionalWrap],
      case .classField(_, isVariable: true) = forced[2].kind, case .classField(_, isVariable: false) = constant[0].kind,
      number[0].getter(in: Sample.self) != nil
    else { return false }
    let sample = OverridingSample()
    return number[0].isSettable && !next[0].isSettable && !number[0].hasArguments && indexed[0].hasArguments
      && next[0].identity != nil && next[0].identity != other[0].identity && next[0].identity != indexed[0].identity
      && number[0].identity != nil && number[0].identity == inherited[0].identity
      && [chain[0], chain[2], chain[4], indexed[2]].map(\.identity)
        == [next[0], other[0], number[0], number[0]].map(\.identity)
      && (inherited + chain + [indexed[2]]).map { ObjectIdentifier($0.rootType) }
        == [
          SubclassedSample.self, Sample.self, Sample?.self, Sample.self, Sample?.self, Sample.self, Int.self,
          Sample.self,
        ].map(ObjectIdentifier.init)
      && (chain[4...] + [forced[1]] + length[4...5]).map { ObjectIdentifier($0.valueType) }
        == [Int.self, Int?.self, Sample.self, String.self, Int.self].map(ObjectIdentifier.init)
      && forced[1].kind == .optionalForce && forced[3].kind == .structField(offset: MemoryLayout<Int>.size)
      && withExtendedLifetime((numberPath, indexedPath)) {
        number[0].value(of: Sample(), as: Int.self) == 0 && number[0].value(of: sample, as: Int.self) == 1
          && (indexed[0].value(of: sample, as: Sample?.self) ?? nil) === sample
          && !inherited[0].isOverridden(in: SubclassedSample.self) && number[0].isOverridden(in: OverridingSample.self)
      }
  }()
}

extension PropertyIdentity {
  /// That of the property to which a key path leads first; nil if it isn't known.
  package init?(of keyPath: AnyKeyPath) {
    guard let identity = KeyPathComponent.all(of: keyPath)?.first?.identity else { return nil }
    self = identity
  }
}
