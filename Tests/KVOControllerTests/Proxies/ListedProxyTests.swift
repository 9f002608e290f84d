import KVOController
import Testing
import _KVOTestSupport

/// A proxy sets a listed `@Observed` property through its setter, so that its `didSet` runs.
@Suite struct ListedProxyTests {
  private class Playlist: KeyValueObject {
    @Observed var songs: [String] = [] { didSet { log.append("songs \(oldValue.count) to \(songs.count)") } }
    @Observed var tags: Set<String> = [] { didSet { log.append("tags \(oldValue.count) to \(tags.count)") } }
    @Observed var genres = NSOrderedSet() { didSet { log.append("genres \(oldValue.count) to \(genres.count)") } }
    @Observed var maybe: NSMutableArray? { didSet { log.append("maybe") } }
    /// At most two.
    @Observed var latest: [String] = [] { didSet { if latest.count > 2 { latest.removeFirst() } } }
    @Observed var count = 0
    @Observed var counted: [String] = [] { didSet { count = counted.count } }
    var log: [String] = []

    override class var keyPaths: [String: AnyKeyPath] {
      [
        "songs": \Playlist.songs, "tags": \Playlist.tags, "genres": \Playlist.genres, "maybe": \Playlist.maybe,
        "latest": \Playlist.latest, "counted": \Playlist.counted,
      ]
    }
  }

  private let playlist = Playlist()
  private let recorder = Recorder()

  /// The objects of a change.
  private func list(_ objects: String...) -> AnyHashable { Change.list(objects) }

  @Test func didSetRunsForEachEdit() {
    let songs = playlist.mutableArrayValue(forKey: "songs")
    songs.add("a")
    songs.insert("b", at: 0)
    songs.removeLastObject()
    #expect(playlist.songs == ["b"] && playlist.log == ["songs 0 to 1", "songs 1 to 2", "songs 2 to 1"])
    playlist.log = []
    playlist.mutableSetValue(forKey: "tags").addObjects(from: ["x", "y"])
    playlist.mutableOrderedSetValue(forKey: "genres").add("rock")
    playlist.mutableArrayValue(forKey: "maybe").add(1)
    #expect(playlist.log == ["tags 0 to 2", "genres 0 to 1", "maybe"])
    #expect(
      playlist.tags == ["x", "y"] && playlist.genres.array as? [String] == ["rock"] && playlist.maybe as? [Int] == [1])
  }

  @Test func observersReceiveTheEdit() {
    recorder.observe(playlist, "songs", [.prior, .new, .old])
    let songs = playlist.mutableArrayValue(forKey: "songs")
    songs.add("a")
    #expect(
      recorder.takeToMany() == [
        Change(.insertion, indexes: [0], isPrior: true), Change(.insertion, new: list("a"), indexes: [0]),
      ])
    songs.replaceObject(at: 0, with: "b")
    #expect(
      recorder.takeToMany() == [
        Change(.replacement, old: list("a"), indexes: [0], isPrior: true),
        Change(.replacement, new: list("b"), old: list("a"), indexes: [0]),
      ])
    songs.removeAllObjects()
    #expect(
      recorder.takeToMany() == [
        Change(.removal, old: list("b"), indexes: [0], isPrior: true),
        Change(.removal, old: list("b"), indexes: [0]),
      ])
    #expect(playlist.log.count == 3)
  }

  @Test func observersOfASetReceiveTheEdit() {
    recorder.observe(playlist, "tags")
    let tags = playlist.mutableSetValue(forKey: "tags")
    tags.addObjects(from: ["x", "y"])
    tags.intersect(["x"])
    #expect(
      recorder.takeToMany() == [
        Change(.insertion, new: Change.set(["x", "y"])),
        Change(.removal, old: Change.set(["y"])),
      ])
  }

  @Test func observersAreCalledBeforeDidSetAndHearOfWhatItChanges() {
    recorder.observe(playlist, "latest")
    let latest = playlist.mutableArrayValue(forKey: "latest")
    latest.addObjects(from: ["a", "b"])
    _ = recorder.take()
    latest.add("c")
    #expect(
      recorder.takeToMany() == [
        Change(.insertion, new: list("c"), indexes: [2]),
        Change(.setting, new: list("b", "c"), old: list("a", "b", "c")),
      ])
    #expect(playlist.latest == ["b", "c"])
    recorder.observe(playlist, "counted")
    recorder.observe(playlist, "count")
    playlist.mutableArrayValue(forKey: "counted").add("x")
    #expect(
      recorder.takeToMany() == [
        Change(.insertion, new: list("x"), indexes: [0]), Change(.setting, new: 1, old: 0),
      ])
  }

  @Test func aChangeThatAnObserverMakesIsASettingOfItsOwn() {
    recorder.observe(playlist, "songs")
    recorder.whenCalled = { [playlist] recorder, _ in
      recorder.whenCalled = nil
      playlist.songs = ["z"]
    }
    playlist.mutableArrayValue(forKey: "songs").add("a")
    #expect(
      recorder.takeToMany() == [
        Change(.insertion, new: list("a"), indexes: [0]), Change(.setting, new: list("z"), old: list("a")),
      ])
  }

  @Test func aChangeInAPriorCallIsASettingOfItsOwn() {
    recorder.observe(playlist, "songs", [.prior, .new])
    recorder.whenCalled = { [playlist] recorder, _ in
      recorder.whenCalled = nil
      playlist.songs = ["z"]
    }
    playlist.mutableArrayValue(forKey: "songs").add("a")
    #expect(playlist.songs == ["a"])
    #expect(
      recorder.takeToMany() == [
        Change(.insertion, indexes: [0], isPrior: true), Change(.setting, isPrior: true),
        Change(.setting, new: list("z")),
        Change(.insertion, new: list("a"), indexes: [0]),
      ])
  }

  @Test func dependentsReceiveASetting() {
    final class Counting: Playlist {
      var total: Int { songs.count }
      override class var keyPaths: [String: AnyKeyPath] { ["total": \Counting.total] }
      override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
        key == "total" ? ["songs"] : []
      }
    }
    let counting = Counting()
    recorder.observe(counting, "total")
    counting.mutableArrayValue(forKey: "songs").add("a")
    #expect(recorder.takeToMany() == [Change(.setting, new: 1, old: 0)])
    #expect(counting.log == ["songs 0 to 1"])
  }

  @Test func aSubclassesOverrideIsSet() {
    final class Polite: Playlist {
      override var songs: [String] {
        get { super.songs }
        set { super.songs = newValue.map { $0.lowercased() } }
      }
    }
    let polite = Polite()
    recorder.observe(polite, "songs", [])
    polite.mutableArrayValue(forKey: "songs").add("A")
    #expect(polite.songs == ["a"] && polite.log == ["songs 0 to 1"])
    #expect(recorder.takeToMany() == [Change(.insertion, indexes: [0])])
  }
}
