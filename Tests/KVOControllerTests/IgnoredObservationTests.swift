import KVOController
import Testing
import _KVOTestSupport

/// In debug builds a typed observation that is ignored, because another line of source has made the same, says so.
@Suite struct IgnoredObservationTests {
  private static let base = UInt(#line)

  class Base: KeyValueObject {
    func follow(_ song: Song) { observe(song, \.title) { _, _, _ in } }
    func followList(_ song: Song) { observe(song, [\.title, \.plays]) { _, _ in } }
  }

  final class Screen: Base {
    func show(_ song: Song) { observe(song, \.title) { _, _, _ in } }
    func showList(_ song: Song) { observe(song, [\.plays, \.title]) { _, _ in } }
    func showApart(_ song: Song) { observe(song, \.title, identifier: "Screen") { _, _, _ in } }
  }

  #if DEBUG
  @Test func twoLinesForOneObservation() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let (screen, song) = (Screen(), Song())
      for _ in 0..<3 {
        screen.follow(song)
        screen.show(song)
      }
    }
    let text = "KVOControllerTests/IgnoredObservationTests.swift"
    #expect(
      said(
        "\(text):\(Self.base + 8) isn't called for title of <Song", "has one at \(text):\(Self.base + 3)",
        "Pass an identifier", in: result))
    let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(output.components(separatedBy: "isn't called for").count == 2)
  }

  @Test func twoListsOfTheSameKeyPaths() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let (screen, song) = (Screen(), Song())
      screen.followList(song)
      screen.showList(song)
    }
    #expect(said("isn't called for", "Pass an identifier", in: result))
  }
  #endif

  @Test func theSameLineOrAnIdentifierSaysNothing() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let (screen, song) = (Screen(), Song())
      for _ in 0..<3 {
        screen.follow(song)
        screen.showApart(song)
        screen.followList(song)
        screen.bind(song, \.title, to: \.shown)
        screen.bind(song, \.title, to: \.shown)
        screen.observe(allOf: song) { _, _, _ in }
      }
    }
    let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(!output.contains("isn't called for"))
  }
}

extension IgnoredObservationTests.Screen {
  var shown: String {
    get { "" }
    set {}
  }
}
