import KeyValueObserving
import Testing
import _KVOTestSupport

/// An observer may do anything inside a callback.
@Suite struct ReentrancyTests {
  let node = Node("a", number: 0)
  let recorder = Recorder()

  @Test func deliveryHappensBeforeTheSetterReturns() {
    recorder.observe(node, "number", .new)
    node.number = 1
    #expect(recorder.changes.count == 1)
    node.number = 2
    #expect(recorder.changes.count == 2)
  }

  @Test func observerAddedDuringAChangeIsNotNotifiedOfIt() {
    for option in [NSKeyValueObservingOptions.prior, []] {
      let (node, recorder, late) = (Node(), Recorder(), Recorder())
      recorder.observe(node, "number", option)
      recorder.whenCalled = { recorder, _ in
        late.observe(node, "number", [.prior, .new])
        late.observe(node, "child.name", [.prior, .new])
        recorder.whenCalled = nil
      }
      node.number = 1
      #expect(late.take() == [])
      node.number = 2
      #expect(late.take() == [.prior, .setting(new: 2)])
    }
  }

  @Test func removalInsideTheInitialCallMakesItTheLast() {
    recorder.whenCalled = { [node] recorder, _ in recorder.unobserve(node, "number") }
    recorder.observe(node, "number", [.initial, .new])
    #expect(recorder.take() == [.setting(new: 0)])
    #expect(node.observationInfo == nil)
    node.number = 1
    #expect(recorder.take() == [])
  }

  @Test func removalInsideTheInitialCallOfAPathMakesItTheLast() {
    node.child = Node("child")
    recorder.whenCalled = { [node] recorder, _ in node.removeObserver(recorder, forKeyPath: "child.name") }
    recorder.observe(node, "child.name", [.initial, .prior])
    #expect(recorder.take() == [.setting])
    node.child?.name = "b"
    node.child = nil
    #expect(recorder.take() == [])
  }

  @Test func changingTheValueInsideTheInitialCall() {
    recorder.whenCalled = { [node] recorder, _ in
      recorder.whenCalled = nil
      node.number = 5
    }
    recorder.observe(node, "number", [.initial, .new, .old])
    // It isn't specified whether the registration exists already, but the change is never received twice.
    #expect(recorder.calls.count <= 2)
    #expect(recorder.changes.first == .setting(new: 0))
    _ = recorder.take()
    node.number = 6
    #expect(recorder.take() == [.setting(new: 6, old: 5)])
  }

  @Test func removalInsideThePriorCallMakesItTheLast() {
    recorder.observe(node, "number", [.prior, .new])
    recorder.whenCalled = { [node] recorder, _ in recorder.unobserve(node, "number") }
    node.number = 1
    #expect(recorder.take() == [.prior])
    #expect(node.number == 1)
  }

  @Test func removalInsideTheCallMakesItTheLast() {
    recorder.observe(node, "number", .new)
    recorder.whenCalled = { [node] recorder, _ in recorder.unobserve(node, "number") }
    node.number = 1
    node.number = 2
    #expect(recorder.take() == [.setting(new: 1)])
  }

