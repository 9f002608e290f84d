import KVOController
import Testing
import _KVOTestSupport

@Suite(.watched) struct ObserversDescriptionTests {
  private final class Song: KeyValueObject, @unchecked Sendable {
    @Observed var title = ""
    @Observed var cover: Song?
  }

  private final class Screen: KeyValueObject, @unchecked Sendable {
    var text = ""
    var note: String?
    func show() {}
    func show(_ change: [NSKeyValueChangeKey: Any]) {}
    override func observeValue(
      forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
      context: UnsafeMutableRawPointer?
    ) {}
  }

  private let song = Song()
  private let screen = Screen()

  init() { relayClosuresIfRequested() }

  private func lines(_ song: Song) -> [String] { song.observersDescription.split(separator: "\n").map(String.init) }

  private func line(_ end: String) -> String {
    "<\(debugName(of: screen))> observes <\(debugName(of: song))> -> \(end)"
  }

  private func debugName(of object: AnyObject) -> String {
    "\(type(of: object)) 0x" + String(UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()), radix: 16)
  }

  @Test func everyFormShowsTheObserverOfItsController() {
    let thread = "on the thread of the change"
    let controller = screen.kvoController
    controller.observe(song, keyPath: "title", options: .new) { _, _, _ in }
    controller.observe(song, keyPath: "title", identifier: "a", action: Screen.show as (Screen) -> () -> Void)
    controller.observe(song, keyPath: "cover", options: .old, context: nil)
    screen.observe(song, \.title, identifier: "b") { _, _, _ in }
    controller.observe(song, \.title, options: [], identifier: "c") { (_: Screen, _, _) in }
    let stream = controller.changes(of: song, \.title)
    #expect(
      lines(song) == [
        line("title (new), \(thread), with a block"),
        line("title (no options, identifier: a), \(thread), with an action"),
        line("cover (old), \(thread), with a context"),
        line("title (new, old, identifier: b), \(thread), with a typed handler"),
        line("title (no options, identifier: c), \(thread), with a typed handler"),
        line("title (new, old, identifier: its own), in a sequence"),
      ])
    withExtendedLifetime(stream) {}
    controller.unobserveAll()
    #expect(song.observersDescription == "")
  }

  @MainActor @Test func theActorIsShown() {
    screen.observe(song, \.title) { _, _, _ in }
    #expect(lines(song) == [line("title (new, old), on the main actor, with a typed handler")])
    screen.unobserve(song)
  }

  @Test func aPathIsShownByEveryObjectOnIt() {
    let cover = Song()
    song.cover = cover
    screen.observe(song, \.cover?.title, options: .new) { _, _, _ in }
    let expected = [line("cover.title (new), on the thread of the change, with a typed handler")]
    #expect(lines(song) == expected)
    #expect(lines(cover) == expected)
    song.cover = nil
    #expect(lines(cover) == [])
    screen.unobserve(song)
  }

  @Test func anObserverThatIsDeallocatedTakesItsLineAlong() {
    do {
      let screen = Screen()
      screen.observe(song, \.title) { _, _, _ in }
      #expect(lines(song).count == 1)
    }
    #expect(lines(song) == [])
  }

  @Test func aControllerWithoutAnObserverIsShownAsSuch() {
    let controller = KVOController(observer: Screen())
    controller.observe(song, keyPath: "title") { _, _, _ in }
    #expect(song.observersDescription.hasPrefix("a deallocated observer observes"))
  }
}
