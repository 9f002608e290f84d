import KVOController
import Testing
import _KVOTestSupport

/// The controllers that each object has.
@Suite struct LazyControllerTests {
  let circle = Circle()
  let recorder = Recorder()
  let block = Form(way: .block)

  @Test func itIsMadeOnce() {
    #expect(recorder.kvoController === recorder.kvoController)
    #expect(recorder.kvoControllerNonRetaining === recorder.kvoControllerNonRetaining)
    #expect(recorder.kvoController !== recorder.kvoControllerNonRetaining)
  }

  @Test func eachObjectHasItsOwn() {
    let other = Recorder()
    #expect(recorder.kvoController !== other.kvoController)
    #expect(recorder.kvoController.observer === recorder)
    #expect(other.kvoController.observer === other)
    #expect(recorder.kvoControllerNonRetaining.observer === recorder)
  }

  @Test func itKeepsWhatItObservesAlive() {
    let life: Weak<Circle>
    do {
      let circle = Circle()
      recorder.kvoController.observe(circle, "radius", as: block)
      life = Weak(circle)
    }
    #expect(life.isAlive)
    recorder.kvoController.unobserveAll()
    #expect(!life.isAlive)
  }

  @Test func theNonRetainingOneDoesNot() {
    let life: Weak<Circle>
    do {
      let circle = Circle()
      recorder.kvoControllerNonRetaining.observe(circle, "radius", as: block)
      circle.radius = 1
      life = Weak(circle)
    }
    #expect(recorder.count == 1)
    #expect(!life.isAlive)
  }

  @Test func controllerIsReleasedWithItsObject() {
    var recorder: Recorder? = Recorder()
    let lives = [Weak(recorder?.kvoController), Weak(recorder?.kvoControllerNonRetaining)]
    recorder?.kvoController.observe(circle, "radius", as: block)
    recorder?.kvoControllerNonRetaining.observe(circle, "radius", as: block)
    circle.radius = 1
    #expect(recorder?.count == 2)
    #expect(lives.map(\.isAlive) == [true, true])
    recorder = nil
    #expect(lives.map(\.isAlive) == [false, false])
    circle.radius = 2
    #expect(circle.registrationCount == 0)
  }

  @Test func itDoesNotKeepItsObjectAlive() {
    var recorder: Recorder? = Recorder()
    let life = Weak(recorder)
    let controllers = [recorder?.kvoController, recorder?.kvoControllerNonRetaining]
    recorder = nil
    #expect(!life.isAlive)
    #expect(controllers.allSatisfy { $0 != nil && $0?.observer == nil })
  }

  @Test func twoObjectsThatObserveEachOtherWithoutRetainingAreReleased() {
    var first: ObservedRecorder? = ObservedRecorder()
    var second: ObservedRecorder? = ObservedRecorder()
    let lives = [Weak(first), Weak(second)]
    first?.kvoControllerNonRetaining.observe(second, "mood", as: block)
    second?.kvoControllerNonRetaining.observe(first, "mood", as: block)
    first?.mood = 1
    #expect(second?.count == 1)
    first = nil
    second = nil
    #expect(lives.map(\.isAlive) == [false, false])
  }

  // MARK: Setting it

  @Test func itMayBeReplaced() {
    final class MyController: KVOController, @unchecked Sendable {}
    let mine = MyController(observer: recorder, retainObserved: true)
    let notRetaining = KVOController(observer: recorder, retainObserved: false)
    recorder.kvoController = mine
    recorder.kvoControllerNonRetaining = notRetaining
    #expect(recorder.kvoController === mine)
    #expect(recorder.kvoControllerNonRetaining === notRetaining)
  }

  @Test func aReplacedOneEndsWithItsObservations() {
    recorder.kvoController.observe(circle, "radius", as: block, number: 1)
    recorder.kvoControllerNonRetaining.observe(circle, "radius", as: block, number: 2)
    let lives = [Weak(recorder.kvoController), Weak(recorder.kvoControllerNonRetaining)]
    recorder.kvoController = KVOController(observer: recorder)
    #expect(lives.map(\.isAlive) == [false, true])
    circle.radius = 1
    #expect(recorder.takeCalls().map(\.context) == [2])
    recorder.kvoControllerNonRetaining = KVOController(observer: recorder, retainObserved: false)
    #expect(lives.map(\.isAlive) == [false, false])
    circle.radius = 2
    #expect(recorder.takeCalls() == [])
  }

