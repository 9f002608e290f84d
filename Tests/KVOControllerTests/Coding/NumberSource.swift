import KVOController
import _RandomPrograms

/// A type of number from which values are converted.
enum NumberSource: CaseIterable {
  case int, int8, int64, uint32, float, double, cgFloat, decimal, bool, integerNumber, binaryNumber, decimalNumber

  /// The number with so many quarters, or nil if the type doesn't have it.
  func value(_ quarters: Int) -> Any? {
    let whole = quarters.isMultiple(of: 4) ? quarters / 4 : nil
    return switch self {
    case .int: whole
    case .int8: whole.flatMap { Int8(exactly: $0) }
    case .int64: whole.map { Int64($0) }
    case .uint32: whole.flatMap { UInt32(exactly: $0) }
    // The shortest notation of a larger one has fewer digits than the number.
    case .float: abs(quarters) < 400_000 ? Float(quarters) / 4 : nil
    case .double: Double(quarters) / 4
    case .cgFloat: CGFloat(quarters) / 4
    case .decimal: Decimal(quarters) / 4
    case .bool: whole.flatMap { 0...1 ~= $0 ? $0 == 1 : nil }
    case .integerNumber: whole.map { NSNumber(value: $0) }
    case .binaryNumber: NSNumber(value: Double(quarters) / 4)
    case .decimalNumber: NSDecimalNumber(decimal: Decimal(quarters) / 4)
    }
  }

  /// A number of quarters as one of the types that have it.
  static func value(_ quarters: Int, _ choices: inout Choices, hashable: Bool) -> Any {
    while true {
      guard let value = choices.pick(allCases).value(quarters) else { continue }
      if hashable, value is Decimal { continue }
      return value
    }
  }
}
