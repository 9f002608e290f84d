#if !canImport(ObjectiveC)
import KVOController
import _KVOTestSupport
import Testing

/// Mistakes that the engine finds. On Apple platforms Foundation raises an exception of Objective-C, or observes
/// what the engine cannot.
@Suite struct EngineMisuseTests {
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
    #expect(said("String", "\"count\"", "not observable", in: result))
  }

  @Test func aValueInAnOptionalIsNotObservable() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let watcher = Watcher()
      KVOController(observer: watcher)
        .observe(Optional(Date()) as Any, keyPaths: ["timeIntervalSince1970"], context: nil)
      withExtendedLifetime(watcher) {}
    }
    #expect(said("Date", "\"timeIntervalSince1970\"", "not observable", in: result))
  }

  @Test func anNSObjectIsNotObservable() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let watcher = Watcher()
      KVOController(observer: watcher).observe(NSObject(), keyPath: "hash") { _, _, _ in }
      withExtendedLifetime(watcher) {}
    }
    #expect(said("NSObject", "\"hash\"", "KeyValueObject", in: result))
  }

  @Test func observableObjectsOfApplesFoundationAreReportedAsSuch() async {
    let progress = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let watcher = Watcher()
      KVOController(observer: watcher).observe(Progress(totalUnitCount: 1), keyPath: "fractionCompleted") { _, _, _ in }
      withExtendedLifetime(watcher) {}
    }
    #expect(said("of a value of type Progress, because it is not observable on this platform, where", in: progress))
    let operation = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let watcher = Watcher()
      KVOController(observer: watcher).observe(BlockOperation {}, keyPath: "isFinished", action: Watcher.redraw)
      withExtendedLifetime(watcher) {}
    }
    #expect(said("BlockOperation", "Foundation has no Key-Value Observing. Observe an @Observed", in: operation))
    let defaults = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let watcher = Watcher()
      KVOController(observer: watcher).observe(UserDefaults.standard, keyPath: "fontSize", context: nil)
      withExtendedLifetime(watcher) {}
    }
    #expect(said("UserDefaults", "\"fontSize\"", "Foundation has no Key-Value Observing", in: defaults))
  }

  @Test func anUndefinedKeyThatMustBeReadIsReported() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let watcher = Watcher()
      KVOController(observer: watcher).observe(Circle(), keyPath: "weight", options: [.initial, .new], context: nil)
      withExtendedLifetime(watcher) {}
    }
    #expect(
      said(
        "valueForUndefinedKey:]: this class is not key value coding-compliant for the key weight", in: result))
  }
}
#endif
