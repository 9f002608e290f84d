import KVOController
import Testing
import _KVOTestSupport

@Suite struct ObservationTokenTests {
  let song = Song("a")
  let recorder = Recorder()
  let controller: KVOController

  init() {
    controller = KVOController(observer: recorder)
  }

  @Test func invalidatingEndsJustThisObservation() {
    let (first, observation) = controller.listen(to: song, \.title, identifier: 1)
    let (second, other) = controller.listen(to: song, \.title, identifier: 2)
    observation.invalidate()
    song.title = "b"
    #expect(first.count == 0)
    #expect(second.new == ["b"])
    #expect(!observation.isValid)
    #expect(other.isValid)
  }

  @Test func invalidatingTwiceDoesNothing() {
    let (_, observation) = controller.listen(to: song, \.title)
    observation.invalidate()
    observation.invalidate()
    #expect(!observation.isValid)
  }

  @Test func tokensOfOneObservationAreEqual() {
    let (_, token) = controller.listen(to: song, \.title)
    let (_, other) = controller.listen(to: song, \.title)
    let same = controller.observations.first { $0 == token }
    #expect(same?.hash == token.hash && token != other)
    #expect(controller.observations.count == 2)
    token.invalidate()
    let (_, later) = controller.listen(to: song, \.title)
    #expect(token == token && later != token)
  }

  @Test func tokensOfObservationsThatHaveEndedAreNotEqual() {
    var ended: [KVOObservation] = []
    for _ in 0..<1000 {
      let (_, token) = controller.listen(to: song, \.title)
      token.invalidate()
      #expect(ended.last != token)
      ended.append(token)
    }
    #expect(Set(ended).count == ended.count)
  }

  @Test func droppingTheTokenChangesNothing() {
    var received: ReceivedChanges<String>?
    do {
      let (noted, observation) = controller.listen(to: song, \.title)
      received = noted
      withExtendedLifetime(observation) {}
    }
    song.title = "b"
    #expect(received?.new == ["b"])
  }

  @Test func theTokenHoldsNeitherControllerNorObjectNorObserver() {
    var object: Song? = Song()
    var observer: Recorder? = Recorder()
    var controller = observer.map { KVOController(observer: $0) }
    let lives = (Weak(object), Weak(observer), Weak(controller))
    let observation = object.flatMap { controller?.listen(to: $0, \.title).1 }
    #expect(observation?.isValid == true)
    controller = nil
    object = nil
    observer = nil
    #expect(!lives.0.isAlive)
    #expect(!lives.1.isAlive)
    #expect(!lives.2.isAlive)
    #expect(observation?.isValid == false)
    observation?.invalidate()
  }

  @Test func anOldTokenNeverEndsALaterObservation() {
    let (_, old) = controller.listen(to: song, \.title)
    controller.unobserve(song, \.title)
    let (received, new) = controller.listen(to: song, \.title)
    old.invalidate()
    #expect(!old.isValid)
    #expect(new.isValid)
    song.title = "b"
    #expect(received.new == ["b"])
  }

  @Test func aTokenThatWasReplacedEndsNothing() {
    let (first, old) = controller.listen(to: song, \.title, identifier: 1)
    let (second, token) = controller.listen(to: song, \.title, identifier: 1)
    #expect(!old.isValid && old.object == nil && token.isValid)
    old.invalidate()
    song.title = "b"
    #expect(first.count == 0 && second.new == ["b"])
  }

  @Test func theHandlerMayInvalidateItsOwnToken() {
    let observation = Locked<KVOObservation?>(nil)
    let count = Locked(0)
    let made = controller.observe(song, \.title) { _, _ in
      count.add()
      observation.current?.invalidate()
    }
    observation.withLock { $0 = made }
    song.title = "b"
    song.title = "c"
    #expect(count.current == 1)
    #expect(!made.isValid)
  }

  @Test(arguments: ["invalidate", "typed", "name", "object", "all", "identifier"])
  func theTokenIsInvalidAfterEachWayToEnd(_ way: String) {
    let (received, observation) = controller.listen(to: song, \.title, identifier: "i")
    #expect(observation.isValid)
    switch way {
    case "invalidate": observation.invalidate()
    case "typed": controller.unobserve(song, \.title)
    case "name": controller.unobserve(song, keyPath: "title")
    case "object": controller.unobserve(song)
    case "all": controller.unobserveAll()
    default: controller.unobserve(song, \.title, identifier: "i")
    }
    #expect(!observation.isValid)
    song.title = "b"
    #expect(received.count == 0)
  }

  @Test func tokenIsInvalidAfterTheObserverIsDeallocated() {
    var observer: Recorder? = Recorder()
    let controller = KVOController(observer: observer)
    let (received, observation) = controller.listen(to: song, \.title)
    observer = nil
    #expect(!observation.isValid)
    song.title = "b"
    #expect(received.count == 0)
    observation.invalidate()
  }

  @Test func tokenIsInvalidAfterTheControllerIsDeallocated() {
    var controller: KVOController? = KVOController(observer: recorder)
    let pair = controller?.listen(to: song, \.title)
    controller = nil
    #expect(pair?.1.isValid == false)
    song.title = "b"
    #expect(pair?.0.count == 0)
  }

  @Test func tokenIsInvalidAfterTheObjectIsDeallocated() {
    let controller = KVOController(observer: recorder, retainObserved: false)
    var object: Song? = Song()
    let observation = object.map { controller.listen(to: $0, \.title).1 }
    #expect(observation?.isValid == true)
    object = nil
    #expect(observation?.isValid == false)
    observation?.invalidate()
  }

  @Test func withoutAnObserverTheTokenIsInvalidFromTheBeginning() {
    let controller = KVOController(observer: nil)
    let (received, observation) = controller.listen(to: song, \.title, options: [.initial, .new])
    song.title = "b"
    #expect(!observation.isValid)
    #expect(received.count == 0)
  }

  @Test func theTokenMayEndFromAnyThread() {
    let song = song
    for _ in 0..<100 {
      // A token can be used on any thread.
      nonisolated(unsafe) let (_, observation) = controller.listen(to: song, \.title)
      onThreads(2) { _ in observation.invalidate() }
      #expect(!observation.isValid)
    }
  }
}
