import KVOController
import Testing

/// How KVC converts between all types of numbers, decimal ones included.
@Suite struct ConvertedNumberTests {
  private final class Amounts: KeyValueObject {
    @Observed var decimal = Decimal()
    @Observed var optionalDecimal: Decimal?
    @Observed var decimals: [Decimal] = []
    @Observed var decimalNumber = NSDecimalNumber.zero
    @Observed var number = NSNumber(value: 0)
    @Observed var int = 0
    @Observed var int8: Int8 = 0
    @Observed var uint: UInt = 0
    @Observed var uint64: UInt64 = 0
    @Observed var float: Float = 0
    @Observed var double = 0.0
    @Observed var bool = false
    @Observed var text = ""
  }

  private static func decimal(_ notation: String) throws -> Decimal { try #require(Decimal(string: notation)) }

  // MARK: Decimal

  @Test(arguments: ["decimal", "optionalDecimal", "decimalNumber"])
  func everyNumberFitsADecimalProperty(_ key: String) throws {
    let amounts = Amounts()
    let numbers: [(Any, String)] = try [
      (7, "7"), (-7 as Int8, "-7"), (UInt64.max, "18446744073709551615"), (Int64.min, "-9223372036854775808"),
      (0.1, "0.1"), (0.1 as Float, "0.1"), (0.1 as CGFloat, "0.1"), (1e20, "100000000000000000000"),
      (1.5e-7, "0.00000015"), (true, "1"), (NSNumber(value: 0.3), "0.3"), (NSNumber(value: 0.3 as Float), "0.3"),
      (NSNumber(value: UInt64.max), "18446744073709551615"), (NSDecimalNumber(string: "2.50"), "2.5"),
      (Self.decimal("0.12345678901234567890123456789"), "0.12345678901234567890123456789"),
    ]
    for (number, notation) in numbers {
      amounts.setValue(number, forKey: key)
      let value = amounts.value(forKey: key)
      #expect(
        try value as? Decimal == Self.decimal(notation), "\(number) of type \(type(of: number)): \(value ?? "nil")")
    }
  }

  @Test func decimalsConvertToEveryTypeOfNumber() throws {
    let amounts = Amounts()
    for half in try [Self.decimal("2.5"), NSDecimalNumber(string: "2.5")] as [Any] {
      for key in ["int", "int8", "uint", "float", "double", "number", "bool", "decimalNumber", "decimal"] {
        amounts.setValue(half, forKey: key)
      }
      #expect(amounts.int == 2 && amounts.int8 == 2 && amounts.uint == 2)
      #expect(amounts.float == 2.5 && amounts.double == 2.5 && amounts.number == 2.5 && amounts.bool)
      #expect(try amounts.decimalNumber.decimalValue == Self.decimal("2.5"))
      amounts.setValue(-1, forKey: "int")
    }
    try amounts.setValue(Self.decimal("18446744073709551615"), forKey: "uint64")
    #expect(amounts.uint64 == .max)
    try amounts.setValue(Self.decimal("0.1"), forKey: "double")
    #expect(amounts.double == 0.1)
    try amounts.setValue(Self.decimal("0.1"), forKey: "float")
    #expect(amounts.float == 0.1)
    try amounts.setValue(Self.decimal("-2.9"), forKey: "int")
    #expect(amounts.int == -2)
  }

  @Test func elementsBecomeDecimals() throws {
    let amounts = Amounts()
    amounts.setValue([1, 0.1, NSNumber(value: 2), NSDecimalNumber(string: "0.3")] as [Any], forKey: "decimals")
    #expect(try amounts.decimals == [1, Self.decimal("0.1"), 2, Self.decimal("0.3")])
    amounts.setValue(NSArray(array: [5, 0.5]), forKey: "decimals")
    #expect(try amounts.decimals == [5, Self.decimal("0.5")])
  }

  @Test func extremesBecomeDecimals() throws {
    let amounts = Amounts()
    let numbers: [(Double, String)] = [
      (1e127, "1" + String(repeating: "0", count: 127)), (-1.25e127, "-125" + String(repeating: "0", count: 125)),
      (1e-127, "1e-127"), (1.2345678e-120, "1.2345678e-120"),
    ]
    for (number, notation) in numbers {
      amounts.setValue(number, forKey: "decimal")
      #expect(try amounts.decimal == Self.decimal(notation), "\(number)")
    }
    amounts.setValue(Double.nan, forKey: "decimal")
    #expect(amounts.decimal.isNaN)
    amounts.setValue(Decimal.greatestFiniteMagnitude, forKey: "double")
    #expect(amounts.double > 3.4e165 && amounts.double < 3.5e165)
  }

  // MARK: Other types

