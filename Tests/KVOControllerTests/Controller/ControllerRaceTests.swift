import KVOController
import Testing
import _KVOTestSupport

/// Two threads that meet between any two lines. Each race is run at a fixed point, which gates hold open, or often.
@Suite(.watched) struct ControllerRaceTests {
  static let rounds = isSanitized ? 200 : 1000
  let circle = Circle()
  let recorder = Recorder()

  // MARK: At a fixed point

  /// Runs at once, here or on another thread.
  private static func run(elsewhere: Bool, _ body: @escaping @Sendable () -> Void) {
    if elsewhere { onThreads(1) { _ in body() } } else { body() }
  }

  @Test(arguments: Form.all) func unobservingOnAnotherThreadDuringTheInitialCallLeavesOneCall(form: Form) {
    // Controllers and tokens can be used on any thread.
    nonisolated(unsafe) let controller = KVOController(observer: recorder)
    recorder.whenCalled = { _, _ in onThreads(1) { _ in controller.unobserve(circle, keyPath: "radius") } }
    controller.observe(circle, "radius", as: form, options: .initial)
    circle.radius = 1
    #expect(recorder.count == 1)
    #expect(circle.registrationCount == 0)
    recorder.whenCalled = nil
  }

  @Test func unobservingOnAnotherThreadDuringTheInitialCallInvalidatesTheToken() {
    nonisolated(unsafe) let controller = KVOController(observer: recorder)
    let count = Locked(0)
    let token = controller.observe(circle, \.radius, options: .initial) { circle, _ in
      count.add()
      onThreads(1) { _ in controller.unobserveAll() }
    }
    circle.radius = 1
    #expect(count.current == 1)
    #expect(!token.isValid)
    #expect(circle.registrationCount == 0)
  }

  @Test(arguments: Form.all) func controllerReleasedOnAnotherThreadDuringDeliveryMakesNoMoreCalls(form: Form) {
    let held = Locked<KVOController?>(KVOController(observer: recorder))
    // Both are notified of one change. The first one releases the controller before the other is notified.
    held.current?.observe(circle, "radius", as: form)
    held.current?.observe(circle, "diameter", as: form)
    recorder.whenCalled = { _, _ in onThreads(1) { _ in _ = held.take() } }
    circle.radius = 1
    circle.radius = 2
    #expect(recorder.count == 1)
    #expect(circle.registrationCount == 0)
    recorder.whenCalled = nil
  }

  @Test(arguments: Form.all, [true, false])
  func observerReleasedDuringDeliveryIsNotCalledAgain(form: Form, elsewhere: Bool) {
    let held = Locked<Recorder?>(Recorder())
    let count = Locked(0)
    let life = Weak(held.current)
    held.current?.kvoController.observe(circle, "radius", as: form)
    held.current?.kvoController.observe(circle, "diameter", as: form)
    held.current?.whenCalled = { _, _ in
      count.add()
      Self.run(elsewhere: elsewhere) { _ = held.take() }
    }
    circle.radius = 1
    circle.radius = 2
    #expect(count.current == 1)
    #expect(!life.isAlive)
    #expect(circle.registrationCount == 0)
  }

  @Test func unobservingOnAnotherThreadDuringThePriorCallPreventsTheNextCall() {
    nonisolated(unsafe) let controller = KVOController(observer: recorder)
    recorder.whenCalled = { _, _ in onThreads(1) { _ in controller.unobserve(circle) } }
    controller.observe(circle, "radius", as: Form(way: .block), options: .prior)
    circle.radius = 1
    #expect(recorder.changes == [Change.prior(keyPath: "radius")])
    recorder.whenCalled = nil
  }

  @Test(arguments: [true, false]) func observingAgainDuringACallIsANewObservation(elsewhere: Bool) {
    nonisolated(unsafe) let controller = KVOController(observer: recorder)
    let (first, second) = (Locked(0), Locked(0))
    controller.observe(circle, keyPath: "radius") { _, _, _ in
      first.add()
      Self.run(elsewhere: elsewhere) {
        controller.unobserve(circle, keyPath: "radius")
        controller.observe(circle, keyPath: "radius") { _, _, _ in second.add() }
      }
    }
    circle.radius = 1
    #expect(first.current == 1 && second.current == 0)
    circle.radius = 2
    #expect(first.current == 1 && second.current == 1)
    controller.unobserve(circle)
    circle.radius = 3
    #expect(first.current == 1 && second.current == 1)
  }

  // MARK: Often

