/// Converts values for Key-Value Coding to the type of a property.
enum ValueConversion {
  /// `value` as a `Value`: unchanged, converted from another type of number, or as the raw value of an enum.
  static func convert<Value>(_ value: Any, to type: Value.Type) -> Value? {
    if let value = value as? Value { return value }
    if let optional = Value.self as? any OptionalValue.Type {
      // A cast would turn nil into the nil of the Optional.
      guard let wrapped = optional.wrap(value) else { return nil }
      return wrapped as? Value
    }
    if Value.self == CGFloat.self { return number(value).map { CGFloat($0.doubleValue) } as? Value }
    if let type = Value.self as? any NumberConvertible.Type {
      return number(value).flatMap { type.init(truncating: $0) as? Value }
    }
    if let raw = Value.self as? any RawRepresentable.Type { return enumeration(raw, value) as? Value }
    return nil
  }

  /// `value` as a number; swift-corelibs-foundation doesn't bridge `CGFloat`.
  private static func number(_ value: Any) -> NSNumber? {
    value as? NSNumber ?? (value as? CGFloat).map { NSNumber(value: Double($0)) }
  }

  private static func enumeration<Raw: RawRepresentable>(_ type: Raw.Type, _ value: Any) -> Raw? {
    convert(value, to: Raw.RawValue.self).flatMap(Raw.init(rawValue:))
  }
}

/// A type of number to which Key-Value Coding converts any other.
private protocol NumberConvertible {
  init(truncating number: NSNumber)
}

extension Int: NumberConvertible {}
extension Int8: NumberConvertible {}
extension Int16: NumberConvertible {}
extension Int32: NumberConvertible {}
extension Int64: NumberConvertible {}
extension UInt: NumberConvertible {}
extension UInt8: NumberConvertible {}
extension UInt16: NumberConvertible {}
extension UInt32: NumberConvertible {}
extension UInt64: NumberConvertible {}
extension Float: NumberConvertible {}
extension Double: NumberConvertible {}
extension Bool: NumberConvertible {}
