import KVOController
import Testing
import _KVOTestSupport

/// Blocks as FBKVOController 1.1 and 1.2 declared them, with strings as the keys of the change.
@Suite struct StringKeyedBlockTests {
  let circle = Circle()
  let recorder = Recorder()
  let controller: KVOController

  init() { controller = KVOController(observer: recorder) }

  @Test func aBlockOfThatTypeGetsTheSameChange() {
    var changes: [[String: Any]] = []
    var observers: [AnyObject] = []
    let block: (Any?, Any, [String: Any]) -> Void = { observer, object, change in
      changes.append(change)
      observers.append(observer as AnyObject)
      #expect(object is Circle)
    }
    controller.observe(circle, keyPath: "radius", options: [.old, .new, .initial], block: block)
    controller.observe(circle, keyPaths: ["borderWidth", "diameter"], options: .new, block: block)
    circle.radius = 2
    circle.borderWidth = 3
    #expect(changes.count == 4)
    let keyPaths = changes.map { $0[FBKVONotificationKeyPathKey] as? String ?? "none" }
    #expect(keyPaths.sorted() == ["borderWidth", "diameter", "radius", "radius"])
    #expect(changes.last?[NSKeyValueChangeKey.newKey.rawValue] as? Int == 3)
    #expect(observers.allSatisfy { $0 === recorder })
  }

  @Test func closuresThatReadStringsCompileInEveryForm() {
    var received: [Int?] = []
    controller.observe(circle, keyPath: "radius", options: .new) { _, _, change in
      received.append(change["new"] as? Int)
    }
    controller.observe(circle, keyPath: "radius", options: [.new, .old], identifier: 1) { _, _, change in
      received.append(change[NSKeyValueChangeKey.newKey.rawValue] as? Int)
    }
    controller.observe(circle, keyPath: "radius", options: .new, identifier: 2) { observer, object, change in
      guard observer is Recorder, object is Circle else { return }
      let value = change[NSKeyValueChangeKey.newKey.rawValue] as? Int
      if let old = change["old"] { received.append(old as? Int) }
      received.append(value)
    }
    controller.observe(circle, keyPaths: ["borderWidth"], options: .new) { _, _, change in
      let keyPath = change[FBKVONotificationKeyPathKey] as? String
      received.append(keyPath == "borderWidth" ? change["new"] as? Int : nil)
    }
    controller.observe(
      circle, keyPath: "borderWidth", options: .new, identifier: 3,
      block: { (_: Any?, _: Any, change: [String: Any]) in received.append(change["new"] as? Int) })
    circle.radius = 1
    circle.borderWidth = 2
    #expect(received == [1, 1, 1, 2, 2])
  }

  @Test func thePresentFormsAreNotAmbiguous() {
    var received: [Any?] = []
    controller.observe(circle, keyPath: "radius", options: .new) { _, _, change in received.append(change[.newKey]) }
    controller.observe(circle, keyPath: "radius", options: .new, identifier: 1) { _, _, _ in received.append(nil) }
    controller.observe(circle, keyPath: "radius", options: .new, identifier: 2) { observer, object, change in
      let value = change[.newKey]
      received.append(value)
    }
    controller.observe(circle, keyPaths: ["radius"], options: .new, identifier: 3) {
      received.append(($0, $1, $2[.newKey]))
    }
    let block: FBKVONotificationBlock = { _, _, change in received.append(change[.keyPathKey]) }
    controller.observe(circle, keyPath: "radius", identifier: 4, block: block)
    circle.radius = 1
    #expect(received.count == 5)
  }

  // MARK: Typed changes

  @Test func onlyTheInitialCallIsInitial() {
    var calls: [[Bool]] = []
    controller.observe(circle, \.radius, options: [.initial, .prior, .new]) { _, change in
      calls.append([change.isInitial, change.isPrior])
    }
    circle.radius = 1
    #expect(calls == [[true, false], [false, true], [false, false]])
  }

  @Test func theInitialCallIsInitialOnAnActorToo() async {
    let calls = Locked<[Bool]>([])
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    let actor = DefaultListener()
    await actor.run { [circle] actor -> Void in
      actor.state.controller.observe(circle, \.radius, options: [.initial, .new]) { _, change in
        calls.append(change.isInitial)
        continuation.yield()
      }
    }
    circle.radius = 1
    var iterator = stream.makeAsyncIterator()
    for _ in 0..<2 { await iterator.next() }
    #expect(calls.current == [true, false])
    await actor.run { $0.state.controller.unobserveAll() }
  }

  @Test func clientsCanMakeChangesForTheirTests() {
    let change = KVOChange(keyPath: "title", oldValue: "a", newValue: "b", indexes: [2], isPrior: true)
    #expect(change.keyPath == "title")
    #expect(change.kind == .setting)
    #expect(change.oldValue == "a")
    #expect(change.newValue == "b")
    #expect(change.indexes == [2])
    #expect(change.isPrior)
    #expect(!change.isInitial)
    #expect(KVOChange<Int?>(keyPath: "", newValue: .some(nil)).newValue == .some(nil))
  }
}
