import KVOController
import Testing
import _KVOTestSupport

/// Tests of paths run with foreign objects at the head of the path, and at its end.
@Suite(.watched, .sound) struct ThreadLifetimeTests {
  @Test(arguments: Placement.ofTwoKeys) func observersCanBeReleasedWhileTheObjectChanges(_ placement: Placement) {
    let chain = placement.chain
    let node = chain.head(child: chain.end())
    let steady = Counter()
    steady.observe(node, "number", [.new])
    let rounds = 500
    onThreads(3) { thread in
      for number in 0..<rounds {
        if thread == 0 {
          node.number = number
        } else {
          let passing = Counter()
          passing.observe(node, "number", [.prior])
          passing.observe(node, "child.number", [])
          if number % 2 == 0 { passing.unobserve(node, "number") }
        }
      }
    }
    #expect(steady.total == rounds)
    steady.unobserve(node, "number")
  }

  @Test(arguments: Placement.ofTwoKeys) func objectsCanBeReleasedWhileTheirChildChanges(_ placement: Placement) {
    let chain = placement.chain
    let child = chain.end("child")
    let counter = Counter()
    let steady = Counter()
    steady.observe(child, "number", [])
    let rounds = 300
    onThreads(3) { thread in
      for number in 0..<rounds {
        if thread == 0 {
          child.number = number
        } else {
          let root = chain.head("root", child: child)
          counter.observe(root, "child.number", [])
          if number % 2 == 0 { root.child = nil }
        }
      }
    }
    #expect(steady.total == rounds)
    let before = counter.total
    child.number = -1
    #expect(counter.total == before)
    #expect(steady.total == rounds + 1)
    steady.unobserve(child, "number")
    #expect(child.registrationCount == 0)
  }

  @Test(arguments: Placement.ofTwoKeys) func observerAndItsObjectCanBeReleasedAtOnce(_ placement: Placement) {
    let chain = placement.chain
    for _ in 0..<100 {
      let node = Locked<(any ChainNode)?>(chain.head("a", child: chain.end("b")))
      let observer = Locked<Counter?>(Counter())
      observer.withLock { observer in
        node.withLock { node in
          guard let observer, let node else { return }
          observer.observe(node, "number")
          observer.observe(node, "child.number")
        }
      }
      onThreads(2) { thread in
        if thread == 0 { node.withLock { $0 = nil } } else { observer.withLock { $0 = nil } }
      }
    }
  }

  @Test func anObserverMayWaitForAnotherThread() {
    let node = Node("a", child: Node("b"))
    let recorder = Recorder()
    let counter = Counter()
    let calls = Locked(0)
    counter.observe(node, "name", [.new, .prior])
    recorder.whenCalled = { _, call in
      calls.withLock { $0 += 1 }
      guard call.keyPath == "number" else { return }
      onThreads(1) { _ in
        let other = Counter()
        other.observe(node, "number", [.initial])
        other.observe(node, "child.number", [.initial, .new])
        node.name += "."
        node.child?.number += 1
        node.willChangeValue(forKey: "optional")
        node.didChangeValue(forKey: "optional")
        _ = node.value(forKeyPath: "child.number")
        other.unobserve(node, "number")
        other.unobserve(node, "child.number")
        #expect(other.total == 3)
      }
    }
    recorder.observe(node, "number", [.prior, .initial])
    node.number = 1
    #expect(calls.withLock { $0 } == 3)
    #expect(counter.total == 6)
    #expect(node.name == "a...")
  }

  @Test(arguments: Placement.ofTwoKeys) func anObserverMayWaitForAnotherThreadToRemoveIt(_ placement: Placement) {
    let chain = placement.chain
    let node = chain.head()
    let recorder = Recorder()
    recorder.observe(node, "number", .prior)
    recorder.whenCalled = { recorder, _ in
      onThreads(1) { _ in recorder.unobserve(node, "number") }
    }
    node.number = 1
    #expect(recorder.take() == [.prior])
    node.number = 2
    #expect(recorder.take() == [])
  }

  @Test func twoChangesOfOneObjectMayBeUnderWayAtOnce() {
    let node = Node()
    let inside = Gate()
    let other = Counter()
    // Each thread's observer waits until the other's is running too.
    let meeting = Meeting(inside)
    meeting.observe(node, "number", [])
    meeting.observe(node, "name", [])
    other.observe(node, "number", [])
    other.observe(node, "name", [])
    onThreads(2) { thread in
      if thread == 0 { node.number = 1 } else { node.name = "b" }
    }
    #expect(inside.count == 2)
    #expect(other.total == 2)
    withExtendedLifetime(meeting) {}
  }

  private final class Meeting: KeyValueObject, @unchecked Sendable {
    let gate: Gate

    init(_ gate: Gate) {
      self.gate = gate
    }

    override func observeValue(
      forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
      context: UnsafeMutableRawPointer?
    ) {
      gate.arrive()
      gate.wait(for: 2)
    }
  }

  @Test func pairsOnSeveralThreadsDontMix() {
    let account = Account()
    let counter = Counter()
    counter.observe(account, "balance", [], context: 1)
    counter.observe(account, "note", [], context: 2)
    let steps = Gate()
    onThreads(2) { thread in
      if thread == 0 {
        account.willChangeValue(forKey: "balance")
        steps.arrive()
        steps.wait(for: 2)
        account.didChangeValue(forKey: "balance")
        steps.arrive()
      } else {
        steps.wait(for: 1)
        account.willChangeValue(forKey: "note")
        // The other thread has not begun this one.
        account.didChangeValue(forKey: "balance")
        #expect(counter.total == 0)
        steps.arrive()
        steps.wait(for: 3)
        #expect(counter[1] == 1)
        account.didChangeValue(forKey: "note")
      }
    }
    #expect(counter[1] == 1)
    #expect(counter[2] == 1)
  }

  @Test func manyPairsOnSeveralThreadsAreCountedOnceEach() {
    let node = Node()
    let counter = Counter()
    let keys = ["one", "two", "three", "four"]
    for (context, key) in keys.enumerated() { counter.observe(node, key, .prior, context: context) }
    onThreads(keys.count) { thread in
      for _ in 0..<500 {
        node.willChangeValue(forKey: keys[thread])
        node.didChangeValue(forKey: keys[thread])
        node.didChangeValue(forKey: keys[thread])
      }
    }
    #expect((0..<4).map { counter[$0] } == [1000, 1000, 1000, 1000])
  }
}
