/// What `Optional` shows to code that knows a value only as `Any`.
protocol OptionalValue {
  static var wrappedType: Any.Type { get }
  static var null: Self { get }
  static func wrap(_ wrapped: Any) -> Self?
  var unwrapped: Any? { get }
}

extension Optional: OptionalValue {
  static var wrappedType: Any.Type { Wrapped.self }
  static var null: Self { nil }

  static func wrap(_ wrapped: Any) -> Self? {
    ValueConversion.convert(wrapped, to: Wrapped.self).map(Self.some)
  }

  var unwrapped: Any? {
    guard let value = self else { return nil }
    return flattened(value)
  }
}

/// The value inside `value`, however many Optionals it is wrapped in: nil if one of them is.
package func flattened(_ value: Any) -> Any? {
  guard let optional = value as? any OptionalValue else { return value }
  return optional.unwrapped
}
