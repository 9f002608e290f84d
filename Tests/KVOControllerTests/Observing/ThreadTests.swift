import KVOController
import Testing
import _KVOTestSupport

/// Counted, never timed. Data that several threads write is either per thread or under the test's lock. Tests of paths run
/// with foreign objects at the head of the path, and at its end.
@Suite(.watched, .sound) struct ThreadTests {
  private static let threads = 4

  @Test func deliveryHappensOnTheThreadThatMakesTheChange() {
    let node = Node()
    let recorder = Recorder()
    let (expected, seen) = (Locked<Thread?>(nil), Locked<[Thread]>([]))
    // The threads hold what their blocks do.
    defer {
      expected.withLock { $0 = nil }
      seen.withLock { $0 = [] }
    }
    recorder.whenCalled = { _, _ in seen.append(.current) }
    recorder.observe(node, "number", [.prior, .initial])
    onThreads(1) { _ in
      expected.withLock { $0 = .current }
      node.number = 1
    }
    let threads = seen.withLock { $0 }
    #expect(threads.count == 3)
    #expect(threads[0] == .current)
    #expect(threads[1] == expected.withLock { $0 } && threads[2] == threads[1])
  }

  @Test(arguments: Placement.ofTwoKeys) func changesOfManyObjectsAreAllCountedByOneObserver(_ placement: Placement) {
    let chain = placement.chain
    let counter = Counter()
    let rounds = 500
    onThreads(Self.threads) { thread in
      let node = chain.head("own", child: chain.end("child"))
      counter.observe(node, "number", [.new, .old], context: 4 * thread + 1)
      counter.observe(node, "child.number", [.new, .old, .prior], context: 4 * thread + 2)
      counter.observe(node, "items", [], context: 4 * thread + 3)
      for number in 0..<rounds {
        node.number = number
        node.child?.number += 1
        node.items.append(number)
      }
    }
    for thread in 0..<Self.threads {
      #expect(counter[4 * thread + 1] == rounds)
      #expect(counter[4 * thread + 2] == 2 * rounds)
      #expect(counter[4 * thread + 3] == rounds)
    }
  }

  @Test func changesOfSeveralPropertiesOfOneObjectAreAllCounted() {
    let node = Node()
    let counter = Counter()
    for (index, key) in ["number", "name", "optional", "items"].enumerated() {
      counter.observe(node, key, [.new, .old], context: index)
    }
    onThreads(4) { thread in
      for number in 0..<500 {
        switch thread {
        case 0: node.number = number
        case 1: node.name = "\(number)"
        case 2: node.optional = number
        default: node.items.append(number)
        }
      }
    }
    #expect((0..<4).map { counter[$0] } == [500, 500, 500, 500])
    #expect(node.items.count == 500)
  }

  @Test func theFirstRegistrationsOfAnObjectMayRace() {
    final class Fresh<Value>: Box<Value>, @unchecked Sendable {}
    func race<Value>(_ value: Value) {
      for _ in 0..<30 {
        let box = Fresh(value)
        let counter = Counter()
        onThreads(Self.threads) { thread in
          counter.observe(box, "count", [], context: thread)
          counter.observe(box, "value", [], context: thread)
        }
        box.count = 1
        #expect((0..<Self.threads).map { counter[$0] } == [1, 1, 1, 1])
        box.value = value
        #expect(counter.total == 2 * Self.threads)
        onThreads(Self.threads) { thread in
          counter.unobserve(box, "count", context: thread)
          counter.unobserve(box, "value", context: thread)
        }
        #expect(box.registrationCount == 0)
      }
    }
    race(1)
    race("text")
    race(UInt8(1))
  }

  @Test func registrationAndRemovalDuringChangesLoseNothing() {
    let nodes = (0..<8).map { Node("\($0)") }
    let (steady, passing) = (Counter(), Counter())
    for node in nodes { steady.observe(node, "number", [.new, .old]) }
    let rounds = 200
    onThreads(4) { thread in
      for round in 0..<rounds {
        for (index, node) in nodes.enumerated() {
          if thread < 2 {
            // Each object has one writer.
            if index % 2 == thread { node.number = round }
          } else {
            passing.observe(node, "number", [], context: thread)
            passing.observe(node, "name", [], context: thread)
            passing.unobserve(node, "number", context: thread)
            passing.unobserve(node, "name", context: thread)
          }
        }
      }
    }
    #expect(steady.total == nodes.count * rounds)
    let before = passing.total
    for node in nodes { node.number = -1 }
    #expect(steady.total == nodes.count * (rounds + 1))
    #expect(passing.total == before)
  }

