#if !canImport(ObjectiveC)
import KVOController
import Testing
import _KVOTestSupport

/// Foreign objects change, and are deallocated, on several threads.
@Suite(.watched, .sound) struct ForeignThreadTests {
  private let observer = Recorder()

  @Test func objectsChangeAndAreDeallocatedWhileObservationsEndOnOtherThreads() {
    for round in 0..<(isSanitized ? 60 : 400) {
      // Foundation's own registrations of paths don't support several threads.
      let placement = Placement.allCases[1 + round % 7]
      let isOfFoundation = placement == .everywhere
      let arrangement = Arrangement(placement: placement, isRetaining: !isOfFoundation && round % 3 == 0)
      let root = Locked<KeyValueObject?>(arrangement.node(0))
      // Both kinds of nodes can be used on several threads.
      nonisolated(unsafe) let middles = [arrangement.node(1), arrangement.node(1)]
      nonisolated(unsafe) let leaf = arrangement.node(2)
      for middle in middles { middle.setValue(leaf, forKey: "child") }
      root.current?.setValue(middles[0], forKey: "child")
      let controller = Locked<KVOController?>(
        KVOController(observer: observer, retainObserved: arrangement.isRetaining))
      let count = Locked(0)
      root.current.map { root in
        controller.current?.observe(root, keyPath: "child.child.number", options: [.new, .old]) {
          _, _, _ in count.add()
        }
      }
      onThreads(3) { number in
        switch number {
        case 0:
          for step in 0..<10 { root.current?.setValue(middles[step % 2], forKey: "child") }
        case 1:
          for step in 0..<10 { leaf.setValue(step, forKey: "number") }
        default:
          if round % 2 == 0 { _ = root.take() } else { controller.current?.unobserveAll() }
          _ = controller.take()
        }
      }
      for middle in middles { middle.setValue(nil, forKey: "child") }
    }
  }
}
#endif
