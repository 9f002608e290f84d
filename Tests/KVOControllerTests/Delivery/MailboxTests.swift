import Foundation
import KVOController
import Testing
import _KVOTestSupport

/// What several observations of one controller leave for one actor is delivered by one job.
@Suite(.watched) struct MailboxTests {
  /// An actor whose jobs wait until the test runs them.
  private actor Listener {
    /// Only the actor accesses it.
    final class State {
      let observer = Relay()
      let controller: KVOController
      let other: KVOController
      var calls: [Int] = []

      init() {
        controller = KVOController(observer: observer)
        other = KVOController(observer: observer)
      }
    }

    let jobs = Jobs()
    let state = State()
    var calls: [Int] { state.calls }
    var controller: KVOController { state.controller }
    var other: KVOController { state.other }

    nonisolated var unownedExecutor: UnownedSerialExecutor { jobs.asUnownedSerialExecutor() }

    /// Observes the plays of each song.
    func observe(
      _ songs: [Song], _ delivery: KVODelivery = .each, handler: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
      for song in songs {
        controller.observe(song, \.plays, options: .new, delivery: delivery) { [weak state] _, change in
          state?.calls.append(change.newValue ?? -1)
          handler(change.newValue ?? -1)
        }
      }
    }

    func end() {
      controller.unobserveAll()
      other.unobserveAll()
    }

    /// Calls a body on the actor, at once.
    nonisolated func now<Result: Sendable>(
      _ body: @escaping @Sendable (isolated Listener) -> Result
    ) async -> Result {
      let result = Locked<Result?>(nil)
      Task.detached {
        let value = await self.run(body)
        result.withLock { $0 = value }
      }
      while result.current == nil {
        jobs.runAll()
        await Task.yield()
      }
      return result.current!
    }

    private func run<Result>(_ body: (isolated Listener) -> Result) -> Result { body(self) }
  }

  private final class Jobs: SerialExecutor, @unchecked Sendable {
    private let waiting = Locked<[UnownedJob]>([])
    private let running = NSRecursiveLock()
    let priorities = Locked<[JobPriority]>([])

    var count: Int { waiting.current.count }

    func enqueue(_ job: consuming ExecutorJob) {
      priorities.append(job.priority)
      waiting.append(UnownedJob(job))
    }

    /// Runs the jobs that wait, and no later ones.
    func runAll() {
      running.withLock {
        for job in waiting.take() { job.runSynchronously(on: asUnownedSerialExecutor()) }
      }
    }

    /// Runs the job that has come first.
    func runFirst() {
      running.withLock {
        waiting.withLock { $0.isEmpty ? nil : $0.removeFirst() }?.runSynchronously(on: asUnownedSerialExecutor())
      }
    }

    /// Waits until no job has come for a while. Returns how many wait.
    func settle() async -> Int {
      var count = -1
      while count != self.count {
        count = self.count
        try? await Task.sleep(for: .milliseconds(50))
      }
      return count
    }
  }

  private let listener = Listener()
  private let songs = (0..<100).map { _ in Song() }

  private func set(_ plays: Int) {
    onThreads(1) { [songs] _ in for song in songs { song.plays = plays } }
  }

  @Test func oneJobDeliversWhatWaitsForAllObservations() async {
    let (listener, songs) = (listener, songs)
    await listener.now { $0.observe(songs) }
    set(1)
    set(2)
    #expect(await listener.jobs.settle() == 1)
    listener.jobs.runAll()
    #expect(await listener.now { $0.calls } == (0..<100).flatMap { _ in [1, 2] })
    await listener.now { $0.end() }
  }

  @Test func anotherJobFollowsTheObservationWithTheThousandthCall() async {
    let (listener, songs) = (listener, songs)
    await listener.now { $0.observe(songs) }
    for plays in 1...25 { set(plays) }
    #expect(await listener.jobs.settle() == 1)
    var counts: [Int] = []
    repeat {
      listener.jobs.runAll()
      counts.append(await listener.now { $0.calls.count })
    } while counts.last! < 2500 && counts.count < 10
    #expect(counts.first! < 2500 && counts.last == 2500)
    await listener.now { $0.end() }
  }

  @Test func deliverNowHasNoSuchLimit() async {
    let (listener, songs) = (listener, songs)
    await listener.now { $0.observe(songs) }
    for plays in 1...25 { set(plays) }
    let count = await listener.now { listener in
      listener.controller.deliverNow()
      return listener.calls.count
    }
    #expect(count == 2500)
    await listener.now { $0.end() }
  }

