import KVOController
import Testing
import _KVOTestSupport

/// An observer may do anything inside a callback, wherever there are foreign objects on its path.
@Suite(.watched, .sound) struct ReentrancyTests {
  /// An object whose keys change, and the object from which they are observed.
  private struct Subject {
    let root: any ChainNode
    let node: any ChainNode
    private let prefix: String

    /// - Parameter route: Where on a path there are foreign objects; nil if an object of the engine's is observed itself.
    init(_ route: Placement?) {
      let chain = (route ?? .nowhere).chain
      node = chain.end("a")
      root = route == nil ? node : chain.head(child: node)
      prefix = route == nil ? "" : "child."
    }

    func path(_ key: String) -> String { prefix + key }

    static let routes: [Placement?] = [nil] + Placement.ofTwoKeys
  }

  let node = Node("a", number: 0)
  let recorder = Recorder()

  @Test(arguments: Subject.routes) func deliveryHappensBeforeTheSetterReturns(_ route: Placement?) {
    let subject = Subject(route)
    recorder.observe(subject.root, subject.path("number"), .new)
    subject.node.number = 1
    #expect(recorder.changes.count == 1)
    subject.node.number = 2
    #expect(recorder.changes.count == 2)
  }

  @Test(arguments: Subject.routes) func observerAddedDuringAChangeIsNotNotifiedOfIt(_ route: Placement?) {
    for option in [NSKeyValueObservingOptions.prior, []] {
      let (subject, recorder, late) = (Subject(route), Recorder(), Recorder())
      recorder.observe(subject.root, subject.path("number"), option)
      recorder.whenCalled = { recorder, _ in
        late.observe(subject.root, subject.path("number"), [.prior, .new])
        late.observe(subject.root, subject.path("child.name"), [.prior, .new])
        recorder.whenCalled = nil
      }
      subject.node.number = 1
      #expect(late.take() == [])
      subject.node.number = 2
      #expect(late.take() == [.prior, .setting(new: 2)])
    }
  }

  @Test(arguments: Subject.routes) func removalInsideTheInitialCallMakesItTheLast(_ route: Placement?) {
    let subject = Subject(route)
    recorder.whenCalled = { recorder, _ in recorder.unobserve(subject.root, subject.path("number")) }
    recorder.observe(subject.root, subject.path("number"), [.initial, .new])
    #expect(recorder.take() == [.setting(new: 0)])
    #expect(subject.root.registrationCount == 0)
    subject.node.number = 1
    subject.root.child = nil
    #expect(recorder.take() == [])
  }

  @Test(arguments: Subject.routes) func changingTheValueInsideTheInitialCall(_ route: Placement?) {
    let subject = Subject(route)
    recorder.whenCalled = { recorder, _ in
      recorder.whenCalled = nil
      subject.node.number = 5
    }
    recorder.observe(subject.root, subject.path("number"), [.initial, .new, .old])
    // It isn't specified whether the registration exists already, but the change is never received twice.
    #expect(recorder.calls.count <= 2)
    #expect(recorder.changes.first == .setting(new: 0))
    _ = recorder.take()
    subject.node.number = 6
    #expect(recorder.take() == [.setting(new: 6, old: 5)])
  }

  @Test(arguments: Subject.routes) func removalInsideThePriorCallMakesItTheLast(_ route: Placement?) {
    let subject = Subject(route)
    recorder.observe(subject.root, subject.path("number"), [.prior, .new])
    recorder.whenCalled = { recorder, _ in recorder.unobserve(subject.root, subject.path("number")) }
    subject.node.number = 1
    #expect(recorder.take() == [.prior])
    #expect(subject.node.number == 1)
  }

  @Test(arguments: Subject.routes) func removalInsideTheCallMakesItTheLast(_ route: Placement?) {
    let subject = Subject(route)
    recorder.observe(subject.root, subject.path("number"), .new)
    recorder.whenCalled = { recorder, _ in recorder.unobserve(subject.root, subject.path("number")) }
    subject.node.number = 1
    subject.node.number = 2
    #expect(recorder.take() == [.setting(new: 1)])
  }

