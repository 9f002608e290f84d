/// The old or new value of a change.
@frozen
@usableFromInline
enum ChangedValue {
  /// The value wasn't requested, or the kind of change has none.
  case notRequested
  /// The value is nil, or can't be reached.
  case null
  /// A value, unwrapped.
  case value(Any)

  init(_ value: Any?) {
    if let value { self = .value(value) } else { self = .null }
  }

  var isRequested: Bool { if case .notRequested = self { false } else { true } }

  /// The value in a change dictionary, if it was requested.
  var object: Any {
    switch self {
    case .notRequested, .null: NSNull()
    case .value(let value): value
    }
  }

  /// The value as a `Value`, where nil is `.some(nil)` if `Value` is an Optional. Returns nil if there is no value, or
  /// if it can't be converted.
  @usableFromInline
  func typed<Value>(as type: Value.Type = Value.self) -> Value? {
    switch self {
    case .value(let value):
      exactly(value) ?? ValueConverter<Value>()(value).value
    case .null: (type as? any OptionalValue.Type).flatMap { exactly($0.null) }
    case .notRequested: nil
    }
  }
}

/// `value`, if its type is `Value` or the type that this wraps. These are the common cases, and much faster than a
/// cast, especially where the compiler knows `Value`.
@inlinable
@inline(__always)
func exactly<Value>(_ value: Any) -> Value? {
  let actual = type(of: value)
  if actual == Value.self { return exactCast(value, to: Value.self) }
  guard let optional = Value.self as? any OptionalValue.Type, optional.wrappedType == actual else { return nil }
  return wrapExactly(value, in: optional)
}

/// The Optional of a value, whose type it wraps, as a `Value`, which is that Optional.
@inlinable
@inline(__always)
func wrapExactly<Optional: OptionalValue, Value>(_ value: Any, in type: Optional.Type) -> Value? {
  type.wrap(exactly: value) as? Value
}
