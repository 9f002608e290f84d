#if !canImport(ObjectiveC)
/// What an ``Observed`` property of unknown type can do for Key-Value Coding: the address of the storage is all it needs.
///
/// The addresses come from ``ObservedField``, which adds the field's offset to the address of an object that the caller
/// holds; so each is that of an initialised `Observed` of just this type.
protocol ObservedProperty: SendableMetatype {
  static var valueType: Any.Type { get }
  static var isZeroSized: Bool { get }
  static func value(at address: UnsafeMutableRawPointer) -> Any
  /// The assignment of `value` to the property at `offset` in an object.
  static func assignment(of value: Any?, at offset: Int) -> Assignment
}

extension Observed: ObservedProperty {
  static var valueType: Any.Type { Value.self }
  static var isZeroSized: Bool { MemoryLayout<Value>.size == 0 }

  static func value(at address: UnsafeMutableRawPointer) -> Any {
    address.assumingMemoryBound(to: Self.self).pointee.value
  }

  static func assignment(of value: Any?, at offset: Int) -> Assignment {
    Assignment(value) { object, value in
      let address = Unmanaged.passUnretained(object).toOpaque() + offset
      object.replace(address.assumingMemoryBound(to: Self.self), with: value)
    }
  }
}
#endif
