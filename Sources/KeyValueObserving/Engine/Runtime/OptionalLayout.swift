#if !canImport(ObjectiveC)
/// How an Optional lies in memory.
///
/// Code that knows a type only at run time asks the runtime for the type of its Optional each time that it makes one, which
/// takes longer than a whole notification. What it needs to know is this: an Optional that is there begins with the value,
/// and what comes behind it, if the type has no spare bit patterns, is zero. `docs/ABI/TypeLayout.rst` in the Swift
/// repository describes it.
enum OptionalLayout {
  /// Makes an Optional of the value at an address.
  typealias Wrapper = @Sendable (_ address: UnsafeRawPointer, _ optional: UnsafeMutableRawPointer) -> Void

  static func wrapper<Value>(of type: Value.Type) -> Wrapper {
    let (size, wholeSize) = (MemoryLayout<Value>.size, MemoryLayout<Value?>.size)
    guard _isPOD(Value.self) else {
      return { address, optional in
        optional.initializeMemory(as: Value.self, from: address.assumingMemoryBound(to: Value.self), count: 1)
        for offset in size..<wholeSize { optional.storeBytes(of: 0, toByteOffset: offset, as: UInt8.self) }
      }
    }
    return { address, optional in
      optional.copyMemory(from: address, byteCount: size)
      for offset in size..<wholeSize { optional.storeBytes(of: 0, toByteOffset: offset, as: UInt8.self) }
    }
  }
}
#endif
