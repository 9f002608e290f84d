import KVOController
import Testing
import _KVOTestSupport

/// The order among several registrations: that of registration before a change, the reverse after it. Foundation
/// documents none, so no other test should rely on it, but for the random programs, whose model has the same order.
@Suite struct CallOrderTests {
  let log = Locked<[String]>([])
  private let kept = Locked<[Recorder]>([])

  /// Observers that live as long as the test.
  private func recorders(_ names: String...) -> [Recorder] {
    let recorders = names.map { Recorder($0) }
    for recorder in recorders { recorder.report(to: log) }
    kept.withLock { $0 += recorders }
    return recorders
  }

  @Test func ofOneKey() {
    let node = Node()
    let recorders = recorders("1", "2", "3")
    for recorder in recorders { recorder.observe(node, "number", .prior) }
    node.number = 1
    #expect(log.take() == ["1 before", "2 before", "3 before", "3", "2", "1"])
    node.items.append(1)
    node.setValue(2, forKey: "number")
    #expect(log.take() == ["1 before", "2 before", "3 before", "3", "2", "1"])
    node.willChangeValue(forKey: "number")
    #expect(log.take() == ["1 before", "2 before", "3 before"])
    node.didChangeValue(forKey: "number")
    #expect(log.take() == ["3", "2", "1"])
  }

  @Test func ofOneKeyWithoutPriorCalls() {
    let node = Node()
    for recorder in recorders("1", "2", "3") { recorder.observe(node, "number") }
    node.number = 1
    #expect(log.take() == ["3", "2", "1"])
  }

  @Test func callsOfOneObserverWithSeveralContextsAreOrdered() {
    let node = Node()
    let recorder = Recorder()
    recorder.whenCalled = { [log] _, call in
      log.append("\(call.context ?? 0)\(call.isPrior ? " before" : "")")
    }
    for context in 1...3 { recorder.observe(node, "number", .prior, context: context) }
    node.number = 1
    #expect(log.take() == ["1 before", "2 before", "3 before", "3", "2", "1"])
  }

  @Test func removalAndReturnGoToTheEnd() {
    let node = Node()
    let recorders = recorders("1", "2", "3")
    for recorder in recorders { recorder.observe(node, "number", .prior) }
    recorders[0].unobserve(node, "number")
    recorders[0].observe(node, "number", .prior)
    node.number = 1
    #expect(log.take() == ["2 before", "3 before", "1 before", "1", "3", "2"])
  }

