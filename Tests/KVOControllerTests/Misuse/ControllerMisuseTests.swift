import KVOController
import Testing
import _KVOTestSupport

/// Programmer errors trap with a message that names the objects and the key path.
@Suite struct ControllerMisuseTests {
  @Test func theContextFormNeedsAnObserverWithObserveValue() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      misuse(of: PlainRecorder()) { $0.observe(Circle(), keyPath: "radius", context: nil) }
    }
    #expect(said("PlainRecorder", "radius", "observeValue", in: result))
  }

  @Test func theContextFormWithAListNeedsAnObserverWithObserveValue() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      misuse(of: PlainRecorder()) { $0.observe(Circle(), keyPaths: ["radius", "borderWidth"], context: nil) }
    }
    #expect(said("PlainRecorder", "radius", "observeValue", in: result))
  }

  @Test func anObjectOfAPlainClassIsNotObservable() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      misuse { $0.observe(PlainRecorder(), keyPath: "changes", action: Recorder.redraw) }
    }
    #expect(said("PlainRecorder", "\"changes\"", "not observable", in: result))
  }

  @Test func anActionOfAnotherClassIsReported() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      misuse(of: PlainRecorder()) { $0.observe(Circle(), keyPath: "radius", action: Recorder.redraw) }
    }
    #expect(said("PlainRecorder", "radius", "Recorder", in: result))
  }

  @Test func anActionWithChangeOfAnotherClassIsReported() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      misuse(of: PlainRecorder()) { $0.observe(Circle(), keyPath: "radius", action: Recorder.update(change:)) }
    }
    #expect(said("PlainRecorder", "radius", "Recorder", in: result))
  }

  @Test func anActionWithChangeAndObjectOfASubclassIsReported() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      class Painter {}
      final class CirclePainter: Painter {
        func paint(_ change: [NSKeyValueChangeKey: Any], _ object: Any) {}
      }
      misuse(of: Painter()) { $0.observe(Circle(), keyPath: "radius", action: CirclePainter.paint) }
    }
    #expect(said("Painter", "radius", "CirclePainter", in: result))
  }
}
