import KVOController
import Testing
import _KVOTestSupport

/// Key paths through several objects and Optionals, into structs, and of computed properties.
@Suite struct TypedPathTests {
  let song = Song("a")
  let recorder = Recorder()
  let controller: KVOController

  init() {
    controller = KVOController(observer: recorder)
  }

  @Test func aPathThroughAnOptionalFollowsTheObject() {
    song.next = Song("n")
    let (titles, _) = controller.listen(to: song, \.next?.title)
    song.next?.title = "m"
    song.next = Song("o")
    song.next?.title = "p"
    #expect(titles.new == ["m", "o", "p"])
    #expect(titles.old == ["n", "m", "o"])
    #expect(titles.all.map(\.keyPath) == ["next.title", "next.title", "next.title"])
  }

  @Test func nilOnThePathIsSomeNil() {
    song.next = Song("n")
    let (titles, _) = controller.listen(to: song, \.next?.title)
    song.next = nil
    #expect(titles.new == [.some(nil)])
    #expect(titles.old == ["n"])
  }

  @Test func replacedObjectNoLongerNotifiesAndIsReleased() {
    song.next = Song("n")
    var replaced = song.next
    let weak = Weak(replaced)
    let (titles, _) = controller.listen(to: song, \.next?.title)
    song.next = Song("o")
    _ = titles.take()
    replaced?.title = "silent"
    #expect(titles.count == 0)
    replaced = nil
    #expect(!weak.isAlive)
  }

  @Test func pathThatIsNilAtFirstIsCompletedLater() {
    let (titles, _) = controller.listen(to: song, \.next?.title, options: [.initial, .new, .old])
    #expect(titles.take() == [.some(nil)])
    song.next = Song("n")
    song.next?.title = "m"
    #expect(titles.new == ["n", "m"])
    #expect(titles.old == [.some(nil), "n"])
    song.next = nil
    song.next = Song("o")
    song.next?.title = "p"
    #expect(titles.new == ["n", "m", .some(nil), "o", "p"])
  }

  @Test func pathThatIsNilAtALaterStepIsCompletedLater() {
    let (titles, _) = controller.listen(to: song, \.next?.next?.band?.name)
    song.next = Song()
    song.next?.next = Song()
    song.next?.next?.band = Band("x")
    song.next?.next?.band?.name = "y"
    #expect(titles.take() == [.some(nil), .some(nil), "x", "y"])
    song.next = Song(next: Song())
    song.next?.next?.band = Band("z")
    #expect(titles.take() == [.some(nil), "z"])
  }

  @Test func aPathThatMetNilAtFirstGetsItsNameWhenItIsCompleted() {
    final class Chain: KeyValueObject, @unchecked Sendable {
      @Observed var other: Chain?
      @Observed var name = ""
    }
    let chain = Chain()
    let (received, observation) = controller.listen(to: chain, \.other?.name)
    chain.other = Chain()
    chain.other?.name = "x"
    #expect(received.all.map(\.keyPath) == ["other.name", "other.name"])
    controller.unobserve(chain, keyPath: "other.name")
    #expect(!observation.isValid)
    chain.other?.name = "y"
    #expect(received.count == 2)
  }

  @Test func aPathMayEndAtAnObject() {
    let (songs, _) = controller.listen(to: song, \.next)
    let next = Song("n")
    song.next = next
    song.next?.title = "not of interest"
    #expect(songs.count == 1)
    #expect(songs.new.first?.flatMap { $0 } === next)
  }

  @Test func aPathMayUnwrapByForce() {
    song.next = Song("n")
    let (titles, _) = controller.listen(to: song, \.next!.title)
    song.next?.title = "m"
    #expect(titles.new == ["m"])
  }

  @Test func enumsAtTheEndOfAPathArriveAsEnums() {
    song.next = Song("n")
    let (moods, _) = controller.listen(to: song, \.next?.mood)
    song.next?.mood = .wild
    #expect(moods.new == [.wild])
    song.next = nil
    #expect(moods.new == [.wild, .some(nil)])
  }

  @Test func aSubclassesOwnPropertyIsObservable() {
    let live = LiveSong()
    let (venues, _) = controller.listen(to: live, \.venue)
    live.venue = "hall"
    #expect(venues.new == ["hall"])
    #expect(venues.all.map(\.keyPath) == ["venue"])
  }

  @Test func anObjectOfASubclassIsObservedByTheSuperclassesKeyPath() {
    let live: Song = LiveSong("a")
    let (titles, _) = controller.listen(to: live, \.title)
    live.title = "b"
    #expect(titles.new == ["b"])
  }

  @Test func aPathFromASubclassGoesByTheSuperclassesKeys() {
    let live = LiveSong(next: Song("n"))
    let (titles, _) = controller.listen(to: live, \LiveSong.next?.title)
    live.next?.title = "m"
    #expect(titles.new == ["m"])
    #expect(titles.all.map(\.keyPath) == ["next.title"])
  }

  @Test func aDeclaredComputedPropertyChangesWithWhatItDependsOn() {
    let (captions, _) = controller.listen(to: song, \.caption)
    song.plays = 1
    song.title = "b"
    #expect(captions.new == ["a (1)", "b (1)"])
    #expect(captions.old == ["a (0)", "a (1)"])
    #expect(captions.all.map(\.keyPath) == ["caption", "caption"])
  }

  @Test func aDeclaredComputedPropertyIsObservedInASubclass() {
    let live = LiveSong("a")
    let (captions, _) = controller.listen(to: live, \LiveSong.caption)
    live.plays = 1
    #expect(captions.new == ["a (1)"])
  }

  @Test func aPathMayLeadToADeclaredComputedProperty() {
    song.next = Song("n")
    let (captions, _) = controller.listen(to: song, \.next?.caption)
    song.next?.plays = 1
    song.next = Song("o")
    song.next?.title = "p"
    #expect(captions.new == ["n (1)", "o (0)", "p (0)"])
  }

  @Test func genericClassesAreObservable() {
    final class Box<Value>: KeyValueObject {
      @Observed var value: Value
      init(_ value: Value) { self.value = value }
    }
    let numbers = Box(1)
    let words = Box("a")
    let (receivedNumbers, _) = controller.listen(to: numbers, \.value)
    let (receivedWords, _) = controller.listen(to: words, \.value)
    numbers.value = 2
    words.value = "b"
    #expect(receivedNumbers.new == [2])
    #expect(receivedWords.new == ["b"])
  }

  @Test func aReadOnlyViewOfAKeyPathIsTheSameKey() {
    let keyPath: KeyPath<Song, String> = \Song.title
    let (titles, _) = controller.listen(to: song, keyPath)
    song.title = "b"
    #expect(titles.new == ["b"])
    controller.unobserve(song, \Song.title)
    song.title = "c"
    #expect(titles.count == 1)
  }

  @Test func appendedKeyPathsAreObservable() {
    song.band = Band("x")
    let band: KeyPath<Song, Band> = \.band!
    let (names, _) = controller.listen(to: song, band.appending(path: \.name))
    song.band?.name = "y"
    #expect(names.new == ["y"])
  }
}
