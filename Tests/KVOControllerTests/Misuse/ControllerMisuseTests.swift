import KVOController
import Testing
import _KVOTestSupport

/// Programmer errors trap with a message that names the objects and the key path.
@Suite struct ControllerMisuseTests {
  @Test func theContextFormNeedsAnObserverWithObserveValue() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let watcher = PlainWatcher()
      KVOController(observer: watcher).observe(Circle(), keyPath: "radius", context: nil)
      withExtendedLifetime(watcher) {}
    }
    #expect(said("PlainWatcher", "radius", "observeValue", in: result))
  }

  @Test func theContextFormWithAListNeedsAnObserverWithObserveValue() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let watcher = PlainWatcher()
      KVOController(observer: watcher).observe(Circle(), keyPaths: ["radius", "borderWidth"], context: nil)
      withExtendedLifetime(watcher) {}
    }
    #expect(said("PlainWatcher", "radius", "observeValue", in: result))
  }

  @Test func anObjectOfAPlainClassIsNotObservable() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let watcher = Watcher()
      KVOController(observer: watcher).observe(PlainWatcher(), keyPath: "changes", action: Watcher.redraw)
      withExtendedLifetime(watcher) {}
    }
    #expect(said("PlainWatcher", "\"changes\"", "not observable", in: result))
  }

  @Test func anActionOfAnotherClassIsReported() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let watcher = PlainWatcher()
      KVOController(observer: watcher).observe(Circle(), keyPath: "radius", action: Watcher.redraw)
      withExtendedLifetime(watcher) {}
    }
    #expect(said("PlainWatcher", "radius", "Watcher", in: result))
  }

  @Test func anActionWithChangeOfAnotherClassIsReported() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let watcher = PlainWatcher()
      KVOController(observer: watcher)
        .observe(Circle(), keyPaths: ["radius", "borderWidth"], action: Watcher.update(change:))
      withExtendedLifetime(watcher) {}
    }
    #expect(said("PlainWatcher", "radius", "Watcher", in: result))
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