  @Test(arguments: Subject.routes) func aChangeInsideThePriorCallIsDeliveredAtOnce(_ route: Placement?) {
    let subject = Subject(route)
    recorder.observe(subject.root, subject.path("number"), [.prior, .new, .old])
    recorder.whenCalled = { recorder, _ in
      recorder.whenCalled = nil
      subject.node.number = 10
    }
    subject.node.number = 1
    #expect(
      recorder.take() == [
        .prior(old: 0), .prior(old: 0), .setting(new: 10, old: 0), .setting(new: 1, old: 0),
      ])
    #expect(subject.node.number == 1)
  }

  @Test(arguments: Subject.routes) func aChangeOfAnotherKeyInsideACall(_ route: Placement?) {
    let subject = Subject(route)
    recorder.observe(subject.root, subject.path("number"))
    recorder.observe(subject.root, subject.path("name"))
    recorder.whenCalled = { _, call in
      if call.keyPath == subject.path("number") { subject.node.name = "b" }
    }
    subject.node.number = 1
    #expect(recorder.take() == [.setting(new: 1, old: 0), .setting(new: "b", old: "a")])
  }

  @Test(arguments: Subject.routes) func aRecursionEndsWhereTheObserverEndsIt(_ route: Placement?) {
    let subject = Subject(route)
    recorder.observe(subject.root, subject.path("number"))
    recorder.whenCalled = { _, _ in if subject.node.number < 50 { subject.node.number += 1 } }
    subject.node.number = 1
    #expect(recorder.take() == (1...50).map { .setting(new: $0, old: $0 - 1) })
  }

  @Test(arguments: Subject.routes) func mutationInPlaceInsideACallOfTheSameProperty(_ route: Placement?) {
    let subject = Subject(route)
    recorder.observe(subject.root, subject.path("items"))
    recorder.whenCalled = { _, _ in
      if subject.node.items.count < 3 { subject.node.items.append(subject.node.items.count) }
    }
    subject.node.items.append(0)
    #expect(
      recorder.take() == [
        .setting(new: [0], old: [Int]()), .setting(new: [0, 1], old: [0]), .setting(new: [0, 1, 2], old: [0, 1]),
      ])
  }

  @Test func readingTheValueInsideACallGivesTheNewOne() {
    let seen = Locked<[String]>([])
    recorder.observe(node, "items", .prior)
    recorder.whenCalled = { [node] _, _ in seen.append("\(node.items) \(node.value(forKey: "items") as? [Int] ?? [-1])")
    }
    node.items.append(1)
    #expect(seen.take() == ["[] []", "[1] [1]"])
  }

  @Test(arguments: Placement.ofTwoKeys) func theMiddleOfThePathReplacedInsideACall(_ placement: Placement) {
    let chain = placement.chain
    let node = chain.head()
    let (first, second) = (chain.end("first"), chain.end("second"))
    node.child = first
    recorder.observe(node, "child.name")
    recorder.whenCalled = { recorder, _ in
      recorder.whenCalled = nil
      node.child = second
    }
    first.name = "changed"
    #expect(recorder.take() == [.setting(new: "changed", old: "first"), .setting(new: "second", old: "changed")])
    first.name = "silent"
    #expect(recorder.take() == [])
    second.name = "received"
    #expect(recorder.take() == [.setting(new: "received", old: "second")])
  }

  @Test(arguments: Placement.ofTwoKeys) func theMiddleOfThePathReplacedInsideThePriorCallOfItsReplacement(
    _ placement: Placement
  ) {
    let chain = placement.chain
    let node = chain.head()
    let nodes = ["first", "second", "third"].map { chain.end($0) }
    node.child = nodes[0]
    recorder.observe(node, "child.name", [.prior, .new, .old])
    recorder.whenCalled = { recorder, _ in
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

  @Test(arguments: Placement.ofTwoKeys) func theObservedObjectDroppedInsideACall(_ placement: Placement) {
    let chain = placement.chain
    weak var weakNode: (any ChainNode)?
    for keyPath in ["number", "child.number"] {
      for prior in [true, false] {
        draining {
          var node: (any ChainNode)? = chain.head("a", child: chain.end("b"))
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

  @Test(arguments: Subject.routes) func theObserverDroppedInsideItsOwnCall(_ route: Placement?) {
    let subject = Subject(route)
    weak var weakObserver: Recorder?
    draining {
      var observer: Recorder? = Recorder()
      weakObserver = observer
      observer?.observe(subject.root, subject.path("number"), [.prior, .new])
      observer?.whenCalled = { _, _ in observer = nil }
      subject.node.number = 1
      #expect(observer == nil)
    }
    #expect(weakObserver == nil)
    subject.node.number = 2
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

  @Test(arguments: Placement.allCases) func everythingRemovedAndRegisteredAgainInsideEachCall(_ placement: Placement) {
    let chain = placement.chain
    let node = chain.head("a", child: chain.middle("b"))
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
    node.child = chain.middle("c")
    #expect(recorder.take() == [.setting])
  }
}
