import KVOController
import Testing
import _KVOTestSupport

/// Registration with the elements of an array.
@Suite struct ElementObservingTests {
  let items = [Item("a", 1), Item("b", 2), Item("c", 3)]
  let recorder = Recorder()
  let context = UnsafeMutableRawPointer?.number(7)

  private func changeAll() -> [String] {
    for item in items { item.price = 10 }
    defer { _ = recorder.take() }
    return recorder.calls.map { call in items.first { ObjectIdentifier($0) == call.object }?.name ?? "" }
  }

  @Test func theElementsAtTheIndexesAreRegisteredWith() {
    items.addObserver(recorder, toObjectsAt: [0, 2], forKeyPath: "price", options: [.new, .old], context: context)
    items[2].price = 5
    let call = recorder.calls.first
    #expect(call?.change == .setting(new: 5, old: 3))
    #expect(
      call?.keyPath == "price" && call?.object == ObjectIdentifier(items[2])
        && call?.context == Int(bitPattern: context))
    _ = recorder.take()
    #expect(changeAll() == ["a", "c"])
  }

  @Test func optionsAreNoneUnlessGiven() {
    items.addObserver(recorder, toObjectsAt: [0], forKeyPath: "price", context: nil)
    items[0].price = 2
    #expect(recorder.take() == [.setting])
  }

  @Test func registrationsAreRemovedAtTheIndexes() {
    items.addObserver(recorder, toObjectsAt: [0, 1, 2], forKeyPath: "price", context: nil)
    items.removeObserver(recorder, fromObjectsAt: [0, 2], forKeyPath: "price")
    #expect(changeAll() == ["b"])
    items[1].removeObserver(recorder, forKeyPath: "price")
    #expect(changeAll() == [])
  }

  @Test func removalMatchesTheContext() {
    items.addObserver(recorder, toObjectsAt: [0], forKeyPath: "price", context: context)
    items.addObserver(recorder, toObjectsAt: [0], forKeyPath: "price", context: nil)
    items.removeObserver(recorder, fromObjectsAt: [0], forKeyPath: "price", context: context)
    items[0].price = 4
    #expect(recorder.calls.map(\.context) == [0])
  }

  @Test func anElementStaysRegisteredWithWhenItLeavesTheArray() {
    var array = items
    array.addObserver(recorder, toObjectsAt: [0, 1, 2], forKeyPath: "price", context: nil)
    array.removeLast()
    array.append(Item("new"))
    array[2].price = 1
    #expect(changeAll() == ["a", "b", "c"])
  }

  @Test func noIndexesAreNoRegistrations() {
    [Item]().addObserver(recorder, toObjectsAt: [], forKeyPath: "price", options: .initial, context: nil)
    items.addObserver(recorder, toObjectsAt: [], forKeyPath: "price", options: .initial, context: nil)
    #expect(recorder.take() == [])
  }
}
