#if !canImport(ObjectiveC)
/// The fields of a type, from the runtime.
///
/// The functions are those that `Mirror` uses. `_forEachField` doesn't suffice, because it doesn't say whether a field
/// is a strong reference.
enum TypeLayout {
  enum Kind {
    case structure, tuple, enumeration, existential, other
  }

  /// The kind of a type, from the first word of its metadata, which for a class is an address.
  static func kind(of type: Any.Type) -> Kind {
    switch unsafeBitCast(type, to: UnsafePointer<UInt>.self).pointee {
    case 0x200: .structure
    case 0x201: .enumeration
    case 0x301: .tuple
    case 0x303: .existential
    default: .other
    }
  }

  /// Whether values of a protocol type can be of any type, and not only objects, from the highest bit of its flags.
  static func isOpaqueExistential<Value>(_ type: Value.Type) -> Bool {
    let flags = unsafeBitCast(type as Any.Type, to: UnsafeRawPointer.self)
      .load(fromByteOffset: MemoryLayout<UInt>.size, as: UInt32.self)
    return flags & 0x8000_0000 != 0 && MemoryLayout<Value>.size >= MemoryLayout<Any>.size
  }

  struct Field {
    let type: Any.Type
    let offset: Int
    /// Whether the field is neither weak nor unowned.
    let isStrong: Bool
    let isVariable: Bool
  }

  /// The fields of a struct, tuple, or class, including those of superclasses.
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
