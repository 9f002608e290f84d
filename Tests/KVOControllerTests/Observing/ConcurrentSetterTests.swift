import KVOController
import Testing
import _KVOTestSupport
import _RandomPrograms

/// Six threads set one property, which holds no references, without synchronization. That spoils the value at most, and never
/// the engine's tables.
///
/// With `KVO_STEPS`, each thread sets it so often.
@Suite(.watched) struct ConcurrentSetterTests {
  private final class Meter: KeyValueObject, @unchecked Sendable {
    @Observed var number = 0
    @Observed var other = 0
    var double: Int { 2 * number }
  }

  private let meter = Meter()

  /// Sets the property on six threads, while two others observe and end.
  private func race(_ sets: Int, _ observe: @escaping @Sendable (Meter, Int) -> Void) {
    let running = Locked(6)
    onThreads(8) { [meter] thread in
      guard thread < 6 else {
        var round = 0
        while running.current > 0 {
          observe(meter, round)
          round += 1
        }
        return
      }
      for number in 0..<sets { meter.number = number }
      running.add(-1)
    }
  }

  /// Observes in one of several forms, and ends that.
  private static func observeOnce(_ meter: Meter, _ round: Int) {
    #if canImport(ObjectiveC)
    // Foundation's token mustn't be invalidated while another thread calls its handler.
    let kinds = 2
    #else
    let kinds = 4
    #endif
    switch round % kinds {
    case 0, 1:
      let observer = Deaf()
      observer.observe(meter, "number", round % kinds == 0 ? [.new, .old] : [.prior, .new])
      observer.unobserve(meter, "number")
    case 2: meter.observe(\.number, options: [.initial, .new]) { _, _ in }.invalidate()
    default: meter.observe(\.double, options: [.new]) { _, _ in }.invalidate()
    }
  }

  @Test func observersComeAndGoWhileOneStays() {
    let count = Locked(0)
    let token = meter.observe(\.number, options: [.new, .old]) { _, change in
      if change.newValue == nil || change.oldValue == nil { return }
      count.add()
    }
    let sets = RandomRun.operations(20_000)
    race(sets, Self.observeOnce)
    #expect(count.current == 6 * sets)
    token.invalidate()
    #expect(meter.registrationCount == 0)
  }

  // A setter that does not see yet that the object is observed stores without its lock.
  @Test(.enabled(if: !isThreadSanitized)) func theObjectIsUnobservedInBetween() {
    race(RandomRun.operations(20_000), Self.observeOnce)
    #expect(meter.registrationCount == 0)
    // It is observed as well as before.
    // All calls are made on this thread.
    nonisolated(unsafe) var received: [Int?] = []
    let token = meter.observe(\.number, options: .new) { _, change in received.append(change.newValue) }
    meter.number = -1
    meter.other = 1
    #expect(received == [-1])
    token.invalidate()
  }
}
