import KVOController
import Testing
import _KVOTestSupport

/// Two threads that meet in the engine, often; what comes out is counted.
@Suite(.watched) struct RaceTests {
  static let rounds = isSanitized ? 200 : 1000

  @Test func objectReachedThroughReplacedOnesNotifiesEveryTime() {
    let (root, leaf) = (Node("root"), Node("leaf"))
    // Whichever middle is on the path, the leaf is.
    let middles = [Node("a", child: leaf), Node("b", child: leaf)]
    root.child = middles[0]
    let counter = Counter()
    counter.observe(root, "child.child.number", [], context: 1)
    counter.observe(root, "child.child.name", [], context: 2)
    onThreads(3) { thread in
      for round in 1...Self.rounds {
        switch thread {
        case 0: root.child = middles[round % 2]
        case 1: leaf.number = round
        default: leaf.name = "\(round)"
        }
      }
    }
    #expect(counter[1] == 2 * Self.rounds)
    #expect(counter[2] == 2 * Self.rounds)
    counter.unobserve(root, "child.child.number", context: 1)
    counter.unobserve(root, "child.child.name", context: 2)
    #expect(([root, leaf] + middles).allSatisfy { $0.registrationCount == 0 })
  }

  @Test func sharedObjectOnThePathNotifiesEachRoot() {
    let leaf = Node("leaf")
    let middle = Node("middle", child: leaf)
    let roots = (0..<3).map { Node("\($0)", child: middle) }
    let counter = Counter()
    for (index, root) in roots.enumerated() { counter.observe(root, "child.child.number", [], context: index) }
    onThreads(4) { thread in
      for round in 1...Self.rounds {
        if thread == 3 { leaf.number = round } else { roots[thread].child = middle }
      }
    }
    #expect((0..<3).map { counter[$0] } == Array(repeating: 2 * Self.rounds, count: 3))
    withExtendedLifetime(roots) {}
  }

  @Test func theLastReleaseOfAnObjectMayRaceWithASetterOfAnotherReference() {
    let counter = Counter()
    let census = Census()
    final class Counted: Node, @unchecked Sendable { var resident: Resident? }
    for round in 0..<Self.rounds {
      let held = (0..<2).map { _ in Locked<Node?>(nil) }
      do {
        let node = Counted("a", child: Node("b"))
        node.resident = Resident(census)
        counter.observe(node, "number", [.new, .old], context: 0)
        counter.observe(node, "name", [.new, .old], context: 1)
        counter.observe(node, "child.number", [.new, .old], context: 2)
        for held in held { held.withLock { $0 = node } }
      }
      onThreads(2) { thread in
        let node = held[thread].take()
        if thread == 0 { node?.number = round } else { node?.name = "\(round)" }
      }
    }
    #expect((0..<3).map { counter[$0] } == [Self.rounds, Self.rounds, 0])
    #expect(census.living == 0)
  }

  @Test func observerCanBeReleasedWhileItIsRemovedFromManyObjects() {
    let nodes = (0..<4).map { Node("\($0)", child: Node("child")) }
    final class Tidy: KeyValueObject, @unchecked Sendable {
      let nodes: [Node]

      init(_ nodes: [Node]) {
        self.nodes = nodes
        super.init()
        for node in nodes { observe(node, "number") }
        for node in nodes { observe(node, "child.number") }
      }

      deinit {
        for node in nodes { unobserve(node, "number") }
        for node in nodes { unobserve(node, "child.number") }
      }

      override func observeValue(
        forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
        context: UnsafeMutableRawPointer?
      ) {}
    }
    let steady = Counter()
    for node in nodes { steady.observe(node, "number", []) }
    onThreads(4) { thread in
      for round in 0..<Self.rounds / 4 {
        if thread < 2 {
          nodes[thread].number = round
          nodes[thread + 2].number = round
        } else {
          _ = Tidy(nodes)
        }
      }
    }
    #expect(steady.total == 4 * (Self.rounds / 4))
    for node in nodes { steady.unobserve(node, "number") }
    #expect(nodes.allSatisfy { $0.registrationCount == 0 && $0.child?.registrationCount ?? 0 == 0 })
  }

  #if !canImport(ObjectiveC)
  // Foundation's token mustn't be invalidated while another thread calls its handler.
  @Test func tokensCanEndOrBeReleasedWhileTheirObjectChangesAndIsDeallocated() {
    let calls = Locked(0)
    for round in 0..<Self.rounds {
      let node = Locked<Node?>(Node("a"))
      let tokens = (0..<2).map { _ in
        Locked(node.withLock { $0?.observe(\.number, options: [.new]) { _, _ in calls.withLock { $0 += 1 } } })
      }
      let steady = Locked(0)
      let last = node.withLock { $0?.observe(\.number, options: []) { _, _ in steady.withLock { $0 += 1 } } }
      onThreads(3) { thread in
        switch thread {
        case 0:
          let held = node.take()
          held?.number = round
        case 1: tokens[0].withLock { $0 }?.invalidate()
        default: tokens[1].withLock { $0 = nil }
        }
      }
      #expect(steady.withLock { $0 } == 1)
      withExtendedLifetime(last) {}
    }
    #expect(calls.withLock { $0 } <= 2 * Self.rounds)
  }
  #endif

  @Test func dependenciesOfOneKeySetOnSeveralThreadsEachNotify() {
    let person = Person("a", "b")
    let counter = Counter()
    counter.observe(person, "fullName", [], context: 1)
    counter.observe(person, "greeting", [], context: 2)
    onThreads(2) { thread in
      for round in 0..<Self.rounds {
        if thread == 0 { person.first = "\(round)" } else { person.last = "\(round)" }
      }
    }
    #expect(counter[1] == 2 * Self.rounds)
    #expect(counter[2] == 2 * Self.rounds)
    counter.unobserve(person, "fullName", context: 1)
    counter.unobserve(person, "greeting", context: 2)
    #expect(person.registrationCount == 0)
  }

  @Test func changeOnAnotherThreadDuringOneByCodingNotifiesSeparately() {
    final class Gauge: Node, @unchecked Sendable {
      var whenSet: () -> Void = {}

      var level: Int {
        get { number }
        set {
          number = newValue
          whenSet()
        }
      }

      override class var keyPaths: [String: AnyKeyPath] { ["level": \Gauge.level] }

      override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
        key == "level" ? ["number", "name"] : super.keyPathsForValuesAffectingValue(forKey: key)
      }
    }
    let (gauge, counter) = (Gauge(), Counter())
    counter.observe(gauge, "level", [])
    // What the setter itself sets is part of the change; what another thread sets meanwhile isn't.
    gauge.whenSet = { onThreads(1) { _ in gauge.name += "." } }
    gauge.setValue(1, forKey: "level")
    gauge.whenSet = {}
    #expect(counter.total == 2)
    #expect(gauge.name == ".")
  }
}
