import KVOController
import Testing
import _KVOTestSupport

@Suite struct BlockFormTests {
  let circle = Circle()
  let recorder = Recorder()
  let controller: KVOController

  init() { controller = KVOController(observer: recorder) }

  @Test func theChangeHoldsTheKeyPath() {
    var changes: [Change] = []
    controller.observe(circle, keyPath: "center.x", options: [.new, .old]) { _, _, change in
      changes.append(Change(change))
    }
    circle.center = Point(x: 1)
    circle.center?.x = 2
    #expect(
      changes == [
        .setting(new: 1, old: null, keyPath: "center.x"), .setting(new: 2, old: 1, keyPath: "center.x"),
      ])
  }

  @Test func everyCallHoldsTheKeyPathWhateverTheOptions() {
    var changes: [Change] = []
    let block: FBKVONotificationBlock = { _, _, change in changes.append(Change(change)) }
    controller.observe(circle, keyPath: "radius", options: [.initial, .prior, .new, .old], block: block)
    controller.observe(circle, keyPath: "borderWidth", block: block)
    circle.radius = 1
    circle.borderWidth = 1
    #expect(
      changes == [
        .setting(new: 0, keyPath: "radius"), .prior(old: 0, keyPath: "radius"),
        .setting(new: 1, old: 0, keyPath: "radius"), .setting(keyPath: "borderWidth"),
      ])
  }

  @Test func insertionsKeepTheirIndexes() {
    final class List: KeyValueObject {
      @Observed var items = ["a"]
    }
    let list = List()
    var changes: [[NSKeyValueChangeKey: Any]] = []
    controller.observe(list, keyPath: "items", options: .new) { _, _, change in changes.append(change) }
    list.mutableArrayValue(forKey: "items").add("b")
    #expect(changes.count == 1)
    #expect(changes.first?[.kindKey] as? UInt == NSKeyValueChange.insertion.rawValue)
    #expect(changes.first?[.indexesKey] as? IndexSet == [1])
    #expect(changes.first?[.newKey] as? [String] == ["b"])
    #expect(changes.first?[.keyPathKey] as? String == "items")
  }

  @Test func aListOfKeyPathsIsTheSameAsEachOfThem() {
    var changes: [Change] = []
    controller.observe(circle, keyPaths: ["radius", "borderWidth"], options: [.initial, .new]) { _, _, change in
      changes.append(Change(change))
    }
    circle.radius = 1
    circle.borderWidth = 2
    #expect(
      changes == [
        .setting(new: 0, keyPath: "radius"), .setting(new: 0, keyPath: "borderWidth"),
        .setting(new: 1, keyPath: "radius"), .setting(new: 2, keyPath: "borderWidth"),
      ])
  }

  @Test func aKeyPathListedTwiceIsObservedOnce() {
    controller.observe(circle, keyPaths: ["radius", "radius"], options: .initial) { observer, _, _ in
      (observer as? Recorder)?.redraw()
    }
    circle.radius = 1
    #expect(recorder.count == 2)
  }

  @Test func anObserverOfAnyClassIsHandedToTheBlock() {
    let plain = PlainRecorder()
    let controller = KVOController(observer: plain)
    controller.observe(circle, keyPath: "radius", options: .new) { observer, _, change in
      (observer as? PlainRecorder)?.update(change: change)
    }
    circle.radius = 1
    #expect(plain.changes == [.setting(new: 1, keyPath: "radius")])
    withExtendedLifetime(controller) {}
  }

  @Test func equalObjectsAreObservedByIdentity() {
    let twins = [Twin(1), Twin(2)]
    var received: [Int] = []
    for twin in twins {
      controller.observe(twin, keyPath: "radius") { _, object, _ in received.append((object as? Twin)?.number ?? 0) }
    }
    twins[0].radius = 1
    twins[1].radius = 1
    #expect(received == [1, 2])
    controller.unobserve(twins[0])
    twins[0].radius = 2
    twins[1].radius = 2
    #expect(received == [1, 2, 2])
  }

  @Test func anOptionalObjectIsObservedForWhatItHolds() {
    let optional: Circle? = circle
    let any: Any = optional as Any
    controller.observe(any, "radius", as: Form(way: .block))
    controller.observe(optional, "borderWidth", as: Form(way: .block))
    circle.radius = 1
    circle.borderWidth = 1
    #expect(recorder.takeCalls().map(\.object) == [ObjectIdentifier(circle), ObjectIdentifier(circle)])
    controller.unobserve(any)
    circle.radius = 2
    #expect(recorder.calls == [])
  }

  @Test func aControllerWithoutObserverCallsNothing() {
    let controller = KVOController(observer: nil)
    var count = 0
    controller.observe(circle, keyPath: "radius", options: .initial) { _, _, _ in count += 1 }
    circle.radius = 1
    #expect(count == 0)
    #expect(controller.observer == nil)
  }

  @Test func formerNamesStandForTheSame() {
    let controller: FBKVOController = KVOController(observer: recorder, retainObserved: false)
    let block: FBKVONotificationBlock = { observer, object, change in
      (observer as? Recorder)?.update(change: change, object: object)
    }
    controller.observe(circle, keyPath: "radius", block: block)
    circle.radius = 1
    let key = NSKeyValueChangeKey(rawValue: FBKVONotificationKeyPathKey)
    #expect(recorder.changes == [Change([.kindKey: NSKeyValueChange.setting.rawValue, key: "radius"])])
    #expect(FBKVONotificationKeyPathKey == "FBKVONotificationKeyPathKey")
    #expect(key == .keyPathKey)
    withExtendedLifetime(controller) {}
  }
}
