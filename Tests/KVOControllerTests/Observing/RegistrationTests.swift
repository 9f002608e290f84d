import KVOController
import Testing
import _KVOTestSupport

@Suite struct RegistrationTests {
  let node = Node("a", number: 1)
  let recorder = Recorder()

  @Test func theObjectIsTheRootAndTheKeyPathTheWholeString() {
    let child = Node("child")
    node.child = child
    recorder.observe(node, "child.name", [.initial, .prior])
    child.name = "other"
    node.child = nil
    #expect(recorder.calls.count == 5)
    #expect(recorder.calls.allSatisfy { $0.object == ObjectIdentifier(node) && $0.keyPath == "child.name" })
  }

  @Test func theObjectOfADependentKeyIsTheRootToo() {
    let person = Person("Ada", "Byron")
    recorder.observe(person, "greeting")
    person.last = "Lovelace"
    #expect(recorder.calls.map(\.object) == [ObjectIdentifier(person)])
    #expect(recorder.calls.map(\.keyPath) == ["greeting"])
  }

  @Test func theContextComesAsItWasGiven() {
    recorder.observe(node, "number", [.initial, .prior], context: 7)
    recorder.observe(node, "name", [])
    node.number = 2
    node.name = "b"
    #expect(recorder.calls.map(\.context) == [7, 7, 7, 0])
  }

  @Test func registeredTwiceIsCalledTwice() {
    recorder.observe(node, "number")
    recorder.observe(node, "number")
    node.number = 2
    #expect(recorder.take() == [.setting(new: 2, old: 1), .setting(new: 2, old: 1)])
  }

  @Test func registeredTwiceOnAPathIsCalledTwice() {
    node.child = Node("child")
    recorder.observe(node, "child.name", [])
    recorder.observe(node, "child.name", [])
    node.child?.name = "b"
    node.child = nil
    #expect(recorder.take() == [.setting, .setting, .setting, .setting])
  }

  @Test func anObjectMayObserveItself() {
    let recorder = SelfObserver()
    recorder.observe(recorder, "number")
    recorder.number = 3
    #expect(recorder.take() == [.setting(new: 3, old: 0)])
    recorder.unobserve(recorder, "number")
    recorder.number = 4
    #expect(recorder.take() == [])
  }

  private final class SelfObserver: Recorder, @unchecked Sendable {
    @Observed var number = 0
  }

  @Test func oneObserverMayObserveManyObjects() {
    let nodes = (0..<10).map { Node("\($0)") }
    for node in nodes { recorder.observe(node, "number", .new) }
    for (index, node) in nodes.enumerated() { node.number = index }
    #expect(recorder.calls.map(\.object) == nodes.map { ObjectIdentifier($0) })
    #expect(recorder.take() == (0..<10).map { .setting(new: $0) })
  }

  @Test func manyObserversMayObserveOneObject() {
    let recorders = (0..<100).map { _ in Recorder() }
    for recorder in recorders { recorder.observe(node, "number", .new) }
    node.number = 5
    #expect(recorders.allSatisfy { $0.take() == [.setting(new: 5)] })
  }

  @Test func manyKeysAreDistinguished() {
    for key in ["number", "name", "optional", "items", "child"] { recorder.observe(node, key, []) }
    node.items = [1]
    node.name = "b"
    node.child = nil
    node.number = 3
    node.optional = nil
    #expect(recorder.calls.map(\.keyPath) == ["items", "name", "child", "number", "optional"])
  }

  // MARK: Undefined keys

  /// Answers for a key that it doesn't have.
  private final class Lenient: KeyValueObject {
    var answer: Any? = 5
    override func value(forUndefinedKey key: String) -> Any? { answer }
  }

  @Test func anUndefinedKeyMayBeObservedWhileNoValueIsRead() {
    recorder.observe(node, "missing", [.initial, .prior])
    #expect(recorder.take() == [.setting])
    node.willChangeValue(forKey: "missing")
    node.didChangeValue(forKey: "missing")
    #expect(recorder.take() == [.prior, .setting])
    recorder.unobserve(node, "missing")
    #expect(node.registrationCount == 0)
  }

  @Test func aKeyThatTheClassServesInItsOwnWayIsNotReported() {
    final class Serving: KeyValueObject {
      override func value(forKey key: String) -> Any? { key == "answer" ? 42 : super.value(forKey: key) }
    }
    let serving = Serving()
    recorder.observe(serving, "answer")
    serving.willChangeValue(forKey: "answer")
    serving.didChangeValue(forKey: "answer")
    #expect(recorder.take() == [.setting(new: 42, old: 42)])
  }

  @Test func anUndefinedKeyIsReadThroughValueForUndefinedKey() {
    let lenient = Lenient()
    recorder.observe(lenient, "missing", [.initial, .new, .old])
    lenient.willChangeValue(forKey: "missing")
    lenient.answer = nil
    lenient.didChangeValue(forKey: "missing")
    #expect(recorder.take() == [.setting(new: 5), .setting(new: null, old: 5)])
  }

  @Test func anUndefinedKeyMayLeadToAnObservableObject() {
    let lenient = Lenient()
    lenient.answer = node
    recorder.observe(lenient, "missing.number")
    node.number = 2
    #expect(recorder.take() == [.setting(new: 2, old: 1)])
  }
}
