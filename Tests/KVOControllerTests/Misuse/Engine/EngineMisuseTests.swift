#if !canImport(ObjectiveC)
import KVOController
import _KVOTestSupport
import Testing

/// Mistakes that the engine finds. On Apple platforms Foundation raises an exception of Objective-C, or observes
/// what the engine cannot.
@Suite struct EngineMisuseTests {
  @Test func anObserverThatDoesNotHandleItsContextIsReported() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      misuse(of: Point()) { controller in
        let circle = Circle()
        controller.observe(circle, keyPath: "radius", context: nil)
        circle.radius = 1
      }
    }
    #expect(
      said(
        "<Point: 0x", "An -observeValueForKeyPath:ofObject:change:context: message was received but not handled.",
        in: result))
  }

  @Test func aStringIsNotObservable() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      misuse { $0.observe("a string", keyPath: "count") { _, _, _ in } }
    }
    #expect(said("String", "\"count\"", "not observable", in: result))
  }

  @Test func aValueInAnOptionalIsNotObservable() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      misuse { $0.observe(Optional(Date()) as Any, keyPaths: ["timeIntervalSince1970"], context: nil) }
    }
    #expect(said("Date", "\"timeIntervalSince1970\"", "not observable", in: result))
  }

  @Test func anNSObjectIsNotObservable() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      misuse { $0.observe(NSObject(), keyPath: "hash") { _, _, _ in } }
    }
    #expect(said("NSObject", "\"hash\"", "KeyValueObject", in: result))
  }

  @Test func observableObjectsOfApplesFoundationAreReportedAsSuch() async {
    let progress = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      misuse { $0.observe(Progress(totalUnitCount: 1), keyPath: "fractionCompleted") { _, _, _ in } }
    }
    #expect(said("of a value of type Progress, because it is not observable on this platform, where", in: progress))
    let operation = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      misuse { $0.observe(BlockOperation {}, keyPath: "isFinished", action: Recorder.redraw) }
    }
    #expect(said("BlockOperation", "Foundation has no Key-Value Observing. Observe an @Observed", in: operation))
    let defaults = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      misuse { $0.observe(UserDefaults.standard, keyPath: "fontSize", context: nil) }
    }
    #expect(said("UserDefaults", "\"fontSize\"", "Foundation has no Key-Value Observing", in: defaults))
  }

  @Test func anUndefinedKeyThatMustBeReadIsReported() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      misuse { $0.observe(Circle(), keyPath: "weight", options: [.initial, .new], context: nil) }
    }
    #expect(
      said(
        "valueForUndefinedKey:]: this class is not key value coding-compliant for the key weight", in: result))
  }
}
#endif