  @Test func replacedControllerThatIsStillReferencedKeepsObserving() {
    let first = recorder.kvoController
    first.observe(circle, "radius", as: block)
    recorder.kvoController = KVOController(observer: recorder)
    circle.radius = 1
    #expect(recorder.count == 1)
    withExtendedLifetime(first) {}
  }

  @Test func assignedControllerIsReleasedWithItsObject() {
    let life: Weak<KVOController>
    do {
      let recorder = Recorder()
      recorder.kvoController = KVOController(observer: recorder)
      life = Weak(recorder.kvoController)
      #expect(life.isAlive)
    }
    #expect(!life.isAlive)
  }

  @Test func whatIsSetToItselfStays() {
    let first = Weak(recorder.kvoController)
    recorder.kvoController.observe(circle, "radius", as: block)
    recorder.kvoController = recorder.kvoController
    #expect(recorder.kvoController === first.object)
    circle.radius = 1
    #expect(recorder.count == 1)
  }

  // MARK: First read on several threads

  @Test func severalThreadsThatReadItFirstGetTheSame() {
    for _ in 0..<200 {
      let recorder = Recorder()
      let circle = Circle()
      let found = Locked<[ObjectIdentifier]>([])
      let nonRetaining = Locked<[ObjectIdentifier]>([])
      onThreads(4) { number in
        let controllers = [recorder.kvoController, recorder.kvoControllerNonRetaining]
        for controller in controllers {
          controller.observe(circle, "radius", as: Form(way: .block), identifier: number)
        }
        found.append(ObjectIdentifier(controllers[0]))
        nonRetaining.append(ObjectIdentifier(controllers[1]))
      }
      #expect(found.current == Array(repeating: ObjectIdentifier(recorder.kvoController), count: 4))
      #expect(nonRetaining.current == Array(repeating: ObjectIdentifier(recorder.kvoControllerNonRetaining), count: 4))
      circle.radius = 1
      #expect(recorder.count == 8)
    }
  }

  // MARK: Read in a deinit

  /// An object that uses its controllers at its end.
  final class Late: ObservedRecorder, @unchecked Sendable {
    var last: ((Late) -> Void)?

    deinit { last?(self) }
  }

  @Test func firstReadInTheDeinitItLeavesNothingBehind() {
    var lives: [Weak<KVOController>] = []
    let census = Census()
    do {
      let late = Late()
      late.last = { late in
        lives.append(Weak(late.kvoController))
        lives.append(Weak(late.kvoControllerNonRetaining))
        for controller in [late.kvoController, late.kvoControllerNonRetaining] {
          let resident = Resident(census)
          controller.observe(circle, keyPath: "radius", options: .initial) { _, _, _ in resident.stay() }
          controller.observe(late, keyPath: "mood") { _, _, _ in resident.stay() }
          circle.radius += 1
          late.mood += 1
          controller.unobserve(circle)
          controller.unobserveAll()
        }
      }
    }
    #expect(lives.count == 2)
    #expect(lives.map(\.isAlive) == [false, false])
    #expect(census.living == 0)
    #expect(circle.registrationCount == 0)
  }

  @Test func controllerFirstReadInDeinitHasNoObserver() {
    var kept: KVOController?
    var calls = 0
    do {
      let late = Late()
      late.last = { late in
        kept = late.kvoController
        kept?.observe(circle, keyPath: "radius", options: .initial) { _, _, _ in calls += 1 }
        circle.radius = 1
      }
    }
    circle.radius = 2
    #expect(calls == 0)
    #expect(kept?.observer == nil)
  }

  @Test func whatWasReadBeforeMayBeUsedInTheDeinit() {
    let life: Weak<KVOController>
    var wasSame = false
    do {
      let late = Late()
      let controller = late.kvoController
      life = Weak(controller)
      let identifier = ObjectIdentifier(controller)
      controller.observe(circle, "radius", as: block)
      controller.observe(late, "mood", as: block)
      late.last = { late in
        wasSame = ObjectIdentifier(late.kvoController) == identifier
        late.kvoController.observe(circle, keyPath: "borderWidth") { _, _, _ in }
        late.kvoController.unobserve(circle, keyPath: "radius")
        late.kvoController.unobserveAll()
      }
    }
    #expect(wasSame)
    #expect(!life.isAlive)
    #expect(circle.registrationCount == 0)
  }
}
