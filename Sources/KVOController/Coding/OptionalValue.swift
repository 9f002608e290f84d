/// An `Optional`, for code that knows a value only as `Any`.
protocol OptionalValue {
  static var wrappedType: Any.Type { get }
  static var null: Self { get }
  static func wrap(exactly wrapped: Any) -> Self
  /// Reads this Optional from its address; nil for nil.
  static var reader: @Sendable (UnsafeRawPointer) -> Any? { get }
  /// The value, unwrapped once.
  var wrapped: Any? { get }
}

extension Optional: OptionalValue {
  static var wrappedType: Any.Type { Wrapped.self }
  static var null: Self { nil }

  static var reader: @Sendable (UnsafeRawPointer) -> Any? {
    { $0.assumingMemoryBound(to: Wrapped?.self).pointee }
  }

  static func wrap(exactly wrapped: Any) -> Self { exactCast(wrapped, to: Wrapped.self) }

  var wrapped: Any? { self }
}

/// The value inside `value`, unwrapped from all its Optionals; nil if one of them is nil.
func unwrapped(_ value: Any) -> Any? {
  guard let optional = value as? any OptionalValue else { return value }
  return optional.wrapped.flatMap(unwrapped)
}

/// A value whose dynamic type the caller has found to be `Value`, without the search that a cast makes.
///
/// It is sound because the opened value is of that type too, or of one of its superclasses, whose references have the same
/// representation. Generic code can put an existential into an `Any`; then the opened value is of its type, and is cast.
@usableFromInline
func exactCast<Actual, Value>(_ value: Actual, to type: Value.Type) -> Value {
  if Actual.self == Value.self || Actual.self is AnyObject.Type { return unsafeBitCast(value, to: type) }
  return value as! Value
}
