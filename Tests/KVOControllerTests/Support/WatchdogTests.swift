import KVOController
import Testing
import _KVOTestSupport

@Suite struct WatchdogTests {
  @Test func deadlockStopsTheProcessWithTheNamesOfTheTests() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let watch = Watchdog.Watch(limit: 0.2, interval: 0.02)
      watch.end(watch.begin("Suite/finished()"))
      for name in ["Suite/test()", "Suite/other()"] { _ = watch.begin(name) }
      waitForever()
    }
    #expect(said("No watched test has begun or ended", "never end:\nSuite/other()\nSuite/test()\n", in: result))
    #expect(!said("finished", in: result))
  }

  @Test func loopWithoutEndStopsTheProcess() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Watchdog.Watch(limit: 0.2, interval: 0.02).begin("Suite/test()")
      while true {}
    }
    #expect(said("never end:\nSuite/test()", in: result))
  }

  /// The seconds of processor time that a process has used in ten seconds, and how many of these count.
  @Test(arguments: [(0, 10), (0.09, 10), (0.2, 0.2), (3, 3), (10, 10), (20, 10)])
  func timeInWhichTheProcessWaitsForTheProcessorDoesNotCount(used: Double, counted: Double) {
    #expect(Watchdog.Watch.countedTime(of: 10, using: used) == counted)
  }
}

private func waitForever() -> Never {
  let condition = NSCondition()
  condition.lock()
  while true { condition.wait() }
}
