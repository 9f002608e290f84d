import KVOController
import Testing
import _KVOTestSupport

@Suite struct RemovalTests {
  let node = Node("a", number: 1)
  let recorder = Recorder()

  /// The contexts called by a change of `number`.
  private func contexts() -> [Int] {
    _ = recorder.take()
    node.number += 1
    return recorder.calls.compactMap(\.context).sorted()
  }

  @Test func removedObserverIsNotNotified() {
    recorder.observe(node, "number", [.prior, .new])
    recorder.unobserve(node, "number")
    node.number = 2
    #expect(recorder.take() == [])
  }

  @Test func removedObserverCanBeAddedAgain() {
    for number in 2...4 {
      recorder.observe(node, "number")
      node.number = number
      recorder.unobserve(node, "number")
      #expect(recorder.take() == [.setting(new: number, old: number - 1)])
    }
  }

  @Test func removalLeavesOtherObserversAlone() {
    let other = Recorder()
    other.observe(node, "number", [])
    recorder.observe(node, "number", [])
    recorder.unobserve(node, "number")
    node.number = 2
    #expect(other.take() == [.setting])
    #expect(recorder.take() == [])
  }

  @Test func removalLeavesOtherKeysAlone() {
    recorder.observe(node, "number", [])
    recorder.observe(node, "name", [])
    recorder.observe(node, "child.name", [])
    recorder.observe(node, "child", [])
    recorder.unobserve(node, "number")
    recorder.unobserve(node, "child")
    node.name = "b"
    node.child = Node()
    #expect(recorder.calls.map(\.keyPath) == ["name", "child.name"])
  }

  @Test func removalLeavesOtherObjectsAlone() {
    let other = Node("other")
    recorder.observe(node, "number", [])
    recorder.observe(other, "number", [])
    recorder.unobserve(node, "number")
    other.number = 2
    #expect(recorder.calls.map(\.object) == [ObjectIdentifier(other)])
  }

  @Test func removalWithAContextMatchesItExactly() {
    for context in [1, 2, 0] { recorder.observe(node, "number", [], context: context) }
    #expect(contexts() == [0, 1, 2])
    recorder.unobserve(node, "number", context: 2)
    #expect(contexts() == [0, 1])
    recorder.unobserve(node, "number", context: 0)
    #expect(contexts() == [1])
    recorder.unobserve(node, "number", context: 1)
    #expect(contexts() == [])
  }

  @Test func removalWithoutAContextTakesAwayOne() {
    for context in [0, 1, 2] { recorder.observe(node, "number", [], context: context) }
    for left in [2, 1, 0] {
      recorder.unobserve(anyContextOf: node, "number")
      #expect(contexts().count == left)
    }
    #expect(node.registrationCount == 0)
  }

  @Test func removalTakesAwayOneOfTwoEqualRegistrations() {
    recorder.observe(node, "number", [], context: 1)
    recorder.observe(node, "number", [], context: 1)
    recorder.unobserve(node, "number", context: 1)
    #expect(contexts() == [1])
    recorder.unobserve(anyContextOf: node, "number")
    #expect(contexts() == [])
  }

  @Test func removalFromAPathStopsNotificationsOfAllItsObjects() {
    let leaf = Node("leaf")
    let middle = Node("middle", child: leaf)
    node.child = middle
    recorder.observe(node, "child.child.name")
    recorder.unobserve(node, "child.child.name")
    leaf.name = "b"
    middle.child = nil
    node.child = nil
    #expect(recorder.take() == [])
  }

  @Test func removalFromADependentKeyStopsNotificationsOfItsDependencies() {
    let person = Person("Ada", "Byron")
    recorder.observe(person, "greeting")
    recorder.observe(person, "age")
    recorder.unobserve(person, "greeting")
    person.first = "Augusta"
    person.last = "Lovelace"
    #expect(recorder.take() == [])
    person.age = 36
    #expect(recorder.take() == [.setting(new: 36, old: 0)])
  }

  @Test func removalOfOnePathLeavesAnotherOverTheSameObjects() {
    let child = Node("child")
    node.child = child
    recorder.observe(node, "child.name", [])
    recorder.observe(node, "child.number", [])
    recorder.unobserve(node, "child.name")
    child.name = "b"
    child.number = 2
    node.child = nil
    #expect(recorder.calls.map(\.keyPath) == ["child.number", "child.number"])
  }

  @Test func removalWhereThePathHasChangedSinceRegistration() {
    let old = Node("old")
    let new = Node("new")
    node.child = old
    recorder.observe(node, "child.name", [])
    node.child = new
    _ = recorder.take()
    recorder.unobserve(node, "child.name")
    old.name = "b"
    new.name = "c"
    node.child = nil
    #expect(recorder.take() == [])
    #expect(node.registrationCount == 0)
  }

  @Test func manyRegistrationsAreRemovedInAnyOrder() {
    let count = 200
    for context in 1...count { recorder.observe(node, "number", [], context: context) }
    var left = Set(1...count)
    for context in (1...count).map({ ($0 * 77) % count + 1 }) where left.remove(context) != nil {
      recorder.unobserve(node, "number", context: context)
      if left.count.isMultiple(of: 20) { #expect(contexts() == left.sorted()) }
    }
    #expect(node.registrationCount == 0)
  }
}