  @Test func aChangeInsideThePriorCallIsDeliveredAtOnce() {
    recorder.observe(node, "number", [.prior, .new, .old])
    recorder.whenCalled = { [node] recorder, _ in
      recorder.whenCalled = nil
      node.number = 10
    }
    node.number = 1
    #expect(
      recorder.take() == [
        .prior(old: 0), .prior(old: 0), .setting(new: 10, old: 0), .setting(new: 1, old: 0),
      ])
    #expect(node.number == 1)
  }

  @Test func aChangeOfAnotherKeyInsideACall() {
    recorder.observe(node, "number")
    recorder.observe(node, "name")
    recorder.whenCalled = { [node] _, call in
      if call.keyPath == "number" { node.name = "b" }
    }
    node.number = 1
    #expect(recorder.take() == [.setting(new: 1, old: 0), .setting(new: "b", old: "a")])
  }

  @Test func aRecursionEndsWhereTheObserverEndsIt() {
    recorder.observe(node, "number")
    recorder.whenCalled = { [node] _, _ in if node.number < 50 { node.number += 1 } }
    node.number = 1
    #expect(recorder.take() == (1...50).map { .setting(new: $0, old: $0 - 1) })
  }

  @Test func mutationInPlaceInsideACallOfTheSameProperty() {
    recorder.observe(node, "items")
    recorder.whenCalled = { [node] _, _ in if node.items.count < 3 { node.items.append(node.items.count) } }
    node.items.append(0)
    #expect(
      recorder.take() == [
        .setting(new: [0], old: [Int]()), .setting(new: [0, 1], old: [0]), .setting(new: [0, 1, 2], old: [0, 1]),
      ])
  }

  @Test func readingTheValueInsideACallGivesTheNewOne() {
    let seen = Log()
    recorder.observe(node, "items", .prior)
    recorder.whenCalled = { [node] _, _ in seen.write("\(node.items) \(node.value(forKey: "items") ?? null)") }
    node.items.append(1)
    #expect(seen.take() == ["[] []", "[1] [1]"])
  }

  @Test func theMiddleOfThePathReplacedInsideACall() {
    let (first, second) = (Node("first"), Node("second"))
    node.child = first
    recorder.observe(node, "child.name")
    recorder.whenCalled = { [node] recorder, _ in
      recorder.whenCalled = nil
      node.child = second
    }
    first.name = "changed"
    #expect(recorder.take() == [.setting(new: "changed", old: "first"), .setting(new: "second", old: "changed")])
    first.name = "silent"
    #expect(recorder.take() == [])
    second.name = "heard"
    #expect(recorder.take() == [.setting(new: "heard", old: "second")])
  }

  @Test func theMiddleOfThePathReplacedInsideThePriorCallOfItsReplacement() {
    let nodes = ["first", "second", "third"].map { Node($0) }
    node.child = nodes[0]
    recorder.observe(node, "child.name", [.prior, .new, .old])
    recorder.whenCalled = { [node] recorder, _ in
      recorder.whenCalled = nil
      node.child = nodes[2]
    }
    node.child = nodes[1]
    #expect(
      recorder.take() == [
        .prior(old: "first"), .prior(old: "first"), .setting(new: "third", old: "first"),
        .setting(new: "second", old: "first"),
      ])
    for node in nodes { node.name = "renamed" }
    #expect(recorder.take() == [.prior(old: "second"), .setting(new: "renamed", old: "second")])
  }

  @Test func theObservedObjectDroppedInsideACall() {
    weak var weakNode: Node?
    for keyPath in ["number", "child.number"] {
      for prior in [true, false] {
        do {
          var node: Node? = Node("a", child: Node("b"))
          weakNode = node
          let recorder = Recorder()
          node.map { recorder.observe($0, keyPath, [.prior, .new]) }
          recorder.whenCalled = { _, call in if call.isPrior == prior { node = nil } }
          let child = node?.child
          if keyPath == "number" { node?.number = 1 } else { child?.number = 1 }
          #expect(recorder.changes.first == .prior)
          withExtendedLifetime(recorder) {}
        }
        #expect(weakNode == nil)
      }
    }
  }

  @Test func theObserverDroppedInsideItsOwnCall() {
    weak var weakObserver: Recorder?
    do {
      var observer: Recorder? = Recorder()
      weakObserver = observer
      observer?.observe(node, "number", [.prior, .new])
      observer?.whenCalled = { _, _ in observer = nil }
      node.number = 1
      #expect(observer == nil)
    }
    #expect(weakObserver == nil)
    node.number = 2
  }

  @Test func pairsInsideACall() {
    let account = Account()
    recorder.observe(account, "balance", [.new, .old])
    recorder.whenCalled = { recorder, _ in
      recorder.whenCalled = nil
      account.deposit(5)
    }
    account.deposit(1)
    #expect(recorder.take() == [.setting(new: 1, old: 0), .setting(new: 6, old: 1)])
  }

  @Test func pairsInsideThePriorCallOfTheSameKeyNest() {
    let account = Account()
    recorder.observe(account, "balance", [.prior, .new, .old])
    recorder.whenCalled = { recorder, _ in
      recorder.whenCalled = nil
      account.deposit(5)
    }
    account.deposit(1)
    #expect(
      recorder.take() == [
        .prior(old: 0), .prior(old: 0), .setting(new: 5, old: 0), .setting(new: 6, old: 0),
      ])
  }

  @Test func everythingRemovedAndRegisteredAgainInsideEachCall() {
    let node = Node("a", child: Node("b"))
    let keyPaths = ["number", "child.number", "child.child.number"]
    recorder.whenCalled = { recorder, _ in
      for keyPath in keyPaths {
        recorder.unobserve(node, keyPath)
        recorder.observe(node, keyPath, [])
      }
    }
    for keyPath in keyPaths { recorder.observe(node, keyPath, []) }
    node.number = 1
    #expect(recorder.take() == [.setting])
    node.child?.number = 2
    #expect(recorder.take() == [.setting])
    // Both paths are receivers of this change; the first to be called removes the other.
    node.child = Node("c")
    #expect(recorder.take() == [.setting])
  }
}
