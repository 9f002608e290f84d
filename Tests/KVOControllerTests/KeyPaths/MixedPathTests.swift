import KVOController
import Testing
import _KVOTestSupport

/// An object with a property that isn't `@Observed`: it notifies by hand, as `@objc dynamic` properties notify by themselves.
///
/// Such a property has a name, but reading it isn't reported.
private final class Player: KeyValueObject, @unchecked Sendable {
  private var held: Recording?

  init(_ track: Recording? = nil) {
    held = track
  }

  var track: Recording? {
    get { held }
    set {
      willChangeValue(forKey: "track")
      held = newValue
      didChangeValue(forKey: "track")
    }
  }

  override class var keyPaths: [String: AnyKeyPath] { ["track": \Player.track] }

  override class func automaticallyNotifiesObservers(forKey key: String) -> Bool { key != "track" }
}

private final class Recording: KeyValueObject, @unchecked Sendable {
  @Observed var cover: Cover?
}

private final class Cover: KeyValueObject, @unchecked Sendable {
  @Observed var title = ""
  @Observed var subtitle = ""
  var headline: String { title.uppercased() }
  @Observed var player: Player?

  init(_ title: String = "") {
    super.init()
    self.title = title
  }
}

/// Paths of which some properties are `@Observed` and some have a name only.
@Suite(.watched) struct MixedPathTests {
  private let recorder = Recorder()
  private let controller: KVOController
  private let player = Player()

  init() {
    controller = KVOController(observer: recorder)
  }

  @Test func aPathThatIsNilAtItsFirstKeyWaits() {
    let (received, token) = controller.listen(to: player, \.track?.cover?.title, options: [.initial, .new, .old])
    #expect(received.all.count == 1)
    #expect(received.new == [.some(nil)])
    _ = received.take()

    let track = Recording()
    player.track = track
    #expect(received.take() == [.some(nil)])
    track.cover = Cover("a")
    #expect(received.take() == ["a"])
    track.cover?.title = "b"
    #expect(received.take() == ["b"])
    let replaced = Recording()
    replaced.cover = Cover("c")
    player.track = replaced
    #expect(received.take() == ["c"])
    track.cover?.title = "silent"
    track.cover = nil
    #expect(received.take() == [])
    player.track = nil
    #expect(received.take() == [.some(nil)])

    #expect(token.isValid)
    controller.unobserve(player, keyPath: "track.cover.title")
    #expect(!token.isValid)
    #expect(player.registrationCount == 0)
  }

  @Test func twoPathsThatWaitBehindOneKeyAreTwoObservations() {
    let (titles, _) = controller.listen(to: player, \.track?.cover?.title)
    let (former, token) = controller.listen(to: player, \.track?.cover?.subtitle, identifier: 1)
    let (subtitles, _) = controller.listen(to: player, \.track?.cover?.subtitle, identifier: 1)
    let track = Recording()
    track.cover = Cover("a")
    player.track = track
    track.cover?.subtitle = "b"
    #expect(titles.new == ["a"])
    #expect(subtitles.new == ["", "b"])
    #expect(former.count == 0)
    #expect(!token.isValid)
  }

  @Test func aPathMayEndInAComputedPropertyThatIsFollowed() {
    let (headlines, token) = controller.listen(to: player, \.track?.cover?.headline)
    let track = Recording()
    track.cover = Cover("a")
    player.track = track
    track.cover?.title = "b"
    track.cover = Cover("c")
    #expect(headlines.new == ["A", "B", "C"])
    token.invalidate()
    track.cover?.title = "silent"
    #expect(headlines.count == 3)
    #expect(player.registrationCount == 0)
    #expect(track.registrationCount == 0)
  }

  @Test func aKeyWithANameOnlyMayComeAfterOneThatIsNotKnownYet() {
    let root = Recording()
    let (tracks, _) = controller.listen(to: root, \.cover?.player?.track)
    let cover = Cover()
    root.cover = cover
    cover.player = player
    _ = tracks.take()
    let track = Recording()
    player.track = track
    #expect(tracks.count == 1)
    let first = tracks.all.first?.newValue ?? nil
    #expect(first === track)
  }

  @Test func aChangeOfAPathThatWaitedIsOneCall() {
    let (received, _) = controller.listen(to: player, \.track?.cover?.title, options: [.new, .old, .prior])
    let track = Recording()
    track.cover = Cover("a")
    player.track = track
    #expect(received.all.map(\.isPrior) == [true, false])
    #expect(received.all.map(\.oldValue) == [.some(nil), .some(nil)])
    #expect(received.all.map(\.newValue) == [nil, "a"])
  }

  @Test func theObjectsOnAPathThatWaitsMayBeDeallocatedFirst() {
    let (received, token) = controller.listen(to: player, \.track?.cover?.headline)
    weak let track: Recording?
    do {
      let first = Recording()
      track = first
      first.cover = Cover("a")
      player.track = first
    }
    player.track = nil
    #expect(track == nil)
    #expect(received.new == ["A", .some(nil)])
    #expect(token.isValid)
  }
}
