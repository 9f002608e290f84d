#if !canImport(ObjectiveC)
import KVOController
import _KVOTestSupport
import Testing

/// Key paths without a key, which are followed by reading them.
@Suite struct FollowedKeyPathTests {
  let song = Song("a")
  let recorder = Recorder()
  let controller: KVOController

  init() {
    controller = KVOController(observer: recorder)
  }

  @Test func anUndeclaredComputedPropertyChangesWithWhatItReads() {
    let (headlines, _) = controller.listen(to: song, \.headline, options: [.initial, .new, .old])
    song.title = "b"
    song.plays = 1
    #expect(headlines.new == ["A", "B"])
    #expect(headlines.old == [nil, "A"])
  }

  @Test func aBranchNotTakenBeforeCountsFromTheMomentItIsTaken() {
    song.isShort = true
    let band = Band("x")
    song.band = band
    let (labels, _) = controller.listen(to: song, \.label)
    band.name = "y"
    #expect(labels.take() == [])
    song.isShort = false
    #expect(labels.take() == ["a by y"])
    band.name = "z"
    #expect(labels.take() == ["a by z"])
    song.isShort = true
    #expect(labels.take() == ["a"])
    band.name = "silent"
    #expect(labels.take() == [])
  }

  @Test func anObjectReadOnTheWayIsFollowedWhenItIsReplaced() {
    let (labels, _) = controller.listen(to: song, \.label)
    song.band = Band("x")
    let replaced = song.band
    song.band = Band("y")
    song.band?.name = "z"
    #expect(labels.take() == ["a by x", "a by y", "a by z"])
    replaced?.name = "silent"
    #expect(labels.take() == [])
  }

  @Test func elementsOfCollectionsAreFollowed() {
    let (totals, _) = controller.listen(to: song, \.totalPlays)
    let part = Song(plays: 1)
    song.parts = [part, Song(plays: 2)]
    part.plays = 10
    #expect(totals.take() == [3, 12])
    song.mutableArrayValue(forKey: "parts").add(Song(plays: 5))
    song.parts.last?.plays = 6
    #expect(totals.take() == [17, 18])
    song.parts.removeFirst()
    #expect(totals.take() == [8])
    part.plays = 100
    #expect(totals.take() == [])
  }

  @Test func aComputedObjectThatIsNowHereNowThereIsFollowed() {
    song.next = Song("n")
    let (titles, _) = controller.listen(to: song, \.successor?.title)
    song.next?.title = "m"
    #expect(titles.take() == ["m"])
    let part = Song("p")
    song.parts = [part]
    _ = titles.take()
    song.next = nil
    #expect(titles.take() == ["p"])
    part.title = "q"
    #expect(titles.take() == ["q"])
  }

  @Test func aPathMayLeadToAnUndeclaredComputedProperty() {
    song.next = Song("n")
    let (headlines, _) = controller.listen(to: song, \.next?.headline)
    song.next?.title = "m"
    song.next = Song("o")
    song.next?.title = "p"
    #expect(headlines.new == ["M", "O", "P"])
  }

  @Test func aSubclassesObjectFollowsTheSuperclassesComputedProperty() {
    let live = LiveSong("a")
    let (headlines, _) = controller.listen(to: live, \LiveSong.headline)
    live.title = "b"
    #expect(headlines.new == ["B"])
  }

  @Test func aStructsInsidesChangeWithTheirObservedOwner() {
    let (widths, _) = controller.listen(to: song, \.extent.width)
    let (areas, _) = controller.listen(to: song, \.extent.area)
    song.extent.width = 3
    song.extent = Extent(width: 4, height: 4)
    #expect(widths.new == [3, 4])
    #expect(widths.old == [1, 3])
    #expect(areas.new == [6, 16])
  }

  @Test func anElementOfAnArrayChangesWithTheArray() {
    song.tags = ["x", "y"]
    let (tags, _) = controller.listen(to: song, \.tags[1])
    song.tags[1] = "z"
    #expect(tags.new == ["z"])
    #expect(tags.old == ["y"])
  }

