/// A value that a change tells of.
package enum ChangedValue {
  /// It wasn't asked for, or the kind of change has none.
  case unasked
  /// Null, or not to be reached.
  case null
  /// There; an Optional is given unwrapped.
  case value(Any)

  init(_ value: Any?) {
    self = value.map(Self.value) ?? .null
  }

  /// The value in a change dictionary; nil if it has none.
  var object: Any? {
    switch self {
    case .unasked: nil
    case .null: NSNull()
    case .value(let value): value
    }
  }

  /// The value as a `Value`: null as `.some(nil)` if that is an Optional. Nil if there is none, or not as a `Value`.
  package func typed<Value>(as type: Value.Type = Value.self) -> Value? {
    switch self {
    case .unasked: nil
    case .null: (Value.self as? any OptionalValue.Type)?.null as? Value
    case .value(let value): ValueConversion.exactly(value) ?? ValueConversion.convert(value, to: Value.self)
    }
  }
}
