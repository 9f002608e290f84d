#if !canImport(ObjectiveC)
import KVOController
import _KVOTestSupport
import Testing

/// Every programmer error traps with its message, in debug and in release builds.
@Suite struct SentenceTests {
  // Exit tests that capture values need Swift 6.3.
  #if compiler(>=6.3)
  @Test(arguments: ModelMistake.allCases) func errorTrapsWithItsMessage(_ mistake: ModelMistake) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [mistake] in
      mistake.make()
    }
    #expect(said("Fatal error: " + mistake.sentence, result))
  }
  #endif
}
#endif
