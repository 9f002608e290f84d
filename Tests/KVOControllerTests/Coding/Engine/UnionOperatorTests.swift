#if !canImport(ObjectiveC)
import KVOController
import Testing

@Suite struct UnionOperatorTests {
  let items = [Item("b", 1), Item("a", 2), Item("b", 1)]

  // MARK: Objects

  @Test func theUnionOfObjectsKeepsOrderAndDuplicates() {
    #expect(array("@unionOfObjects.name", of: items) == ["b", "a", "b"])
    #expect(array("@unionOfObjects.price", of: NSArray(array: items)) == [1, 2, 1])
    #expect(array("@unionOfObjects.self", of: [3, 1, 3]) == [3, 1, 3])
    #expect(array("@unionOfObjects.name", of: NSOrderedSet(array: items)) == ["b", "a", "b"])
    #expect(array("@unionOfObjects.name", of: Set(items), String.self)?.sorted() == ["a", "b", "b"])
  }

  @Test func theDistinctUnionOfObjectsKeepsTheFirstOfEach() {
    #expect(array("@distinctUnionOfObjects.name", of: items) == ["b", "a"])
    #expect(array("@distinctUnionOfObjects.name", of: NSOrderedSet(array: items)) == ["b", "a"])
    #expect(array("@distinctUnionOfObjects.self", of: [3, 1, 3, 2, 1]) == [3, 1, 2])
    #expect(array("@distinctUnionOfObjects.self", of: [items[0], items[1], items[0]]) == [items[0], items[1]])
  }

  @Test func theDistinctUnionOfASetIsASet() {
    #expect(set("@distinctUnionOfObjects.name", of: Set(items)) == ["a", "b"])
    #expect(set("@distinctUnionOfObjects.price", of: NSSet(array: items)) == [1, 2])
  }

  @Test func nilValuesAreLeftOut() {
    let items = [Item("a", 1), Item("b", nil), nil, Item("c", 1)] as [Item?]
    #expect(array("@unionOfObjects.price", of: items) == [1, 1])
    #expect(array("@distinctUnionOfObjects.price", of: items) == [1])
    #expect(set("@distinctUnionOfObjects.price", of: Set(items)) == [1])
    #expect(array("@unionOfObjects.part.name", of: items, String.self) == [])
  }

  @Test func nullIsAnObject() {
    let values = array("@unionOfObjects.self", of: [1, nil] as [Int?], Any.self)
    #expect(values?.count == 2 && values?.last is NSNull)
    let distinct = array("@distinctUnionOfObjects.self", of: [nil, nil] as [Int?], Any.self)
    #expect(distinct?.count == 1 && distinct?.first is NSNull)
  }

  @Test func nothingHasEmptyUnions() {
    #expect(array("@unionOfObjects.name", of: [Item](), Any.self)?.isEmpty == true)
    #expect(array("@distinctUnionOfObjects.name", of: [Item](), Any.self)?.isEmpty == true)
    #expect(set("@distinctUnionOfObjects.name", of: Set<Item>(), String.self) == [])
    #expect(array("@unionOfArrays.self", of: [[Int]](), Any.self)?.isEmpty == true)
  }

  // MARK: Equality

  @Test func equalNumbersOfAllTypesAreOne() {
    let numbers: [Any] = [1, NSNumber(value: 1), Int8(1), 1.0, Decimal(1), NSDecimalNumber(value: 1), UInt64(1)]
    #expect(array("@distinctUnionOfObjects.self", of: numbers, Int.self) == [1])
    #expect(array("@distinctUnionOfObjects.self", of: NSArray(array: [1, 1.0]), Int.self) == [1])
    #expect(array("@distinctUnionOfObjects.self", of: [0.5, Decimal(1) / 2] as [Any], Any.self)?.count == 1)
  }

  @Test func numbersThatDifferAreNotOne() {
    let numbers: [Any] = [
      Int.max, Int.max - 1, UInt64.max, UInt64.max - 1, 0.1, 0.2, Double.infinity, -Double.infinity, 1e300,
    ]
    #expect(array("@distinctUnionOfObjects.self", of: numbers, Any.self)?.count == numbers.count)
    let decimals = ["0.12345678901234567890", "0.12345678901234567891"].compactMap { Decimal(string: $0) }
    #expect(array("@distinctUnionOfObjects.self", of: decimals) == decimals)
    #expect(set("@distinctUnionOfObjects.self", of: Set(decimals)) == Set(decimals))
  }