  @Test func oneChangeIsOneCallHoweverOftenItIsRead() {
    final class Twice: KeyValueObject, @unchecked Sendable {
      @Observed var a = 1
      @Observed var b = 2
      var sum: Int { a + b + a + b }
    }
    let twice = Twice()
    let (sums, _) = controller.listen(to: twice, \.sum)
    twice.a = 2
    #expect(sums.new == [8])
    #expect(sums.old == [6])
  }

  @Test func unobservingEndsIt() {
    let (headlines, observation) = controller.listen(to: song, \.headline)
    controller.unobserve(song, \.headline)
    song.title = "b"
    #expect(headlines.count == 0)
    #expect(!observation.isValid)
  }

  @Test func anIdentifierReplacesIt() {
    let (first, _) = controller.listen(to: song, \.headline, identifier: 1)
    let (second, _) = controller.listen(to: song, \.headline, identifier: 1)
    song.title = "b"
    #expect(first.count == 0)
    #expect(second.count == 1)
  }

  @Test func aPathThatReadsNothingObservedNowIsStillEnded() {
    final class Door: KeyValueObject, @unchecked Sendable {
      @Observed var knocks = 0
      var isOpen = true
      var noise: Int { isOpen ? knocks : 0 }
    }
    let door = Door()
    let (noises, _) = controller.listen(to: door, \.noise)
    door.isOpen = false
    controller.unobserve(door, \.noise)
    door.isOpen = true
    door.knocks = 1
    #expect(noises.count == 0)
  }

  @Test func pathCanBeEndedWhereverItLeadsByThen() {
    song.next = Song("n")
    let (titles, _) = controller.listen(to: song, \.successor?.title)
    song.parts = [Song("p")]
    song.next = nil
    #expect(titles.take() == ["p"])
    controller.unobserve(song, \.successor?.title)
    song.parts[0].title = "q"
    #expect(titles.count == 0)
  }

  @Test func whatIsReadIsNotRetained() {
    var band: Band? = Band("x")
    let weak = Weak(band)
    song.band = band
    let (labels, _) = controller.listen(to: song, \.label)
    band = nil
    song.band = nil
    #expect(!weak.isAlive)
    #expect(labels.new == ["a by nobody"])
  }

  @Test func readsOnOtherThreadsAreNotFollowed() {
    let song = song
    // Controllers and tokens can be used on any thread.
    nonisolated(unsafe) let controller = controller
    onThreads(4) { number in
      let own = Song("\(number)")
      for round in 0..<200 {
        let (received, observation) = controller.listen(to: own, \.headline)
        _ = song.label
        own.title = "\(round)"
        #expect(received.new == ["\(round)"])
        observation.invalidate()
      }
    }
  }

  @Test func whatIsReadNoLongerRetainsNothingOfAnObservation() {
    final class Captured {}
    let parts = (0..<20).map { Song(plays: $0) }
    song.parts = parts
    weak var captured: Captured?
    do {
      let object = Captured()
      captured = object
      controller.observe(song, \.totalPlays) { _, _ in _ = object }
      song.parts.removeFirst(3)
      song.parts.reverse()
      song.parts.removeLast(12)
      song.parts = []
      controller.unobserve(song, \.totalPlays)
    }
    #expect(captured == nil)
    withExtendedLifetime(parts) {}
  }

  @Test func severalThreadsMayFollowOneObject() {
    let song = song
    song.band = Band("x")
    let kept = Locked<[ReceivedChanges<String>]>([])
    onThreads(4) { _ in
      let recorder = Recorder()
      let controller = KVOController(observer: recorder)
      for _ in 0..<100 {
        let (_, observation) = controller.listen(to: song, \.label)
        observation.invalidate()
      }
      let (received, _) = controller.listen(to: song, \.label)
      kept.append(received)
      withExtendedLifetime((recorder, controller)) {}
    }
    let (own, _) = controller.listen(to: song, \.label)
    song.band?.name = "y"
    #expect(own.new == ["a by y"])
  }
}
#endif
