import KVOController
import Testing
import _KVOTestSupport

/// What `addObserver` does on every platform, whether the engine registers the observer or Foundation.
///
/// So nothing here depends on the order of several observers, on an observer that isn't removed before it is deallocated, or
/// on what is read at registration. The engine's own manners are tested with ``Recorder``, which registers with the engine.
@Suite struct AddObserverTests {
  let node = Node("a", number: 1, child: Node("child"))
  let recorder = Recorder()

  /// Registers the recorder while a body runs.
  private func observing(
    _ keyPath: String, of object: KeyValueObject? = nil, _ options: NSKeyValueObservingOptions = [.new, .old],
    _ body: () -> Void
  ) -> [Change] {
    let object = object ?? node
    object.addObserver(recorder, forKeyPath: keyPath, options: options, context: .number(1))
    body()
    object.removeObserver(recorder, forKeyPath: keyPath, context: .number(1))
    return recorder.take()
  }

  @Test func aChangeIsNotifiedOnceWithTheValuesRequested() {
    #expect(observing("number") { node.number = 2 } == [.setting(new: 2, old: 1)])
    #expect(observing("number", []) { node.number = 3 } == [.setting])
    #expect(observing("number", .old) { node.setValue(4, forKey: "number") } == [.setting(old: 3)])
    #expect(observing("number", .new) { node.number += 1 } == [.setting(new: 5)])
  }

  @Test func theObserverReceivesObjectKeyPathAndContext() {
    node.addObserver(recorder, forKeyPath: "number", options: [], context: .number(7))
    node.number = 2
    #expect(recorder.calls.map(\.object) == [ObjectIdentifier(node)])
    #expect(recorder.calls.map(\.keyPath) == ["number"])
    #expect(recorder.calls.map(\.context) == [7])
    node.removeObserver(recorder, forKeyPath: "number", context: .number(7))
  }

  @Test func initialAndPriorCallsAreMade() {
    let changes = observing("number", [.initial, .prior, .new, .old]) { node.number = 2 }
    #expect(changes == [.setting(new: 1), .prior(old: 1), .setting(new: 2, old: 1)])
  }

  @Test func nothingIsNotifiedAfterRemoval() {
    _ = observing("number") {}
    node.number = 2
    #expect(recorder.take() == [])
  }

  @Test func removalWithoutAContextRemovesOneRegistration() {
    for context in 1...2 { node.addObserver(recorder, forKeyPath: "number", options: [], context: .number(context)) }
    node.removeObserver(recorder, forKeyPath: "number")
    node.number = 2
    #expect(recorder.take() == [.setting])
    node.removeObserver(recorder, forKeyPath: "number")
    node.number = 3
    #expect(recorder.take() == [])
  }

  @Test func observationInfoIsThereWhileObserved() {
    #expect(node.observationInfo == nil)
    _ = observing("number") { #expect(node.observationInfo != nil) }
    #expect(node.observationInfo == nil)
  }

  @Test func aPathFollowsTheObjectsOnIt() {
    let (former, latter) = (node.child, Node("latter"))
    let changes = observing("child.name") {
      former?.name = "b"
      node.child = latter
      former?.name = "c"
      latter.name = "d"
      node.child = nil
    }
    #expect(
      changes == [
        .setting(new: "b", old: "child"), .setting(new: "latter", old: "b"), .setting(new: "d", old: "latter"),
        .setting(new: null, old: "d"),
      ])
  }

  @Test func aDependentKeyIsNotifiedOfWhatItDependsOn() {
    let person = Person("Ada", "Byron")
    let changes = observing("greeting", of: person) { person.last = "Lovelace" }
    #expect(changes == [.setting(new: "Dear Ada Lovelace", old: "Dear Ada Byron")])
  }

  @Test func manualPairsNotify() {
    let account = Account()
    #expect(observing("balance", of: account) { account.balance = 1 } == [])
    #expect(observing("balance", of: account) { account.deposit(2) } == [.setting(new: 3, old: 1)])
  }

  @Test func proxiesNotifyOfWhatTheyChange() {
    node.addObserver(recorder, forKeyPath: "items", options: [.new, .old], context: nil)
    let items = node.mutableArrayValue(forKey: "items")
    items.add(1)
    items.replaceObject(at: 0, with: 2)
    items.removeObject(at: 0)
    node.removeObserver(recorder, forKeyPath: "items")
    #expect(
      recorder.takeToMany() == [
        .insertion([1], at: [0]), .replacement([1], with: [2], at: [0]), .removal([2], at: [0]),
      ])
  }

  /// Foundation's observer and the engine's are notified of the same change, each once.
  @Test func observersOfBothKindsAreNotifiedOnceEach() {
    let own = Recorder()
    own.observe(node, "child.name")
    let changes = observing("child.name") {
      node.child?.name = "b"
      node.child = nil
    }
    #expect(changes == [.setting(new: "b", old: "child"), .setting(new: null, old: "b")])
    #expect(own.take() == changes)
    node.child = Node("c")
    #expect(own.take() == [.setting(new: "c", old: null)])
  }

  @Test func anObserverMayChangeTheObjectAgain() {
    recorder.whenCalled = { [unowned node] _, _ in if node.number < 4 { node.number += 1 } }
    #expect(observing("number", .new) { node.number = 2 }.last == .setting(new: 4))
    #expect(node.number == 4)
    recorder.whenCalled = nil
  }

  @Test func anObserverMayRemoveItself() {
    recorder.whenCalled = { [unowned node] recorder, _ in node.removeObserver(recorder, forKeyPath: "number") }
    node.addObserver(recorder, forKeyPath: "number", options: .new, context: nil)
    node.number = 2
    node.number = 3
    #expect(recorder.take() == [.setting(new: 2)])
    recorder.whenCalled = nil
  }

  @Test func anObjectIsUnobservedAgainForTheEngine() {
    _ = observing("number") {}
    recorder.observe(node, "number", .new)
    node.number = 9
    recorder.unobserve(node, "number")
    node.number = 10
    #expect(recorder.take() == [.setting(new: 9)])
    #expect(node.registrationCount == 0)
  }
}
