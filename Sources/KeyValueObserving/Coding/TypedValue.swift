/// What an observer gets as a `Value` for a value of Key-Value Coding, where nil is null.
///
/// - Returns: Null as `.some(nil)` if `Value` is an Optional. Nil if `value` can't be had as a `Value`.
package func typed<Value>(_ value: Any?) -> Value? {
  guard let value else { return (Value.self as? any OptionalValue.Type)?.null as? Value }
  return ValueConversion.convert(value, to: Value.self)
}