  @Test func amongAKeyAndItsDependents() {
    let person = Person()
    let recorders = recorders("greeting 1", "first", "fullName", "greeting 2")
    recorders[0].observe(person, "greeting", .prior)
    recorders[1].observe(person, "first", .prior)
    recorders[2].observe(person, "fullName", .prior)
    recorders[3].observe(person, "greeting", .prior)
    person.first = "Ada"
    #expect(
      log.take() == [
        "greeting 1 before", "first before", "fullName before", "greeting 2 before", "greeting 2", "fullName", "first",
        "greeting 1",
      ])
  }

  @Test func amongPathsThroughOneObject() {
    let child = Node("child")
    let roots = [Node("r1", child: child), Node("r2", child: child)]
    let recorders = recorders("1", "2", "3", "4")
    recorders[0].observe(roots[1], "child.name", .prior)
    recorders[1].observe(child, "name", .prior)
    recorders[2].observe(roots[0], "child.name", .prior)
    recorders[3].observe(child, "name", .prior)
    child.name = "b"
    #expect(log.take() == ["1 before", "2 before", "3 before", "4 before", "4", "3", "2", "1"])
    withExtendedLifetime(roots) {}
  }

  @Test func aReplacedPathKeepsItsPlace() {
    let node = Node("root", child: Node())
    let leaf = Node("leaf")
    let recorders = recorders("path", "leaf")
    recorders[0].observe(node, "child.name", .prior)
    recorders[1].observe(leaf, "name", .prior)
    node.child = leaf
    _ = log.take()
    leaf.name = "b"
    #expect(log.take() == ["path before", "leaf before", "leaf", "path"])
  }

  @Test func aRegistrationMadeFirstOnAPathComesFirst() {
    let node = Node()
    let recorders = recorders("1", "2", "3")
    recorders[0].observe(node, "child.name", .prior)
    recorders[1].observe(node, "child", .prior)
    recorders[2].observe(node, "child.child.number", .prior)
    node.child = Node("child")
    #expect(log.take() == ["1 before", "2 before", "3 before", "3", "2", "1"])
  }

  // MARK: Removal and nesting, which depend on it

  @Test func observerRemovedByAnEarlierObserverIsNotCalled() {
    let node = Node()
    let recorders = recorders("1", "2", "3")
    for recorder in recorders { recorder.observe(node, "number", .prior) }
    defer { recorders[0].whenCalled = nil }
    recorders[0].whenCalled = { [log] _, call in
      log.append("1\(call.isPrior ? " before" : "")")
      if call.isPrior { recorders[1].unobserve(node, "number") }
    }
    node.number = 1
    #expect(log.take() == ["1 before", "3 before", "3", "1"])
  }

  @Test func observerRemovedAfterTheChangeIsNotCalled() {
    let node = Node()
    let recorders = recorders("1", "2", "3")
    for recorder in recorders { recorder.observe(node, "number", .prior) }
    defer { recorders[2].whenCalled = nil }
    recorders[2].whenCalled = { [log] _, call in
      log.append("3\(call.isPrior ? " before" : "")")
      if !call.isPrior {
        recorders[0].unobserve(node, "number")
        recorders[1].unobserve(node, "number")
      }
    }
    node.number = 1
    #expect(log.take() == ["1 before", "2 before", "3 before", "3"])
  }

  @Test func observerDeallocatedDuringTheChangeIsNotCalled() {
    let node = Node()
    let recorders = recorders("1", "3")
    recorders[0].observe(node, "number", .prior)
    let dying = Locked<Recorder?>(Recorder("2"))
    dying.withLock { [log] dying in
      dying?.report(to: log)
      dying?.observe(node, "number", .prior)
    }
    recorders[1].observe(node, "number", .prior)
    defer { recorders[1].whenCalled = nil }
    recorders[1].whenCalled = { [log] _, call in
      log.append("3\(call.isPrior ? " before" : "")")
      if !call.isPrior { dying.withLock { $0 = nil } }
    }
    node.number = 1
    #expect(log.take() == ["1 before", "2 before", "3 before", "3", "1"])
  }

  @Test func aNestedChangeIsDeliveredInFullBeforeTheOuterGoesOn() {
    let node = Node()
    let outer = Recorder("outer")
    let inner = Recorder("inner")
    outer.observe(node, "number", [.new, .old])
    inner.observe(node, "number", [.new, .old])
    inner.whenCalled = { [log] _, call in
      log.append("inner \(Change(call.dictionary))")
      if call.change == .setting(new: 1, old: 0) { node.number = 2 }
    }
    outer.whenCalled = { [log] _, call in log.append("outer \(Change(call.dictionary))") }
    node.number = 1
    let (first, second) = (Change.setting(new: 1, old: 0), Change.setting(new: 2, old: 1))
    let late = Change.setting(new: 2, old: 0)
    #expect(log.take() == ["inner \(first)", "inner \(second)", "outer \(second)", "outer \(late)"])
  }

  @Test func observerRemovedAndAddedAgainDuringTheChangeIsNotNotifiedOfIt() {
    let node = Node()
    let recorders = recorders("1", "2")
    for recorder in recorders { recorder.observe(node, "number", []) }
    defer { recorders[1].whenCalled = nil }
    recorders[1].whenCalled = { [log] _, _ in
      log.append("2")
      recorders[0].unobserve(node, "number")
      recorders[0].observe(node, "number", [])
    }
    node.number = 1
    #expect(log.take() == ["2"])
    recorders[1].whenCalled = nil
    node.number = 2
    #expect(log.take() == ["1"])
  }
}
