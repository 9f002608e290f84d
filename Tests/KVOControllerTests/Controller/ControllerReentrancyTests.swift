import KVOController
import Testing
import _KVOTestSupport

/// Handlers may use the controller, the object, and themselves.
@Suite struct ControllerReentrancyTests {
  let circle = Circle()
  let recorder = Recorder()
  let controller: KVOController
  let block = Form(way: .block)

  init() {
    controller = KVOController(observer: recorder)
  }

  // MARK: Inside the initial call

  static let endings: [@Sendable (KVOController, Circle) -> Void] = [
    { $0.unobserve($1, keyPath: "radius") }, { $0.unobserve($1) }, { controller, _ in controller.unobserveAll() },
  ]

  @Test(arguments: Form.all, endings.indices) func unobservingInsideTheInitialCallMakesItTheLast(
    form: Form, ending: Int
  ) {
    defer { recorder.whenCalled = nil }
    recorder.whenCalled = { _, _ in Self.endings[ending](controller, circle) }
    controller.observe(circle, "radius", as: form, options: [.initial, .new, .old, .prior])
    #expect(recorder.takeCalls().count == 1)
    circle.radius = 1
    #expect(recorder.calls == [])
    #expect(circle.registrationCount == 0)
  }

  @Test func unobservingItsIdentifierInsideTheInitialCallLeavesTheOthers() {
    controller.observe(circle, "radius", as: block, identifier: "a", number: 1)
    controller.observe(circle, keyPath: "radius", options: .initial, identifier: "b") { observer, _, _ in
      (observer as? Recorder)?.redraw()
      controller.unobserve(circle, keyPath: "radius", identifier: "b")
    }
    #expect(recorder.takeCalls() == [Call()])
    circle.radius = 1
    #expect(recorder.takeCalls().map(\.context) == [1])
  }

  @Test func keyPathUnobservedInItsInitialCallCanBeObservedAgain() {
    defer { recorder.whenCalled = nil }
    recorder.whenCalled = { _, _ in controller.unobserve(circle) }
    controller.observe(circle, "radius", as: block, options: .initial, number: 1)
    recorder.whenCalled = nil
    controller.observe(circle, "radius", as: block, options: .initial, number: 2)
    circle.radius = 1
    #expect(recorder.calls.map(\.context) == [1, 2, 2])
  }

  @Test func observingAgainInInitialCallReplacesTheObservation() {
    controller.observe(circle, keyPath: "radius", options: [.initial, .new]) { observer, _, _ in
      (observer as? Recorder)?.redraw()
      controller.unobserve(circle, keyPath: "radius")
      controller.observe(circle, "radius", as: block, options: .initial, number: 2)
    }
    #expect(recorder.takeCalls() == [Call(), block.call("radius", circle, .setting, number: 2)])
    circle.radius = 1
    #expect(recorder.takeCalls() == [block.call("radius", circle, .setting, number: 2)])
    controller.unobserve(circle, keyPath: "radius")
    circle.radius = 2
    #expect(recorder.takeCalls() == [])
    #expect(circle.registrationCount == 0)
  }

  @Test func observingTheSameAgainInsideTheInitialCallIsIgnored() {
    defer { recorder.whenCalled = nil }
    recorder.whenCalled = { _, _ in controller.observe(circle, "radius", as: block, options: .initial, number: 2) }
    controller.observe(circle, "radius", as: block, options: .initial, number: 1)
    circle.radius = 1
    #expect(recorder.calls.map(\.context) == [1, 1])
  }

  @Test func observingSomethingElseInsideTheInitialCallWorks() {
    let other = Circle()
    defer { recorder.whenCalled = nil }
    recorder.whenCalled = { recorder, _ in
      recorder.whenCalled = nil
      controller.observe(circle, "borderWidth", as: block, options: .initial, number: 2)
      controller.observe(other, "radius", as: block, options: .initial, number: 3)
      controller.observe(circle, "radius", as: block, options: .initial, identifier: "a", number: 4)
    }
    controller.observe(circle, "radius", as: block, options: .initial, number: 1)
    #expect(recorder.takeCalls().map(\.context) == [1, 2, 3, 4])
    circle.borderWidth = 1
    other.radius = 1
    #expect(recorder.takeCalls().map(\.context) == [2, 3])
    circle.radius = 1
    #expect(Set(recorder.takeCalls().map(\.context)) == [1, 4])
  }