  @Test func nonzeroIsTrueAndTrueIsOne() throws {
    let amounts = Amounts()
    amounts.setValue(true, forKey: "int")
    #expect(amounts.int == 1)
    let numbers: [Any] = try [
      true, NSNumber(value: true), 2, -1, 0.5, 256, 0.1 as Float, Double.nan, Double.infinity, Self.decimal("0.5"),
      NSNumber(value: 0.5), NSDecimalNumber(string: "0.1"), UInt64.max, 1 as CGFloat,
    ]
    for number in numbers {
      amounts.bool = false
      amounts.setValue(number, forKey: "bool")
      #expect(amounts.bool, "\(number)")
    }
    for zero in [0, 0.0, -0.0, Decimal(), NSNumber(value: 0), NSDecimalNumber.zero] as [Any] {
      amounts.bool = true
      amounts.setValue(zero, forKey: "bool")
      #expect(!amounts.bool, "\(zero)")
    }
  }

  @available(macOS 15.0, iOS 18.0, watchOS 11.0, tvOS 18.0, *)
  @Test func wideIntegersConvert() throws {
    final class Wide: KeyValueObject {
      @Observed var signed: Int128 = 0
      @Observed var unsigned: UInt128?
    }
    let (wide, amounts) = (Wide(), Amounts())
    for number in [42, 42.9, NSNumber(value: 42), Decimal(42), 42 as Int8] as [Any] {
      wide.setValue(number, forKey: "signed")
      wide.setValue(number, forKey: "unsigned")
      #expect(wide.signed == 42 && wide.unsigned == 42)
      wide.signed = 0
    }
    try wide.setValue(Self.decimal("170141183460469231731687303715884105727"), forKey: "signed")
    #expect(wide.signed == .max)
    for key in ["int", "int8", "double", "float", "decimal", "number", "decimalNumber"] {
      amounts.setValue(42 as Int128, forKey: key)
    }
    #expect(amounts.int == 42 && amounts.int8 == 42 && amounts.double == 42 && amounts.float == 42)
    #expect(amounts.decimal == 42 && amounts.number == 42 && amounts.decimalNumber == 42)
    amounts.setValue(Int128.max, forKey: "decimal")
    #expect(amounts.decimal.description == "\(Int128.max)")
    amounts.setValue(Int128.min, forKey: "number")
    #expect(amounts.number.stringValue == "\(Int128.min)")
  }

  #if !(os(macOS) && arch(x86_64))
  @available(macOS 11.0, iOS 14.0, watchOS 7.0, tvOS 14.0, *)
  @Test func halfPrecisionNumbersConvert() throws {
    final class Half: KeyValueObject {
      @Observed var value: Float16 = 0
    }
    let (half, amounts) = (Half(), Amounts())
    for number in try [0.5, 0.5 as Float, NSNumber(value: 0.5), Self.decimal("0.5")] as [Any] {
      half.setValue(number, forKey: "value")
      #expect(half.value == 0.5)
      half.value = 0
    }
    half.setValue(7, forKey: "value")
    #expect(half.value == 7)
    for key in ["int", "double", "float", "decimal", "number", "decimalNumber", "bool"] {
      amounts.setValue(2.5 as Float16, forKey: key)
    }
    #expect(amounts.int == 2 && amounts.double == 2.5 && amounts.float == 2.5 && amounts.number == 2.5 && amounts.bool)
    #expect(try amounts.decimal == Self.decimal("2.5") && amounts.decimalNumber == 2.5)
  }
  #endif

  // MARK: What stays

  @Test func numbersThatAreBoxedStayWhatTheyWere() {
    final class Open: KeyValueObject {
      @Observed var anything: Any?
      @Observed var number: NSNumber?
    }
    let open = Open()
    open.setValue(5, forKey: "anything")
    #expect(open.value(forKey: "anything") as? Int == 5 && open.value(forKey: "anything") as? NSNumber == 5)
    open.setValue(NSNumber(value: 5), forKey: "anything")
    #expect(open.value(forKey: "anything") as? Int == 5 && open.value(forKey: "anything") as? Double == 5)
    open.setValue(true, forKey: "number")
    #expect(open.value(forKey: "number") as? Bool == true)
    open.setValue(2.5, forKey: "number")
    #expect(open.value(forKey: "number") as? Double == 2.5)
    open.setValue(0.1 as Float, forKey: "number")
    #expect(open.number?.stringValue == "0.1")
  }

  @Test func fractionsAreRoundedTowardZero() {
    let amounts = Amounts()
    for (value, rounded) in [(2.9, 2), (-2.9, -2), (127.9, 127), (-128.9, -128), (0.9, 0), (-0.9, 0)] {
      amounts.setValue(value, forKey: "int8")
      #expect(Int(amounts.int8) == rounded)
      amounts.setValue(NSNumber(value: value), forKey: "int8")
      #expect(Int(amounts.int8) == rounded)
    }
    amounts.setValue(-0.9, forKey: "uint")
    #expect(amounts.uint == 0)
  }

  @Test func infinityAndNotANumberStayWhatTheyAre() {
    let amounts = Amounts()
    amounts.setValue(Double.infinity, forKey: "float")
    #expect(amounts.float == .infinity)
    amounts.setValue(-Float.infinity, forKey: "double")
    #expect(amounts.double == -.infinity)
    amounts.setValue(Double.nan, forKey: "float")
    #expect(amounts.float.isNaN)
    amounts.setValue(1e-300, forKey: "float")
    #expect(amounts.float == 0)
  }
}
