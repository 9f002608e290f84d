#if !canImport(ObjectiveC)
import KVOController
import Testing

@Suite struct DictionaryKeyTests {
  @Test func dictionariesOfAllTypesAnswerToTheirKeys() {
    let dictionaries: [Any] = [
      ["a": 1], ["a": 1] as [String: Any], ["a": 1, 2: "b"] as [AnyHashable: Any], ["a": 1] as [String: Int?],
      NSDictionary(dictionary: ["a": 1]), NSMutableDictionary(dictionary: ["a": 1]),
      NSDictionary(dictionary: ["a": 1]) as? [AnyHashable: Any] as Any, [NSString(string: "a"): 1],
    ]
    for dictionary in dictionaries {
      #expect(result("a", of: dictionary) as? Int == 1)
      #expect(result("z", of: dictionary) == nil)
    }
    #expect(result("a", of: [1: 1]) == nil)
    #expect(result("a", of: ["a": nil] as [String: Int?]) == nil)
  }

  @Test func aKeyWithADotIsNotReached() {
    #expect(result("a.b", of: ["a.b": 1]) == nil)
    #expect(result("a.b", of: ["a.b": 1, "a": ["b": 2]] as [String: Any]) as? Int == 2)
  }

  @Test func nullOnTheWayReadsNilAndSetsNothing() {
    let dictionary = NSMutableDictionary(dictionary: ["a": NSNull()])
    #expect(result("a.b", of: dictionary) == nil)
    #expect(result("a.b.c", of: dictionary) == nil)
    #expect(result("a", of: dictionary) is NSNull)
    Box(dictionary).setValue(1, forKeyPath: "value.a.b")
    Box(dictionary).setValue(1, forKeyPath: "value.a.b.c")
    #expect(dictionary.count == 1)
  }

  @Test func mutableDictionariesAreSet() {
    let dictionary = NSMutableDictionary()
    let box = Box(dictionary)
    box.setValue(1, forKeyPath: "value.a")
    #expect(dictionary.object(forKey: "a") as? Int == 1)
    box.setValue(2 as Int?, forKeyPath: "value.a")
    #expect(dictionary.object(forKey: "a") as? Int == 2)
    #expect(dictionary.object(forKey: "a").map { type(of: $0) } != Int?.self)
    box.setValue(nil as Int?, forKeyPath: "value.a")
    #expect(dictionary.count == 0)
    box.setValue(1, forKeyPath: "value.a")
    box.setValue(nil, forKeyPath: "value.a")
    box.setValue(nil, forKeyPath: "value.b")
    #expect(dictionary.count == 0)
    box.setValue(NSNull(), forKeyPath: "value.a")
    #expect(dictionary.object(forKey: "a") is NSNull)
  }

  @Test func mutableDictionariesInsideOthersAreSet() {
    let dictionaries = [NSMutableDictionary(), NSMutableDictionary()]
    Box(["inner": dictionaries[0]]).setValue(1, forKeyPath: "value.inner.a")
    #expect(dictionaries[0].object(forKey: "a") as? Int == 1)
    Box(dictionaries).setValue(2, forKeyPath: "value.a")
    #expect(dictionaries.map { $0.object(forKey: "a") as? Int } == [2, 2])
  }

  @Test func collectionsInDictionariesHaveOperators() {
    let dictionary: [String: Any] = ["items": [Item("a", 1), Item("b", 2)], "numbers": NSArray(array: [1, 2, 3])]
    #expect(number("items.@sum.price", of: dictionary) == 3)
    #expect(number("numbers.@count", of: dictionary) == 3)
    #expect(array("items.name", of: dictionary) == ["a", "b"])
    #expect(result("missing.@count", of: dictionary) == nil)
  }

  @Test func dictionaryHasItsOwnKeys() {
    let dictionaries: [Any] = [
      ["a": Item("x", 1), "b": Item("y", 2)], NSDictionary(dictionary: ["a": ["price": 1], "b": ["price": 2]]),
    ]
    for dictionary in dictionaries {
      #expect(number("@count", of: dictionary) == 2)
      #expect(array("@allKeys", of: dictionary, String.self)?.sorted() == ["a", "b"])
      #expect(number("@allValues.@sum.price", of: dictionary) == 3)
      #expect(array("@allValues.price", of: dictionary, Int.self)?.sorted() == [1, 2])
    }
  }
}
#endif
