import KVOController
import Testing

/// Mistakes stop the process with a sentence that names the objects and the key path.
@Suite struct MisuseTests {
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

  @Test func anObserverThatDoesNotHandleItsContextIsReported() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let circle = Circle()
      let observer = Point()
      let controller = KVOController(observer: observer)
      controller.observe(circle, keyPath: "radius", context: nil)
      circle.radius = 1
      withExtendedLifetime((controller, observer)) {}
    }
    #expect(
      said(
        "<Point: 0x", "An -observeValueForKeyPath:ofObject:change:context: message was received but not handled.",
        in: result))
  }

  @Test func aStringIsNotObservable() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let watcher = Watcher()
      KVOController(observer: watcher).observe("a string", keyPath: "count") { _, _, _ in }
      withExtendedLifetime(watcher) {}
    }
    #if !canImport(ObjectiveC)
    #expect(said("String", "\"count\"", "not observable", in: result))
    #endif
  }

  @Test func anObjectOfAPlainClassIsNotObservable() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let watcher = Watcher()
      KVOController(observer: watcher).observe(PlainWatcher(), keyPath: "changes", action: Watcher.redraw)
      withExtendedLifetime(watcher) {}
    }
    #expect(said("PlainWatcher", "\"changes\"", "not observable", in: result))
  }

  @Test func aValueInAnOptionalIsNotObservable() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let watcher = Watcher()
      KVOController(observer: watcher)
        .observe(Optional(Date()) as Any, keyPaths: ["timeIntervalSince1970"], context: nil)
      withExtendedLifetime(watcher) {}
    }
    #if !canImport(ObjectiveC)
    #expect(said("Date", "\"timeIntervalSince1970\"", "not observable", in: result))
    #endif
  }

  #if !canImport(ObjectiveC)
  @Test func elsewhereThanOnApplePlatformsAnNSObjectIsNotObservable() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let watcher = Watcher()
      KVOController(observer: watcher).observe(NSObject(), keyPath: "hash") { _, _, _ in }
      withExtendedLifetime(watcher) {}
    }
    #expect(said("NSObject", "\"hash\"", "KeyValueObject", in: result))
  }
  #endif

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

  @Test func anUndefinedKeyThatMustBeReadIsReported() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let watcher = Watcher()
      KVOController(observer: watcher).observe(Circle(), keyPath: "weight", options: [.initial, .new], context: nil)
      withExtendedLifetime(watcher) {}
    }
    #if !canImport(ObjectiveC)
    #expect(
      said(
        "valueForUndefinedKey:]: this class is not key value coding-compliant for the key weight", in: result))
    #endif
  }
}
