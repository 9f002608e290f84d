/// The old or new value of a change.
@usableFromInline
package enum ChangedValue {
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
  package func typed<Value>(as type: Value.Type = Value.self) -> Value? {
    switch self {
    case .value(let value):
      exactly(value) ?? ValueConversion.convert(value, to: type) ?? collection(value, of: type)
    case .null: (type as? any OptionalValue.Type).flatMap { exactly($0.null) }
    case .notRequested: nil
    }
  }

  /// The objects of a to-many change as a collection whose elements can be nil, for which `objects` contains `NSNull`.
  private func collection<Value>(_ objects: Any, of type: Value.Type) -> Value? {
    (type as? any EditableCollection.Type)?.converted(objects) as? Value
  }
}

/// `value`, if its type is `Value` or the type that this wraps. These are the common cases, and much faster than a
/// cast.
private func exactly<Value>(_ value: Any) -> Value? {
  func open<Actual>(_ value: Actual) -> Value? {
    if Actual.self == Value.self {
      return withUnsafePointer(to: value) { UnsafeRawPointer($0).assumingMemoryBound(to: Value.self).pointee }
    }
    guard Actual?.self == Value.self else { return nil }
    return withUnsafePointer(to: value as Actual?) { UnsafeRawPointer($0).assumingMemoryBound(to: Value.self).pointee }
  }
  return open(value)
}
