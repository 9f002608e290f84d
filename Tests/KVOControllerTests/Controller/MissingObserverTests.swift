import KVOController
import Testing
import _KVOTestSupport

/// In debug builds an observation that has no observer from the beginning says so, because nothing is ever called.
@Suite struct MissingObserverTests {
  private static func notices(_ result: ExitTest.Result?) -> [Substring] {
    lines(with: "whose observer is nil or deallocated", in: result)
  }

  #if DEBUG
  private static let line = #line + 3

  private static func observeTitle(_ controller: KVOController) {
    controller.observe(Song(), \.title) { _, _ in }
  }

  @Test func aTypedFormNamesItsLineOnce() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let controller = KVOController(observer: nil)
      for _ in 0..<2 { Self.observeTitle(controller) }
    }
    let notices = Self.notices(result)
    #expect(notices.count == 1)
    for part in ["KVOControllerTests/MissingObserverTests.swift:\(Self.line)", "title of <Song 0x"] {
      #expect(notices.first?.contains(part) == true, "\(part)")
    }
  }

  @Test func aFormOfFBKVOControllerNamesTheKeyPath() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let controller = KVOController(observer: Recorder())
      for _ in 0..<2 { controller.observe(Song(), keyPath: "title") { _, _, _ in } }
      controller.observe(Song(), keyPaths: ["plays", "rating"]) { _, _, _ in }
    }
    let notices = Self.notices(result)
    #expect(notices.count == 2)
    #expect(notices.first?.contains("title of <Song 0x") == true)
    #expect(notices.last?.contains("plays of <Song 0x") == true)
  }
  #endif

  @Test func anObserverThatIsThereSaysNothing() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let (recorder, song) = (Recorder(), Song())
      recorder.kvoController.observe(song, \.title) { _, _ in }
      recorder.observe(song, \.plays) { _, _, _ in }
      KVOController(observer: recorder).observe(song, keyPath: "rating") { _, _, _ in }
      withExtendedLifetime(recorder) {}
    }
    #expect(Self.notices(result).isEmpty)
  }
}