  @Test func foundationObjectsEqualTheirSwiftValues() {
    let date = Date(timeIntervalSince1970: 1)
    #expect(array("@distinctUnionOfObjects.self", of: ["a", NSString(string: "a")] as [Any], Any.self)?.count == 1)
    #expect(array("@distinctUnionOfObjects.self", of: [date, date as NSDate] as [Any], Any.self)?.count == 1)
  }

  @Test func objectsAndValuesOfAnyTypeAreDistinguished() {
    final class Plain {}
    struct Point: Hashable { var x = 0 }
    let plain = Plain()
    #expect(array("@distinctUnionOfObjects.self", of: [plain, Plain(), plain], Plain.self)?.count == 2)
    #expect(array("@distinctUnionOfObjects.self", of: [Point(), Point(x: 1), Point()]) == [Point(), Point(x: 1)])
    #expect(array("@distinctUnionOfObjects.self", of: [1, "1", true, [1], ["1"]] as [Any], Any.self)?.count == 4)
  }

  // MARK: Arrays and sets

  @Test func theUnionOfArraysJoinsThem() {
    let nested = [[1, 2], [2], [], [3, 1]]
    #expect(array("@unionOfArrays.self", of: nested) == [1, 2, 2, 3, 1])
    #expect(array("@distinctUnionOfArrays.self", of: nested) == [1, 2, 3])
    let foundation = NSArray(array: nested.map { NSArray(array: $0) })
    #expect(array("@unionOfArrays.self", of: foundation) == [1, 2, 2, 3, 1])
    #expect(array("@distinctUnionOfArrays.self", of: foundation) == [1, 2, 3])
  }

  @Test func theKeyPathToTheRightIsThatOfTheObjectsInside() {
    let nested = [[Item("a"), Item("b")], [Item("b"), Item("c")]]
    #expect(array("@unionOfArrays.name", of: nested) == ["a", "b", "b", "c"])
    #expect(array("@distinctUnionOfArrays.name", of: nested) == ["a", "b", "c"])
  }

  @Test func arraysOfTheElementsAreJoined() {
    let shops = [Shop([Item("a", tags: ["x"]), Item("b", tags: ["x", "y"])]), Shop(), Shop([Item("b")])]
    #expect(array("@unionOfArrays.items.name", of: shops) == ["a", "b", "b"])
    #expect(array("@distinctUnionOfArrays.items.name", of: Set(shops), String.self) == nil)
    #expect(set("@distinctUnionOfArrays.items.name", of: Set(shops)) == ["a", "b"])
    #expect(array("@unionOfArrays.items.@distinctUnionOfArrays.tags", of: shops) == ["x", "y"])
    #expect(array("@unionOfArrays.stock", of: shops, Any.self)?.isEmpty == true)
  }

  @Test func setsAreJoined() {
    let items = [Item("a", colors: ["red", "green"]), Item("b", colors: ["red"])]
    #expect(array("@unionOfSets.colors", of: items, String.self)?.sorted() == ["green", "red", "red"])
    #expect(array("@distinctUnionOfSets.colors", of: items, String.self)?.sorted() == ["green", "red"])
    #expect(set("@distinctUnionOfSets.colors", of: Set(items)) == ["green", "red"])
    let sets: Set<Set<Int>> = [[1, 2], [2, 3]]
    #expect(set("@distinctUnionOfSets.self", of: sets) == [1, 2, 3])
    #expect(set("@distinctUnionOfSets.self", of: NSSet(array: [NSSet(array: [1]), NSSet(array: [1, 2])])) == [1, 2])
  }

  @Test func theValuesOfUnionsMayBeCounts() {
    let items = [Item(tags: ["x"]), Item(tags: ["x", "y"]), Item(tags: ["z"])]
    #expect(array("@unionOfObjects.tags.@count", of: items) == [1, 2, 1])
    #expect(array("@distinctUnionOfObjects.tags.@count", of: items) == [1, 2])
  }
}
#endif
