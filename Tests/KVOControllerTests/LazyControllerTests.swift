import KVOController
import Testing
import _KVOTestSupport

/// The controllers that each object has.
@Suite struct LazyControllerTests {
  let circle = Circle()
  let watcher = Watcher()
  let block = Form(way: .block)

  @Test func itIsMadeOnce() {
    #expect(watcher.kvoController === watcher.kvoController)
    #expect(watcher.kvoControllerNonRetaining === watcher.kvoControllerNonRetaining)
    #expect(watcher.kvoController !== watcher.kvoControllerNonRetaining)
  }

  @Test func eachObjectHasItsOwn() {
    let other = Watcher()
    #expect(watcher.kvoController !== other.kvoController)
    #expect(watcher.kvoController.observer === watcher)
    #expect(other.kvoController.observer === other)
    #expect(watcher.kvoControllerNonRetaining.observer === watcher)
  }

  @Test func itKeepsWhatItObservesAlive() {
    let life: Weak<Circle>
    do {
      let circle = Circle()
      watcher.kvoController.observe(circle, "radius", as: block)
      life = Weak(circle)
    }
    #expect(life.isAlive)
    watcher.kvoController.unobserveAll()
    #expect(!life.isAlive)
  }

  @Test func theNonRetainingOneDoesNot() {
    let life: Weak<Circle>
    do {
      let circle = Circle()
      watcher.kvoControllerNonRetaining.observe(circle, "radius", as: block)
      circle.radius = 1
      life = Weak(circle)
    }
    #expect(watcher.count == 1)
    #expect(!life.isAlive)
  }

  @Test func controllerIsReleasedWithItsObject() {
    var watcher: Watcher? = Watcher()
    let lives = [Weak(watcher?.kvoController), Weak(watcher?.kvoControllerNonRetaining)]
    watcher?.kvoController.observe(circle, "radius", as: block)
    watcher?.kvoControllerNonRetaining.observe(circle, "radius", as: block)
    circle.radius = 1
    #expect(watcher?.count == 2)
    #expect(lives.map(\.isAlive) == [true, true])
    watcher = nil
    #expect(lives.map(\.isAlive) == [false, false])
    circle.radius = 2
    #expect(circle.registrationCount == 0)
  }

  @Test func itDoesNotKeepItsObjectAlive() {
    var watcher: Watcher? = Watcher()
    let life = Weak(watcher)
    let controllers = [watcher?.kvoController, watcher?.kvoControllerNonRetaining]
    watcher = nil
    #expect(!life.isAlive)
    #expect(controllers.allSatisfy { $0 != nil && $0?.observer == nil })
  }

  @Test func twoObjectsThatObserveEachOtherWithoutRetainingAreReleased() {
    var first: Watcher? = Watcher()
    var second: Watcher? = Watcher()
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
    let mine = MyController(observer: watcher, retainObserved: true)
    let notRetaining = KVOController(observer: watcher, retainObserved: false)
    watcher.kvoController = mine
    watcher.kvoControllerNonRetaining = notRetaining
    #expect(watcher.kvoController === mine)
    #expect(watcher.kvoControllerNonRetaining === notRetaining)
  }

  @Test func aReplacedOneEndsWithItsObservations() {
    watcher.kvoController.observe(circle, "radius", as: block, number: 1)
    watcher.kvoControllerNonRetaining.observe(circle, "radius", as: block, number: 2)
    let lives = [Weak(watcher.kvoController), Weak(watcher.kvoControllerNonRetaining)]
    watcher.kvoController = KVOController(observer: watcher)
    #expect(lives.map(\.isAlive) == [false, true])
    circle.radius = 1
    #expect(watcher.take().map(\.context) == [2])
    watcher.kvoControllerNonRetaining = KVOController(observer: watcher, retainObserved: false)
    #expect(lives.map(\.isAlive) == [false, false])
    circle.radius = 2
    #expect(watcher.take() == [])
  }

  @Test func replacedControllerThatIsStillReferencedKeepsObserving() {
    let first = watcher.kvoController
    first.observe(circle, "radius", as: block)
    watcher.kvoController = KVOController(observer: watcher)
    circle.radius = 1
    #expect(watcher.count == 1)
    withExtendedLifetime(first) {}
  }

  @Test func assignedControllerIsReleasedWithItsObject() {
    let life: Weak<KVOController>
    do {
      let watcher = Watcher()
      watcher.kvoController = KVOController(observer: watcher)
      life = Weak(watcher.kvoController)
      #expect(life.isAlive)
    }
    #expect(!life.isAlive)
  }

  @Test func whatIsSetToItselfStays() {
    let first = Weak(watcher.kvoController)
    watcher.kvoController.observe(circle, "radius", as: block)
    watcher.kvoController = watcher.kvoController
    #expect(watcher.kvoController === first.object)
    circle.radius = 1
    #expect(watcher.count == 1)
  }

  // MARK: First read on several threads

  @Test func severalThreadsThatReadItFirstGetTheSame() {
    for _ in 0..<200 {
      let watcher = Watcher()
      let circle = Circle()
      let found = Locked<[ObjectIdentifier]>([])
      let nonRetaining = Locked<[ObjectIdentifier]>([])
      onThreads(4) { number in
        let controllers = [watcher.kvoController, watcher.kvoControllerNonRetaining]
        for controller in controllers {
          controller.observe(circle, "radius", as: Form(way: .block), identifier: number)
        }
        found.withLock { $0.append(ObjectIdentifier(controllers[0])) }
        nonRetaining.withLock { $0.append(ObjectIdentifier(controllers[1])) }
      }
      #expect(found.current == Array(repeating: ObjectIdentifier(watcher.kvoController), count: 4))
      #expect(nonRetaining.current == Array(repeating: ObjectIdentifier(watcher.kvoControllerNonRetaining), count: 4))
      circle.radius = 1
      #expect(watcher.count == 8)
    }
  }

  // MARK: Read in a deinit

  /// An object that uses its controllers at its end.
  final class Late: Watcher, @unchecked Sendable {
    var last: ((Late) -> Void)?

    deinit {
      last?(self)
    }
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
