/// An `Optional`, for code that knows a value only as `Any`.
@usableFromInline
protocol OptionalValue {
  static var wrappedType: Any.Type { get }
  static var null: Self { get }
  /// The Optional of a value of the wrapped type.
  static func wrap(exactly wrapped: Any) -> Self
  /// The Optional of the value at an address.
  static func wrap(at address: UnsafeRawPointer) -> Self
  /// Whether the wrapped value may be an Optional too.
  static var mayHideNil: Bool { get }
  /// Reads this Optional from its address; nil for nil.
  static var reader: @Sendable (UnsafeRawPointer) -> Any? { get }
  /// The value, unwrapped from all its Optionals.
  var innermost: Any? { get }
  /// The value, unwrapped once.
  var wrapped: Any? { get }
}

extension Optional: OptionalValue {
  @inlinable static var wrappedType: Any.Type { Wrapped.self }
  @usableFromInline static var null: Self { nil }
  @usableFromInline static var mayHideNil: Bool { Wrapped.self == Any.self || Wrapped.self is any OptionalValue.Type }

  @usableFromInline static var reader: @Sendable (UnsafeRawPointer) -> Any? {
    { $0.assumingMemoryBound(to: Wrapped?.self).pointee }
  }

  @inlinable
  static func wrap(exactly wrapped: Any) -> Self { exactCast(wrapped, to: Wrapped.self) }

  @inlinable
  static func wrap(at address: UnsafeRawPointer) -> Self {
    .some(address.assumingMemoryBound(to: Wrapped.self).pointee)
  }

  @usableFromInline
  var innermost: Any? {
    guard let value = self else { return nil }
    return unwrapped(value)
  }

  @usableFromInline var wrapped: Any? { self }
}

extension Optional: ConvertibleValue {
  static var conversionRule: ConversionRule {
    let convert = ValueConverter<Wrapped>()
    return ConversionRule { value in
      guard let content = unwrapped(value) else { return .success(Self.none as Any) }
      // What can contain an `NSNull` was converted.
      return convert(content).map { Self.some($0) as Any }
        .flatMapError { type(of: content) == NSNull.self ? .success(Self.none as Any) : .failure($0) }
    }
  }
}

/// The value inside `value`, unwrapped from all its Optionals; nil if one of them is nil.
func unwrapped(_ value: Any) -> Any? {
  guard let optional = value as? any OptionalValue else { return value }
  return optional.innermost
}

/// A value whose dynamic type the caller has found to be `Value`, without the search that a cast makes.
///
/// It is sound because the opened value is of that type too, or of one of its superclasses, whose references have the same
/// representation. Generic code can put an existential into an `Any`; then the opened value is of its type, and is cast.
@inlinable
func exactCast<Actual, Value>(_ value: Actual, to type: Value.Type) -> Value {
  if Actual.self == Value.self || Actual.self is AnyObject.Type { return unsafeBitCast(value, to: type) }
  return value as! Value
}