  @Test func aChangeOfAHigherPrioritySchedulesAnotherJob() async {
    let (listener, song) = (listener, Song())
    await listener.now { $0.observe([song]) }
    listener.jobs.priorities.withLock { $0 = [] }
    await Task.detached(priority: .background) { song.plays = 1 }.value
    _ = await listener.jobs.settle()
    await Task.detached(priority: .high) { song.plays = 2 }.value
    _ = await listener.jobs.settle()
    await Task.detached(priority: .medium) { song.plays = 3 }.value
    _ = await listener.jobs.settle()
    let priorities = listener.jobs.priorities.current.map(\.rawValue)
    #expect(priorities.contains(TaskPriority.high.rawValue))
    #expect(priorities.count == 2)
    listener.jobs.runAll()
    #expect(await listener.now { $0.calls } == [1, 2, 3])
    await listener.now { $0.end() }
  }

  /// Otherwise each job that began would leave room for another one of each priority.
  @Test func jobsOfSeveralPrioritiesDoNotBecomeMore() async {
    let (listener, song) = (listener, Song())
    await listener.now { $0.observe([song]) }
    for plays in 1...20 {
      await Task.detached(priority: .background) { song.plays = 2 * plays }.value
      _ = await listener.jobs.settle()
      await Task.detached(priority: .high) { song.plays = 2 * plays + 1 }.value
      #expect(await listener.jobs.settle() <= 2)
      listener.jobs.runFirst()
    }
    while await listener.jobs.settle() > 0 { listener.jobs.runAll() }
    #expect(await listener.now { $0.calls } == Array(2...41))
    await listener.now { $0.end() }
  }

  @Test func whatAHandlerChangesOfAnotherObjectIsDeliveredAtOnceThere() async {
    let (listener, first, second) = (listener, Song(), Song())
    await listener.now { listener in
      listener.observe([first]) { plays in if plays == 1 { second.plays = 10 } }
      listener.observe([second])
    }
    onThreads(1) { _ in first.plays = 1 }
    #expect(await listener.jobs.settle() == 1)
    listener.jobs.runAll()
    #expect(await listener.now { $0.calls } == [1, 10])
    await listener.now { $0.end() }
  }

  @Test func whatHandlersChangeOfACoalescedObservationIsDeliveredByALaterJob() async {
    let (listener, song) = (listener, Song())
    await listener.now { $0.observe([song], .coalesced) { plays in if plays < 3 { song.plays += 1 } } }
    onThreads(1) { _ in song.plays = 1 }
    var counts: [Int] = []
    while counts.last != 3, counts.count < 10 {
      #expect(await listener.jobs.settle() == 1)
      listener.jobs.runAll()
      counts.append(await listener.now { $0.calls.count })
    }
    #expect(await listener.now { $0.calls } == [1, 2, 3])
    await listener.now { $0.end() }
  }

  @Test func eachControllerAndEachActorHasAJobOfItsOwn() async {
    let (listener, other, song) = (listener, Listener(), Song())
    await listener.now { listener in
      listener.observe([song])
      let state = listener.state
      state.other.observe(song, \.plays, options: .new) { [weak state] _, change in
        state?.calls.append(-change.newValue!)
      }
    }
    await other.now { $0.observe([song]) }
    onThreads(1) { _ in song.plays = 1 }
    #expect(await listener.jobs.settle() == 2)
    #expect(await other.jobs.settle() == 1)
    listener.jobs.runAll()
    other.jobs.runAll()
    #expect(await listener.now { $0.calls.sorted() } == [-1, 1])
    #expect(await other.now { $0.calls } == [1])
    await listener.now { $0.end() }
    await other.now { $0.end() }
  }

  @Test func aJobThatFindsNothingEnds() async {
    let (listener, song) = (listener, Song())
    await listener.now { $0.observe([song]) }
    onThreads(1) { _ in song.plays = 1 }
    await listener.now { $0.controller.deliverNow() }
    await listener.now { $0.end() }
    onThreads(1) { _ in song.plays = 2 }
    listener.jobs.runAll()
    #expect(await listener.jobs.settle() == 0)
    #expect(await listener.now { $0.calls } == [1])
  }

  @Test func actorsThatComeAndGoLeaveNoMailbox() async {
    let (controller, song) = (KVOController(observer: self.song), Song())
    func observe() async -> Weak<DefaultListener> {
      let actor = DefaultListener()
      nonisolated(unsafe) let controller = controller
      await actor.run { _ -> Void in controller.observe(song, \.plays, options: .new) { _, _ in } }
      song.plays += 1
      controller.unobserveAll()
      return Weak(actor)
    }
    for _ in 0..<100 {
      let actor = await observe()
      while actor.object != nil { await Task.yield() }
    }
    #expect(song.registrationCount == 0)
  }

  private let song = Song()
}
