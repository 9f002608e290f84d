/// A value for Key-Value Coding to set, converted to the property's type, or the reason why it can't be set.
enum Assignment {
  case ready((KeyValueObject) -> Void)
  /// The value is nil, and the property can't be.
  case nilForNonOptional
  /// The value can't be converted to the property's type.
  case refused(RefusedValue, expected: Any.Type)
  /// The key can be read but not set.
  case readOnly

  /// Converts `value` to a `Value`, to be set by `set`. nil becomes the nil of an Optional.
  init<Value>(_ value: Any?, _ set: @escaping (KeyValueObject, Value) -> Void) {
    if let value, let exact: Value = exactly(value) {
      self = .ready { set($0, exact) }
    } else if let value = value.flatMap(unwrapped) {
      switch ValueConverter<Value>()(value) {
      case .success(let converted): self = .ready { set($0, converted) }
      case .failure(let refused): self = .refused(refused, expected: Value.self)
      }
    } else if let optional = Value.self as? any OptionalValue.Type, let null = optional.null as? Value {
      self = .ready { set($0, null) }
    } else {
      self = .nilForNonOptional
    }
  }
}
