#if !canImport(ObjectiveC)
import KVOController
import Testing

@Suite struct NumericOperatorTests {
  static let prices = [Item("a", 3), Item("b", 1), Item("c", 2)]

  /// The same three items in every kind of collection.
  static let collections: [@Sendable () -> Any] = [
    { prices }, { Set(prices) }, { NSArray(array: prices) }, { NSMutableArray(array: prices) },
    { NSSet(array: prices) },
    { NSOrderedSet(array: prices) }, { prices as [Item?] }, { prices as [Any] },
  ]

  @Test(arguments: collections.indices)
  func everyCollectionHasThem(index: Int) {
    let collection = Self.collections[index]()
    #expect(number("@count", of: collection) == 3)
    #expect(number("@sum.price", of: collection) == 6)
    #expect(number("@avg.price", of: collection) == 2)
    #expect(number("@max.price", of: collection) == 3)
    #expect(number("@min.price", of: collection) == 1)
  }

  @Test func numbersAreFoundationNumbers() {
    let shop = Shop(Self.prices)
    for keyPath in ["items.@count", "items.@sum.price", "items.@avg.price"] {
      let value = shop.value(forKeyPath: keyPath)
      #expect(value is NSNumber)
      #expect(value as? Int != nil && value as? Double != nil)
    }
    #expect(shop.value(forKeyPath: "items.@max.price") as? Int == 3)
    #expect((shop.value(forKeyPath: "items.@max.price") as? NSNumber)?.intValue == 3)
  }

  @Test func theElementsThemselvesAreCalledSelf() {
    #expect(number("@sum.self", of: [1, 2, 3]) == 6)
    #expect(number("@max.self", of: Set([1, 2, 3])) == 3)
    #expect(number("@avg.self", of: NSArray(array: [1, 2])) == 1.5)
    #expect(number("@min.self.self", of: [1, 2, 3]) == 1)
    #expect(number("@max.self.price", of: Self.prices) == 3)
  }

  @Test func countNeedsNoKeyPathAndIgnoresOne() {
    #expect(number("@count.self", of: [1, 2]) == 2)
    #expect(number("@count.missing", of: Self.prices) == 3)
    #expect(number("@count", of: [nil, Item()] as [Item?]) == 2)
  }

  // MARK: Nothing

  @Test(arguments: [[Item]() as any Sendable, Set<Item>(), [Item?]()])
  func nothingHasACountAndASumButNoAverageAndNoExtremes(collection: any Sendable) {
    #expect(number("@count", of: collection) == 0)
    #expect(number("@sum.price", of: collection) == 0)
    #expect(result("@avg.price", of: collection) == nil)
    #expect(result("@max.price", of: collection) == nil)
    #expect(result("@min.price", of: collection) == nil)
  }

  @Test func nilAddsNothingAndCountsAsZeroInAnAverage() {
    let items = [Item("a", 1), Item("b", nil), Item("c", 3)]
    #expect(number("@sum.price", of: items) == 4)
    #expect(number("@avg.price", of: items) == 4.0 / 3)
    #expect(number("@max.price", of: items) == 3)
    #expect(number("@min.price", of: items) == 1)
  }

  @Test func nullAndNilElementsAreTakenForNil() {
    let collections: [Any] = [[1, nil, 3] as [Int?], NSArray(array: [1, NSNull(), 3]), [1, NSNull(), 3] as [Any]]
    for collection in collections {
      #expect(number("@sum.self", of: collection) == 4)
      #expect(number("@avg.self", of: collection) == 4.0 / 3)
      #expect(number("@max.self", of: collection) == 3)
      #expect(number("@min.self", of: collection) == 1)
    }
    #expect(number("@sum.price", of: [Item("a", 1), nil]) == 1)
    #expect(number("@sum.price", of: [["price": 1], [:], ["price": 3]]) == 4)
    #expect(result("@max.self", of: [nil, nil] as [Int?]) == nil)
  }

  @Test func aCollectionThatIsNilHasNoValue() {
    let shop = Shop()
    #expect(shop.value(forKeyPath: "stock.@count") == nil)
    #expect(shop.value(forKeyPath: "stock.@sum.price") == nil)
    #expect(shop.value(forKeyPath: "neighbour.items.@count") == nil)
    shop.stock = []
    #expect((shop.value(forKeyPath: "stock.@count") as? NSNumber)?.intValue == 0)
  }

  // MARK: Reckoning

  @Test func sumsAreComputedInDecimal() {
    #expect(number("@sum.self", of: [0.1, 0.2]) == 0.3)
    #expect(number("@sum.self", of: Array(repeating: Float(0.1), count: 10)) == 1)
    #expect(number("@avg.self", of: [0.1, 0.2, 0.3]) == 0.2)
    #expect(number("@sum.self", of: [3.133, 1]) == 4.133)
    #expect(number("@avg.self", of: [1, 2, 2]) == 5.0 / 3)
    #expect(number("@sum.self", of: [NSNumber(value: 0.1), NSNumber(value: 0.2)]) == 0.3)
  }

