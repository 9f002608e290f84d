import KVOController
import Testing
import _KVOTestSupport

/// Programmer errors trap with a message that names the objects and the key path.
@Suite struct ControllerMisuseTests {
  @Test func theContextFormNeedsAnObserverWithObserveValue() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let recorder = PlainRecorder()
      KVOController(observer: recorder).observe(Circle(), keyPath: "radius", context: nil)
      withExtendedLifetime(recorder) {}
    }
    #expect(said("PlainRecorder", "radius", "observeValue", in: result))
  }

  @Test func theContextFormWithAListNeedsAnObserverWithObserveValue() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let recorder = PlainRecorder()
      KVOController(observer: recorder).observe(Circle(), keyPaths: ["radius", "borderWidth"], context: nil)
      withExtendedLifetime(recorder) {}
    }
    #expect(said("PlainRecorder", "radius", "observeValue", in: result))
  }

  @Test func anObjectOfAPlainClassIsNotObservable() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let recorder = Recorder()
      KVOController(observer: recorder).observe(PlainRecorder(), keyPath: "changes", action: Recorder.redraw)
      withExtendedLifetime(recorder) {}
    }
    #expect(said("PlainRecorder", "\"changes\"", "not observable", in: result))
  }

  @Test func anActionOfAnotherClassIsReported() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let recorder = PlainRecorder()
      KVOController(observer: recorder).observe(Circle(), keyPath: "radius", action: Recorder.redraw)
      withExtendedLifetime(recorder) {}
    }
    #expect(said("PlainRecorder", "radius", "Recorder", in: result))
  }

  @Test func anActionWithChangeOfAnotherClassIsReported() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let recorder = PlainRecorder()
      KVOController(observer: recorder).observe(Circle(), keyPath: "radius", action: Recorder.update(change:))
      withExtendedLifetime(recorder) {}
    }
    #expect(said("PlainRecorder", "radius", "Recorder", in: result))
  }

  @Test func anActionWithChangeAndObjectOfASubclassIsReported() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      class Painter {}
      final class CirclePainter: Painter {
        func paint(_ change: [NSKeyValueChangeKey: Any], _ object: Any) {}
      }
      let painter = Painter()
      KVOController(observer: painter).observe(Circle(), keyPath: "radius", action: CirclePainter.paint)
      withExtendedLifetime(painter) {}
    }
    #expect(said("Painter", "radius", "CirclePainter", in: result))
  }
}
