/// Where an ``Observed`` property lies in the objects of a class, and how its value is read and set.
///
/// The address of the property is that of an object that the caller holds, plus the field's offset, which is where the
/// class has an `Observed` of just this type: so it may be read as one.
struct ObservedField: Sendable {
  let name: String
  let offset: Int
  let valueType: Any.Type
  /// Whether the value takes no room, so that the property's address may also be that of another.
  let isZeroSized: Bool
  /// Whether the value may be an Optional, which readers get unwrapped.
  private let mayBeNil: Bool
  private let read: @Sendable (UnsafeMutableRawPointer) -> Any
  private let convert: @Sendable (Any?, _ offset: Int) -> Assignment

  init<Value>(name: String, offset: Int, _ type: Observed<Value>.Type) {
    self.name = name
    self.offset = offset
    valueType = Value.self
    isZeroSized = MemoryLayout<Value>.size == 0
    mayBeNil = Value.self is any OptionalValue.Type || Value.self == Any.self
    read = { $0.assumingMemoryBound(to: Observed<Value>.self).pointee.value }
    convert = { value, offset in
      Assignment(value) { object, value in
        let address = Unmanaged.passUnretained(object).toOpaque() + offset
        object.replace(address.assumingMemoryBound(to: Observed<Value>.self), with: value)
      }
    }
  }

  /// The value of the property of `object`.
  func value(of object: KeyValueObject) -> Any? {
    let value = read(Unmanaged.passUnretained(object).toOpaque() + offset)
    return mayBeNil ? flattened(value) : value
  }

  /// What sets the property to `value`.
  func assignment(of value: Any?) -> Assignment {
    convert(value, offset)
  }
}
