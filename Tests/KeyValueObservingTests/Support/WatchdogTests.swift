import KeyValueObserving
import Testing
import _KVOTestSupport

@Suite struct WatchdogTests {
  @Test func bodyThatNeverEndsStopsTheProcessWithTheNameOfTheTest() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Watchdog.Watch("Suite/test()", limit: 0.1)
      waitForEver()
    }
    #expect(said(#"The test Suite/test\(\) doesn't come to its end"#, result))
  }
}

private func waitForEver() -> Never {
  let condition = NSCondition()
  condition.lock()
  while true { condition.wait() }
}
