#if !canImport(ObjectiveC)
import KVOController
import Testing
import _KVOTestSupport

/// Handlers and foreign objects change what is observed while it is registered and notified.
@Suite(.watched, .sound) struct ForeignReentrancyTests {
  private let observer = Recorder()

  @Test(arguments: Arrangement.all) func handlersCanEndOrRedirectTheObservation(_ arrangement: Arrangement) {
    // Controllers and tokens can be used on any thread.
    nonisolated(unsafe) let controller = KVOController(observer: observer, retainObserved: arrangement.isRetaining)
    let (root, _, second, leaf, other) = arrangement.path()
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

  @Test func theObservationMayEndWhileItIsRegistered() {
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

  /// Foundation doesn't notify of the end of a change if the registration has been removed meanwhile.
  @Test(arguments: Arrangement.all) func thePartnerOfAPriorCallIsAlwaysSent(_ arrangement: Arrangement) {
    let placement = arrangement.placement
    let isOfFoundation = placement == .everywhere
    if isOfFoundation, arrangement.isRetaining { return }
    let controller = KVOController(observer: observer, retainObserved: arrangement.isRetaining)
    let (root, first, second, leaf, _) = arrangement.path()
    for changes in [{ leaf.setValue(2, forKey: "number") }, { first.setValue(nil, forKey: "child") }] {
      var calls: [Change] = []
      controller.observe(root, keyPath: "child.child.number", options: [.new, .old, .prior]) { _, _, change in
        calls.append(Change(change.filter { $0.key != .keyPathKey }))
        if calls.count == 1 { root.setValue(second, forKey: "child") }
      }
      changes()
      let old = calls.first?[.oldKey] as? Int
      #expect(
        calls == [.prior(old: old), .prior(old: old), .setting(new: 10, old: old), .setting(new: 10, old: old)])
      controller.unobserveAll()
      root.setValue(first, forKey: "child")
    }
  }

  /// The change is over, and Foundation is about to notify, when another thread ends the observation.
  @Test(arguments: [true, false]) func noCallBeginsWhenTheObservationHasEndedOnAnotherThread(_ isPrior: Bool) {
    let (root, node) = (OwnNode(), ForeignNode())
    root.child = node
    nonisolated(unsafe) let controller = KVOController(observer: observer)
    var calls = 0
    controller.observe(root, keyPath: "child.number", options: [.prior, .new]) { _, _, _ in calls += 1 }
    node.number = 1
    #expect(calls == 2)
    let end = { onThreads(1) { _ in controller.unobserveAll() } }
    if isPrior { node.whenAboutToNotify = end }
    node.beginChange(of: "number")
    node.whenAboutToNotify = isPrior ? nil : end
    node.endChange(of: "number")
    node.whenAboutToNotify = nil
    #expect(calls == (isPrior ? 2 : 3))
  }
}
#endif
