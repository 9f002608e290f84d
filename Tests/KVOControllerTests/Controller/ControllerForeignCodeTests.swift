import KVOController
import Testing
import _KVOTestSupport

/// No lock is held while foreign code runs. A lock would make these threads wait forever, and `finishes`
/// return false.
@Suite struct ControllerForeignCodeTests: @unchecked Sendable {
  // Controllers can be used on any thread, and the rest is Sendable.
  let circle = Circle()
  let other = Circle()
  let recorder = Recorder()
  let controller: KVOController
  let block = Form(way: .block)

  init() {
    controller = KVOController(observer: recorder)
  }

  /// Uses everything that a controller has.
  static func use(_ controller: KVOController, _ circle: Circle) {
    let identifier = "used"
    controller.observe(circle, keyPath: "borderWidth", options: .initial, identifier: identifier) { _, _, _ in }
    for keyPath in ["center.x", "diameter"] { controller.observe(circle, keyPath: keyPath, action: Recorder.redraw) }
    circle.borderWidth += 1
    _ = controller.debugDescription
    controller.unobserve(circle, keyPath: "borderWidth", identifier: identifier)
    controller.unobserve(circle, keyPath: "center.x")
    controller.unobserve(circle, keyPath: "diameter")
  }

  /// An identifier that uses the controller whenever it is hashed, compared, described or released.
  final class Meddler: Hashable, CustomStringConvertible, @unchecked Sendable {
    let name: String
    let meddle: @Sendable () -> Void
    /// Shared, so that meddling doesn't meddle with itself.
    let isBusy: Locked<Bool>
    let count: Locked<Int>

    init(_ name: String, isBusy: Locked<Bool>, count: Locked<Int>, meddle: @escaping @Sendable () -> Void) {
      self.name = name
      self.isBusy = isBusy
      self.count = count
      self.meddle = meddle
    }

    deinit {
      act()
    }

    func act() {
      let begins = isBusy.withLock { isBusy in
        defer { isBusy = true }
        return !isBusy
      }
      guard begins else { return }
      count.add()
      meddle()
      isBusy.withLock { $0 = false }
    }

    static func == (one: Meddler, other: Meddler) -> Bool {
      one.act()
      return one.name == other.name
    }

    func hash(into hasher: inout Hasher) {
      act()
      hasher.combine(0)
    }

    var description: String {
      act()
      return name
    }
  }

