import KVOController
import Testing
import _KVOTestSupport

@Suite struct WatchdogTests {
  @Test func bodyThatNeverEndsStopsTheProcessWithTheNameOfTheTest() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Watchdog.Watch("Suite/test()", limit: 0.1)
      waitForever()
    }
    #expect(said(#"The test Suite/test\(\) hasn't ended"#, result))
  }
}

private func waitForever() -> Never {
  let condition = NSCondition()
  condition.lock()
  while true { condition.wait() }
}
