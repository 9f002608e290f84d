extension KeyPathComponent {
  /// The components of `keyPath`; nil if they are unknown.
  static func all(of keyPath: AnyKeyPath) -> [KeyPathComponent]? {
    KeyPathReader.isLayoutKnown ? KeyPathReader.components(of: keyPath) : nil
  }
}

/// Reads the components of a Swift key path from the memory of its object.
///
/// `docs/ABI/KeyPaths.md` in the Swift repository describes the object: a header, a word that isn't used here, and a
/// buffer of components. This relies on that layout only after reading key paths whose components are known; if they
/// aren't as expected, all components are unknown.
struct KeyPathReader {
  private let start: UnsafeRawPointer
  private let size: Int
  private var offset = 0

  fileprivate static func components(of keyPath: AnyKeyPath) -> [KeyPathComponent]? {
    withExtendedLifetime(keyPath) {
      let types = (root: type(of: keyPath).rootType, value: type(of: keyPath).valueType)
      var reader = KeyPathReader(keyPath)
      var components: [KeyPathComponent] = []
      while reader.offset < reader.size {
        let start = components.last?.valueType ?? types.root
        guard let component = reader.nextComponent(from: start, lastType: types.value) else { return nil }
        components.append(component)
      }
      return components
    }
  }

  private static let word = MemoryLayout<UInt>.size

  /// Begins at the buffer, after the object's header of two words and a word that isn't used. The caller retains the object.
  private init(_ keyPath: AnyKeyPath) {
    let buffer = UnsafeRawPointer(Unmanaged.passUnretained(keyPath).toOpaque()) + 3 * Self.word
    start = buffer + Self.word
    size = Int(buffer.load(as: UInt32.self) & Bits.bufferSize)
  }

  // MARK: Components

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

  /// Reads the next component and the type of its value, which is `lastType` at the end of the key path.
  private mutating func nextComponent(from rootType: Any.Type, lastType: Any.Type) -> KeyPathComponent? {
    var component = KeyPathComponent(rootType: rootType, valueType: lastType)
    guard let header: UInt32 = next() else { return nil }
    switch (header & Bits.kind, header & Bits.payload) {
    case (0x0100_0000, _):
      guard let offset = fieldOffset(header) else { return nil }
      component.kind = .structField(offset: offset)
    case (0x0300_0000, _):
      guard let offset = fieldOffset(header) else { return nil }
      component.kind = .classField(offset: offset, isVariable: header & Bits.isVariable != 0)
    case (0x0200_0000, _): guard readComputed(header, &component) else { return nil }
    case (0x0400_0000, 0): component.kind = .optionalChain
    case (0x0400_0000, 1): component.kind = .optionalWrap
    case (0x0400_0000, 2): component.kind = .optionalForce
    default: return nil
    }
    guard offset < size else { return component }
    guard let address = nextWord(), address != 0 else { return nil }
    component.valueType = unsafeBitCast(address, to: Any.Type.self)
    return component
  }

  private mutating func fieldOffset(_ header: UInt32) -> Int? {
    let offset = header & Bits.storedOffset
    if offset == Bits.offsetFollows { return (next() as UInt32?).map(Int.init) }
    return offset <= Bits.largestOffset ? Int(offset) : nil
  }

  private mutating func readComputed(_ header: UInt32, _ component: inout KeyPathComponent) -> Bool {
    guard let identity = nextWord() else { return false }
    component.getter = position()
    guard nextWord() ?? 0 != 0 else { return false }
    let isProof = header & (Bits.isNumbered | Bits.isUnresolved) == 0
    component.identity = isProof ? PropertyIdentity(address: identity) : nil
    component.number = header & Bits.isNumbered == Bits.isStoredNumber ? identity : nil
    component.isSettable = header & Bits.isSettable != 0
    if component.isSettable, nextWord() == nil { return false }
    guard header & Bits.hasArguments != 0 else { return true }
    // The highest bit of the size means an unknown alignment.
    guard let size = nextWord(), size <= UInt(Bits.bufferSize), nextWord() != nil else { return false }
    if header & Bits.isExternal != 0, nextWord() == nil { return false }
    component.argumentBytes = UnsafeRawBufferPointer(start: position(), count: Int(size))
    component.arguments = nextWords(Int(size))
    return component.hasArguments
  }

  // MARK: Words

  private mutating func next<Number: FixedWidthInteger>() -> Number? {
    guard offset + MemoryLayout<Number>.size <= size else { return nil }
    defer { offset += MemoryLayout<Number>.size }
    return start.loadUnaligned(fromByteOffset: offset, as: Number.self)
  }

  private mutating func nextWord() -> UInt? {
    align()
    return next()
  }

  /// The next bytes, in whole words.
  private mutating func nextWords(_ bytes: Int) -> [UInt]? {
    var words: [UInt] = []
    for _ in 0..<(bytes + Self.word - 1) / Self.word {
      guard let next = nextWord() else { return nil }
      words.append(next)
    }
    return words
  }

  /// The address of the next word.
  private mutating func position() -> UnsafeRawPointer {
    align()
    return start + offset
  }

  private mutating func align() {
    offset = (offset + Self.word - 1) & ~(Self.word - 1)
  }
}

// MARK: Checking the layout

extension KeyPathReader {
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
  fileprivate static let isLayoutKnown: Bool = {
    let (numberPath, indexedPath) = (\Sample.number, \Sample[1, "a"]?.number)
    guard let next = components(of: \Sample.next), let other = components(of: \Sample.other),
      let number = components(of: numberPath),
      let inherited = components(of: \SubclassedSample.number), let chain = components(of: \Sample.next?.other?.number),
      let forced = components(of: \Sample.next!.pair.second), let indexed = components(of: indexedPath),
      let length = components(of: \Sample.next?.pair.first.description.count),
      let constant = components(of: \Sample.constant),
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