  @Test(arguments: Form.all) func controllerCanBeReleasedInInitialCall(form: Form) {
    let stage = Stage()
    let lives = StageLives(stage)
    defer { stage.recorder?.whenCalled = nil }
    stage.recorder?.whenCalled = { _, _ in stage.controller = nil }
    stage.controller?.observe(stage.circle, "radius", as: form, options: .initial)
    #expect(!lives.controller.isAlive)
    stage.circle?.radius = 1
    #expect(stage.recorder?.count == 1)
    #expect(stage.circle?.registrationCount ?? 0 == 0)
  }

  @Test(arguments: Form.all) func observerCanBeReleasedInInitialCall(form: Form) {
    let stage = Stage()
    let lives = StageLives(stage)
    let calls = Locked(0)
    defer { stage.recorder?.whenCalled = nil }
    stage.recorder?.whenCalled = { _, _ in
      calls.add()
      stage.recorder = nil
    }
    stage.controller?.observe(stage.circle, "radius", as: form, options: .initial)
    #expect(!lives.recorder.isAlive)
    stage.circle?.radius = 1
    #expect(calls.current == 1)
  }

  @Test(arguments: Form.all) func objectCanBeReleasedInInitialCall(form: Form) {
    let stage = Stage(retainObserved: false)
    let lives = StageLives(stage)
    defer { stage.recorder?.whenCalled = nil }
    stage.recorder?.whenCalled = { _, _ in stage.circle = nil }
    stage.controller?.observe(stage.circle, "radius", as: form, options: .initial)
    #expect(!lives.circle.isAlive)
    #expect(stage.recorder?.count == 1)
    stage.controller?.unobserveAll()
  }

  // MARK: Inside a change

  @Test(arguments: Form.all, endings.indices) func unobservingInsideACallMakesItTheLast(form: Form, ending: Int) {
    defer { recorder.whenCalled = nil }
    recorder.whenCalled = { _, _ in Self.endings[ending](controller, circle) }
    for options in [NSKeyValueObservingOptions.prior, []] {
      controller.observe(circle, "radius", as: form, options: options)
      circle.radius = 1
      #expect(recorder.takeCalls().count == 1, "\(options)")
      circle.radius = 2
      #expect(recorder.calls == [], "\(options)")
      #expect(circle.registrationCount == 0, "\(options)")
    }
  }

  @Test func observationEndedByAnEarlierHandlerIsNotNotifiedOfTheChange() {
    for identifier in ["a", "b", "c"] {
      controller.observe(circle, "radius", as: block, identifier: identifier)
    }
    defer { recorder.whenCalled = nil }
    recorder.whenCalled = { _, _ in controller.unobserve(circle, keyPath: "radius") }
    circle.radius = 1
    #expect(recorder.count == 1)
  }

  @Test func observationAddedDuringAChangeIsNotifiedOfTheNext() {
    defer { recorder.whenCalled = nil }
    recorder.whenCalled = { _, _ in controller.observe(circle, "radius", as: block, identifier: "late", number: 2) }
    controller.observe(circle, "radius", as: block, number: 1)
    circle.radius = 1
    #expect(recorder.takeCalls().map(\.context) == [1])
    circle.radius = 2
    #expect(Set(recorder.takeCalls().map(\.context)) == [1, 2])
  }

  @Test func changeInsideACallIsDeliveredImmediatelyAndCompletely() {
    controller.observe(circle, "radius", as: Form(way: .changeAction), options: [.new, .old])
    defer { recorder.whenCalled = nil }
    recorder.whenCalled = { _, _ in if circle.radius < 3 { circle.radius += 1 } }
    circle.radius = 1
    #expect(
      recorder.changes == [.setting(new: 1, old: 0), .setting(new: 2, old: 1), .setting(new: 3, old: 2)])
  }

  @Test func retainedObjectCanBeReleasedInsideItsCall() {
    let life: Weak<Circle>
    do {
      let circle = Circle()
      life = Weak(circle)
      controller.observe(circle, "radius", as: block)
    }
    defer { recorder.whenCalled = nil }
    recorder.whenCalled = { _, _ in controller.unobserveAll() }
    life.object?.radius = 1
    #expect(recorder.count == 1)
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
    #expect(recorder.count == 2)
  }
}
