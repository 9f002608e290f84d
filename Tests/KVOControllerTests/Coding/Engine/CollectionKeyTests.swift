#if !canImport(ObjectiveC)
import KVOController
import _KVOTestSupport
import Testing

/// Keys of collections are those of their elements.
@Suite struct CollectionKeyTests {
  // MARK: Reading

  @Test func anArrayHasTheValuesOfItsElements() {
    let items = [Item("a", 1), Item("b", 2)]
    #expect(array("name", of: items) == ["a", "b"])
    #expect(array("price", of: NSArray(array: items)) == [1, 2])
    #expect(array("self", of: items) == items)
    #expect(Shop(items).value(forKeyPath: "items.name") as? [String] == ["a", "b"])
  }

  @Test func nilIsNullInAnArray() {
    let values = array("price", of: [Item("a", 1), Item("b", nil), nil] as [Item?], Any.self)
    #expect(values?.count == 3)
    #expect(values?[0] as? Int == 1 && values?[1] is NSNull && values?[2] is NSNull)
  }

  @Test func aSetHasTheDistinctValuesWithoutNil() {
    let items: Set = [Item("a", 1), Item("b", 1), Item("c", nil)]
    #expect(set("price", of: items) == [1])
    #expect(set("name", of: NSSet(set: items)) == ["a", "b", "c"])
  }

  @Test func anOrderedSetHasAnOrderedSet() {
    let items = NSOrderedSet(array: [Item("b", 1), Item("b", nil), Item("a", 1)])
    let names = result("name", of: items) as? NSOrderedSet
    #expect(names?.count == 2)
    #expect(names?.object(at: 0) as? String == "b" && names?.object(at: 1) as? String == "a")
    let prices = result("price", of: items) as? NSOrderedSet
    #expect(prices?.array as? [Int] == [1])
  }

  @Test func keysOfNestedCollectionsReachTheirElements() {
    let shops = [Shop([Item("a"), Item("b")]), Shop([Item("c")])]
    #expect(array("items.name", of: shops) == [["a", "b"], ["c"]])
    #expect(array("name", of: [[Item("a")], []]) == [["a"], []])
    let parts = array("part.name", of: [Item(part: Item("a")), Item()], Any.self)
    #expect(parts?.first as? String == "a" && parts?.last is NSNull)
  }

  @Test func elementsMayBeDictionaries() {
    let entries: [[String: Any]] = [["a": 1, "self": "own"], ["b": 2]]
    let values = array("a", of: entries, Any.self)
    #expect(values?.first as? Int == 1 && values?.last is NSNull)
    #expect(array("@unionOfObjects.self", of: entries) == ["own"])
  }

  @Test func anObjectIsItsOwnSelf() {
    let item = Item("a")
    #expect(item.value(forKey: "self") as? Item === item)
    #expect(item.value(forKeyPath: "self.name") as? String == "a")
    #expect(item.value(forKeyPath: "name.self") as? String == "a")
  }

  @Test func keysThatAnElementServesItselfAreRead() {
    final class Lenient: KeyValueObject {
      override func value(forUndefinedKey key: String) -> Any? { key == "nothing" ? nil : "my \(key)" }
    }
    #expect(array("color", of: [Lenient()]) == ["my color"])
    #expect(array("nothing", of: [Lenient()], Any.self)?.first is NSNull)
    #expect(array("@unionOfObjects.nothing", of: [Lenient()], Any.self)?.isEmpty == true)
  }

  // MARK: Setting

  @Test func settingSetsTheKeyOfEachElement() {
    let items = [Item("a", 1), Item("b", 2), Item("c", 3)]
    let collections: [Any] = [
      items, Set(items), NSArray(array: items), NSMutableArray(array: items), NSSet(array: items),
      NSOrderedSet(array: items), items as [Item?] + [nil], [NSNull()] + items as [Any],
    ]
    for collection in collections {
      Box(collection).setValue(5, forKeyPath: "value.price")
      #expect(items.map(\.price) == [5, 5, 5])
      Box(collection).setValue(nil, forKeyPath: "value.price")
      #expect(items.map(\.price) == [nil, nil, nil])
    }
  }

  @Test func settingReachesElementsOfElements() {
    let shops = [Shop([Item("a"), Item("b", part: Item("part"))]), Shop([Item("c")])]
    Box(shops).setValue(7, forKeyPath: "value.items.price")
    #expect(shops.flatMap(\.items).map(\.price) == [7, 7, 7])
    Box(shops).setValue("new", forKeyPath: "value.items.part.name")
    #expect(shops[0].items[1].part?.name == "new")
  }

  @Test func settingNotifiesTheObserversOfEachElement() {
    let recorder = Recorder()
    let shop = Shop([Item("a", 1), Item("b", 2)])
    for item in shop.items { recorder.observe(item, "price") }
    recorder.observe(shop, "items")
    shop.setValue(5, forKeyPath: "items.price")
    #expect(recorder.take() == [.setting(new: 5, old: 1), .setting(new: 5, old: 2)])
  }

  @Test func settingInNothingDoesNothing() {
    Shop().setValue(5, forKeyPath: "items.price")
    Shop().setValue(5, forKeyPath: "stock.price")
  }
}
#endif
