import KVOController
import Testing
import _KVOTestSupport

/// Handlers may use the controller, the object, and themselves.
@Suite struct ControllerReentrancyTests {
  let circle = Circle()
  let watcher = Watcher()
  let controller: KVOController
  let block = Form(way: .block)

  init() {
    controller = KVOController(observer: watcher)
  }

  // MARK: Inside the initial call

  static let endings: [@Sendable (KVOController, Circle) -> Void] = [
    { $0.unobserve($1, keyPath: "radius") }, { $0.unobserve($1) }, { controller, _ in controller.unobserveAll() },
  ]

  @Test(arguments: Form.all, endings.indices) func unobservingInsideTheInitialCallMakesItTheLast(
    form: Form, ending: Int
  ) {
    defer { watcher.whenCalled = nil }
    watcher.whenCalled = { _ in Self.endings[ending](controller, circle) }
    controller.observe(circle, "radius", as: form, options: [.initial, .new, .old, .prior])
    #expect(watcher.take().count == 1)
    circle.radius = 1
    #expect(watcher.calls == [])
    #expect(circle.registrationCount == 0)
  }

  @Test func unobservingItsIdentifierInsideTheInitialCallLeavesTheOthers() {
    controller.observe(circle, "radius", as: block, identifier: "a", number: 1)
    controller.observe(circle, keyPath: "radius", options: .initial, identifier: "b") { observer, _, _ in
      (observer as? Watcher)?.redraw()
      controller.unobserve(circle, keyPath: "radius", identifier: "b")
    }
    #expect(watcher.take() == [Call()])
    circle.radius = 1
    #expect(watcher.take().map(\.context) == [1])
  }

  @Test func keyPathUnobservedInItsInitialCallCanBeObservedAgain() {
    defer { watcher.whenCalled = nil }
    watcher.whenCalled = { _ in controller.unobserve(circle) }
    controller.observe(circle, "radius", as: block, options: .initial, number: 1)
    watcher.whenCalled = nil
    controller.observe(circle, "radius", as: block, options: .initial, number: 2)
    circle.radius = 1
    #expect(watcher.calls.map(\.context) == [1, 2, 2])
  }

  @Test func observingAgainInInitialCallReplacesTheObservation() {
    controller.observe(circle, keyPath: "radius", options: [.initial, .new]) { observer, _, _ in
      (observer as? Watcher)?.redraw()
      controller.unobserve(circle, keyPath: "radius")
      controller.observe(circle, "radius", as: block, options: .initial, number: 2)
    }
    #expect(watcher.take() == [Call(), block.call("radius", circle, .setting, number: 2)])
    circle.radius = 1
    #expect(watcher.take() == [block.call("radius", circle, .setting, number: 2)])
    controller.unobserve(circle, keyPath: "radius")
    circle.radius = 2
    #expect(watcher.take() == [])
    #expect(circle.registrationCount == 0)
  }

  @Test func observingTheSameAgainInsideTheInitialCallIsIgnored() {
    defer { watcher.whenCalled = nil }
    watcher.whenCalled = { _ in controller.observe(circle, "radius", as: block, options: .initial, number: 2) }
    controller.observe(circle, "radius", as: block, options: .initial, number: 1)
    circle.radius = 1
    #expect(watcher.calls.map(\.context) == [1, 1])
  }

  @Test func observingSomethingElseInsideTheInitialCallWorks() {
    let other = Circle()
    defer { watcher.whenCalled = nil }
    watcher.whenCalled = { watcher in
      watcher.whenCalled = nil
      controller.observe(circle, "borderWidth", as: block, options: .initial, number: 2)
      controller.observe(other, "radius", as: block, options: .initial, number: 3)
      controller.observe(circle, "radius", as: block, options: .initial, identifier: "a", number: 4)
    }
    controller.observe(circle, "radius", as: block, options: .initial, number: 1)
    #expect(watcher.take().map(\.context) == [1, 2, 3, 4])
    circle.borderWidth = 1
    other.radius = 1
    #expect(watcher.take().map(\.context) == [2, 3])
    circle.radius = 1
    #expect(Set(watcher.take().map(\.context)) == [1, 4])
  }

  @Test func changingTheValueInsideTheInitialCallDisturbsNothing() {
    defer { watcher.whenCalled = nil }
    watcher.whenCalled = { watcher in
      watcher.whenCalled = nil
      circle.radius = 1
    }
    controller.observe(circle, "radius", as: Form(way: .changeAction), options: [.initial, .new, .old])
    let changes: [Change?] = [.setting(new: 0), .setting(new: 1, old: 0)]
    // The initial call was under way already, so the change may or may not be reported. Later changes are.
    #expect(watcher.changes == changes || watcher.changes == [changes[0]])
    _ = watcher.take()
    circle.radius = 2
    #expect(watcher.changes == [.setting(new: 2, old: 1)])
  }

  @Test(arguments: Form.all) func controllerCanBeReleasedInInitialCall(form: Form) {
    let stage = Stage()
    let lives = StageLives(stage)
    defer { stage.watcher?.whenCalled = nil }
    stage.watcher?.whenCalled = { _ in stage.controller = nil }
    stage.controller?.observe(stage.circle, "radius", as: form, options: .initial)
    #expect(!lives.controller.isAlive)
    stage.circle?.radius = 1
    #expect(stage.watcher?.count == 1)
    #expect(stage.circle?.registrationCount ?? 0 == 0)
  }

