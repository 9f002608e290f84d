/// A value that a change tells of.
@usableFromInline
package enum ChangedValue {
  /// It wasn't asked for, or the kind of change has none.
  case unasked
  /// Null, or not to be reached.
  case null
  /// There; an Optional is given unwrapped.
  case value(Any)

  init(_ value: Any?) {
    if let value { self = .value(value) } else { self = .null }
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
  @inlinable
  package func typed<Value>(as type: Value.Type = Value.self) -> Value? {
    if case .unasked = self { return nil }
    if case .value(let value) = self, let exact: Value = exactly(value) { return exact }
    return converted(to: type)
  }

  @usableFromInline
  func converted<Value>(to type: Value.Type) -> Value? {
    switch self {
    case .unasked: nil
    case .null: (type as? any OptionalValue.Type)?.null as? Value
    case .value(let value): ValueConversion.convert(value, to: type)
    }
  }
}

/// `value`, if it is just a `Value`. That is the common case, and far faster than a cast.
@inlinable
func exactly<Value>(_ value: Any) -> Value? {
  func open<Actual>(_ value: Actual) -> Value? {
    guard Actual.self == Value.self else { return nil }
    return withUnsafePointer(to: value) { UnsafeRawPointer($0).assumingMemoryBound(to: Value.self).pointee }
  }
  return _openExistential(value, do: open)
}
