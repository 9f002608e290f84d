/// A sum in decimal arithmetic, as in Foundation: 0.1 and 0.2 add up to 0.3, and 64-bit integers stay exact.
///
/// The value of a number is that of its shortest decimal notation. A number that `Decimal` can't represent, such as
/// infinity, turns the sum into a binary one.
struct DecimalSum {
  /// nil once a number was added that `Decimal` can't represent.
  private var decimal: Decimal? = 0
  private var binary = 0.0
  /// Whether a decimal number was added.
  private var hasDecimal = false
  private var isEmpty = true

  /// The sum: a decimal number if one was added, or nothing was; otherwise an integer if it is whole.
  var number: NSNumber {
    guard let decimal else { return NSNumber(value: binary) }
    if hasDecimal || isEmpty { return NSDecimalNumber(decimal: decimal) }
    let notation = decimal.description
    if let whole = Int64(notation) { return NSNumber(value: whole) }
    if let whole = UInt64(notation) { return NSNumber(value: whole) }
    return NSNumber(value: Double(notation) ?? binary)
  }

  /// Adds a number, or a string that contains one.
  ///
  /// - Returns: Whether `value` is a number.
  mutating func add(_ value: Any) -> Bool {
    let number = NumberValue(value)
    guard let notation = number?.notation ?? (value as? String), let addend = Double(notation) else { return false }
    isEmpty = false
    if case .decimal = number { hasDecimal = true }
    binary += addend
    let exact = number.map(\.decimal) ?? Decimal(string: notation)
    decimal = decimal.flatMap { sum in exact.map { sum + $0 } }.flatMap { $0.isNaN ? nil : $0 }
    return true
  }

  /// The sum divided by `count`.
  func divided(by count: Int) -> DecimalSum {
    var part = self
    part.decimal = decimal.map { $0 / Decimal(count) }
    part.binary = binary / Double(count)
    return part
  }
}
