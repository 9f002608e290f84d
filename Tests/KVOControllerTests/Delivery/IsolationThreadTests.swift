import KVOController
import Testing
import _KVOTestSupport

/// Thousands of changes from several threads reach the actors that observe, in their order, and none is lost.
@Suite(.watched) struct IsolationThreadTests {
  static let threads = 4
  static let rounds = 1000

  /// Makes changes on several threads, each of songs of its own and of one that all share, whose writes are locked.
  private func play(_ own: [Song], _ shared: Song, _ order: Locked<[Int]>) {
    onThreads(Self.threads) { thread in
      for round in 1...Self.rounds {
        own[thread].plays = round
        order.withLock { order in
          let number = order.count + 1
          shared.plays = number
          order.append(number)
        }
      }
    }
  }

  @Test(arguments: ClosureForm.allCases)
  func theDefaultExecutorGetsAllInOrder(_ form: ClosureForm) async {
    await expectAll(form, (0..<2).map { _ in DefaultListener() }, (0..<Self.threads).map { _ in DefaultListener() })
  }

  @Test(arguments: ClosureForm.allCases)
  func anOwnExecutorGetsAllInOrder(_ form: ClosureForm) async {
    await expectAll(form, (0..<2).map { _ in QueueListener() }, (0..<Self.threads).map { _ in QueueListener() })
  }

  private func expectAll<Actor: Listener>(_ form: ClosureForm, _ ofShared: [Actor], _ ofOwn: [Actor]) async {
    let own = (0..<Self.threads).map { _ in Song() }
    let shared = Song()
    for actor in ofShared { await actor.listen(to: shared, as: form) }
    for (actor, song) in zip(ofOwn, own) { await actor.listen(to: song, as: form) }
    play(own, shared, Locked([]))
    for actor in ofShared {
      let count = Self.threads * Self.rounds
      while await actor.numbers.count < count { await Task.yield() }
      #expect(await actor.numbers == Array(1...count))
    }
    for actor in ofOwn {
      while await actor.numbers.count < Self.rounds { await Task.yield() }
      #expect(await actor.numbers == Array(1...Self.rounds))
    }
  }

  @Test func theMainActorGetsAllInOrder() async {
    let own = (0..<Self.threads).map { _ in Song() }
    let shared = Song()
    let (observer, received) = await MainActor.run {
      let observer = Recorder()
      let controller = observer.kvoController
      let received = ([shared] + own).map { song in
        let received = ReceivedChanges<Int>()
        controller.observe(song, \.plays) { (_: Recorder, _, change) in
          MainActor.preconditionIsolated()
          received.record(change)
        }
        return received
      }
      return (observer, received)
    }
    play(own, shared, Locked([]))
    for (index, received) in received.enumerated() {
      let count = index == 0 ? Self.threads * Self.rounds : Self.rounds
      while received.count < count { await Task.yield() }
      #expect(received.new == Array(1...count))
    }
    withExtendedLifetime(observer) {}
  }

  @Test func changesOnTheActorAndOnOtherThreadsKeepTheirOrder() async {
    let song = Song()
    let actor = DefaultListener()
    await actor.listen(to: song, as: .typed)
    let order = Locked(0)
    @Sendable func change() {
      order.withLock { number in
        number += 1
        song.plays = number
      }
    }
    async let elsewhere: Void = Task.detached { for _ in 0..<Self.rounds { change() } }.value
    for _ in 0..<Self.rounds / 10 { await actor.run { _ in for _ in 0..<10 { onThreads(1) { _ in change() } } } }
    await elsewhere
    let count = 2 * Self.rounds
    while await actor.numbers.count < count { await Task.yield() }
    #expect(await actor.numbers == Array(1...count))
  }

  @Test func afterItsEndOnTheActorNothingArrivesWhileOthersGoOn() async {
    let song = Song()
    let actor = DefaultListener()
    let changing = Task.detached {
      var number = 0
      while !Task.isCancelled {
        number += 1
        song.plays = number
      }
    }
    let census = Census()
    for _ in 0..<100 {
      let count = await actor.run { actor in
        let state = actor.state
        let resident = Resident(census)
        let observation = state.controller.observe(song, \.plays) { _, _ in
          resident.stay()
          state.numbers.append(1)
        }
        state.tokens.append(observation)
        return state.numbers.count
      }
      while await actor.numbers.count == count { await Task.yield() }
      let ended = await actor.run { actor in
        actor.state.tokens.removeLast().invalidate()
        return actor.state.numbers.count
      }
      // What waits for the actor retains the handler. Once that is released, it can't be called any more.
      while census.living > 0 { await Task.yield() }
      #expect(await actor.numbers.count == ended)
    }
    changing.cancel()
    await changing.value
  }
}
