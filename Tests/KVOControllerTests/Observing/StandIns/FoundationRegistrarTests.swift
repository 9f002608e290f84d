#if KVO_STAND_INS
import KVOController
import Testing
import _KVOTestSupport

/// The stand-in for Foundation that registers observers.
@Suite struct FoundationRegistrarTests {
  @Test func theInitialCallComesBeforeTheRegistration() {
    let (node, recorder) = (Node(), Recorder())
    recorder.whenCalled = { _, _ in #expect(FoundationRegistrar.observationInfo(of: node) == nil) }
    FoundationRegistrar.add(recorder, to: node, forKeyPath: "number", options: [.initial, .new], context: nil)
    #expect(recorder.take() == [.setting(new: 0)])
    #expect(FoundationRegistrar.observationInfo(of: node) != nil)
    recorder.whenCalled = nil
    FoundationRegistrar.remove(recorder, from: node, forKeyPath: "number", context: .some(nil))
  }

  @Test func nothingIsReadAtRegistration() {
    final class Counting: KeyValueObject, @unchecked Sendable {
      var reads = 0
      override func value(forUndefinedKey key: String) -> Any? {
        reads += 1
        return nil
      }
    }
    let (object, recorder) = (Counting(), Recorder())
    FoundationRegistrar.add(recorder, to: object, forKeyPath: "missing", options: [.new, .old], context: nil)
    #expect(object.reads == 0)
    FoundationRegistrar.remove(recorder, from: object, forKeyPath: "missing", context: .none)
  }

  @Test func theObjectNotifiesIt() {
    let (node, recorder) = (Node("a", child: Node("b")), Recorder())
    FoundationRegistrar.add(recorder, to: node, forKeyPath: "child.name", options: [.new, .old], context: nil)
    node.child = Node("c")
    FoundationRegistrar.remove(recorder, from: node, forKeyPath: "child.name", context: .some(nil))
    node.child = nil
    #expect(recorder.take() == [.setting(new: "c", old: "b")])
  }

  @Test func aDeallocatedObserverStopsTheProcess() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let node = Node()
      FoundationRegistrar.add(Recorder(), to: node, forKeyPath: "number", options: [], context: nil)
      node.number = 1
    }
    #expect(said("A deallocated observer is still registered", in: result))
  }

  @Test func removingWhatIsNotRegisteredStopsTheProcess() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      FoundationRegistrar.remove(Recorder(), from: Node(), forKeyPath: "number", context: .none)
    }
    #expect(said("is not registered as an observer", in: result))
  }
}
#endif
