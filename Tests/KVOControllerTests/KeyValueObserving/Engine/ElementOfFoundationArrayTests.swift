#if !canImport(ObjectiveC)
import KVOController
import Testing
import _KVOTestSupport

/// Registration with the elements of an array of Foundation, which on Apple platforms doesn't call their `addObserver`.
@Suite struct ElementOfFoundationArrayTests {
  let items = [Item("a", 1), Item("b", 2), Item("c", 3)]
  let recorder = Recorder()

  private func changeAll() -> [String] {
    for item in items { item.price = 10 }
    defer { _ = recorder.take() }
    return recorder.calls.map { call in items.first { ObjectIdentifier($0) == call.object }?.name ?? "" }
  }

  @Test func theElementsAtTheIndexesAreRegisteredWith() {
    let array = NSArray(array: items)
    array.addObserver(recorder, toObjectsAt: [1, 2], forKeyPath: "price", options: .initial, context: nil)
    #expect(recorder.take() == [.setting, .setting])
    #expect(changeAll() == ["b", "c"])
    array.removeObserver(recorder, fromObjectsAt: [1], forKeyPath: "price")
    #expect(changeAll() == ["c"])
    array.removeObserver(recorder, fromObjectsAt: [2], forKeyPath: "price", context: nil)
    #expect(changeAll() == [])
  }

  @Test func otherObjectsMayBeInAFoundationArray() {
    let array = NSMutableArray(array: ["no object", items[0]])
    array.addObserver(recorder, toObjectsAt: [1], forKeyPath: "price", context: nil)
    #expect(changeAll() == ["a"])
  }

  @Test func removalMatchesTheContext() {
    let (array, context) = (NSArray(array: items), UnsafeMutableRawPointer?.number(7))
    array.addObserver(recorder, toObjectsAt: [0], forKeyPath: "price", context: context)
    array.addObserver(recorder, toObjectsAt: [0], forKeyPath: "price", context: nil)
    array.removeObserver(recorder, fromObjectsAt: [0], forKeyPath: "price", context: context)
    items[0].price = 4
    #expect(recorder.calls.map(\.context) == [0])
  }

  @Test func noIndexesAreNoRegistrations() {
    NSArray(array: items).addObserver(recorder, toObjectsAt: [], forKeyPath: "price", options: .initial, context: nil)
    NSArray().removeObserver(recorder, fromObjectsAt: [], forKeyPath: "price")
    #expect(changeAll() == [])
  }
}
#endif
