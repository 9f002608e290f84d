import KVOController
import Testing
import _KVOTestSupport

/// Sequences and actors while several threads make changes: all arrives, in order, until the end; and the end comes.
@Suite(.watched) struct StreamStormTests {
  static let threads = 4
  static let rounds = isSanitized ? 50 : 250
  static let all = Array(1...(threads * rounds))

  /// Makes numbered changes on several threads, one at a time.
  private func play(_ song: Song) {
    let number = Locked(0)
    onThreads(Self.threads) { _ in
      for _ in 0..<Self.rounds {
        number.withLock {
          $0 += 1
          song.plays = $0
        }
      }
    }
  }

  @Test func everySequenceGetsEveryChangeInOrder() async {
    let recorder = Recorder()
    let controller = KVOController(observer: recorder)
    let song = Song()
    let changes = (0..<3).map { _ in controller.changes(of: song, \.plays) }
    let values = controller.values(of: song, \.plays)
    play(song)
    controller.unobserveAll()
    for stream in changes {
      var numbers: [Int?] = []
      var old: [Int?] = []
      for await change in stream {
        numbers.append(change.newValue)
        old.append(change.oldValue)
      }
      #expect(numbers == Self.all)
      #expect(old == Array(0..<Self.all.count))
    }
    var numbers: [Int] = []
    for await number in values { numbers.append(number) }
    #expect(numbers == [0] + Self.all)
  }

  @Test func sequencesThatControllersOfOneObserverBeginAtOnceAllEndWithTheObserver() async {
    let song = Song()
    for _ in 0..<(isSanitized ? 100 : 1000) {
      let recorder = Locked<Recorder?>(Recorder())
      // Controllers and tokens can be used on any thread.
      nonisolated(unsafe) let controllers = (0..<4).map { _ in KVOController(observer: recorder.current) }
      let streams = Locked<[AsyncStream<Int>]>([])
      onThreads(controllers.count) { number in
        let stream = controllers[number].values(of: song, \.plays)
        streams.append(stream)
      }
      _ = recorder.take()
      // A sequence that doesn't finish would be awaited forever.
      guard song.registrationCount == 0 else {
        Issue.record("A sequence outlives its observer.")
        return
      }
      for stream in streams.current { for await _ in stream {} }
    }
  }

  /// Ways to end a sequence while changes are made.
  enum End: CaseIterable {
    case task, loop, keyPath, object, everything, controller, observer
  }

  @Test(arguments: End.allCases) func sequenceThatEndsDuringChangesReceivesAPrefixOfThem(end: End) async {
    let song = Song()
    let census = Census()
    for round in 0..<(isSanitized ? 5 : 20) {
      let recorder = Locked<Recorder?>(Recorder())
      let controller = Locked<KVOController?>(KVOController(observer: recorder.current))
      guard let stream = controller.current?.values(of: song, \.plays) else { continue }
      song.plays = 0
      let resident = Resident(census)
      let reading = Task {
        resident.stay()
        var numbers: [Int] = []
        for await number in stream {
          numbers.append(number)
          if end == .loop, numbers.count == round + 2 { break }
        }
        return numbers
      }
      let changing = Task.detached { play(song) }
      await Task.yield()
      switch end {
      case .task: reading.cancel()
      case .loop: break
      case .keyPath: controller.current?.unobserve(song, keyPath: "plays")
      case .object: controller.current?.unobserve(song)
      case .everything: controller.current?.unobserveAll()
      case .controller: _ = controller.take()
      case .observer: _ = recorder.take()
      }
      let numbers = await reading.value
      await changing.value
      // The current value, which setting 0 repeats, then one after the other.
      #expect(numbers == Array(([numbers.first ?? 0, 0] + Self.all).prefix(numbers.count)))
      _ = recorder.take()
      _ = controller.take()
    }
    #expect(song.registrationCount == 0)
    #expect(census.living == 0)
  }

  @Test(arguments: ClosureForm.allCases) func actorDeallocatedDuringChangesLeavesNothingBehind(form: ClosureForm) async
  {
    let song = Song()
    for _ in 0..<(isSanitized ? 5 : 20) {
      weak var life: DefaultListener?
      do {
        let actor = DefaultListener()
        life = actor
        await actor.listen(to: song, as: form)
        let changing = Task.detached { play(song) }
        while await actor.numbers.isEmpty { await Task.yield() }
        // The elements that have arrived are the first ones, without a gap.
        let numbers = await actor.numbers
        #expect(numbers == Array(Self.all.prefix(numbers.count)))
        await actor.run { $0.state.controller.unobserveAll() }
        let ended = await actor.numbers.count
        await changing.value
        #expect(await actor.numbers.count == ended)
      }
      while life != nil { await Task.yield() }
    }
    #expect(song.registrationCount == 0)
  }

  @Test func changeMadeAsTheActorFinishesTheLastOneArrives() async {
    let song = Song()
    let actor = DefaultListener()
    let received = Locked(0)
    let count = isSanitized ? 2000 : 20_000
    await actor.run { actor -> Void in
      actor.state.controller.observe(song, \.plays) { _, change in received.withLock { $0 = change.newValue ?? 0 } }
    }
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        for number in 1...count {
          song.plays = number
          // The next change arrives when the actor is about to find its queue empty.
          while received.current < number { sched_yield() }
        }
        continuation.resume()
      }
    }
    #expect(received.current == count)
    await actor.run { $0.state.controller.unobserveAll() }
  }

  @Test func changesThatHopBetweenActorsArriveOnceEach() async {
    let song = Song()
    let listeners = (0..<3).map { _ in DefaultListener() }
    for listener in listeners { await listener.listen(to: song, as: .typed) }
    let queue = QueueListener()
    await queue.listen(to: song, as: .block)
    // Each change is made on another actor, or on none.
    for number in Self.all {
      switch number % 5 {
      case 0: song.play(number)
      case 4: await queue.run { _ in song.play(number) }
      case let index: await listeners[index - 1].run { _ in song.play(number) }
      }
    }
    for listener in listeners {
      while await listener.numbers.count < Self.all.count { await Task.yield() }
      #expect(await listener.numbers == Self.all)
    }
    while await queue.numbers.count < Self.all.count { await Task.yield() }
    #expect(await queue.numbers == Self.all)
  }

  @MainActor @Test func changesThatHopToTheMainActorAndBackArriveOnceEach() async {
    let song = Song()
    let recorder = Recorder()
    let controller = KVOController(observer: recorder)
    let received = ReceivedChanges<Int>()
    controller.observe(song, \.plays) { _, change in
      MainActor.preconditionIsolated()
      received.record(change)
    }
    for number in Self.all {
      if number % 2 == 0 { song.plays = number } else { await Task.detached { song.plays = number }.value }
    }
    while received.count < Self.all.count { await Task.yield() }
    #expect(received.new == Self.all)
    withExtendedLifetime(controller) {}
  }
}
