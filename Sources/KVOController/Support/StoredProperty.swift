import CKeyValueObserving

/// A stored property of a class, from the compiler's reflection metadata, by the runtime's functions that `Mirror`
/// uses. A `Mirror` itself has no offsets, and a class can customize it.
struct StoredProperty {
  let name: String
  let type: Any.Type
  let offset: Int
  /// Whether it is a `var`. Older systems of Apple's don't tell.
  let isVariable: Bool

  /// Whether a class was compiled with reflection metadata.
  static func areKnown(of type: AnyClass) -> Bool {
    guard let metadata = metadata(of: type) else { return true }
    return kvo_is_reflectable(metadata)
  }

  /// The stored properties that a class itself declares; none if it was compiled without reflection metadata, and nil if
  /// the runtime lacks the functions.
  static func declared(by type: AnyClass) -> [StoredProperty]? {
    guard let metadata = metadata(of: type) else { return [] }
    let count = kvo_field_count(metadata)
    guard count >= 0 else { return nil }
    let inherited = _getSuperclass(type).flatMap(Self.metadata(of:)).map { kvo_field_count($0) } ?? 0
    var properties: [StoredProperty] = []
    for index in inherited..<max(inherited, count) {
      withUnsafeMutablePointer(to: &properties) { properties in
        kvo_with_field(metadata, index, properties) { context, name, type, offset, isVariable in
          // The context is the array, and a type is the address of its metadata.
          context?.assumingMemoryBound(to: [StoredProperty].self).pointee
            .append(
              StoredProperty(
                name: Self.name(String(cString: name)), type: unsafeBitCast(type, to: Any.Type.self), offset: offset,
                isVariable: isVariable))
        }
      }
    }
    return properties
  }

  /// A name as it is in the source. The metadata quotes one that isn't an identifier, with no-break spaces.
  private static func name(_ text: String) -> String {
    guard text.hasPrefix("`") else { return text }
    return String(text.dropFirst().dropLast().map { $0 == "\u{A0}" ? " " : $0 })
  }

  /// The metadata of a Swift class, which is the class itself; nil for an Objective-C class, which is only wrapped.
  private static func metadata(of type: AnyClass) -> UnsafeRawPointer? {
    let metadata = unsafeBitCast(type as Any.Type, to: UnsafeRawPointer.self)
    let address = UnsafeRawPointer(bitPattern: UInt(bitPattern: ObjectIdentifier(type)))
    return metadata == address ? metadata : nil
  }
}

/// A class and its superclasses, beginning with the class itself.
func superclasses(from type: AnyClass) -> some Sequence<AnyClass> { sequence(first: type) { _getSuperclass($0) } }
