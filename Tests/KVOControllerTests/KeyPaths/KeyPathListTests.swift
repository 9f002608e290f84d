import KVOController
import Testing
import _KVOTestSupport

/// One handler for several typed key paths is an observation of its own.
@Suite struct KeyPathListTests {
  private final class Track: KeyValueObject, @unchecked Sendable {
    @Observed var title = "" { didSet { if title == "both" { artist = "both" } } }
    @Observed var artist = ""
    @Observed var year = 0
    @Observed var next: Track?
    @Observed var other: Track?

    var line: String { "\(title) by \(artist)" }

    override class var keyPaths: [String: AnyKeyPath] { ["line": \Track.line] }
    override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
      key == "line" ? ["title", "artist"] : super.keyPathsForValuesAffectingValue(forKey: key)
    }
  }

  private final class Screen: KeyValueObject, @unchecked Sendable {
    let calls = Locked<[String]>([])

    func called(_ name: String) { calls.append(name) }

    /// The calls since the last time.
    func take() -> [String] { calls.take() }
  }

  private let track = Track()
  private let screen = Screen()

  @Test func oneChangeIsOneCallHoweverManyKeyPathsItTouches() {
    screen.observe(track, [\.title, \.line, \.artist]) { screen, _ in screen.called("list") }
    track.title = "A"
    #expect(screen.take() == ["list"])
    track.artist = "B"
    #expect(screen.take() == ["list"])
    track.setValue("C", forKey: "title")
    #expect(screen.take() == ["list"])
    track.title += "D"
    #expect(screen.take() == ["list"])
    track.willChangeValue(forKey: "line")
    track.didChangeValue(forKey: "line")
    #expect(screen.take() == ["list"])
    track.year = 1
    #expect(screen.take() == [])
    // Two changes.
    track.title = "both"
    #expect(screen.take() == ["list", "list"])
  }

  @Test func aKeyPathThatBeganAtNilIsTakenOutByItsName() {
    // Only here, so that nothing is known of the leaf.
    final class Leaf: KeyValueObject {
      @Observed var title = ""
    }
    final class Root: KeyValueObject {
      @Observed var leaf: Leaf?
      @Observed var year = 0
    }
    let (root, leaf) = (Root(), Leaf())
    screen.observe(root, [\.leaf?.title, \.year]) { screen, _ in screen.called("list") }
    root.leaf = leaf
    leaf.title = "A"
    #expect(screen.take() == ["list", "list"])
    screen.kvoController.unobserve(root, keyPath: "leaf.title")
    leaf.title = "B"
    root.leaf = nil
    #expect(screen.take() == [])
    root.year = 1
    #expect(screen.take() == ["list"])
  }

  @Test func aChangeOfAnObjectOnTwoPathsIsOneCall() {
    let leaf = Track()
    (track.next, track.other) = (leaf, leaf)
    screen.observe(track, [\.next?.title, \.other?.title, \.other?.line]) { screen, _ in screen.called("list") }
    leaf.title = "A"
    #expect(screen.take() == ["list"])
    track.other = Track()
    #expect(screen.take() == ["list"])
    leaf.artist = "B"
    #expect(screen.take() == [])
  }

  @Test func aChangeIsPrecededByOnePriorCall() {
    screen.observe(track, [\.title, \.line], options: .prior) { screen, track in screen.called(track.title) }
    track.title = "A"
    #expect(screen.take() == ["", "A"])
  }

  @Test func aChangeOfAHandlerIsACallOfItsOwn() {
    screen.observe(track, [\.title, \.line]) { screen, track in
      screen.called(track.title)
      if track.title == "A" { track.title = "B" }
    }
    track.title = "A"
    #expect(screen.take() == ["A", "B"])
  }

  @Test func aListAndSingleKeyPathsDoNotAffectEachOther() {
    screen.observe(track, \.title) { screen, _, _ in screen.called("before") }
    let list = screen.observe(track, [\.title, \.artist]) { screen, _ in screen.called("list") }
    screen.observe(track, \.artist) { screen, _, _ in screen.called("after") }
    track.title = "A"
    #expect(screen.take().sorted() == ["before", "list"])
    track.artist = "B"
    #expect(screen.take().sorted() == ["after", "list"])
    list.invalidate()
    #expect(!list.isValid)
    track.title = "C"
    track.artist = "D"
    #expect(screen.take() == ["before", "after"])
  }

  @Test func listsThatOverlapAreObservedBoth() {
    screen.observe(track, [\.title, \.artist]) { screen, _ in screen.called("first") }
    screen.observe(track, [\.artist, \.year]) { screen, _ in screen.called("second") }
    track.artist = "A"
    #expect(screen.take().sorted() == ["first", "second"])
    track.year = 1
    #expect(screen.take() == ["second"])
  }

  @Test func aListReplacesOneOfTheSameKeyPathsInAnyOrderWithAnIdentifier() {
    screen.observe(track, [\.title, \.artist]) { screen, _ in screen.called("other") }
    let first = screen.observe(track, [\.title, \.artist], identifier: 1) { screen, _ in screen.called("first") }
    let single = screen.observe(track, [\.title], identifier: 1) { screen, _ in screen.called("single") }
    let second = screen.observe(track, [\.artist, \.title, \.title], options: .initial, identifier: 1) { screen, _ in
      screen.called("second")
    }
    #expect(screen.take() == ["second"])
    #expect(!first.isValid && single.isValid && second.isValid)
    track.title = "A"
    #expect(screen.take().sorted() == ["other", "second", "single"])
  }

  @Test func unobservingAListEndsWhatObservesOneOfItAlone() {
    func observe() {
      screen.observe(track, \.title) { screen, _, _ in screen.called("title") }
      screen.observe(track, \.artist, identifier: 1) { screen, _, _ in screen.called("artist") }
      screen.kvoController.observe(track, keyPath: "year") { screen, _, _ in (screen as? Screen)?.called("year") }
      screen.observe(track, [\.title, \.artist]) { screen, _ in screen.called("list") }
      screen.observe(track, [\.title, \.artist, \.year]) { screen, _ in screen.called("longer") }
      screen.observe(allOf: track) { screen, _, _ in screen.called("all") }
    }
    func change() -> [String] {
      (track.title, track.artist, track.year) = ("A", "B", track.year + 1)
      return screen.take().sorted()
    }
    observe()
    screen.unobserve(track, [\.artist, \.title])
    #expect(change() == ["all", "all", "all", "longer", "longer", "longer", "year"])
    screen.kvoController.unobserve(track, [\.year])
    #expect(change() == ["all", "all", "all", "longer", "longer", "longer"])
    screen.unobserve(track, [\.year, \.title, \.artist, \.year])
    screen.unobserve(track, [])
    #expect(change() == ["all", "all", "all"])
  }

  @Test func unobservingOneOfItsKeyPathsTakesThatOneOut() {
    let list = screen.observe(track, [\.title, \.artist]) { screen, _ in screen.called("list") }
    screen.unobserve(track, \.title)
    track.title = "A"
    #expect(screen.take() == [])
    track.artist = "B"
    #expect(screen.take() == ["list"])
    #expect(list.isValid)
    screen.observe(track, [\.title, \.artist]) { screen, _ in screen.called("new") }
    track.title = "C"
    #expect(screen.take() == ["new"])
    screen.kvoController.unobserve(track, keyPath: "artist")
    #expect(!list.isValid)
    track.artist = "D"
    #expect(screen.take() == [])
  }

  @Test func aListOfWhichOneIsLeftIsEqualToOneOfThat() {
    screen.observe(track, [\.title, \.artist], identifier: 1) { screen, _ in screen.called("first") }
    screen.unobserve(track, \.artist)
    screen.observe(track, [\.title], identifier: 1) { screen, _ in screen.called("second") }
    track.title = "A"
    #expect(screen.take() == ["second"])
    // Two that become equal both go on.
    screen.observe(track, [\.title, \.year], identifier: 1) { screen, _ in screen.called("third") }
    screen.unobserve(track, \.year)
    track.title = "B"
    #expect(screen.take().sorted() == ["second", "third"])
  }

  @Test func unobservingWithAnIdentifierMeansListsWithThatOne() {
    screen.observe(track, [\.title, \.artist]) { screen, _ in screen.called("none") }
    screen.observe(track, [\.title, \.artist], identifier: "a") { screen, _ in screen.called("a") }
    screen.kvoController.unobserve(track, \.title, identifier: "a")
    track.title = "A"
    #expect(screen.take() == ["none"])
    track.artist = "B"
    #expect(screen.take().sorted() == ["a", "none"])
  }

  @Test func unobservingOnAnotherThreadEndsAllOrNone() {
    for _ in 0..<(isSanitized ? 100 : 1000) {
      screen.observe(track, [\.title, \.artist, \.year]) { screen, _ in screen.called("list") }
      // Controllers can be used on any thread.
      nonisolated(unsafe) let controller = screen.kvoController
      onThreads(2) { [track, screen] thread in
        if thread == 0 {
          controller.unobserve(track)
        } else {
          screen.observe(track, [\.year, \.title, \.artist], isolation: nil) { screen, _ in screen.called("list") }
        }
      }
      (track.title, track.artist, track.year) = ("A", "B", 1)
      let count = screen.take().count
      #expect(count == 0 || count == 3)
      screen.unobserve(track)
    }
  }

  @MainActor @Test func anActorGetsTheChangesInTheirOrder() async {
    screen.observe(track, [\.title, \.artist, \.year]) { screen, _ in screen.called("list") }
    let track = track
    onThreads(1) { _ in
      for year in 1...100 {
        track.title = "\(year)"
        track.year = year
      }
    }
    while screen.calls.current.count < 200 { await Task.yield() }
    #expect(screen.take().count == 200)
  }
}
