/// A number of any type, to be converted to another one.
///
/// A number between two that the other type has is rounded: toward zero to an integer, otherwise to the nearest one. A number
/// beyond the range of the other type isn't converted.
enum NumberValue {
  case integer(any BinaryInteger)
  case binary(any BinaryFloatingPoint)
  case decimal(Decimal)

  /// Returns nil if `value` isn't a number.
  init?(_ value: Any) {
    let type = Swift.type(of: value)
    if type == Bool.self, let bool = value as? Bool {
      self = .integer(bool ? 1 : 0)
    } else if type is NSNumber.Type, let number = value as? NSNumber {
      self.init(number)
    } else if let number = value as? any BinaryInteger {
      self = .integer(number)
    } else if let number = value as? any BinaryFloatingPoint {
      self = .binary(number)
    } else if type == Decimal.self, let decimal = value as? Decimal {
      self = .decimal(decimal)
    } else {
      return nil
    }
  }

  private init(_ number: NSNumber) {
    if let number = number as? NSDecimalNumber {
      self = .decimal(number.decimalValue)
      return
    }
    switch UnicodeScalar(UInt8(truncatingIfNeeded: number.objCType.pointee)) {
    case "f": self = .binary(number.floatValue)
    case "d": self = .binary(number.doubleValue)
    case "Q": self = .integer(number.uint64Value)
    default: self = .integer(number.int64Value)
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
}

// MARK: Conversion

extension NumberValue {
  func integer<Integer: FixedWidthInteger>(as type: Integer.Type) -> Integer? {
    func whole<Number: BinaryFloatingPoint>(_ number: Number) -> Integer? {
      Integer(exactly: number.rounded(.towardZero))
    }
    switch self {
    case .integer(let number): return Integer(exactly: number)
    case .binary(let number): return whole(number)
    case .decimal: return Integer(notation.prefix { $0 != "." }, radix: 10)
    }
  }

  func binary<Binary: BinaryFloatingPoint>(as type: Binary.Type) -> Binary? {
    switch self {
    case .integer(let number):
      let converted = Binary(number)
      return converted.isFinite ? converted : nil
    case .binary(let number):
      let converted = Binary(number)
      return converted.isFinite == number.isFinite ? converted : nil
    case .decimal:
      if let type = type as? any LosslessStringConvertible.Type { return type.init(notation) as? Binary }
      return Double(notation).map { Binary($0) }
    }
  }

  /// Whether the number is other than zero.
  var isTrue: Bool {
    func isZero<Number: BinaryInteger>(_ number: Number) -> Bool { number == 0 }
    switch self {
    case .integer(let number): return !isZero(number)
    case .binary(let number): return !number.isZero
    case .decimal(let number): return !number.isZero
    }
  }

  /// The number whose notation this number has; nil if it is infinite or too large.
  var decimal: Decimal? {
    switch self {
    case .integer: Decimal(notation: notation)
    case .binary(let number): number.isNaN ? .nan : number.isFinite ? Decimal(notation: notation) : nil
    case .decimal(let number): number
    }
  }

  var number: NSNumber? {
    switch self {
    case .integer(let number):
      Int64(exactly: number).map { NSNumber(value: $0) } ?? UInt64(exactly: number).map { NSNumber(value: $0) }
        ?? decimal.map { NSDecimalNumber(decimal: $0) }
    case .binary(let number): (number as? Float).map { NSNumber(value: $0) } ?? NSNumber(value: Double(number))
    case .decimal(let number): NSDecimalNumber(decimal: number)
    }
  }
}

extension Decimal {
  /// The smallest exponent of a number that isn't zero.
  private static var leastExponent: Int { -128 }

  /// The number with a notation such as `1.5e-07`; nil if it is too large. A number that is too small is rounded.
  fileprivate init?(notation: String) {
    if let number = Decimal(string: notation), !number.isNaN {
      self = number
      return
    }
    // The initializer above refuses exponents that a number with another significand has.
    let parts = notation.lowercased().split(separator: "e", maxSplits: 1)
    let point = parts[0].split(separator: ".", maxSplits: 1)
    let exponent = (parts.count > 1 ? Int(parts[1]) ?? 0 : 0) - (point.count > 1 ? point[1].count : 0)
    let digits = point.joined()
    if exponent >= 0 {
      guard exponent < 200, let number = Decimal(string: digits + String(repeating: "0", count: exponent)),
        !number.isNaN
      else {
        return nil
      }
      self = number
    } else {
      let shift = exponent - Self.leastExponent
      guard shift > Self.leastExponent, var exact = Decimal(string: "\(digits)e\(shift)") else {
        self = 0
        return
      }
      var rounded = Decimal()
      NSDecimalRound(&rounded, &exact, 0, .plain)
      self = rounded.isZero ? 0 : Decimal(sign: .plus, exponent: Self.leastExponent, significand: rounded)
    }
  }
}
