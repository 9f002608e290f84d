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
      let recorder = Recorder()
      KVOController(observer: recorder).observe("a string", keyPath: "count") { _, _, _ in }
      withExtendedLifetime(recorder) {}
    }
    #expect(said("String", "\"count\"", "not observable", in: result))
  }

  @Test func aValueInAnOptionalIsNotObservable() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let recorder = Recorder()
      KVOController(observer: recorder)
        .observe(Optional(Date()) as Any, keyPaths: ["timeIntervalSince1970"], context: nil)
      withExtendedLifetime(recorder) {}
    }
    #expect(said("Date", "\"timeIntervalSince1970\"", "not observable", in: result))
  }

  @Test func anNSObjectIsNotObservable() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let recorder = Recorder()
      KVOController(observer: recorder).observe(NSObject(), keyPath: "hash") { _, _, _ in }
      withExtendedLifetime(recorder) {}
    }
    #expect(said("NSObject", "\"hash\"", "KeyValueObject", in: result))
  }

  @Test func observableObjectsOfApplesFoundationAreReportedAsSuch() async {
    let progress = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let recorder = Recorder()
      KVOController(observer: recorder).observe(Progress(totalUnitCount: 1), keyPath: "fractionCompleted") { _, _, _ in
      }
      withExtendedLifetime(recorder) {}
    }
    #expect(said("of a value of type Progress, because it is not observable on this platform, where", in: progress))
    let operation = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let recorder = Recorder()
      KVOController(observer: recorder).observe(BlockOperation {}, keyPath: "isFinished", action: Recorder.redraw)
      withExtendedLifetime(recorder) {}
    }
    #expect(said("BlockOperation", "Foundation has no Key-Value Observing. Observe an @Observed", in: operation))
    let defaults = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let recorder = Recorder()
      KVOController(observer: recorder).observe(UserDefaults.standard, keyPath: "fontSize", context: nil)
      withExtendedLifetime(recorder) {}
    }
    #expect(said("UserDefaults", "\"fontSize\"", "Foundation has no Key-Value Observing", in: defaults))
  }

  @Test func anUndefinedKeyThatMustBeReadIsReported() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let recorder = Recorder()
      KVOController(observer: recorder).observe(Circle(), keyPath: "weight", options: [.initial, .new], context: nil)
      withExtendedLifetime(recorder) {}
    }
    #expect(
      said(
        "valueForUndefinedKey:]: this class is not key value coding-compliant for the key weight", in: result))
  }
}
#endif
