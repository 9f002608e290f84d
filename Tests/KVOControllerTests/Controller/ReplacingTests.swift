import KVOController
import Testing
import _KVOTestSupport

/// Each typed call is an observation of its own, and one with an identifier replaces the former.
@Suite(.watched) struct ReplacingTests {
  class Layer: KeyValueObject, @unchecked Sendable {
    let log = Locked<[String]>([])
    func begin(_ song: Song, identifier: String? = nil) {
      observe(song, \.title, identifier: identifier) { layer, song, _ in layer.log.append("base \(song.title)") }
    }
  }

  final class Top: Layer, @unchecked Sendable {
    override func begin(_ song: Song, identifier: String? = nil) {
      super.begin(song, identifier: identifier)
      observe(song, \.title, identifier: identifier) { layer, song, _ in layer.log.append("top \(song.title)") }
    }

    func show(_ song: Song, as name: String, _ options: NSKeyValueObservingOptions = [.initial, .new]) {
      observe(song, \.title, options: options, identifier: "shown") { layer, song, _ in
        layer.log.append("\(name) \(song.title)")
      }
    }
  }

  private let song = Song("a")
  private let top = Top()

  /// Two lists that have become equal, because paths were taken out of them, are both replaced.
  @Test func listsThatHaveBecomeEqualAreBothReplaced() {
    let (layer, song) = (Layer(), Song("A", plays: 1))
    let first = layer.observe(song, [\.title, \.plays], identifier: "list") { layer, _ in layer.log.append("first") }
    let second = layer.observe(song, [\.title, \.rating], identifier: "list") { layer, _ in layer.log.append("second") }
    layer.unobserve(song, \.plays)
    layer.unobserve(song, \.rating)
    layer.observe(song, [\.title], identifier: "list") { layer, _ in layer.log.append("third") }
    #expect(!first.isValid && !second.isValid)
    song.title = "B"
    #expect(layer.log.take() == ["third"])
  }

  @Test func twoLayersAreBothCalled() {
    top.begin(song)
    song.title = "b"
    #expect(top.log.take().sorted() == ["base b", "top b"])
  }

  @Test func twoLayersThatShareAnIdentifierReplaceEachOther() {
    top.begin(song, identifier: "title")
    song.title = "b"
    #expect(top.log.take() == ["top b"])
  }

  @Test func anIdentifierReplacesFromAnyLine() {
    top.show(song, as: "first")
    top.show(song, as: "second")
    let token = top.observe(song, \.title, identifier: "shown") { top, _, _ in top.log.append("third") }
    #expect(top.log.take() == ["first a", "second a"])
    song.title = "b"
    #expect(top.log.take() == ["third"])
    #expect(token.isValid && song.registrationCount == 1 && top.kvoController.observations.count == 1)
  }

  @Test func theFormerIsNotToldWhatTheInitialCallChanges() {
    top.show(song, as: "former", .new)
    top.observe(song, \.title, options: .initial, identifier: "shown") { top, song, _ in
      top.log.append("new \(song.title)")
      if song.title == "a" { song.title = "b" }
    }
    #expect(top.log.take() == ["new a", "new b"])
  }

  @Test func ofAnotherObjectItIsAnotherObservation() {
    let other = Song("o")
    top.show(song, as: "song")
    top.show(other, as: "other")
    song.title = "b"
    other.title = "p"
    #expect(top.log.take() == ["song a", "other o", "song b", "other p"])
  }

  @Test func aHandlerMayReplaceItself() {
    defer { top.kvoController.unobserveAll() }
    func begin(_ number: Int) {
      top.observe(song, \.title, identifier: 1) { top, song, _ in
        top.log.append("\(number) \(song.title)")
        begin(number + 1)
      }
    }
    begin(1)
    for title in ["b", "c", "d"] { song.title = title }
    #expect(top.log.take() == ["1 b", "2 c", "3 d"])
    #expect(song.registrationCount == 1)
  }

  /// The change under way may be heard by neither; the initial call is about it.
  @Test(arguments: [[.new], [.new, .old], [.new, .initial], [.new, .prior]] as [NSKeyValueObservingOptions])
  func anObserverThatIsCalledEarlierMayReplace(options: NSKeyValueObservingOptions) {
    top.show(song, as: "former", .new)
    let (song, top) = (song, top)
    // Called first.
    top.observe(song, \.title) { top, song, _ in if song.title == "b" { top.show(song, as: "new", options) } }
    song.title = "b"
    #expect(top.log.take() == (options.contains(.initial) ? ["new b"] : []))
    song.title = "c"
    #expect(top.log.take().last == "new c")
  }

