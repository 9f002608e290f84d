#if !canImport(ObjectiveC)
import KVOController
import Testing
import _KVOTestSupport

/// Handlers and foreign objects change what is observed while it is registered and notified.
@Suite(.watched, .sound) struct ForeignReentrancyTests {
  private let observer = Watcher()

  @Test(arguments: Arrangement.all) func handlersCanEndOrRedirectTheObservation(_ arrangement: Arrangement) {
    do {
      // Controllers and tokens can be used on any thread.
      nonisolated(unsafe) let controller = KVOController(observer: observer, retainObserved: arrangement.isRetaining)
      let root = arrangement.node(0)
      let (first, second) = (arrangement.node(1), arrangement.node(1))
      let (leaf, other) = (arrangement.node(2, 1), arrangement.node(2, 10))
      root.setValue(first, forKey: "child")
      first.setValue(leaf, forKey: "child")
      second.setValue(other, forKey: "child")
      var values: [Int?] = []
      controller.observe(root, keyPath: "child.child.number", options: .new) { _, _, change in
        values.append(change[.newKey] as? Int)
        if values.count == 1 { root.setValue(second, forKey: "child") }
        if values.count == 3 { controller.unobserveAll() }
      }
      leaf.setValue(2, forKey: "number")
      leaf.setValue(3, forKey: "number")
      other.setValue(11, forKey: "number")
      other.setValue(12, forKey: "number")
      #expect(values == [2, 10, 11])
    }
  }

  @Test func theObservationMayEndWhileItIsRegistered() {
    do {
      let (root, node) = (OwnNode(), ForeignNode())
      root.child = node
      var token: KVOObservation?
      let controller = KVOController(observer: observer)
      token = controller.observe(root, \.number) { _, _ in }
      node.whenAboutToRegister = { controller.unobserveAll() }
      var count = 0
      controller.observe(root, keyPath: "child.number") { _, _, _ in count += 1 }
      node.whenAboutToRegister = nil
      node["number"] = 1
      #expect(count == 0)
      #expect(token?.isValid == false)
    }
  }
}
#endif
