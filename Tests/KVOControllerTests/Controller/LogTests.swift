import KVOController
import Testing
import _KVOTestSupport

/// The log of observations, in processes of their own.
@Suite struct LogTests {
  @Test func itShowsWhatBeginsAndEnds() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      KVOController.logsObservations = true
      let (song, recorder) = (Song(), Recorder())
      let controller = KVOController(observer: recorder)
      controller.observe(song, \.title, identifier: 1) { _, _ in }
      controller.observe(song, \.title, identifier: 1) { _, _ in }
      controller.observe(song, keyPath: "title") { _, _, _ in }
      controller.observe(song, keyPaths: ["title", "plays"]) { _, _, _ in }
      controller.unobserve(song, keyPath: "plays")
      do {
        let song = Song()
        recorder.kvoControllerNonRetaining.observe(song, keyPath: "mood") { _, _, _ in }
      }
      KVOController.logsObservations = false
      controller.unobserveAll()
    }
    let lines = lines(with: "KVO:", in: result)
    let expected = [
      [
        "KVO: begin <Recorder 0x", "> observes <Song 0x", "-> title (new, old, identifier: 1)",
        "KVOControllerTests/LogTests.swift:",
      ],
      ["KVO: begin, which replaces the former: <Recorder", "title", "KVOControllerTests/LogTests.swift:"],
      ["KVO: end <Recorder", "title"], ["KVO: begin <Recorder", "title (no options)"],
      ["KVO: observed already:", "title"], ["KVO: begin", "plays (no options), on the thread of the change"],
      ["KVO: end <Recorder", "plays"], ["KVO: begin", "mood"],
      ["KVO: end, because the object is deallocated:", "mood"],
    ]
    #expect(lines.count == expected.count)
    for (line, words) in zip(lines, expected) { #expect(words.allSatisfy { line.contains($0) }, "\(line)") }
  }

  @Test func itIsOffUnlessTheEnvironmentSaysSo() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      setenv("KVO_LOG", "1", 1)
      #expect(KVOController.logsObservations)
    }
    #expect(!said("KVO:", in: result))
  }
}
