#if !canImport(ObjectiveC)
/// A sum that is reckoned in decimal, as Foundation does: 0.1 and 0.2 make 0.3, and integers of 64 bits stay exact.
///
/// A number is taken as its shortest decimal notation has it. One that no `Decimal` holds, such as infinity, makes the
/// sum a binary one.
struct DecimalSum {
  /// Nil once a number that no `Decimal` holds was added.
  private var decimal: Decimal? = 0
  private var binary = 0.0

  /// The sum, whole if it is.
  var number: NSNumber {
    guard let notation = decimal?.description else { return NSNumber(value: binary) }
    if let whole = Int64(notation) { return NSNumber(value: whole) }
    if let whole = UInt64(notation) { return NSNumber(value: whole) }
    return NSNumber(value: Double(notation) ?? binary)
  }

  /// Adds a number, or a string that is one.
  ///
  /// - Returns: Whether `value` is a number.
  mutating func add(_ value: Any) -> Bool {
    guard let notation = Self.notation(of: value), let addend = Double(notation) else { return false }
    binary += addend
    decimal = decimal.flatMap { sum in Decimal(string: notation).map { sum + $0 } }.flatMap { $0.isNaN ? nil : $0 }
    return true
  }

  /// The sum's part in `count` equal ones.
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
#endif
