#if !canImport(ObjectiveC)
/// Where an ``Observed`` property lies in the objects of a class.
struct ObservedField: Sendable {
  let name: String
  let offset: Int
  let property: any ObservedProperty.Type
  /// Whether the values may be Optionals, which readers get unwrapped.
  let mayBeNil: Bool

  init(name: String, offset: Int, property: any ObservedProperty.Type) {
    self.name = name
    self.offset = offset
    self.property = property
    mayBeNil = property.valueType is any OptionalValue.Type || property.valueType == Any.self
  }

  func value(of object: KeyValueObject) -> Any? {
    let value = property.value(at: Unmanaged.passUnretained(object).toOpaque() + offset)
    return mayBeNil ? flattened(value) : value
  }

  func assignment(of value: Any?) -> Assignment {
    property.assignment(of: value, at: offset)
  }
}
#endif
