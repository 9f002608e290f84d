/// An `Optional`, for code that knows a value only as `Any`.
protocol OptionalValue {
  static var wrappedType: Any.Type { get }
  static var null: Self { get }
  static func wrap(_ wrapped: Any) -> Self?
  /// Whether the wrapped value may be an Optional too.
  static var mayHideNil: Bool { get }
  /// Reads an ``Observed`` of this Optional from its address; nil for nil.
  static var observedReader: @Sendable (UnsafeRawPointer) -> Any? { get }
  var unwrapped: Any? { get }
}

extension Optional: OptionalValue {
  static var wrappedType: Any.Type { Wrapped.self }
  static var null: Self { nil }
  static var mayHideNil: Bool { Wrapped.self == Any.self || Wrapped.self is any OptionalValue.Type }

  static var observedReader: @Sendable (UnsafeRawPointer) -> Any? {
    { $0.load(as: Wrapped?.self) }
  }

  static func wrap(_ wrapped: Any) -> Self? {
    ValueConversion.convert(wrapped, to: Wrapped.self).map(Self.some)
  }

  var unwrapped: Any? {
    guard let value = self else { return nil }
    return KeyValueObserving.unwrapped(value)
  }
}

/// The value inside `value`, unwrapped from all its Optionals; nil if one of them is nil.
package func unwrapped(_ value: Any) -> Any? {
  guard let optional = value as? any OptionalValue else { return value }
  return optional.unwrapped
}
