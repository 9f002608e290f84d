import KVOController
import Testing
import _KVOTestSupport

/// Whatever is done, and however often, memory is where it was. Each test has a process of its own.
@Suite(.enabled(if: seesGrowth)) struct MemoryTests {
  @Test func registeringAndRemovingLeavesMemoryWhereItWas() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let node = Node("a", child: Node("b"))
      let person = Person("a", "b")
      let deaf = Deaf()
      reportGrowth("key", cycles: aMillionCycles) { _ in
        deaf.observe(node, "number")
        deaf.unobserve(node, "number")
      }
      reportGrowth("path", cycles: manyCycles / 4) { _ in
        deaf.observe(node, "child.number")
        deaf.unobserve(node, "child.number")
      }
      reportGrowth("dependent key", cycles: manyCycles / 4) { _ in
        deaf.observe(person, "greeting")
        deaf.unobserve(person, "greeting")
      }
      reportGrowth("contexts") { round in
        deaf.observe(node, "number", context: round + 1)
        deaf.unobserve(node, "number", context: round + 1)
      }
      reportGrowth("closures", cycles: manyCycles / 4) { _ in
        node.observe(\.number, options: [.new]) { _, _ in }.invalidate()
      }
    }
    #expect(growth(result) == [])
  }

  @Test func observersAndObjectsThatComeAndGoLeaveMemoryWhereItWas() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let child = Node("child")
      let deaf = Deaf()
      reportGrowth("objects", cycles: manyCycles / 4) { _ in
        let node = Node("a", child: child)
        deaf.observe(node, "number")
        deaf.observe(node, "child.number")
        node.number = 1
        child.number += 1
      }
      // The registration of a deallocated observer stays with the object, because the observer may remove it in its
      // deinit.
      let node = Node("a", child: child)
      reportGrowth("observers that remove themselves", cycles: manyCycles / 4) { _ in
        let deaf = Deaf()
        deaf.observe(node, "number")
        deaf.observe(node, "child.number")
        node.number += 1
        deaf.unobserve(node, "number")
        deaf.unobserve(node, "child.number")
      }
    }
    #expect(growth(result) == [])
  }

  @Test func changesLeaveMemoryWhereItWas() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let node = Node("a")
      let deaf = Deaf()
      for keyPath in ["number", "child.number", "items", "unknown"] {
        deaf.observe(node, keyPath, keyPath == "unknown" ? [.prior] : [.old, .new, .prior])
      }
      reportGrowth("settings") { round in node.number = round }
      reportGrowth("replacements", cycles: manyCycles / 4) { _ in node.child = Node("b") }
      reportGrowth("pairs", cycles: manyCycles / 4) { _ in
        node.willChangeValue(forKey: "unknown")
        node.didChangeValue(forKey: "unknown")
      }
      reportGrowth("proxies", cycles: manyCycles / 10) { round in
        node.mutableArrayValue(forKey: "items").add(round)
        node.mutableArrayValue(forKey: "items").removeAllObjects()
      }
    }
    #expect(growth(result) == [])
  }

  @Test func willChangeAloneKeepsLittle() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let node = Node("a")
      let deaf = Deaf()
      deaf.observe(node, "number", [.old, .prior])
      func willChange(_ round: Int) { node.willChangeValue(forKey: "number") }
      for round in 0..<2000 { willChange(round) }
      reportGrowth("will", willChange)
    }
    #expect(growth(result) == [])
  }
}
