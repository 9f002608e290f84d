#if !canImport(ObjectiveC)
/// What a type consists of, as the standard library's mirrors ask the runtime for it.
///
/// The functions are those that `Mirror` is made of, which `_forEachField` doesn't tell enough of: whether a field is a
/// strong reference.
enum TypeLayout {
  enum Kind {
    case structure, tuple, enumeration, existential, other
  }

  /// The first word of a type says of what kind it is, but for a class, for which it is an address.
  static func kind(of type: Any.Type) -> Kind {
    switch unsafeBitCast(type, to: UnsafePointer<UInt>.self).pointee {
    case 0x200: .structure
    case 0x201: .enumeration
    case 0x301: .tuple
    case 0x303: .existential
    default: .other
    }
  }

  /// Whether a protocol type holds values of any type, and not objects only; the highest bit of its flags says so.
  static func isOpaqueExistential<Value>(_ type: Value.Type) -> Bool {
    let flags = unsafeBitCast(type as Any.Type, to: UnsafeRawPointer.self)
      .load(fromByteOffset: MemoryLayout<UInt>.size, as: UInt32.self)
    return flags & 0x8000_0000 != 0 && MemoryLayout<Value>.size >= MemoryLayout<Any>.size
  }

  struct Field {
    let type: Any.Type
    let offset: Int
    /// Not weak or unowned.
    let isStrong: Bool
    let isVariable: Bool
  }

  /// The fields of a struct, tuple or class, those of superclasses included.
  static func fields(of type: Any.Type) -> [Field] {
    (0..<fieldCount(type)).map { index in
      var details = Details()
      let found = fieldType(type, index: index, details: &details)
      defer { details.free?(details.name) }
      return Field(
        type: found, offset: fieldOffset(type, index: index), isStrong: details.isStrong,
        isVariable: details.isVariable)
    }
  }
}

private struct Details {
  var name: UnsafePointer<CChar>?
  var free: (@convention(c) (UnsafePointer<CChar>?) -> Void)?
  var isStrong = false
  var isVariable = false
}

@_silgen_name("swift_reflectionMirror_recursiveCount")
private func fieldCount(_ type: Any.Type) -> Int

@_silgen_name("swift_reflectionMirror_recursiveChildOffset")
private func fieldOffset(_ type: Any.Type, index: Int) -> Int

@_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
private func fieldType(_ type: Any.Type, index: Int, details: UnsafeMutablePointer<Details>) -> Any.Type
#endif
