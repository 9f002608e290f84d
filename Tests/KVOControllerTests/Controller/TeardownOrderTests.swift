import KVOController
import Testing
import _KVOTestSupport

/// The observer, the controller, the observed object and an object on the path may leave in any order.
@Suite struct TeardownOrderTests {
  static let orders = permutations(of: Stage.Role.allCases)

  @Test(arguments: orders, [true, false]) func remainingObjectsStillWork(order: [Stage.Role], retaining: Bool) {
    for form in Form.all {
      let stage = Stage(retainObserved: retaining)
      let lives = StageLives(stage)
      // Outlives the recorder.
      let calls = Locked(0)
      stage.recorder?.whenCalled = { _, _ in calls.add() }
      stage.controller?.observe(stage.circle, "anchor.x", as: form)
      stage.controller?.observe(stage.circle, "radius", as: form)
      var present = Set(Stage.Role.allCases)
      for role in order {
        stage.leave(role)
        present.remove(role)
        var living = present
        if retaining && present.contains(.controller) { living.insert(.circle) }
        #expect(lives.living == living)
        let mayBeCalled = living.isSuperset(of: [.recorder, .controller, .circle])
        lives.point.object?.x += 1
        #expect(calls.current == (mayBeCalled && living.contains(.point) ? 1 : 0))
        lives.circle.object?.radius += 1
        #expect(calls.current == (mayBeCalled ? (living.contains(.point) ? 2 : 1) : 0))
        calls.withLock { $0 = 0 }
      }
      #expect(lives.living == [])
    }
  }

  @Test(arguments: orders, [true, false]) func whatBlocksHoldLeavesToo(order: [Stage.Role], retaining: Bool) {
    let census = Census()
    let stage = Stage(retainObserved: retaining)
    for path in ["anchor.x", "radius", "center"] {
      let resident = Resident(census)
      stage.controller?.observe(stage.circle, keyPath: path) { _, _, _ in resident.stay() }
      stage.circle?.resident = resident
    }
    for role in order { stage.leave(role) }
    #expect(census.living == 0)
  }

  @Test(arguments: orders) func theObserversOwnControllerLeavesWithIt(order: [Stage.Role]) {
    let stage = Stage()
    let lives = StageLives(stage)
    // Nobody but the observer holds this controller.
    stage.controller = nil
    let own = Weak(stage.recorder?.kvoController)
    stage.recorder?.kvoController.observe(stage.circle, "anchor.x", as: Form(way: .block))
    for role in order where role != .controller {
      stage.leave(role)
      #expect(own.isAlive == lives.recorder.isAlive)
    }
    #expect(lives.living == [])
  }

  // MARK: From a deinit

  @Test(arguments: [true, false]) func anObserverMayUnobserveInItsDeinit(retaining: Bool) {
    final class Tidy: Recorder, @unchecked Sendable {
      let ending: (KVOController) -> Void
      let controllers: [KVOController]
      let watched: Circle
      init(_ circle: Circle, _ controllers: [KVOController], ending: @escaping (KVOController) -> Void) {
        watched = circle
        self.controllers = controllers
        self.ending = ending
      }
      deinit {
        for controller in controllers { ending(controller) }
        watched.radius += 1
        ending(kvoController)
        watched.radius += 1
      }
    }
    let circle = Circle()
    let endings: [(KVOController) -> Void] = [
      { $0.unobserveAll() }, { $0.unobserve(circle) }, { $0.unobserve(circle, keyPath: "radius") },
    ]
    for ending in endings {
      let controller = KVOController(observer: recorder, retainObserved: retaining)
      controller.observe(circle, "radius", as: Form(way: .block))
      var tidy: Tidy? = Tidy(circle, [controller], ending: ending)
      let life = Weak(tidy)
      tidy?.kvoController.observe(circle, "radius", as: Form(way: .block))
      tidy?.kvoControllerNonRetaining.observe(circle, "radius", as: Form(way: .block))
      tidy = nil
      #expect(!life.isAlive)
      #expect(recorder.takeCalls().count == 0)
      #expect(circle.registrationCount == 0)
    }
  }

  let recorder = Recorder()

  @Test func anObservedObjectMayBeChangedAndUnobservedInItsDeinit() {
    let controller = KVOController(observer: recorder, retainObserved: false)
    var circle: Circle? = Circle()
    circle?.whenReleased = { circle in
      circle.radius += 1
      controller.unobserve(circle, keyPath: "radius")
      circle.radius += 1
      controller.unobserve(circle)
      controller.unobserve(circle, keyPath: "borderWidth", identifier: "a")
    }
    controller.observe(circle, "radius", as: Form(way: .block))
    controller.observe(circle, "borderWidth", as: Form(way: .block), identifier: "a")
    circle = nil
    controller.unobserveAll()
    #expect(!controller.debugDescription.contains("radius"))
  }

  @Test func controllerCanBeReleasedInTheDeinitOfTheObservedObject() {
    for retaining in [true, false] {
      let held = Locked<KVOController?>(KVOController(observer: recorder, retainObserved: retaining))
      var circle: Circle? = Circle()
      let life = Weak(circle)
      circle?.whenReleased = { circle in
        _ = held.take()
        circle.radius += 1
      }
      held.current?.observe(circle, "radius", as: Form(way: .block))
      if retaining { held.current?.unobserve(circle) }
      circle = nil
      #expect(!life.isAlive)
      #expect(held.current == nil)
      #expect(recorder.takeCalls() == [])
    }
  }

  @Test func aControllerMayBeMadeInTheDeinitOfItsObserver() {
    final class Late: KeyValueObject, @unchecked Sendable {
      let circle: Circle
      init(_ circle: Circle) { self.circle = circle }
      deinit {
        let controller = KVOController(observer: self)
        controller.observe(circle, keyPath: "radius", options: .initial) { _, circle, _ in
          (circle as? Circle)?.borderWidth += 1
        }
        circle.radius += 1
      }
    }
    let circle = Circle()
    _ = Late(circle)
    #expect(circle.radius == 1)
    #expect(circle.borderWidth == 0)
    #expect(circle.registrationCount == 0)
  }
}
