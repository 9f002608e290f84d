import KVOController
import Testing
import _KVOTestSupport

/// Which objects retain which.
@Suite struct RetentionTests {
  let recorder = Recorder()
  let retaining: KVOController
  let nonRetaining: KVOController
  /// Keeps nothing alive itself.
  let block = Form(way: .block)

  init() {
    retaining = KVOController(observer: recorder)
    nonRetaining = KVOController(observer: recorder, retainObserved: false)
  }

  /// Observes a new object that only the controller may retain.
  func observeNewCircle(_ controller: KVOController, _ paths: [String] = ["radius"]) -> Weak<Circle> {
    let circle = Circle()
    for path in paths { controller.observe(circle, path, as: block, identifier: "a") }
    return Weak(circle)
  }

  // MARK: Retaining

  @Test func aRetainingControllerKeepsObservedObjectsAlive() {
    let life = observeNewCircle(retaining)
    life.object?.radius = 1
    #expect(recorder.count == 1)
  }

  @Test(arguments: Form.all) func retainingIsTheSameInEveryForm(form: Form) {
    var circle: Circle? = Circle()
    let life = Weak(circle)
    retaining.observe(circle, "radius", as: form)
    circle = nil
    #expect(life.isAlive)
    retaining.unobserveAll()
    #expect(!life.isAlive)
  }

  @Test func theObjectIsReleasedWithItsLastKeyPath() {
    let life = observeNewCircle(retaining, ["radius", "borderWidth"])
    retaining.unobserve(life.object, keyPath: "radius")
    #expect(life.isAlive)
    retaining.unobserve(life.object, keyPath: "borderWidth")
    #expect(!life.isAlive)
  }

  @Test func theObjectIsReleasedWithItsLastIdentifier() {
    let life = observeNewCircle(retaining)
    retaining.observe(life.object, "radius", as: block, identifier: "b")
    retaining.unobserve(life.object, keyPath: "radius", identifier: "a")
    #expect(life.isAlive)
    retaining.unobserve(life.object, keyPath: "radius", identifier: "b")
    #expect(!life.isAlive)
  }

  @Test func theObjectIsReleasedWhenItIsUnobserved() {
    let lives = [observeNewCircle(retaining), observeNewCircle(retaining)]
    retaining.unobserve(lives[0].object)
    #expect(lives.map(\.isAlive) == [false, true])
    retaining.unobserveAll()
    #expect(lives.map(\.isAlive) == [false, false])
  }

  @Test func theObjectIsReleasedWithTheController() {
    var controller: KVOController? = KVOController(observer: recorder)
    let circle = Circle()
    var other: Circle? = Circle()
    let life = Weak(other)
    controller?.observe(circle, "radius", as: block)
    controller?.observe(other, "radius", as: block)
    other = nil
    #expect(life.isAlive)
    controller = nil
    #expect(!life.isAlive)
    #expect(circle.registrationCount == 0)
    circle.radius = 1
    #expect(recorder.calls == [])
  }

  @Test func theControllerKeepsObservedObjectsAliveAfterItsObserver() {
    var recorder: Recorder? = Recorder()
    let controller = KVOController(observer: recorder)
    let life = observeNewCircle(controller)
    recorder = nil
    #expect(life.isAlive)
    controller.unobserveAll()
    #expect(!life.isAlive)
  }

  @Test func observingTwiceDoesNotRetainTwice() {
    let life = observeNewCircle(retaining, ["radius", "radius"])
    retaining.unobserve(life.object, keyPath: "radius")
    #expect(!life.isAlive)
  }

  @Test func objectsOnThePathAreNotKeptAlive() {
    let circle = Circle()
    var point: Point? = Point()
    let life = Weak(point)
    circle.anchor = point
    retaining.observe(circle, "anchor.x", as: block)
    point?.x = 1
    #expect(recorder.takeCalls().count == 1)
    point = nil
    #expect(!life.isAlive)
  }

  // MARK: Not retaining

  @Test(arguments: Form.all) func aNonRetainingControllerNeverKeepsObservedObjectsAlive(form: Form) {
    var circle: Circle? = Circle()
    let life = Weak(circle)
    nonRetaining.observe(circle, "radius", as: form)
    nonRetaining.observe(circle, "borderWidth", as: form)
    circle?.radius = 1
    #expect(recorder.count == 1)
    circle = nil
    #expect(!life.isAlive)
    nonRetaining.unobserveAll()
  }

