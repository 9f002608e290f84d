import KVOController
import Testing
import _KVOTestSupport

/// Models that several threads change, as the page Concurrency writes them: no lock is held while observers run, or only one that
/// no getter needs.
@Suite(.watched) struct LockedModelTests {
  private class Tally: KeyValueObject {
    private let lock = NSLock()
    private var number = 0

    override class var keyPaths: [String: AnyKeyPath] { ["count": \Tally.count] }

    var count: Int {
      didAccessValue(forKey: "count")
      return lock.withLock { number }
    }

    func add(_ addend: Int) {
      willChangeValue(forKey: "count")
      lock.withLock { number += addend }
      didChangeValue(forKey: "count")
    }
  }
  private final class SharedTally: Tally, @unchecked Sendable {}

  private final class Pair: KeyValueObject, @unchecked Sendable {
    let first = SharedTally()
    let second = SharedTally()
    var sum: Int { first.count + second.count }
  }

  @Test func twoThatAreReadTogetherDoNotDeadlock() {
    let pair = Pair()
    let (observer, calls, greatest) = (KeyValueObject(), Locked(0), Locked(0))
    observer.observe(pair, \.sum, isolation: nil) { _, _, change in
      calls.add(1)
      if let sum = change.newValue { greatest.withLock { $0 = max($0, sum) } }
    }
    onThreads(4) { thread in
      for _ in 0..<500 { (thread < 2 ? pair.first : pair.second).add(1) }
    }
    #expect(calls.current == 2000)
    #expect(greatest.current == 2000)
  }

  private actor Ledger {
    private(set) var counts: [Int] = []
    private lazy var controller = KVOController(observer: self)

    func follow(_ tally: SharedTally) {
      controller.observe(tally, \.count, options: [.initial, .new]) { (ledger: Ledger, _, change) in
        ledger.assumeIsolated { $0.counts.append(change.newValue ?? -1) }
      }
    }
  }

  @Test func anActorGetsItsCountsInOrder() async {
    let (tally, ledger) = (SharedTally(), Ledger())
    await ledger.follow(tally)
    onThreads(4) { _ in
      for _ in 0..<250 { tally.add(1) }
    }
    while await ledger.counts.count < 1001 { await Task.yield() }
    let counts = await ledger.counts
    #expect(counts == counts.sorted())
    #expect(counts.last == 1000)
  }

  private class Playlist: KeyValueObject {
    private let changes = NSRecursiveLock()
    private let lock = NSLock()
    private var stored: [String] = []

    override class var keyPaths: [String: AnyKeyPath] { ["songs": \Playlist.songs] }

    var songs: [String] {
      didAccessValue(forKey: "songs")
      return lock.withLock { stored }
    }
    var characters: Int { songs.reduce(0) { $0 + $1.count } }

    func insert(_ song: String, at index: Int) {
      changes.withLock {
        willChange(.insertion, valuesAt: [index], forKey: "songs")
        lock.withLock { stored.insert(song, at: index) }
        didChange(.insertion, valuesAt: [index], forKey: "songs")
      }
    }

    func whileUnchanged(_ body: () -> Void) { changes.withLock(body) }
  }
  private final class SharedPlaylist: Playlist, @unchecked Sendable {}
  private final class Screen: KeyValueObject, @unchecked Sendable {}

  @Test func aListThatSeveralThreadsChangeIsFollowedFromTheMomentOfObserving() {
    let (playlist, observer) = (SharedPlaylist(), Screen())
    let (rows, total, count) = (Locked<[String]>([]), Locked(0), Locked(0))
    onThreads(4) { thread in
      for number in 0..<100 {
        playlist.insert("\(thread)", at: number / 2)
        guard thread == 0, number == 20 else { continue }
        playlist.whileUnchanged {
          let former = playlist.songs
          rows.withLock { $0 = former }
          observer.observe(playlist, \.songs, isolation: nil) { _, _, change in
            guard let index = change.indexes?.first, let song = change.newValue?.first else { return }
            rows.withLock { $0.insert(song, at: index) }
          }
          observer.observe(playlist, \.characters, isolation: nil) { _, _, change in
            total.withLock { $0 = change.newValue ?? 0 }
          }
          let controller = observer.kvoController
          controller.observe(playlist, keyPath: "songs.@count", options: .new, isolation: nil) { _, _, change in
            count.withLock { $0 = change[.newKey] as? Int ?? 0 }
          }
        }
      }
    }
    #expect(rows.current == playlist.songs)
    #expect(total.current == 400)
    #expect(count.current == 400)
  }
}
