import KVOController
import Testing
import _KVOTestSupport

/// A class of the main actor, whose handlers touch its own state in every form, without a warning.
@MainActor private final class Screen: NSObject {
  var log: [String] = []
  private(set) lazy var own = KVOController(observer: self)

  func redraw() { log.append("redraw") }
  func update(_ change: [NSKeyValueChangeKey: Any]) { log.append("update \(change[.newKey] ?? "")") }
  func update(_ change: [NSKeyValueChangeKey: Any], _ object: Any) {
    log.append("update \(change[.newKey] ?? "") of \((object as? Song)?.title ?? "")")
  }

  func observe(_ song: Song) {
    own.observe(song, keyPath: "plays", options: .new, identifier: 1) { screen, _, change in
      (screen as? Screen)?.log.append("block \(change[.newKey] ?? "")")
    }
    own.observe(song, keyPaths: ["plays"], options: .new, identifier: 2) { [weak self] _, _, change in
      self?.log.append("blocks \(change[.newKey] ?? "")")
    }
    own.observe(song, keyPath: "plays", identifier: 3, action: Screen.redraw)
    own.observe(song, keyPath: "plays", options: .new, identifier: 4, action: Screen.update(_:))
    own.observe(song, keyPath: "plays", options: .new, identifier: 5, action: Screen.update(_:_:))
    own.observe(song, \.plays, identifier: 6) { [weak self] _, change in
      self?.log.append("typed \(change.newValue ?? 0)")
    }
    own.observe(song, \.plays, identifier: 7) { (screen: Screen, _, change) in
      screen.log.append("typed with observer \(change.newValue ?? 0)")
    }
  }
}

@Suite(.watched) struct MainActorTests {
  let all: Set = [
    "block 1", "blocks 1", "redraw", "update 1", "update 1 of a", "typed 1", "typed with observer 1",
  ]

  @Test @MainActor func changesOnTheMainActorAreDeliveredAtOnceInEveryForm() {
    let screen = Screen()
    let song = Song("a")
    screen.observe(song)
    song.plays = 1
    #expect(screen.log.count == 7)
    #expect(Set(screen.log) == all)
  }

  @Test @MainActor func changesOnOtherThreadsReachTheMainActorInEveryForm() async {
    let screen = Screen()
    let song = Song("a")
    screen.observe(song)
    onThreads(1) { _ in song.plays = 1 }
    #expect(screen.log == [])
    while screen.log.count < 7 { await Task.yield() }
    #expect(screen.log.count == 7)
    #expect(Set(screen.log) == all)
  }

  @Test @MainActor func nothingArrivesAfterUnobservingOnTheMainActor() async {
    let screen = Screen()
    let life: Weak<Song>
    do {
      let song = Song("a")
      screen.observe(song)
      onThreads(1) { _ in song.plays = 1 }
      screen.own.unobserveAll()
      life = Weak(song)
    }
    // A change that waits for the main actor retains the song.
    while life.isAlive { await Task.yield() }
    #expect(screen.log == [])
  }

  @Test func changesOfADetachedTaskReachTheMainActorInTheirOrder() async {
    let song = Song("a")
    let received = await MainActor.run {
      let received = ReceivedChanges<Int>()
      let screen = Screen()
      screen.own.observe(song, \.plays) { (_: Screen, _, change) in
        MainActor.preconditionIsolated()
        received.record(change)
      }
      return (received, screen)
    }
    await Task.detached { for number in 1...1000 { song.plays = number } }.value
    while received.0.count < 1000 { await Task.yield() }
    #expect(received.0.new == Array(1...1000))
  }

  @Test func mainQueueIsTheMainActorsOnAnyThread() async {
    // A program that calls `dispatchMain()` has no main thread. On Linux one with an asynchronous `main` does.
    let song = Song("a")
    let screen = await MainActor.run {
      let screen = Screen()
      screen.observe(song)
      return screen
    }
    let log = await withCheckedContinuation { continuation in
      DispatchQueue.main.async {
        song.plays = 1
        continuation.resume(returning: MainActor.assumeIsolated { screen.log })
      }
    }
    #expect(log.count == 7)
    #expect(Set(log) == all)
  }
}
