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
  guard mayBeOptional(type(of: value)), let optional = value as? any OptionalValue else { return value }
  return optional.wrapped.flatMap(unwrapped)
}

/// Whether a cast may find an Optional in a value of that type. A cast searches for a conformance, so the kind in the type's metadata
/// is asked first. Of a kind that isn't known anything may be true.
func mayBeOptional(_ type: Any.Type) -> Bool {
  // docs/ABI/TypeMetadata.rst, and include/swift/ABI/MetadataKind.def of Swift. A class with an isa pointer has that in its place.
  switch unsafeBitCast(type, to: UnsafePointer<UInt>.self).pointee {
  case 0x200: type == AnyHashable.self  // A structure.
  case 0x201: false  // An enumeration other than Optional.
  case 0: type == NSNull.self  // A class. Of this one an object stands for a nil that was cast to AnyObject.
  default: true
  }
}

/// `value`, if its type is `Value` or the type that this wraps. These are the common cases, and much faster than a
/// cast.
func exactly<Value>(_ value: Any) -> Value? {
  let actual = type(of: value)
  if actual == Value.self { return exactCast(value, to: Value.self) }
  guard let optional = Value.self as? any OptionalValue.Type, optional.wrappedType == actual else { return nil }
  return optional.wrap(exactly: value) as? Value
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
