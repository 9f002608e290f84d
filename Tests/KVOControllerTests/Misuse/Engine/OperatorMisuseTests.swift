#if !canImport(ObjectiveC)
import KVOController
import _KVOTestSupport
import Testing

@Suite struct OperatorMisuseTests {
  @Test func anUnknownOperator() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Shop().value(forKeyPath: "items.@median.price")
    }
    #expect(said(#"\[<Array<Item>> valueForKeyPath:\]: this class does not implement the median operation\."#, result))
    #expect(said(#"Key path: @median\.price\."#, result))
    #expect(said("@avg, @count, @distinctUnionOfArrays, .*, @unionOfSets", result))
  }

  @Test func theValueOfAnObservedUnknownOperator() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Recorder().observe(Shop(), "items.@median.price", [.initial, .new])
    }
    #expect(said("does not implement the median operation", result))
  }

  @Test func anOperatorWithoutItsKeyPath() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Shop().value(forKeyPath: "items.@sum")
    }
    #expect(said(#"operator @sum .* needs a key path to its right\. Use @sum\.self"#, result))
  }

  @Test func theSumOfWhatIsNoNumber() async {
    let name = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Shop([Item("a")]).value(forKeyPath: "items.@sum.name")
    }
    #expect(said("operator @sum .* key path \"name\", because it takes numbers, but .* is of type String: a", name))
    let date = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Box([Date()]).value(forKeyPath: "value.@avg.self")
    }
    #expect(said("operator @avg .* key path \"self\", because it takes numbers, but .* is of type Date", date))
  }

  @Test func theGreatestOfWhatCannotBeCompared() async {
    let mixed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Box([1, "a"] as [Any]).value(forKeyPath: "value.@max.self")
    }
    #expect(said("operator @max .* takes values that can be compared with each other.*type String", mixed))
    let objects = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Box([Item("a"), Item("b")]).value(forKeyPath: "value.@min.self")
    }
    #expect(said("operator @min .* takes values that can be compared with each other, but one", objects))
  }

  @Test func theUnionOfWhatIsNoCollection() async {
    let value = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Shop([Item("a")]).value(forKeyPath: "items.@unionOfArrays.name")
    }
    #expect(
      said("operator @unionOfArrays .* key path \"name\", because it takes arrays, but .* is of type String", value))
    let set = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Shop([Item("a")]).value(forKeyPath: "items.@unionOfArrays.colors")
    }
    #expect(said("operator @unionOfArrays .* takes arrays, but .* is of type Set<String>", set))
    let array = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Shop([Item("a")]).value(forKeyPath: "items.@distinctUnionOfSets.tags")
    }
    #expect(said("operator @distinctUnionOfSets .* takes sets, but .* is of type Array<String>", array))
  }

  @Test func valuesThatCannotBeInASet() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      struct Opaque {}
      final class Holder: KeyValueObject { @Observed var opaque = Opaque() }
      _ = Box(Set([Holder()])).value(forKeyPath: "value.@distinctUnionOfObjects.opaque")
    }
    #expect(said("value of type Opaque into a set.*Hashable", result))
  }

  @Test func settingThroughAnOperator() async {
    let count = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Shop([Item("a", 1)]).setValue(1, forKeyPath: "items.@count")
    }
    #expect(said(#"key path "items\.@count" of .* a value can't be set through an operator such as @count\."#, count))
    let key = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Shop([Item("a", 1)]).setValue(1, forKeyPath: "items.@max.price")
    }
    #expect(said(#"key path "items\.@max\.price" of .* a value can't be set through an operator such as @max\."#, key))
  }

  @Test func anOperatorThatDictionariesDoNotHave() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Box(["a": 1]).value(forKeyPath: "value.@sum.self")
    }
    #expect(
      said(#"valueForUndefinedKey:\]: .*coding-compliant for the key @sum\..*@count, @allKeys, or @allValues"#, result))
  }

  // MARK: Plain values

  @Test func aKeyOfAPlainValue() async {
    let string = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Item("a").value(forKeyPath: "name.length")
    }
    #expect(
      said(#"\[<String> valueForUndefinedKey:\]: .* not key value coding-compliant for the key length\."#, string))
    let number = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Item("a", 1).value(forKeyPath: "price.name")
    }
    #expect(said(#"\[<Int> valueForUndefinedKey:\]: .*coding-compliant for the key name\."#, number))
    let structure = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      struct Point { var x = 1 }
      _ = Box(Point()).value(forKeyPath: "value.x")
    }
    #expect(said(#"\[<Point> valueForUndefinedKey:\]: .*coding-compliant for the key x\."#, structure))
  }

  @Test func anOperatorOfWhatIsNoCollection() async {
    let string = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Item("a").value(forKeyPath: "name.@count")
    }
    #expect(said(#"\[<String> valueForUndefinedKey:\]: .*coding-compliant for the key @count\."#, string))
    let object = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Item(part: Item()).value(forKeyPath: "part.@count")
    }
    #expect(
      said(#"\[<(\w+\.)?Item 0x[0-9a-f]+> valueForUndefinedKey:\]: .*coding-compliant for the key @count\."#, object))
  }

  @Test func aKeyOfThePlainElementsOfACollection() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Item(tags: ["a"]).value(forKeyPath: "tags.length")
    }
    #expect(said(#"\[<String> valueForUndefinedKey:\]: .*coding-compliant for the key length\."#, result))
  }

  @Test func settingAKeyOfAPlainValue() async {
    let string = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Item("a").setValue(1, forKeyPath: "name.length")
    }
    #expect(said(#"\[<String> setValue:forUndefinedKey:\]: .*coding-compliant for the key length\."#, string))
    let element = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Item(tags: ["a"]).setValue(1, forKeyPath: "tags.length")
    }
    #expect(said(#"\[<String> setValue:forUndefinedKey:\]: .*coding-compliant for the key length\."#, element))
  }

  @Test func settingAKeyOfAnImmutableDictionary() async {
    let swift = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Box(["a": 1]).setValue(2, forKeyPath: "value.a")
    }
    #expect(
      said(#"\[<Dictionary<String, Int>> setValue:forUndefinedKey:\]: .*the key a\. .*NSMutableDictionary"#, swift))
    let foundation = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Box(NSDictionary(dictionary: ["a": 1])).setValue(2, forKeyPath: "value.a")
    }
    #expect(said(#"\[<NSDictionary> setValue:forUndefinedKey:\]: .*the key a\. .*NSMutableDictionary"#, foundation))
  }
}
#endif
