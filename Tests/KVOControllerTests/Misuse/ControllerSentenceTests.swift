import KVOController
import Testing
import _KVOTestSupport

/// Every programmer error traps with its message, in debug and in release builds.
@Suite struct ControllerSentenceTests {
  // Exit tests that capture values need Swift 6.3.
  #if compiler(>=6.3)
  @Test(arguments: ControllerMistake.trapping) func errorTrapsWithItsMessage(_ mistake: ControllerMistake) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [mistake] in
      mistake.make()
    }
    #expect(said("Fatal error: " + mistake.sentence, result))
  }
  #endif
}
