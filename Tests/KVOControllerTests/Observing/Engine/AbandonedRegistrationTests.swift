#if !canImport(ObjectiveC)
import KVOController
import Testing
import _KVOTestSupport

/// Manually registered observers may be deallocated without removing themselves. Their registrations are swept.
@Suite struct AbandonedRegistrationTests {
  /// An observer that says when its registration is released.
  private final class Fleeting: KeyValueObject {
    override func observeValue(
      forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
      context: UnsafeMutableRawPointer?
    ) {}
  }

  @Test func abandonedRegistrationsAreSweptAsOthersAreMade() {
    let node = Node()
    let kept = Recorder()
    kept.observe(node, "number")
    for _ in 0..<1000 {
      node.addObserver(Fleeting(), forKeyPath: "number", options: [], context: nil)
      node.addObserver(Fleeting(), forKeyPath: "child.name", options: [], context: nil)
    }
    #expect(node.registrationCount < 40)
    node.number = 1
    #expect(kept.take() == [.setting(new: 1, old: 0)])
  }

  @Test func theLivingAreNotSwept() {
    let node = Node()
    let recorders = (0..<100).map { _ in Recorder() }
    for recorder in recorders {
      recorder.observe(node, "number")
      node.addObserver(Fleeting(), forKeyPath: "number", options: [], context: nil)
    }
    node.number = 1
    for recorder in recorders { #expect(recorder.take() == [.setting(new: 1, old: 0)]) }
    for recorder in recorders { recorder.unobserve(node, "number") }
    node.number = 2
    for recorder in recorders { #expect(recorder.take() == []) }
  }

  @Test func anObserverMayRemoveItselfInItsDeinitAfterItsRegistrationWasSwept() {
    final class Tidy: KeyValueObject {
      let node: Node

      init(_ node: Node) {
        self.node = node
        super.init()
        node.addObserver(self, forKeyPath: "number", options: [], context: nil)
      }

      deinit {
        // Others register meanwhile, and find this one gone.
        for _ in 0..<100 { node.addObserver(Fleeting(), forKeyPath: "number", options: [], context: nil) }
        node.removeObserver(self, forKeyPath: "number")
      }
    }
    let node = Node()
    _ = Tidy(node)
    node.number = 1
  }
}
#endif
