#if !canImport(ObjectiveC)
import KVOController
import Testing
import _KVOTestSupport

/// Sums and averages of decimal numbers are exact, and decimal numbers.
@Suite struct DecimalOperatorTests {
  private final class Invoice: KeyValueObject {
    @Observed var lines: [Line] = []
  }

  private final class Line: KeyValueObject {
    @Observed var amount: Decimal
    @Observed var boxed: NSDecimalNumber?

    init(_ notation: String) {
      amount = Decimal(string: notation) ?? .nan
      boxed = NSDecimalNumber(string: notation)
    }
  }

  private let invoice = Invoice()

  private func decimal(_ notation: String) throws -> Decimal { try #require(Decimal(string: notation)) }

  @Test(arguments: ["amount", "boxed"])
  func theyAreExact(_ key: String) throws {
    invoice.lines = [Line("0.12345678901234567890"), Line("9007199254740993"), Line("0.1")]
    #expect(
      try invoice.value(forKeyPath: "lines.@sum.\(key)") as? Decimal == decimal("9007199254740993.2234567890123456789"))
    invoice.lines = [Line("0.1"), Line("0.2000000000000000000000000000000001")]
    #expect(
      try invoice.value(forKeyPath: "lines.@avg.\(key)") as? Decimal == decimal("0.15000000000000000000000000000000005")
    )
    #expect(
      try invoice.value(forKeyPath: "lines.@max.\(key)") as? Decimal == decimal("0.2000000000000000000000000000000001"))
  }

  @Test func theyAreComparedWithOtherNumbers() {
    final class Shelf: KeyValueObject { @Observed var prices: [Any] = [] }
    let shelf = Shelf()
    let double = 2.5
    for prices in [[Decimal(3), 2, double], [2, double, NSDecimalNumber(value: 3)]] as [[Any]] {
      shelf.prices = prices
      #expect(shelf.value(forKeyPath: "prices.@min.self") as? Int == 2)
      #expect((shelf.value(forKeyPath: "prices.@max.self") as? NSNumber)?.intValue == 3)
    }
  }

  @Test func theyAreNumbersToo() {
    invoice.lines = [Line("1.5"), Line("1.5")]
    let sum = invoice.value(forKeyPath: "lines.@sum.amount")
    #expect(sum as? Int == 3 && sum as? Double == 3 && sum as? NSNumber == 3 && sum as? NSDecimalNumber == 3)
    let average = invoice.value(forKeyPath: "lines.@avg.amount")
    #expect(average as? Double == 1.5 && average as? NSNumber == 1.5 && average as? Int == nil)
  }

  @Test func theyAreUnitedWithOtherNumbers() {
    invoice.lines = [Line("1.5"), Line("1")]
    let other = Invoice()
    other.lines = [Line("2.5")]
    #expect(array("@distinctUnionOfObjects.lines.@sum.amount", of: [invoice, other], Any.self)?.count == 1)
  }

  @Test func decimalsAmongOthersMakeADecimal() throws {
    #expect(try result("@sum.self", of: [decimal("0.1"), 0.2, 1] as [Any]) as? Decimal == decimal("1.3"))
    #expect(try result("@avg.self", of: [1, decimal("2")] as [Any]) as? Decimal == decimal("1.5"))
    #expect(result("@sum.self", of: [0.1, 0.2]) as? Double == 0.3)
  }

  @Test func theSumOfNothingIsADecimalToo() {
    let sum = invoice.value(forKeyPath: "lines.@sum.amount")
    #expect(sum as? Decimal == 0 && sum as? Int == 0 && sum as? Double == 0)
    #expect(invoice.value(forKeyPath: "lines.@avg.amount") == nil)
  }

  @Test func observersReceiveThem() throws {
    let recorder = Recorder()
    recorder.observe(invoice, "lines.@sum.amount")
    invoice.lines = [Line("0.1")]
    let call = try #require(recorder.calls.first)
    #expect(try call.dictionary[.newKey] as? Decimal == decimal("0.1"))
    #expect(call.dictionary[.oldKey] as? Decimal == 0)
  }

  @Test func numbersBeyondDecimalMakeABinaryNumber() throws {
    #expect(try result("@sum.self", of: [decimal("1"), 1e200] as [Any]) as? Double == 1e200)
    #expect((result("@sum.self", of: [Decimal.nan, 1] as [Any]) as? Double)?.isNaN == true)
  }
}
#endif
