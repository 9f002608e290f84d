import KVOController
import Testing
import _KVOTestSupport

/// Handlers run where `observe` was called from.
@Suite(.watched) struct IsolationTests {
  let song = Song()

  @Test(arguments: ClosureForm.allCases)
  func nonisolatedHandlerRunsOnTheThreadOfTheChange(_ form: ClosureForm) {
    let song = song
    let observer = Relay()
    let controller = KVOController(observer: observer)
    let threads = Locked<[ObjectIdentifier]>([])
    form.observe(song, with: controller, options: .new, in: nil) { _, _ in
      threads.append(ObjectIdentifier(Thread.current))
    }
    let changing = Locked<[ObjectIdentifier]>([])
    onThreads(1) { _ in
      changing.append(ObjectIdentifier(Thread.current))
      song.plays = 1
      #expect(threads.current == changing.current)
    }
    withExtendedLifetime((observer, controller)) {}
  }

  @Test func aNonisolatedCallersActionsRunOnTheThreadOfTheChange() {
    let song = song
    let recorder = Recorder()
    let controller = KVOController(observer: recorder)
    controller.observe(song, keyPath: "plays", identifier: 1, action: Recorder.redraw)
    controller.observe(song, keyPath: "plays", identifier: 2, action: Recorder.update(change:))
    controller.observe(song, keyPath: "plays", identifier: 3, action: Recorder.update(change:object:))
    onThreads(1) { _ in
      song.plays = 1
      #expect(recorder.count == 3)
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
    let actor = DefaultListener()
    let life = await actor.run { actor in
      let song = Song()
      actor.listen(to: song, as: form)
      onThreads(1) { _ in for number in 1...10 { song.plays = number } }
      actor.state.controller.unobserve(song, \.plays)
      return Weak(song)
    }
    await nothingWaits(life)
    #expect(await actor.numbers == [])
  }

  @Test func aHandlerThatEndsItsObservationIsNotCalledForWhatWaits() async {
    let actor = DefaultListener()
    let life = await actor.run { actor in
      let state = actor.state
      let song = Song()
      state.controller.observe(song, \.plays) { [weak state] song, change in
        state?.numbers.append(change.newValue ?? -1)
        if change.newValue == 3 { state?.controller.unobserve(song, \.plays) }
      }
      onThreads(1) { _ in for number in 1...10 { song.plays = number } }
      return Weak(song)
    }
    await nothingWaits(life)
    #expect(await actor.numbers == [1, 2, 3])
  }

  @Test func nothingIsDeliveredAfterTheObserverIsDeallocated() async {
    let actor = DefaultListener()
    let count = Locked(0)
    let life = await actor.run { _ in
      let song = Song()
      var observer: PlainRecorder? = PlainRecorder()
      let controller = KVOController(observer: observer)
      controller.observe(song, \.plays) { _, _ in count.add() }
      onThreads(1) { _ in song.plays = 1 }
      observer = nil
      song.plays = 2
      return Weak(song)
    }
    await nothingWaits(life)
    #expect(count.current == 0)
  }

  @Test func priorCallsAreSentInOrderToo() async {
    let actor = DefaultListener()
    let life = await actor.run { actor in
      let song = Song()
      let controller = KVOController(observer: actor.state.observer, retainObserved: false)
      let state = actor.state
      ClosureForm.typed.observe(song, with: controller, options: [.new, .prior], in: actor) {
        // The observer, which the state retains, stores this handler as well.
        [weak state] plays, isPrior in
        state?.numbers.append(plays)
        state?.priors.append(isPrior)
      }
      state.kept = controller
      onThreads(1) { _ in
        song.plays = 1
        song.plays = 2
      }
      return Weak(song)
    }
    await nothingWaits(life)
    #expect(await actor.numbers == [-1, 1, -1, 2])
    #expect(await actor.run { $0.state.priors } == [true, false, true, false])
    #expect(await actor.run { $0.state.kept?.observations.count } == 0)
  }

  @Test func theContextFormStaysSynchronous() async {
    let song = song
    let recorder = Recorder()
    let actor = DefaultListener()
    await actor.run { _ in
      let controller = KVOController(observer: recorder)
      controller.observe(song, keyPath: "plays", options: .new, context: nil)
      onThreads(1) { _ in
        song.plays = 1
        #expect(recorder.count == 1)
      }
      withExtendedLifetime(controller) {}
    }
  }

  @Test func objectCanChangeInItsDeinitOnAnotherThread() async {
    let actor = DefaultListener()
    let object = Locked<Song?>(Song())
    let census = Census()
    await actor.run { actor in
      let state = actor.state
      let resident = Resident(census)
      guard let song = object.current else { return }
      song.whenReleased = { $0.plays = 7 }
      let controller = KVOController(observer: state.observer, retainObserved: false)
      controller.observe(song, \.plays) { _, change in
        resident.stay()
        state.numbers.append(change.newValue ?? -1)
      }
      state.kept = controller
    }
    onThreads(1) { _ in _ = object.take() }
    // The handler is released with the observation, so it can't be called any more.
    while census.living > 0 { await Task.yield() }
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
      controller.observe(song, \.plays) { song, _ in titles.append(song.title) }
    }
    let life = Weak(object.current)
    await actor.run { _ in
      onThreads(1) { _ in
        let song = object.take()
        song?.plays = 1
        withExtendedLifetime(song) {}
      }
      // Only the change that waits retains the object by now.
      #expect(life.isAlive)
    }
    await nothingWaits(life)
    #expect(titles.current == ["kept"])
  }

  /// Waits until the object is deallocated. A change that waits for an actor retains it, so none can arrive after that.
  private func nothingWaits(_ life: Weak<Song>) async {
    while life.isAlive { await Task.yield() }
  }
}