  @Test func theLastReleaseOfAnObjectMayRaceWithASetterOfAnotherReference() {
    let controller = KVOController(observer: recorder, retainObserved: false)
    let census = Census()
    let counts = [Locked(0), Locked(0)]
    for round in 0..<Self.rounds {
      // Each thread has its own reference and its own property. The last one to release its reference deallocates the
      // object.
      let held = (0..<2).map { _ in Locked<Circle?>(nil) }
      do {
        let circle = Circle(resident: Resident(census))
        controller.observe(circle, keyPath: "radius") { _, _, _ in counts[0].add() }
        controller.observe(circle, keyPath: "borderWidth") { _, _, _ in counts[1].add() }
        for held in held { held.withLock { $0 = circle } }
      }
      onThreads(2) { thread in
        let circle = held[thread].take()
        if thread == 0 { circle?.radius = round } else { circle?.borderWidth = round }
      }
    }
    #expect(counts.map(\.current) == [Self.rounds, Self.rounds])
    #expect(census.living == 0)
    #expect(!controller.debugDescription.contains("radius"))
  }

  @Test func unobservingEverythingMayRaceWithTheDeathOfWhatIsObserved() {
    nonisolated(unsafe) let controller = KVOController(observer: recorder, retainObserved: false)
    let census = Census()
    let blocks = Census()
    for _ in 0..<Self.rounds {
      let held = (0..<2).map { _ in Locked<Circle?>(Circle(resident: Resident(census))) }
      for held in held {
        for path in ["radius", "anchor.x"] {
          let resident = Resident(blocks)
          controller.observe(held.current, keyPath: path) { _, _, _ in resident.stay() }
        }
      }
      onThreads(3) { thread in
        if thread < 2 { _ = held[thread].take() } else { controller.unobserveAll() }
      }
      #expect(blocks.living == 0)
    }
    #expect(census.living == 0)
    #expect(!controller.debugDescription.contains("radius"))
  }

  @Test func objectOfATokenCanBeReadWhileTheObservationEnds() {
    let controller = KVOController(observer: recorder, retainObserved: true)
    let census = Census()
    for _ in 0..<Self.rounds {
      let held = Locked<Circle?>(Circle(resident: Resident(census)))
      nonisolated(unsafe) let token = held.current.map { controller.observe($0, \.radius) { _, _ in } }
      _ = held.take()
      onThreads(3) { thread in
        if thread == 0 { token?.invalidate() } else { _ = token?.object }
      }
      #expect(token?.object == nil)
    }
    #expect(census.living == 0)
  }

  @Test func tokensCanEndWhileTheirObjectsAreDeallocated() {
    let controller = KVOController(observer: recorder, retainObserved: false)
    let census = Census()
    for _ in 0..<Self.rounds {
      let held = Locked<Circle?>(Circle())
      let resident = Resident(census)
      nonisolated(unsafe) let token = held.current.map { controller.observe($0, \.radius) { _, _ in resident.stay() } }
      onThreads(3) { thread in
        if thread == 0 { _ = held.take() } else { token?.invalidate() }
      }
      #expect(token?.isValid == false)
    }
    #expect(census.living == 0)
    #expect(!controller.debugDescription.contains("radius"))
  }

  @Test func anEndThatRacesWithARegistrationLeavesAllOrNothing() {
    nonisolated(unsafe) let controller = KVOController(observer: recorder)
    for round in 0..<Self.rounds {
      onThreads(2) { thread in
        if thread == 0 {
          controller.observe(circle, "radius", as: Form(way: .block))
        } else {
          controller.unobserve(circle, keyPath: "radius")
        }
      }
      let isObserved = controller.debugDescription.contains("radius")
      #expect((circle.registrationCount > 0) == isObserved)
      circle.radius = round
      #expect(recorder.takeCalls().count == (isObserved ? 1 : 0))
      controller.unobserveAll()
    }
  }

  @Test func theControllerFirstReadOnSeveralThreadsKeepsWhatEachObserves() {
    let census = Census()
    for _ in 0..<Self.rounds {
      // A thread releases the objects that its body references a moment after it has ended.
      let cast = Locked<(recorder: Recorder, circles: [Circle])?>(
        (Recorder(), (0..<4).map { _ in Circle(resident: Resident(census)) }))
      onThreads(4) { thread in
        guard let (recorder, circles) = cast.current else { return }
        recorder.kvoController.observe(circles[thread], "radius", as: Form(way: .action))
        recorder.kvoControllerNonRetaining.observe(circles[thread], "radius", as: Form(way: .action))
      }
      guard let (recorder, circles) = cast.take() else { return }
      for circle in circles { circle.radius = 1 }
      #expect(recorder.count == 8)
    }
    #expect(census.living == 0)
  }

  @Test func controllerCanBeReleasedWhileAnotherThreadObservesWithIt() {
    let census = Census()
    for _ in 0..<Self.rounds {
      let held = Locked<KVOController?>(KVOController(observer: recorder))
      onThreads(2) { thread in
        guard let controller = thread == 0 ? held.take() : held.current else { return }
        let resident = Resident(census)
        controller.observe(circle, keyPath: "radius", identifier: thread) { _, _, _ in resident.stay() }
      }
    }
    #expect(census.living == 0)
    #expect(circle.registrationCount == 0)
  }
}