  @Test func identifiersAreUnobservedByTheObserver() {
    top.begin(song, identifier: "a")
    top.show(song, as: "shown")
    _ = top.log.take()
    top.unobserve(song, \.title, identifier: "b")
    top.unobserve(song, \.title, identifier: "a")
    song.title = "b"
    #expect(top.log.take() == ["shown b"])
    top.unobserve(song, \.title)
    #expect(song.registrationCount == 0)
  }

  @Test func unobservingAKeyPathEndsBindingsFromIt() {
    let label = Song()
    label.bind(song, \.title, to: \.title)
    label.bindBothWays(song, \.plays, with: \.plays)
    label.unobserve(song, \.plays)
    song.plays = 3
    label.plays = 4
    #expect(label.plays == 4 && song.plays == 3)
    label.kvoController.unobserve(song, keyPath: "title")
    song.title = "b"
    #expect(label.title == "a" && song.registrationCount == 0)
  }

  @Test func endingManyOfOneKeyPathIsLinear() {
    let tokens = (0..<10_000).map { _ in top.kvoController.observe(song, \.title) { _, _ in } }
    for token in tokens { token.invalidate() }
    #expect(song.registrationCount == 0)
  }

  @MainActor @Test func whatWaitsForTheActorGoesToTheNewOne() async {
    @MainActor final class Screen: KeyValueObject {
      var log: [String] = []
      func show(_ song: Song, as name: String) {
        observe(song, \.title, identifier: 1) { screen, _, change in
          screen.log.append("\(name) \(change.newValue ?? "")")
        }
      }
    }
    let (screen, song) = (Screen(), song)
    screen.show(song, as: "first")
    onThreads(1) { _ in song.title = "b" }
    screen.show(song, as: "second")
    #expect(screen.log == [])
    while screen.log.isEmpty { await Task.yield() }
    song.title = "c"
    #expect(screen.log == ["second b", "second c"])
  }

  /// What is delivered otherwise, or of elements, or of all keys, drops what waits for the former.
  @MainActor @Test(arguments: 0..<6) func whatWaitsForOneOfAnotherKindIsDropped(kind: Int) async {
    @MainActor final class Screen: KeyValueObject {
      var log: [String] = []
      func show(
        _ song: Song, as name: String, options: NSKeyValueObservingOptions, delivery: KVODelivery = .each
      ) {
        observe(song, \.title, options: options, identifier: 1, delivery: delivery) {
          screen, _, change in screen.log.append("\(name) \(change.newValue ?? "-")")
        }
      }
      func showElements(_ album: Song, as name: String) {
        observe(album, elements: \.parts, \.title, options: .new, identifier: 2) { screen, song, change in
          screen.log.append("\(name) \(change.newValue!)")
        }
      }
      func showAll(_ song: Song, as name: String) {
        observe(allOf: song, identifier: 3) { screen, _, key in screen.log.append("\(name) \(key)") }
      }
    }
    let (screen, song, album) = (Screen(), song, Song())
    album.parts = [song]
    func show(as name: String, isFirst: Bool) {
      switch kind {
      case 0: screen.show(song, as: name, options: isFirst ? .new : [.old, .new])
      case 1: screen.show(song, as: name, options: .new, delivery: isFirst ? .each : .distinct)
      case 2: screen.show(song, as: name, options: .new, delivery: isFirst ? .coalesced : .each)
      case 3: screen.show(song, as: name, options: .new, delivery: isFirst ? .each : .coalesced)
      case 4: screen.showElements(album, as: name)
      default: screen.showAll(song, as: name)
      }
    }
    show(as: "former", isFirst: true)
    onThreads(1) { _ in song.title = "b" }
    show(as: "new", isFirst: false)
    for _ in 0..<20 { await Task.yield() }
    #expect(screen.log == [])
    song.title = "c"
    screen.kvoController.deliverNow()
    #expect(screen.log == [kind == 5 ? "new title" : "new c"])
  }

  /// Two threads replace one identifier, while a third one sets: the object is observed all the time.
  @Test func withTheInitialCallNothingIsMissedWhileThreadsReplace() {
    for round in 1...(isSanitized ? 50 : 500) {
      let (song, top) = (Song("a"), Top())
      top.show(song, as: "0", [.new, .initial])
      onThreads(3) { thread in
        if thread == 0 { song.title = "round \(round)" } else { top.show(song, as: "\(thread)", [.new, .initial]) }
      }
      #expect(top.log.current.contains { $0.hasSuffix("round \(round)") })
      _ = top.log.take()
      song.title = "last"
      #expect(top.log.current.count == 1 && song.registrationCount == 1)
    }
  }
}
