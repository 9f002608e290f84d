#if !canImport(ObjectiveC)
import KVOController
import Testing

/// What is true of values only where Objective-C doesn't bridge them.
@Suite struct UnbridgedValueTests {
  private final class Card: KeyValueObject {
    @Observed var numbers: [Int] = []
    @Observed var maybeNumbers: [Int]?
    @Observed var small: UInt8 = 0
    @Observed var array = NSArray()
  }

  private func address(_ numbers: [Int]?) -> UnsafePointer<Int>? {
    numbers?.withUnsafeBufferPointer { $0.baseAddress }
  }

  @Test func aCollectionOfThePropertysTypeIsNotWalked() {
    let card = Card()
    let numbers = Array(0..<10)
    card.setValue(numbers, forKey: "numbers")
    #expect(address(card.numbers) == address(numbers))
    card.setValue(numbers, forKey: "maybeNumbers")
    #expect(address(card.maybeNumbers) == address(numbers))
    let array = NSMutableArray(array: [1])
    card.setValue(array, forKey: "array")
    #expect(card.array === array)
  }

  @Test func aValueHasThePropertysType() {
    let card = Card()
    card.setValue(42.0, forKey: "small")
    #expect(card.value(forKey: "small").map { type(of: $0) } == UInt8.self)
    card.setValue([1], forKey: "maybeNumbers")
    #expect(card.value(forKey: "maybeNumbers").map { type(of: $0) } == [Int].self)
  }
}
#endif
