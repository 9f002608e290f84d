/// A sum in decimal arithmetic, as in Foundation: 0.1 and 0.2 add up to 0.3, and 64-bit integers stay exact.
///
/// The value of a number is that of its shortest decimal notation. A number that `Decimal` can't represent, such as
/// infinity, turns the sum into a binary one.
struct DecimalSum {
  /// nil once a number was added that `Decimal` can't represent.
  private var decimal: Decimal? = 0
  private var binary = 0.0

  /// The sum, as an integer if it is whole.
  var number: NSNumber {
    guard let notation = decimal?.description else { return NSNumber(value: binary) }
    if let whole = Int64(notation) { return NSNumber(value: whole) }
    if let whole = UInt64(notation) { return NSNumber(value: whole) }
    return NSNumber(value: Double(notation) ?? binary)
  }

  /// Adds a number, or a string that contains one.
  ///
  /// - Returns: Whether `value` is a number.
  mutating func add(_ value: Any) -> Bool {
    guard let notation = Self.notation(of: value), let addend = Double(notation) else { return false }
    binary += addend
    decimal = decimal.flatMap { sum in Decimal(string: notation).map { sum + $0 } }.flatMap { $0.isNaN ? nil : $0 }
    return true
  }

  /// The sum divided by `count`.
  func divided(by count: Int) -> DecimalSum {
    var part = DecimalSum()
    part.decimal = decimal.map { $0 / Decimal(count) }
    part.binary = binary / Double(count)
    return part
  }

  private static func notation(of value: Any) -> String? {
    switch value {
    case let number as Decimal: number.description
    case let number as any BinaryInteger: "\(number)"
    case let number as any BinaryFloatingPoint: "\(number)"
    case let number as NSNumber: number.stringValue
    case let string as String: string
    default: nil
    }
  }
}