  @Test func observationsAreReleasedWithADeallocatedObject() {
    let census = Census()
    for _ in 0..<3 {
      let circle = Circle()
      let resident = Resident(census)
      nonRetaining.observe(circle, keyPath: "radius") { _, _, _ in resident.stay() }
      nonRetaining.observe(circle, keyPath: "center.x", identifier: "a") { _, _, _ in resident.stay() }
      circle.radius = 1
    }
    #expect(census.living == 0)
    withExtendedLifetime(nonRetaining) {}
  }

  @Test func objectObservedInBothWaysIsRetainedWhileTheRetainingControllerObserves() {
    let life = observeNewCircle(retaining)
    nonRetaining.observe(life.object, "radius", as: block)
    life.object?.radius = 1
    #expect(recorder.takeCalls().count == 2)
    retaining.unobserve(life.object)
    #expect(!life.isAlive)
  }

  // MARK: Observing self

  @Test(arguments: Form.all) func observingSelfDoesNotLeak(form: Form) {
    var recorder: ObservedRecorder? = ObservedRecorder()
    let life = Weak(recorder)
    recorder?.kvoController.observe(recorder, "mood", as: form)
    recorder?.kvoControllerNonRetaining.observe(recorder, "mood", as: form)
    recorder?.mood = 1
    #expect(recorder?.count == 2)
    recorder = nil
    #expect(!life.isAlive)
  }

  @Test func observingOnesOwnPathDoesNotLeak() {
    var recorder: ObservedRecorder? = ObservedRecorder()
    let lives = Weak(recorder)
    let circle = Circle()
    recorder?.circle = circle
    recorder?.kvoController.observe(recorder, "circle.radius", as: block)
    circle.radius = 1
    #expect(recorder?.count == 1)
    recorder = nil
    #expect(!lives.isAlive)
    circle.radius = 2
    #expect(circle.registrationCount == 0)
  }

  @Test func observingSelfAndOthersRetainsOnlyTheOthers() {
    var recorder: Recorder? = Recorder()
    let life = Weak(recorder)
    let controller = KVOController(observer: recorder)
    let circleLife = observeNewCircle(controller)
    controller.observe(recorder, "mood", as: block)
    recorder = nil
    #expect(!life.isAlive)
    #expect(circleLife.isAlive)
    withExtendedLifetime(controller) {}
  }

  // MARK: The observer

  @Test func theControllerDoesNotRetainItsObserver() {
    var plain: PlainRecorder? = PlainRecorder()
    let life = Weak(plain)
    let controller = KVOController(observer: plain)
    controller.observe(Circle(), keyPath: "radius", action: PlainRecorder.redraw)
    plain = nil
    #expect(!life.isAlive)
    #expect(controller.observer == nil)
  }

  @Test func theObserverIsAliveDuringItsCallback() {
    let stage = Stage()
    defer { stage.controller?.unobserveAll() }
    let circle = Circle()
    var wasAlive: [Bool] = []
    let life = Weak(stage.recorder)
    stage.controller?.observe(circle, keyPath: "radius") { observer, _, _ in
      stage.recorder = nil
      wasAlive.append(life.isAlive)
      (observer as? Recorder)?.redraw()
      wasAlive.append(life.isAlive)
    }
    circle.radius = 1
    #expect(wasAlive == [true, true])
    #expect(!life.isAlive)
    circle.radius = 2
    #expect(wasAlive.count == 2)
  }

  @Test(arguments: Form.all) func controllerDeallocatedDuringAChangeMakesNoMoreCalls(form: Form) {
    let stage = Stage()
    let circle = Circle()
    defer { stage.recorder?.whenCalled = nil }
    stage.recorder?.whenCalled = { _, _ in stage.controller = nil }
    stage.controller?.observe(circle, "radius", as: form)
    stage.controller?.observe(circle, "diameter", as: form)
    circle.radius = 1
    #expect(stage.recorder?.count == 1)
    #expect(circle.registrationCount == 0)
  }
}
