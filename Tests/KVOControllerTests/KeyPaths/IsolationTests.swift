import KVOController
import Testing
import _KVOTestSupport

/// Handlers run where `observe` was called from.
@Suite(.timeLimit(.minutes(10))) struct IsolationTests {
  let song = Song()

  @Test(arguments: ClosureForm.allCases)
  func nonisolatedHandlerRunsOnTheThreadOfTheChange(_ form: ClosureForm) {
    let song = song
    let observer = Relay()
    let controller = KVOController(observer: observer)
    let threads = Locked<[ObjectIdentifier]>([])
    form.observe(song, with: controller, options: .new, in: nil) { _, _ in
      threads.withLock { $0.append(ObjectIdentifier(Thread.current)) }
    }
    let changing = Locked<[ObjectIdentifier]>([])
    onThreads(1) { _ in
      changing.withLock { $0.append(ObjectIdentifier(Thread.current)) }
      song.plays = 1
      #expect(threads.current == changing.current)
    }
    withExtendedLifetime((observer, controller)) {}
  }

  @Test func aNonisolatedCallersActionsRunOnTheThreadOfTheChange() {
    let song = song
    let watcher = Watcher()
    let controller = KVOController(observer: watcher)
    controller.observe(song, keyPath: "plays", identifier: 1, action: Watcher.redraw)
    controller.observe(song, keyPath: "plays", identifier: 2, action: Watcher.update(change:))
    controller.observe(song, keyPath: "plays", identifier: 3, action: Watcher.update(change:object:))
    onThreads(1) { _ in
      song.plays = 1
      #expect(watcher.count == 3)
    }
    withExtendedLifetime(controller) {}
  }

  @Test(arguments: ClosureForm.allCases)
  func aChangeOnTheActorIsDeliveredAtOnce(_ form: ClosureForm) async {
    await expectAtOnce(form, DefaultListener())
    await expectAtOnce(form, QueueListener())
  }

  private func expectAtOnce<Actor: Listener>(_ form: ClosureForm, _ actor: Actor) async {
    let song = song
    await actor.run { actor in
      actor.listen(to: song, as: form, options: [.new, .initial, .prior])
      #expect(actor.numbers == [song.plays])
      song.plays = 5
      #expect(Array(actor.numbers.dropFirst()) == [-1, 5])
      #expect(actor.state.priors == [false, true, false])
      actor.state.controller.unobserveAll()
    }
  }

  @Test(arguments: ClosureForm.allCases)
  func changesOnOtherThreadsReachTheActorInOrder(_ form: ClosureForm) async {
    await expectSent(form, DefaultListener())
    await expectSent(form, QueueListener())
  }

  private func expectSent<Actor: Listener>(_ form: ClosureForm, _ actor: Actor) async {
    let song = song
    await actor.listen(to: song, as: form)
    await actor.run { actor in
      onThreads(1) { _ in for number in 1...100 { song.plays = number } }
      // The actor is busy: nothing has arrived before it is free.
      #expect(actor.numbers == [])
    }
    while await actor.numbers.count < 100 { await Task.yield() }
    #expect(await actor.numbers == Array(1...100))
    await actor.run { $0.state.controller.unobserveAll() }
  }

  @Test(arguments: ClosureForm.allCases)
  func aChangeOnTheActorComesAfterThoseThatWait(_ form: ClosureForm) async {
    let song = song
    let actor = DefaultListener()
    await actor.run { actor in
      actor.listen(to: song, as: form)
      onThreads(1) { _ in for number in 1...10 { song.plays = number } }
      song.plays = 11
      #expect(actor.numbers == Array(1...11))
    }
    await actor.run { #expect($0.numbers.count == 11) }
  }

  @Test(arguments: ClosureForm.allCases)
  func nothingArrivesAfterTheObservationWasEndedOnTheActor(_ form: ClosureForm) async {
    let song = song
    let actor = DefaultListener()
    await actor.run { actor in
      actor.listen(to: song, as: form)
      onThreads(1) { _ in for number in 1...10 { song.plays = number } }
      actor.state.controller.unobserve(song, \.plays)
    }
    await passed(actor)
    #expect(await actor.numbers == [])
  }

  @Test func nothingArrivesAfterTheTokenWasInvalidatedOnTheActor() async {
    let song = song
    let actor = DefaultListener()
    await actor.run { actor in
      let state = actor.state
      let observation = state.controller.observe(song, \.plays) { _, change in
        state.numbers.append(change.newValue ?? -1)
      }
      onThreads(1) { _ in for number in 1...10 { song.plays = number } }
      observation.invalidate()
    }
    await passed(actor)
    #expect(await actor.numbers == [])
  }

  @Test func aHandlerThatEndsItsObservationIsNotCalledForWhatWaits() async {
    let song = song
    let actor = DefaultListener()
    await actor.run { actor in
      let state = actor.state
      state.controller.observe(song, \.plays) { [weak state] song, change in
        state?.numbers.append(change.newValue ?? -1)
        if change.newValue == 3 { state?.controller.unobserve(song, \.plays) }
      }
      onThreads(1) { _ in for number in 1...10 { song.plays = number } }
    }
    await passed(actor)
    #expect(await actor.numbers == [1, 2, 3])
  }

  @Test func nothingIsDeliveredAfterTheObserverIsDeallocated() async {
    let song = song
    let actor = DefaultListener()
    let count = Locked(0)
    await actor.run { _ in
      var observer: PlainWatcher? = PlainWatcher()
      let controller = KVOController(observer: observer)
      controller.observe(song, \.plays) { _, _ in count.add() }
      onThreads(1) { _ in song.plays = 1 }
      observer = nil
      song.plays = 2
    }
    await passed(actor)
    #expect(count.current == 0)
  }

  @Test func priorCallsAreSentInOrderToo() async {
    let song = song
    let actor = DefaultListener()
    await actor.run { actor in
      actor.listen(to: song, as: .typed, options: [.new, .prior])
      onThreads(1) { _ in
        song.plays = 1
        song.plays = 2
      }
    }
    await passed(actor)
    #expect(await actor.numbers == [-1, 1, -1, 2])
    #expect(await actor.run { $0.state.priors } == [true, false, true, false])
  }

  @Test func theContextFormStaysSynchronous() async {
    let song = song
    let watcher = Watcher()
    let actor = DefaultListener()
    await actor.run { _ in
      let controller = KVOController(observer: watcher)
      controller.observe(song, keyPath: "plays", options: .new, context: nil)
      onThreads(1) { _ in
        song.plays = 1
        #expect(watcher.count == 1)
      }
      withExtendedLifetime(controller) {}
    }
  }

  @Test func aChangeInsideAHandlerIsDeliveredInsideIt() async {
    let song = song
    let actor = DefaultListener()
    await actor.run { actor in
      let state = actor.state
      state.controller.observe(song, \.plays) { [weak state] song, change in
        state?.numbers.append(change.newValue ?? -1)
        if song.plays == 1 {
          song.plays = 2
          state?.numbers.append(-1)
        }
      }
      song.plays = 1
      #expect(state.numbers == [1, 2, -1])
    }
  }

  @Test func objectCanChangeInItsDeinitOnAnotherThread() async {
    let actor = DefaultListener()
    let object = Locked<Song?>(Song())
    await actor.run { actor in
      let state = actor.state
      guard let song = object.current else { return }
      song.whenReleased = { $0.plays = 7 }
      let controller = KVOController(observer: state.observer, retainObserved: false)
      controller.observe(song, \.plays) { _, change in state.numbers.append(change.newValue ?? -1) }
      state.kept = controller
    }
    onThreads(1) { _ in _ = object.take() }
    await passed(actor)
    #expect(await actor.numbers == [])
  }

  @Test func changeInADeinitOnTheActorIsDelivered() async {
    let actor = DefaultListener()
    await actor.run { actor in
      let state = actor.state
      let controller = KVOController(observer: state.observer, retainObserved: false)
      var song: Song? = Song()
      song?.whenReleased = { $0.plays = 7 }
      if let song { controller.observe(song, \.plays) { _, change in state.numbers.append(change.newValue ?? -1) } }
      song = nil
      #expect(state.numbers == [7])
      withExtendedLifetime(controller) {}
    }
  }

  @Test func theObjectOfAWaitingChangeIsAliveInTheHandler() async {
    let actor = DefaultListener()
    let object = Locked<Song?>(Song("kept"))
    let titles = Locked<[String]>([])
    await actor.run { actor in
      let controller = KVOController(observer: actor.state.observer, retainObserved: false)
      actor.state.kept = controller
      guard let song = object.current else { return }
      controller.observe(song, \.plays) { song, _ in titles.withLock { $0.append(song.title) } }
    }
    await actor.run { _ in
      onThreads(1) { _ in object.take()?.plays = 1 }
    }
    await passed(actor)
    // The object may be deallocated already. Then nothing is received, and never a deallocated object.
    #expect(titles.current == ["kept"] || titles.current == [])
  }

  /// Waits until what was sent to the actor has arrived: jobs of one priority are taken in their order.
  private func passed(_ actor: some Listener) async {
    for _ in 0..<10 { await actor.settle() }
  }
}
