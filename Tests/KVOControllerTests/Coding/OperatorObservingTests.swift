import KVOController
import Testing
import _KVOTestSupport

@Suite struct OperatorObservingTests {
  let recorder = Recorder()
  let shop = Shop([Item("a", 1), Item("b", 2)])

  private func number(_ value: Int) -> AnyHashable { NSNumber(value: value) }

  @Test func aChangeOfTheCollectionSetsTheOperatorsValue() {
    recorder.observe(shop, "items.@count", [.prior, .new, .old])
    shop.items = []
    #expect(recorder.take() == [.prior(old: number(2)), .setting(new: number(0), old: number(2))])
    shop.items.append(Item("c", 3))
    #expect(recorder.take() == [.prior(old: number(0)), .setting(new: number(1), old: number(0))])
    shop.setValue([Item](), forKey: "items")
    #expect(recorder.take() == [.prior(old: number(1)), .setting(new: number(0), old: number(1))])
  }

  @Test func theOperatorsKeyPathIsReadToo() {
    recorder.observe(shop, "items.@sum.price")
    recorder.observe(shop, "items.@max.name", .new)
    shop.items.append(Item("c", 3))
    #expect(recorder.take() == [.setting(new: "c"), .setting(new: number(6), old: number(3))])
  }

  @Test func theInitialValueIsTheOperators() {
    recorder.observe(shop, "items.@sum.price", [.initial, .new, .old])
    #expect(recorder.take() == [.setting(new: number(3))])
    recorder.observe(shop, "items.@count", .initial)
    #expect(recorder.take() == [.setting])
  }

  @Test func arraysOfOperatorsAreSnapshots() {
    recorder.observe(shop, "items.@unionOfObjects.name")
    shop.items.removeFirst()
    let change = recorder.calls.last?.dictionary
    #expect(change?[.oldKey] as? [String] == ["a", "b"])
    #expect(change?[.newKey] as? [String] == ["b"])
  }

  @Test func whatNotifiesByHandIsSeen() {
    let box = Box(NSMutableArray(array: [1, 2]))
    recorder.observe(box, "value.@sum.self")
    box.willChangeValue(forKey: "value")
    box.value.add(3)
    box.didChangeValue(forKey: "value")
    #expect(recorder.take() == [.setting(new: number(6), old: number(3))])
    let inserted = IndexSet(integer: 3)
    box.willChange(.insertion, valuesAt: inserted, forKey: "value")
    box.value.add(4)
    box.didChange(.insertion, valuesAt: inserted, forKey: "value")
    #expect(recorder.take() == [.setting(new: number(10), old: number(6))])
  }

  @Test func aMutationOfASetIsSeenAsASetting() {
    let box = Box(NSMutableSet(array: [1]))
    recorder.observe(box, "value.@sum.self", [.prior, .new, .old])
    box.willChangeValue(forKey: "value", withSetMutation: .union, using: [2])
    box.value.add(2)
    box.didChangeValue(forKey: "value", withSetMutation: .union, using: [2])
    #expect(recorder.take() == [.prior(old: number(1)), .setting(new: number(3), old: number(1))])
  }

  @Test func aMutationThroughAProxyIsSeenAsASetting() {
    recorder.observe(shop, "items.@count", [.prior, .new, .old])
    let proxy = shop.mutableArrayValue(forKey: "items")
    proxy.add(Item("c", 3))
    #expect(recorder.take() == [.prior(old: number(2)), .setting(new: number(3), old: number(2))])
    proxy.removeObjects(at: [0, 2])
    #expect(recorder.take() == [.prior(old: number(3)), .setting(new: number(1), old: number(3))])
    proxy.replaceObject(at: 0, with: Item("d", 4))
    #expect(recorder.take() == [.prior(old: number(1)), .setting(new: number(1), old: number(1))])
  }

  @Test func aMutationThroughTheProxyOfASetIsSeenAsASetting() {
    let box = Box<Set<Int>>([1])
    recorder.observe(box, "value.@sum.self")
    box.mutableSetValue(forKey: "value").union([2, 3])
    #expect(recorder.take() == [.setting(new: number(6), old: number(1))])
  }

  @Test func nilCollectionsAreNull() {
    recorder.observe(shop, "stock.@count", [.initial, .new, .old])
    shop.stock = [Item()]
    shop.stock = nil
    #expect(
      recorder.take() == [
        .setting(new: null), .setting(new: number(1), old: null), .setting(new: null, old: number(1)),
      ])
  }

  @Test func thePathBeforeItIsFollowed() {
    let (old, new) = (Shop([Item("a", 1)]), Shop([Item("b", 5)]))
    shop.neighbour = old
    recorder.observe(shop, "neighbour.items.@sum.price")
    old.items.append(Item("c", 2))
    #expect(recorder.take() == [.setting(new: number(3), old: number(1))])
    shop.neighbour = new
    #expect(recorder.take() == [.setting(new: number(5), old: number(3))])
    old.items = []
    #expect(recorder.take() == [])
    new.items = []
    #expect(recorder.take() == [.setting(new: number(0), old: number(5))])
    shop.neighbour = nil
    #expect(recorder.take() == [.setting(new: null, old: number(0))])
  }

  @Test func changesOfElementsAreNotSeen() {
    recorder.observe(shop, "items.@sum.price")
    shop.items[0].price = 10
    // Assigning through the array is a change of the array.
    _ = recorder.take()
    let item = shop.items[1]
    item.price = 10
    #expect(recorder.take() == [])
    shop.items.removeLast()
    #expect(recorder.take() == [.setting(new: number(10), old: number(20))])
  }

  @Test func aKeyThatDependsOnAnOperatorChangesWithTheCollection() {
    recorder.observe(shop, "total")
    shop.items.append(Item("c", 4))
    #expect(recorder.take() == [.setting(new: 7, old: 3)])
    shop.items = []
    #expect(recorder.take() == [.setting(new: 0, old: 7)])
  }

  @Test func operatorAndCollectionAreNotifiedSeparately() {
    recorder.observe(shop, "items")
    recorder.observe(shop, "items.@count")
    shop.items = []
    #expect(recorder.calls.map(\.keyPath) == ["items.@count", "items"])
    #expect(recorder.take().first == .setting(new: number(0), old: number(2)))
  }

  @Test func removedRegistrationIsNotNotified() {
    recorder.observe(shop, "items.@count")
    recorder.unobserve(shop, "items.@count")
    shop.items = []
    #expect(recorder.take() == [])
    #expect(shop.registrationCount == 0)
  }

  @Test func collectionsInDictionariesAreReadToo() {
    let box = Box<[String: Any]>(["numbers": [1, 2]])
    recorder.observe(box, "value.numbers.@count")
    box.value = ["numbers": [1, 2, 3]]
    #expect(recorder.take() == [.setting(new: number(3), old: number(2))])
    recorder.observe(box, "value.@count", .new)
    box.value = [:]
    #expect(recorder.take() == [.setting(new: number(0)), .setting(new: null, old: number(3))])
  }
}