  @Test func integersStayExact() {
    let large = 9_007_199_254_740_993
    #expect(result("@sum.self", of: [large, 0]) as? Int == large)
    #expect(result("@sum.self", of: NSArray(array: [large, 2])) as? Int == large + 2)
    #expect(result("@sum.self", of: [Int.max - 1, 1]) as? Int == Int.max)
    #expect(result("@sum.self", of: [Int.min]) as? Int == Int.min)
    #expect(result("@sum.self", of: [UInt64.max]) as? UInt64 == UInt64.max)
    #expect(result("@avg.self", of: [large, large]) as? Int == large)
    #expect(number("@sum.self", of: [Int.max, Int.max]) == 2 * Double(Int.max))
    #expect(result("@max.self", of: [large, large - 1]) as? Int == large)
  }

  @Test func numbersOfEveryTypeAreAdded() {
    let numbers: [Any] = [
      Int8(1), UInt16(1), Int64(1), Float(0.5), 0.5, CGFloat(1), Decimal(1), NSNumber(value: 1),
      NSDecimalNumber(value: 1),
      true, "1",
    ]
    #expect(number("@sum.self", of: numbers) == 10)
  }

  @Test func numbersBeyondDecimalAreComputedInBinary() {
    #expect(number("@sum.self", of: [1e300, 1e300]) == 2e300)
    #expect(number("@avg.self", of: [1e300, 3e300]) == 2e300)
    #expect(number("@sum.self", of: [1, Double.infinity]) == .infinity)
    #expect(number("@sum.self", of: [1, Double.nan])?.isNaN == true)
  }

  // MARK: Comparison

  @Test func numbersOfDifferentTypesAreCompared() {
    let numbers: [Any] = [Int8(-1), 2.5, UInt64.max, CGFloat(0.5), NSNumber(value: 3), Decimal(1)]
    #expect(result("@max.self", of: numbers) as? UInt64 == .max)
    #expect(result("@min.self", of: numbers) as? Int8 == -1)
    let decimals = ["9007199254740993", "9007199254740992"].compactMap { Decimal(string: $0) }
    #expect(result("@max.self", of: decimals) as? Decimal == decimals[0])
    #expect(result("@min.self", of: decimals) as? Decimal == decimals[1])
  }

  @Test func stringsAndDatesAreCompared() {
    #expect(result("@max.name", of: Self.prices) as? String == "c")
    #expect(result("@min.name", of: Self.prices) as? String == "a")
    #expect(result("@max.self", of: NSArray(array: ["10", "9"])) as? String == "9")
    let dates = [Date(timeIntervalSince1970: 2), Date(timeIntervalSince1970: 1)]
    #expect(result("@max.self", of: dates) as? Date == dates[0])
    #expect(result("@min.self", of: [dates[0], dates[1] as NSDate] as [Any]) as? Date == dates[1])
  }

  @Test func whatSwiftComparesIsCompared() {
    struct Version: Comparable {
      let number: Int
      static func < (left: Self, right: Self) -> Bool { left.number < right.number }
    }
    enum Size: Comparable { case small, large }
    let versions = [2, 3, 1].map(Version.init)
    #expect(result("@max.self", of: versions) as? Version == versions[1])
    #expect(result("@min.self", of: versions as [Version?] + [nil]) as? Version == versions[2])
    #expect(result("@max.self", of: [Size.large, .small]) as? Size == .large)
  }

  @Test func theFirstOfEqualOnesIsTheExtreme() {
    let numbers: [Any] = [1, 1.0]
    #expect(result("@max.self", of: numbers) is Int)
    #expect(result("@min.self", of: numbers) is Int)
  }

  // MARK: Paths

  @Test func theWholeKeyPathToTheRightIsTheElements() {
    let shops = [Shop([Item("a", 1)]), Shop([Item("b", 2), Item("c", 6)])]
    #expect(number("@avg.items.@count", of: shops) == 1.5)
    #expect(number("@max.items.@sum.price", of: shops) == 8)
    #expect(number("@sum.neighbour.items.@count", of: shops) == 0)
    let parts = [Item(part: Item("a", 5)), Item()]
    #expect(number("@sum.part.price", of: parts) == 5)
  }

  @Test func anOperatorAfterKeysOfElementsTakesTheArrayOfTheirValues() {
    let shops = [Shop([Item("a", 1)]), Shop([Item("b", 2), Item("c", 6)])]
    #expect(number("items.@count", of: shops) == 2)
    #expect(number("price.@sum.self", of: Self.prices) == 6)
  }
}
#endif
