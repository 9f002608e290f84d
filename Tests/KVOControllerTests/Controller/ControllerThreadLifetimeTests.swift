import KVOController
import Testing
import _KVOTestSupport

/// Observers, controllers, and observed objects that are deallocated on one thread while others use them.
@Suite struct ControllerThreadLifetimeTests {
  let threads = 4
  let rounds = 500

  @Test func controllersCanBeReleasedDuringChanges() {
    let circle = Circle()
    let census = Census()
    let recorder = Recorder()
    onThreads(threads) { [rounds] thread in
      for round in 0..<rounds {
        if thread == 0 {
          circle.radius = round
        } else {
          let controller = KVOController(observer: recorder)
          let resident = Resident(census)
          controller.observe(circle, keyPath: "radius") { _, _, _ in resident.stay() }
          controller.observe(circle, keyPath: "diameter", action: Recorder.redraw)
        }
      }
    }
    #expect(census.living == 0)
    #expect(circle.registrationCount == 0)
    _ = recorder.takeCalls()
    circle.radius = -1
    #expect(recorder.calls == [])
  }

  @Test(arguments: Form.all) func observersCanBeReleasedDuringChanges(form: Form) {
    let circle = Circle()
    let called = Locked(0)
    let alive = Census()
    onThreads(threads) { [rounds] thread in
      for round in 0..<rounds {
        if thread == 0 {
          circle.radius = round
        } else {
          let recorder = Recorder()
          let resident = Resident(alive)
          recorder.whenCalled = { _, _ in
            resident.stay()
            called.add()
          }
          recorder.kvoController.observe(circle, "radius", as: form)
          recorder.kvoControllerNonRetaining.observe(circle, "radius", as: form)
        }
      }
    }
    #expect(alive.living == 0)
    #expect(circle.registrationCount == 0)
    let before = called.current
    circle.radius = -1
    #expect(called.current == before)
  }

  @Test func observerCanBeReleasedWhileItsControllerObserves() {
    // The thread that observes may hold the last reference to the observer for a moment.
    final class Tidy: Recorder, @unchecked Sendable {
      var end: (() -> Void)?
      deinit {
        end?()
      }
    }
    let latest = Locked<KVOController?>(nil)
    let passes = Locked(0)
    let isOver = Locked(false)
    onThreads(threads) { [rounds] thread in
      let circle = Circle()
      while thread > 0 && !isOver.current {
        let controller = latest.current
        for _ in 0..<10 {
          controller?.observe(circle, keyPath: "radius") { _, _, _ in }
          controller?.unobserve(circle, keyPath: "radius")
        }
        passes.add()
      }
      for _ in 0..<rounds where thread == 0 {
        let tidy = Tidy()
        let controller = KVOController(observer: tidy)
        tidy.end = { controller.unobserveAll() }
        withExtendedLifetime(tidy) {
          latest.withLock { $0 = controller }
          let before = passes.current
          while passes.current < before + 2 { sched_yield() }
        }
      }
      if thread == 0 { isOver.withLock { $0 = true } }
    }
    #expect(latest.take()?.observer == nil)
  }

  @Test func objectsCanBeReleasedWhileTheyAreUnobserved() {
    let recorder = Recorder()
    // Controllers and tokens can be used on any thread.
    nonisolated(unsafe) let controller = KVOController(observer: recorder, retainObserved: false)
    let census = Census()
    for round in 0..<rounds {
      let held = Locked<Circle?>(Circle(resident: Resident(census)))
      for path in ["radius", "center.x"] { controller.observe(held.current, path, as: Form(way: .block)) }
      onThreads(3) { thread in
        switch thread {
        case 0: _ = held.take()
        case 1: round.isMultiple(of: 2) ? controller.unobserveAll() : controller.unobserve(held.current)
        default: _ = controller.debugDescription
        }
      }
    }
    #expect(census.living == 0)
    #expect(!controller.debugDescription.contains("radius"))
  }

  @Test func objectsCanBeReleasedWhileTheControllerIsDescribed() {
    let recorder = Recorder()
    nonisolated(unsafe) let controller = KVOController(observer: recorder, retainObserved: false)
    let census = Census()
    let isOver = Locked(false)
    onThreads(threads) { [rounds] thread in
      // The thread that describes may hold the last reference to an object for a moment.
      while thread == 1 && !isOver.current { _ = controller.debugDescription }
      while thread == 2 && !isOver.current { controller.unobserveAll() }
      for _ in 0..<20 * rounds where thread == 0 {
        controller.observe(Circle(resident: Resident(census)), "radius", as: Form(way: .block))
      }
      if thread == 0 { isOver.withLock { $0 = true } }
    }
    #expect(census.living == 0)
    #expect(!controller.debugDescription.contains("radius"))
  }

  @Test func objectsOfOneControllerCanBeReleasedOnAllThreads() {
    let recorder = Recorder()
    nonisolated(unsafe) let controller = KVOController(observer: recorder, retainObserved: false)
    let census = Census()
    let counts = (0..<threads).map { _ in Locked(0) }
    onThreads(threads) { [rounds] thread in
      for round in 0..<rounds {
        // The addresses of deallocated objects are reused, even on other threads.
        let circle = Circle(resident: Resident(census))
        controller.observe(circle, keyPath: "radius") { _, _, _ in counts[thread].add() }
        circle.radius = round
      }
    }
    #expect(counts.map(\.current) == Array(repeating: rounds, count: threads))
    #expect(census.living == 0)
    #expect(!controller.debugDescription.contains("radius"))
  }

  @Test func aRetainingControllerReleasesEverythingWhicheverThreadEndsIt() {
    let census = Census()
    let recorder = Recorder()
    for _ in 0..<rounds / 5 {
      let held = Locked<KVOController?>(KVOController(observer: recorder))
      onThreads(threads) { thread in
        for _ in 0..<5 {
          let circle = Circle(resident: Resident(census))
          held.current?.observe(circle, "radius", as: Form(way: .block))
          circle.radius = 1
        }
        if thread == 0 { _ = held.take() }
      }
    }
    #expect(census.living == 0)
  }
}
