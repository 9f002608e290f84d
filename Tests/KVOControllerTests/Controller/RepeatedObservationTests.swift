import KVOController
import Testing
import _KVOTestSupport

/// In debug builds a line that observes the same again without an identifier says so.
@Suite struct RepeatedObservationTests {
  private static let base = UInt(#line)

  final class Screen: KeyValueObject {
    @Observed var shown = ""

    func show(_ song: Song) { observe(song, \.title) { _, _, _ in } }
    func showList(_ song: Song, isReversed: Bool) {
      observe(song, isReversed ? [\.plays, \.title] : [\.title, \.plays]) { _, _ in }
    }
    func showAll(_ song: Song) { observe(allOf: song) { _, _, _ in } }
    func showBands(_ song: Song) { observe(song, elements: \.parts, \.title) { _, _, _ in } }
    func showWithIdentifier(_ song: Song) { observe(song, \.title, identifier: "Screen") { _, _, _ in } }
    func showPlays(_ song: Song) {
      observe(song, \.plays) { _, _, _ in }
      observe(song, \.plays) { _, _, _ in }
    }
    func helpTwice(_ song: Song) {
      help(song)
      help(song)
    }
    func help(_ song: Song, fileID: StaticString = #fileID, line: UInt = #line) {
      observe(song, \.title, changeHandler: { _, _, _ in }, fileID: fileID, line: line)
    }
  }

  private static func notices(_ result: ExitTest.Result?) -> [Substring] {
    lines(with: "again for the same observer", in: result)
  }

  #if DEBUG
  @Test func aLineThatObservesTheSameAgainSaysSoOnce() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let (screen, song) = (Screen(), Song())
      for _ in 0..<3 { screen.show(song) }
    }
    let notices = Self.notices(result)
    #expect(notices.count == 1)
    let line = "KVOControllerTests/RepeatedObservationTests.swift:\(Self.base + 5)"
    for part in [line, "title of <Song", "Pass an identifier", "invalidate()"] {
      #expect(notices.first?.contains(part) == true, "\(part)")
    }
  }

  @Test func theOtherFormsSaySoToo() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let (screen, song) = (Screen(), Song())
      for number in 0..<3 {
        screen.showList(song, isReversed: number > 0)
        screen.showAll(song)
        screen.showBands(song)
      }
    }
    #expect(Self.notices(result).count == 3)
  }

  @Test func aHelperThatPassesItsCallersLineIsThatLine() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let (screen, song) = (Screen(), Song())
      screen.helpTwice(song)
    }
    #expect(Self.notices(result).isEmpty)
    let again = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let (screen, song) = (Screen(), Song())
      for _ in 0..<2 { screen.help(song) }
    }
    #expect(Self.notices(again).count == 1)
  }
  #endif

  @Test func whatIsOtherwiseSaysNothing() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let (screen, song) = (Screen(), Song())
      for _ in 0..<3 {
        // With an identifier, with a binding, as a sequence, by a string, and of another object.
        screen.showWithIdentifier(song)
        screen.bind(song, \.title, to: \.shown)
        _ = screen.kvoController.values(of: song, \.title)
        screen.kvoController.observe(song, keyPath: "title") { _, _, _ in }
        screen.show(Song())
        // The former has ended.
        screen.show(song)
        screen.unobserve(song, \.title)
      }
      // By another observer.
      Screen().show(song)
      // In other lines.
      screen.showPlays(song)
      withExtendedLifetime(screen) {}
    }
    #expect(Self.notices(result).isEmpty)
  }
}
