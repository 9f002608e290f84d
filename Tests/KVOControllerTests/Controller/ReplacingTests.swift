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

    func values(of song: Song, first: @escaping (String) -> Void) {
      // One line for all who wait.
      observe(song, \.title) { _, song, _ in first(song.title) }
    }
  }

  private let song = Song("a")
  private let top = Top()

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

  @Test func twoWhoWaitByOneFunctionAreBothCalled() {
    var received: [String] = []
    top.values(of: song) { received.append("1 \($0)") }
    top.values(of: song) { received.append("2 \($0)") }
    song.title = "b"
    #expect(received.sorted() == ["1 b", "2 b"])
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

  @Test(arguments: [[.new], [.new, .old], [.new, .initial], [.new, .prior]] as [NSKeyValueObservingOptions])
  func anObserverThatIsCalledEarlierMayReplace(options: NSKeyValueObservingOptions) {
    top.show(song, as: "former", .new)
    let (song, top) = (song, top)
    // Called first.
    top.observe(song, \.title) { top, song, _ in if song.title == "b" { top.show(song, as: "new", options) } }
    song.title = "b"
    // The initial call may be about the same change.
    #expect(Set(top.log.take()) == ["new b"])
    song.title = "c"
    #expect(top.log.take().last == "new c")
  }

  /// Without prior calls, in a setter or in place, and with the initial value, which is the former one then.
  @Test(arguments: [[.new], [.new, .initial], [.new, .prior]] as [NSKeyValueObservingOptions], [false, true])
  func aPriorCallMayReplace(options: NSKeyValueObservingOptions, isInPlace: Bool) {
    let (song, top) = (song, top)
    top.observe(song, \.title, options: .prior) { top, song, change in
      if change.isPrior, song.title == "a" { top.show(song, as: "new", options) }
    }
    top.show(song, as: "former", options.subtracting(.prior))
    _ = top.log.take()
    if isInPlace { song.title += "b" } else { song.title = "ab" }
    #expect(top.log.take().last == "new ab")
  }

  /// Each has replaced the one before, within one call.
  @Test func theLastOfSeveralIsToldOnce() {
    top.show(song, as: "0", .new)
    let (song, top) = (song, top)
    top.observe(song, \.title) { top, song, _ in for name in ["1", "2", "3"] { top.show(song, as: name, .new) } }
    song.title = "b"
    #expect(top.log.take() == ["3 b"])
  }

  @Test(
    arguments: [([.old], [.old, .new], "a b"), ([.new], [.old, .new], "- b"), ([.old], [.new], "- b")]
      as [(NSKeyValueObservingOptions, NSKeyValueObservingOptions, String)])
  func theOldValueIsPassedOnIfItIsKnown(
    former: NSKeyValueObservingOptions, new: NSKeyValueObservingOptions, expected: String
  ) {
    let (song, top) = (song, top)
    defer { top.kvoController.unobserveAll() }
    func show(_ options: NSKeyValueObservingOptions) {
      top.observe(song, \.title, options: options, identifier: 1) { top, _, change in
        top.log.append("\(change.oldValue ?? "-") \(change.newValue ?? "-")")
      }
    }
    show(former)
    top.observe(song, \.title) { _, _, _ in show(new) }
    song.title = "b"
    #expect(top.log.take() == [expected])
  }

  @Test func anObserverOfAllKeysThatIsReplacedMeanwhilePassesTheKeyOn() {
    defer { top.kvoController.unobserveAll() }
    func observe(_ name: String) {
      top.observe(allOf: song, identifier: 1) { top, _, key in top.log.append("\(name) \(key)") }
    }
    observe("former")
    top.observe(song, \.plays) { _, _, _ in observe("new") }
    song.plays = 1
    #expect(top.log.take() == ["new plays"])
  }

  @Test func observationsOfElementsThatAreReplacedMeanwhilePassTheElementsOn() {
    let (album, song, top) = (Song(), song, top)
    defer { top.kvoController.unobserveAll() }
    album.parts = [song]
    func observe(_ name: String) {
      top.observe(album, elements: \.parts, \.title, identifier: 1) { top, song, change in
        top.log.append("\(name) \(song.title)")
      }
    }
    observe("former")
    let token = top.observe(song, \.title) { _, _, _ in observe("new") }
    song.title = "b"
    #expect(top.log.take() == ["new b"])
    token.invalidate()
    // An earlier observer of the collection.
    top.observe(album, \.parts, options: .prior) { _, _, change in if change.isPrior { observe("newer") } }
    album.parts = [Song("c")]
    song.title = "d"
    album.parts[0].title = "e"
    #expect(top.log.take() == ["newer e"])
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

  /// Whatever options both have, and however they are called.
  @MainActor @Test(arguments: 0..<8) func whatWaitsGoesToOneOfAnotherKind(kind: Int) async {
    @MainActor final class Screen: KeyValueObject {
      var log: [String] = []
      func show(_ song: Song, as name: String, options: NSKeyValueObservingOptions, delivery: KVODelivery = .each) {
        observe(song, \.title, options: options, identifier: 1, delivery: delivery) { screen, song, change in
          screen.log.append("\(name) \(song.title)")
          if let value = change.newValue { #expect(value == song.title) }
        }
      }
      func showElements(_ album: Song, as name: String) {
        observe(album, elements: \.parts, \.title, options: .new, identifier: 2) { screen, song, change in
          screen.log.append("\(name) \(change.newValue!)")
        }
      }
    }
    let (screen, song, album) = (Screen(), song, Song())
    album.parts = [song]
    switch kind {
    case 4: screen.show(song, as: "former", options: .new, delivery: .coalesced)
    case 6: screen.showElements(album, as: "former")
    default: screen.show(song, as: "former", options: kind == 3 ? [.old, .new] : .new)
    }
    onThreads(1) { _ in song.title = "b" }
    switch kind {
    case 0: screen.show(song, as: "new", options: [.old, .new])
    case 1: screen.show(song, as: "new", options: [.initial, .new])
    case 2, 3, 4: screen.show(song, as: "new", options: [])
    case 5: screen.show(song, as: "new", options: .new, delivery: .coalesced)
    case 6: screen.showElements(album, as: "new")
    default:
      // What has waited comes before this one, with the value of this time.
      screen.show(song, as: "new", options: .new)
      song.title = "c"
      #expect(screen.log == ["new c", "new c"])
      return
    }
    while screen.log.last != "new b" { await Task.yield() }
    #expect(Set(screen.log).subtracting(["new b"]).isEmpty)
  }

  /// Two threads replace one identifier, while a third one sets.
  @Test(arguments: [[.new], [.new, .initial], [.new, .old, .prior]] as [NSKeyValueObservingOptions])
  func nothingIsMissedWhileThreadsReplace(options: NSKeyValueObservingOptions) {
    for round in 1...(isSanitized ? 50 : 500) {
      let (song, top) = (Song("a"), Top())
      top.show(song, as: "0", options)
      onThreads(3) { thread in
        if thread == 0 { song.title = "round \(round)" } else { top.show(song, as: "\(thread)", options) }
      }
      #expect(top.log.current.contains { $0.hasSuffix("round \(round)") })
      _ = top.log.take()
      song.title = "last"
      #expect(top.log.current.count == (options.contains(.prior) ? 2 : 1) && song.registrationCount == 1)
    }
  }
}