  @Test(arguments: Form.all) func observerCanBeReleasedInInitialCall(form: Form) {
    let stage = Stage()
    let lives = StageLives(stage)
    let calls = Locked(0)
    defer { stage.watcher?.whenCalled = nil }
    stage.watcher?.whenCalled = { _ in
      calls.add()
      stage.watcher = nil
    }
    stage.controller?.observe(stage.circle, "radius", as: form, options: .initial)
    #expect(!lives.watcher.isAlive)
    stage.circle?.radius = 1
    #expect(calls.current == 1)
  }

  @Test(arguments: Form.all) func objectCanBeReleasedInInitialCall(form: Form) {
    let stage = Stage(retainObserved: false)
    let lives = StageLives(stage)
    defer { stage.watcher?.whenCalled = nil }
    stage.watcher?.whenCalled = { _ in stage.circle = nil }
    stage.controller?.observe(stage.circle, "radius", as: form, options: .initial)
    #expect(!lives.circle.isAlive)
    #expect(stage.watcher?.count == 1)
    stage.controller?.unobserveAll()
  }

  // MARK: Inside a change

  @Test(arguments: Form.all, endings.indices) func unobservingInsideACallMakesItTheLast(form: Form, ending: Int) {
    controller.observe(circle, "radius", as: form)
    defer { watcher.whenCalled = nil }
    watcher.whenCalled = { _ in Self.endings[ending](controller, circle) }
    circle.radius = 1
    #expect(watcher.take().count == 1)
    circle.radius = 2
    #expect(watcher.calls == [])
    #expect(circle.registrationCount == 0)
  }

  @Test(arguments: Form.all, endings.indices) func unobservingInsideThePriorCallMakesItTheLast(form: Form, ending: Int)
  {
    controller.observe(circle, "radius", as: form, options: .prior)
    defer { watcher.whenCalled = nil }
    watcher.whenCalled = { _ in Self.endings[ending](controller, circle) }
    circle.radius = 1
    #expect(watcher.take().count == 1)
    #expect(circle.registrationCount == 0)
  }

  @Test func observationEndedByAnEarlierHandlerIsNotNotifiedOfTheChange() {
    for identifier in ["a", "b", "c"] {
      controller.observe(circle, "radius", as: block, identifier: identifier)
    }
    defer { watcher.whenCalled = nil }
    watcher.whenCalled = { _ in controller.unobserve(circle, keyPath: "radius") }
    circle.radius = 1
    #expect(watcher.count == 1)
  }

  @Test func observationAddedDuringAChangeIsNotifiedOfTheNext() {
    defer { watcher.whenCalled = nil }
    watcher.whenCalled = { _ in controller.observe(circle, "radius", as: block, identifier: "late", number: 2) }
    controller.observe(circle, "radius", as: block, number: 1)
    circle.radius = 1
    #expect(watcher.take().map(\.context) == [1])
    circle.radius = 2
    #expect(Set(watcher.take().map(\.context)) == [1, 2])
  }

  @Test func changeInsideACallIsDeliveredImmediatelyAndCompletely() {
    controller.observe(circle, "radius", as: Form(way: .changeAction), options: [.new, .old])
    defer { watcher.whenCalled = nil }
    watcher.whenCalled = { _ in if circle.radius < 3 { circle.radius += 1 } }
    circle.radius = 1
    #expect(
      watcher.changes == [.setting(new: 1, old: 0), .setting(new: 2, old: 1), .setting(new: 3, old: 2)])
  }

  @Test func observingAgainInsideACallReplacesTheObservation() {
    controller.observe(circle, "radius", as: block, number: 1)
    defer { watcher.whenCalled = nil }
    watcher.whenCalled = { _ in
      controller.unobserve(circle)
      controller.observe(circle, "radius", as: block, number: 2)
    }
    circle.radius = 1
    #expect(watcher.take().map(\.context) == [1])
    circle.radius = 2
    #expect(watcher.take().map(\.context) == [2])
    controller.unobserve(circle)
    circle.radius = 3
    #expect(watcher.take() == [])
  }

  @Test func retainedObjectCanBeReleasedInsideItsCall() {
    let life: Weak<Circle>
    do {
      let circle = Circle()
      life = Weak(circle)
      controller.observe(circle, "radius", as: block)
    }
    defer { watcher.whenCalled = nil }
    watcher.whenCalled = { _ in controller.unobserveAll() }
    life.object?.radius = 1
    #expect(watcher.count == 1)
    #expect(!life.isAlive)
  }

  @Test func aRetainedObjectsDeinitMayUseTheController() {
    let other = Circle()
    do {
      let circle = Circle()
      circle.whenReleased = { _ in
        controller.observe(other, "radius", as: block, options: .initial)
        controller.unobserve(other, keyPath: "borderWidth")
      }
      controller.observe(circle, "radius", as: block)
    }
    controller.unobserveAll()
    other.radius = 1
    #expect(watcher.count == 2)
  }
}
