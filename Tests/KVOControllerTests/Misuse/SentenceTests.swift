import KVOController
import Testing

/// Every mistake stops the process with its sentence, in debug and in release builds.
@Suite struct SentenceTests {
  @Test(arguments: Mistake.allCases) func aMistakeStopsTheProcessWithItsSentence(_ mistake: Mistake) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [mistake] in
      mistake.make()
    }
    #expect(matches("Fatal error: " + mistake.sentence, result))
  }
}
