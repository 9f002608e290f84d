/// Converts values for Key-Value Coding to the type of a property. To convert the elements of a collection, it is created
/// once.
struct ValueConverter<Value> {
  private let rule = ConversionRule(to: Value.self)

  func callAsFunction(_ value: Any) -> Result<Value, RefusedValue> {
    if type(of: value) == Value.self { return .success(exactCast(value, to: Value.self)) }
    if type(of: value) == AnyHashable.self, Value.self != Any.self, let base = ObjectBridging.base(of: value) {
      return self(base)
    }
    switch rule.convert(value) {
    case .success(let converted):
      if type(of: converted) == Value.self { return .success(exactCast(converted, to: Value.self)) }
      return (converted as? Value).map { .success($0) } ?? .failure(RefusedValue(value, Value.self))
    case .failure(let refused): return .failure(refused)
    }
  }
}

/// A type to which values are converted by a rule of its own: an Optional, or one of Swift's collections.
protocol ConvertibleValue {
  static var conversionRule: ConversionRule { get }
}

/// How values are converted to a type, for code that knows it only at run time.
struct ConversionRule {
  let convert: (Any) -> Result<Any, RefusedValue>

  init(_ convert: @escaping (Any) -> Result<Any, RefusedValue>) {
    self.convert = convert
  }

  /// - Parameter convert: Returns nil for a value that can't be converted.
  private init(to type: Any.Type, _ convert: @escaping (Any) -> Any?) {
    self.convert = { value in convert(value).map { .success($0) } ?? .failure(RefusedValue(value, type)) }
  }

  init<Value>(to type: Value.Type) {
    if type == Any.self {
      self.init { .success($0) }
    } else if type == AnyHashable.self {
      self.init(to: type, ObjectBridging.hashable)
    } else if let type = type as? any ConvertibleValue.Type {
      self = type.conversionRule
    } else if let collection = ConversionRule(toCollection: type) {
      self = collection
    } else if let number = ConversionRule(toNumber: type) {
      self = number
    } else if let raw = type as? any RawRepresentable.Type {
      self.init(toRawRepresentable: raw)
    } else {
      // A structure in an `NSValue`, or an object or a value of Swift that Foundation can bridge.
      self.init(to: type) { value in (value as? Value) ?? Self.structure(value, as: type) }
    }
  }

  private init<Raw: RawRepresentable>(toRawRepresentable type: Raw.Type) {
    let convert = ValueConverter<Raw.RawValue>()
    self.init(to: type) { value in (value as? Raw) ?? convert(value).value.flatMap(Raw.init(rawValue:)) }
  }

  private init?(toNumber type: Any.Type) {
    switch type {
    case let type as any FixedWidthInteger.Type:
      self.init(to: type) { NumberValue($0)?.integer(as: type) }
    case let type as any BinaryFloatingPoint.Type:
      self.init(to: type) { NumberValue($0)?.binary(as: type) }
    case is Bool.Type:
      self.init(to: type) { NumberValue($0)?.isTrue }
    case is Decimal.Type:
      self.init(to: type) { NumberValue($0)?.decimal }
    case is NSDecimalNumber.Type:
      self.init(to: type) { ($0 as? NSDecimalNumber) ?? NumberValue($0)?.decimal.map(NSDecimalNumber.init) }
    case is NSNumber.Type:
      self.init(to: type) { ($0 as? NSNumber) ?? NumberValue($0)?.number }
    default:
      return nil
    }
  }
}