  @Test func whatIsRegisteredAmongThreadsIsCalledOnceEach() {
    let node = Node()
    let counter = Counter()
    let perThread = 50
    onThreads(Self.threads) { thread in
      for index in 0..<perThread { counter.observe(node, "number", [], context: thread * perThread + index) }
      for index in 0..<perThread where index % 2 == 0 {
        counter.unobserve(node, "number", context: thread * perThread + index)
      }
    }
    node.number = 1
    for context in 0..<Self.threads * perThread { #expect(counter[context] == context % 2) }
  }

  @Test(arguments: Placement.ofTwoKeys) func aMiddleReplacedWhileItsLeavesChangeLosesNothing(_ placement: Placement) {
    let chain = placement.chain
    let root = chain.head("root")
    let children = [chain.end("a"), chain.end("b")]
    let counter = Counter()
    let lock = Locked(0)
    root.child = children[0]
    counter.observe(root, "child.number", [.new, .old])
    let rounds = 400
    onThreads(3) { thread in
      for round in 0..<rounds {
        lock.withLock { expected in
          if thread == 0 {
            root.child = round % 7 == 0 ? nil : children[round % 2]
            expected += 1
          } else {
            let child = children[thread - 1]
            child.number = round
            if root.child === child { expected += 1 }
          }
        }
      }
    }
    #expect(counter.total == lock.withLock { $0 })
    root.child = children[1]
    children[0].number = -1
    #expect(counter.total == lock.withLock { $0 } + 1)
    children[1].number = -1
    #expect(counter.total == lock.withLock { $0 } + 2)
  }

  @Test(arguments: Placement.ofTwoKeys) func aMiddleReplacedWithoutALockKeepsItsRegistration(_ placement: Placement) {
    let chain = placement.chain
    let root = chain.head("root")
    let children = [chain.end("a"), chain.end("b")]
    let (counter, steady) = (Counter(), Counter())
    // Foundation restores an object's class when its last observer leaves, which mustn't happen while another thread sets it.
    for child in children { steady.observe(child, "name", []) }
    // Without values in the dictionary nothing is read of the leaves, so each property has one thread.
    counter.observe(root, "child.number", [])
    onThreads(3) { thread in
      for round in 0..<500 {
        if thread == 0 {
          root.child = children[round % 2]
        } else {
          children[thread - 1].number = round
        }
      }
    }
    let before = counter.total
    #expect(before >= 500)
    children[0].number = -1
    #expect(counter.total == before)
    children[1].number = -1
    #expect(counter.total == before + 1)
    root.child = nil
    #expect(counter.total == before + 2)
    counter.unobserve(root, "child.number")
    for child in children { steady.unobserve(child, "name") }
    #expect(children.allSatisfy { $0.registrationCount == 0 })
  }

  @Test(arguments: Placement.ofTwoKeys) func registrationsOfPathsDuringReplacementsBelowOthersLoseNothing(
    _ placement: Placement
  ) {
    let chain = placement.chain
    let leaf = chain.end("leaf")
    let roots = (0..<4).map { chain.head("\($0)", child: leaf) }
    let (counter, steady) = (Counter(), Counter())
    steady.observe(leaf, "name", [])
    // All roots share the leaf, whose number has one writer; each root has a thread of its own.
    let rounds = 300
    onThreads(4) { thread in
      for round in 0..<rounds {
        if thread == 3 {
          leaf.number = round
        } else {
          counter.observe(roots[thread], "child.number", [], context: thread)
          roots[thread].child = leaf
          counter.unobserve(roots[thread], "child.number", context: thread)
        }
      }
    }
    steady.unobserve(leaf, "name")
    #expect(leaf.registrationCount == 0)
    for thread in 0..<3 {
      #expect(counter[thread] >= rounds)
      counter.observe(roots[thread], "child.number", [], context: 10 + thread)
    }
    leaf.number = -1
    #expect((10..<13).map { counter[$0] } == [1, 1, 1])
    withExtendedLifetime(roots) {}
  }
}
