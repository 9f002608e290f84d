/// A value for Key-Value Coding to set, converted to the property's type, or the reason why it can't be set.
enum Assignment {
  case ready((KeyValueObject) -> Void)
  /// The value is nil, and the property can't be.
  case nilForNonOptional
  /// The value can't be converted to the property's type.
  case wrongType(expected: Any.Type)
  /// The key can be read but not set.
  case readOnly

  /// Converts `value` to a `Value`, to be set by `set`. nil becomes the nil of an Optional.
  init<Value>(_ value: Any?, _ set: @escaping (KeyValueObject, Value) -> Void) {
    if let value = value.flatMap(unwrapped) {
      if let converted = ValueConversion.convert(value, to: Value.self) {
        self = .ready { set($0, converted) }
      } else {
        self = .wrongType(expected: Value.self)
      }
    } else if let optional = Value.self as? any OptionalValue.Type, let null = optional.null as? Value {
      self = .ready { set($0, null) }
    } else {
      self = .nilForNonOptional
    }
  }

  /// Traps for a value of the wrong type.
  static func refuse(_ value: Any?, forKey key: String, of object: KeyValueObject, expected: Any.Type) -> Never {
    misuse(
      "Cannot set the value for the key \"\(key)\" of <\(debugName(of: object))>",
      because: "it must be of type \(expected), but is of type \(value.map { "\(type(of: $0))" } ?? "nil")",
      remedy: "Convert the value first.")
  }
}
