#if !canImport(ObjectiveC)
import KVOController
import Testing
import _KVOTestSupport

/// Registrations for keys that a class doesn't have, which are Foundation's where it has Key-Value Observing.
@Suite struct UndefinedKeyTests {
  /// Handles undefined keys itself.
  private final class Lenient: KeyValueObject {
    var asked: [String] = []
    override func value(forUndefinedKey key: String) -> Any? {
      asked.append(key)
      return 5
    }
  }

  @Test func anUndefinedKeyWithRequestedValuesIsReadAtRegistration() {
    let (lenient, node, recorder) = (Lenient(), Node("node"), Recorder())
    recorder.observe(lenient, "missing", .new)
    recorder.observe(node, "missing", .prior)
    #expect(recorder.take() == [])
    #expect(lenient.asked == ["missing"])
  }

  /// A class with a key that has no value, and affects others.
  private final class Job: KeyValueObject, @unchecked Sendable {
    @Observed var next: Job?
    private var state = 0
    var isCancelled: Bool { state < 0 }
    var isReady: Bool { state > 0 }

    override class var keyPaths: [String: AnyKeyPath] { ["isCancelled": \Job.isCancelled, "isReady": \Job.isReady] }

    override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
      key.hasPrefix("is") ? ["state"] : []
    }

    func begin() {
      willChangeValue(forKey: "state")
      state += 1
      didChangeValue(forKey: "state")
    }
  }

  @Test func whatAffectsAKeyMayBeNotifiedByHandWhateverTheOptions() {
    let (job, recorder) = (Job(), Recorder())
    job.next = Job()
    recorder.observe(job, "isReady", [.old, .new])
    recorder.observe(job, "next.isReady", [.old, .new, .prior])
    job.begin()
    #expect(recorder.take() == [.setting(new: true, old: false)])
    job.next?.begin()
    #expect(recorder.take().last == .setting(new: true, old: false))
    nonisolated(unsafe) var typed: [Bool?] = []
    recorder.kvoController.observe(job, \.isReady, options: [.initial, .new]) { (_: Recorder, _, change) in
      typed.append(change.newValue)
    }
    job.begin()
    #expect(typed == [true, true])
  }

  #if DEBUG
  @Test func aKeyWithoutAValueThatAffectsAnotherIsNamedOnce() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let observer = KeyValueObject()
      for _ in 0..<2 { observer.observe(Job(), \.isReady) { _, _, _ in } }
      observer.observe(Job(), \.isReady, options: []) { _, _, _ in }
    }
    let lines = lines(with: "The key \"state\" of <Job 0x", in: result)
    #expect(lines.count == 1)
    #expect(lines.first?.contains("UndefinedKeyTests.swift:") == true)
    #expect(lines.first?.contains(#"which affects "isReady", is neither @Observed nor listed in keyPaths"#) == true)
  }
  #endif
}
#endif
