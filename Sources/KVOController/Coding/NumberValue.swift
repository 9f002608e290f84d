/// A number of any type, to be converted to another one.
///
/// A number between two that the other type has is rounded: toward zero to an integer, otherwise to the nearest one. A number
/// beyond the range of the other type isn't converted.
enum NumberValue {
  case integer(any BinaryInteger)
  case binary(any BinaryFloatingPoint)
  case decimal(Decimal)

  init?(_ value: Any) {
    if let number = value as? any BinaryInteger {
      self = .integer(number)
    } else if let number = value as? any BinaryFloatingPoint {
      self = .binary(number)
    } else if let number = ObjectBridging.number(value) {
      // As such, `Bool` and `Decimal` are bridged.
      switch number.floatingPointSize {
      case _ where number is NSDecimalNumber: self = .decimal(number.decimalValue)
      case 4: self = .binary(number.floatValue)
      case 8: self = .binary(number.doubleValue)
      // One beyond the signed numbers.
      case _ where number.int64Value < 0 && number.doubleValue > 0: self = .integer(number.uint64Value)
      default: self = .integer(number.int64Value)
      }
    } else {
      return nil
    }
  }

  /// The number in its shortest decimal notation.
  var notation: String {
    switch self {
    case .integer(let number): "\(number)"
    case .binary(let number): "\(number)"
    case .decimal(let number): number.description
    }
  }

  // MARK: Conversion

  func integer<Integer: FixedWidthInteger>(as type: Integer.Type) -> Integer? {
    func whole<Number: BinaryFloatingPoint>(_ number: Number) -> Integer? {
      Integer(exactly: number.rounded(.towardZero))
    }
    return switch self {
    case .integer(let number): Integer(exactly: number)
    case .binary(let number): whole(number)
    case .decimal: Integer(notation.prefix { $0 != "." }, radix: 10)
    }
  }

  func binary<Binary: BinaryFloatingPoint>(as type: Binary.Type) -> Binary? {
    let (converted, isInfinite) =
      switch self {
      case .integer(let number): (Binary(number), false)
      case .binary(let number): (Binary(number), number.isInfinite)
      case .decimal: (Binary(Double(notation) ?? .nan), false)
      }
    return converted.isInfinite == isInfinite ? converted : nil
  }

  /// The number whose notation this number has; nil if it is infinite, or if `Decimal` can't represent it.
  var decimal: Decimal? {
    switch self {
    case .decimal(let number): number
    case .binary(let number) where !number.isFinite: number.isNaN ? .nan : nil
    default: Decimal(string: notation).flatMap { $0.isNaN ? nil : $0 }
    }
  }

  var number: NSNumber? {
    if case .binary(let number) = self { NSNumber(value: Double(number)) } else { decimal.map(NSDecimalNumber.init) }
  }
}