  @Test func identifiersMayUseTheController() {
    let isBusy = Locked(false)
    let count = Locked(0)
    #expect(
      finishes {
        func identifier(_ name: String) -> Meddler {
          Meddler(name, isBusy: isBusy, count: count) { Self.use(controller, other) }
        }
        for name in ["a", "b", "a", "c"] {
          controller.observe(circle, keyPath: "radius", identifier: identifier(name)) { observer, _, _ in
            (observer as? Recorder)?.redraw()
          }
        }
        circle.radius = 1
        _ = controller.debugDescription
        controller.unobserve(circle, keyPath: "radius", identifier: identifier("b"))
        circle.radius = 2
        controller.unobserve(circle, keyPath: "radius", identifier: identifier("z"))
        controller.unobserve(circle)
      })
    #expect(count.current > 0)
    #expect(recorder.count == 3 + 2)
  }

  @Test func anIdentifierMayEndWhatItIsComparedWith() {
    let isBusy = Locked(false)
    let count = Locked(0)
    #expect(
      finishes {
        func identifier(_ meddle: @escaping @Sendable () -> Void) -> Meddler {
          Meddler("a", isBusy: isBusy, count: count, meddle: meddle)
        }
        controller.observe(
          circle, "radius", as: block, identifier: identifier { controller.unobserve(circle) }, number: 1)
        controller.observe(
          circle, "radius", as: block, identifier: identifier { controller.unobserve(circle) }, number: 2)
        controller.unobserve(circle, keyPath: "radius", identifier: identifier { controller.unobserveAll() })
        controller.unobserveAll()
      })
    circle.radius = 1
    #expect(recorder.calls == [])
    #expect(circle.registrationCount == 0)
  }

  @Test func objectReleasedWithABlockCanUseTheController() {
    let census = Census()
    let released = Locked(0)
    #expect(
      finishes {
        func observe(_ object: Circle?, _ identifier: String = "a") {
          let resident = Resident(census) {
            Self.use(controller, other)
            released.add()
          }
          controller.observe(object, keyPath: "radius", identifier: identifier) { _, _, _ in resident.stay() }
        }
        observe(circle)
        controller.unobserve(circle, keyPath: "radius", identifier: "a")
        observe(circle)
        controller.unobserve(circle, keyPath: "radius")
        observe(circle)
        controller.unobserve(circle)
        observe(circle)
        controller.unobserveAll()
        observe(circle)
        // Ignored, and released at once.
        observe(circle)
        observe(nil)
        controller.unobserveAll()
      })
    #expect(released.current == 7)
    #expect(census.living == 0)
  }

  @Test func objectReleasedWithABlockCanObserveTheSameAgain() {
    #expect(
      finishes {
        let resident = Resident(Census()) { controller.observe(circle, "radius", as: block, number: 2) }
        controller.observe(circle, keyPath: "radius") { _, _, _ in resident.stay() }
      })
    #expect(finishes { controller.unobserve(circle, keyPath: "radius") })
    circle.radius = 1
    #expect(recorder.calls.map(\.context) == [2])
  }

  @Test func objectReleasedWithItsControllerCanUseOthers() {
    let released = Locked(0)
    let held = Locked<KVOController?>(KVOController(observer: recorder))
    #expect(
      finishes {
        let resident = Resident(Census()) {
          Self.use(controller, circle)
          released.add()
        }
        held.current?.observe(circle, keyPath: "radius") { _, _, _ in resident.stay() }
      })
    #expect(finishes { _ = held.take() })
    #expect(released.current == 1)
  }

  @Test func objectReleasedWithTheObservedOneCanUseTheController() {
    // Controllers can be used on any thread.
    nonisolated(unsafe) let nonRetaining = KVOController(observer: recorder, retainObserved: false)
    let released = Locked(0)
    #expect(
      finishes {
        let circle = Circle()
        let resident = Resident(Census()) {
          Self.use(nonRetaining, other)
          released.add()
        }
        nonRetaining.observe(circle, keyPath: "radius") { _, _, _ in resident.stay() }
      })
    #expect(released.current == 1)
  }

  @Test func objectReleasedWithAReplacedControllerCanReadTheNewOne() {
    let found = Locked<ObjectIdentifier?>(nil)
    #expect(
      finishes {
        let recorder = recorder
        let resident = Resident(Census()) { [weak recorder] in
          found.withLock { $0 = recorder.map { ObjectIdentifier($0.kvoController) } }
        }
        recorder.kvoController.observe(circle, keyPath: "radius") { _, _, _ in resident.stay() }
      })
    #expect(finishes { recorder.kvoController = KVOController(observer: recorder) })
    #expect(found.current == ObjectIdentifier(recorder.kvoController))
  }

  @Test func aGetterMayUseTheController() {
    defer { circle.whenAreaIsRead = nil }
    circle.whenAreaIsRead = {
      circle.whenAreaIsRead = nil
      Self.use(controller, circle)
      Self.use(controller, other)
    }
    #expect(
      finishes {
        let use = circle.whenAreaIsRead
        controller.observe(circle, "area", as: Form(way: .changeAction), options: [.initial, .new, .old])
        circle.whenAreaIsRead = use
        circle.radius = 1
      })
    #expect(circle.whenAreaIsRead == nil)
    #expect(recorder.changes == [.setting(new: 0), .setting(new: 3, old: 0)])
  }

  @Test func aGetterMayEndTheObservationThatReadsIt() {
    defer { circle.whenAreaIsRead = nil }
    circle.whenAreaIsRead = { controller.unobserveAll() }
    #expect(
      finishes {
        controller.observe(circle, "area", as: block, options: [.initial, .new, .old])
        controller.observe(other, "radius", as: block)
        circle.radius = 1
      })
    _ = recorder.takeCalls()
    circle.radius = 2
    #expect(recorder.calls == [])
    #expect(circle.registrationCount == 0)
  }

  @Test func aGetterMayObserveWhatIsBeingObserved() {
    defer { circle.whenAreaIsRead = nil }
    circle.whenAreaIsRead = { controller.observe(circle, "area", as: block, options: .initial, number: 2) }
    #expect(finishes { controller.observe(circle, "area", as: block, options: [.initial, .new], number: 1) })
    #expect(recorder.takeCalls().map(\.context) == [1])
    circle.whenAreaIsRead = nil
    circle.radius = 1
    #expect(recorder.takeCalls().map(\.context) == [1])
  }

  @Test(arguments: Form.all) func aCallMayWaitForAnotherThreadThatUsesTheController(form: Form) {
    let waited = Locked<[Bool]>([])
    recorder.whenCalled = { recorder, _ in
      recorder.whenCalled = nil
      let didFinish = finishes {
        Self.use(controller, circle)
        Self.use(controller, other)
        _ = recorder.kvoController
        circle.borderWidth += 1
        controller.unobserve(circle)
        KVOController(observer: recorder).observe(circle, keyPath: "radius") { _, _, _ in }
      }
      waited.append(didFinish)
    }
    #expect(finishes { controller.observe(circle, "radius", as: form, options: .initial) })
    #expect(waited.current == [true])
    circle.radius = 1
    #expect(recorder.count == 1)
  }

  @Test(arguments: Form.all) func aCallMayWaitForAnotherThreadThatChangesTheSameObject(form: Form) {
    let waited = Locked<[Bool]>([])
    controller.observe(circle, "radius", as: form)
    controller.observe(circle, "borderWidth", as: form)
    recorder.whenCalled = { recorder, _ in
      recorder.whenCalled = nil
      let didFinish = finishes { circle.borderWidth += 1 }
      waited.append(didFinish)
    }
    #expect(finishes { circle.radius = 1 })
    #expect(waited.current == [true])
    #expect(recorder.count == 2)
  }

  @Test func anObservedObjectsDeinitMayWaitForAnotherThreadThatUsesTheController() {
    let waited = Locked<[Bool]>([])
    do {
      let circle = Circle()
      circle.whenReleased = { _ in
        let didFinish = finishes { Self.use(controller, other) }
        waited.append(didFinish)
      }
      controller.observe(circle, "radius", as: block)
    }
    #expect(finishes { controller.unobserveAll() })
    #expect(waited.current == [true])
  }
}
