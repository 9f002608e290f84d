import KVOController
import Testing
import _KVOTestSupport

@Suite struct UnobservingTests {
  let circle = Circle()
  let other = Circle()
  let recorder = Recorder()
  let controller: KVOController
  let paths = ["radius", "borderWidth", "center.x"]

  init() {
    controller = KVOController(observer: recorder)
    circle.center = Point()
    other.center = Point()
  }

  func observeEverything(as form: Form = Form(way: .block), identifiers: [String?] = [nil]) {
    for object in [circle, other] {
      for path in paths {
        for identifier in identifiers { controller.observe(object, path, as: form, identifier: identifier) }
      }
    }
  }

  /// How often the recorder is called for a change of each key path, in the order of `paths`.
  func callsForChanges(of object: Circle) -> [Int] {
    let changes = [{ object.radius += 1 }, { object.borderWidth += 1 }, { object.center?.x += 1 }]
    return changes.map { change in
      change()
      return recorder.takeCalls().count
    }
  }

  /// Without an identifier, and with several in the forms that take one.
  static let observed = Form.all.map { ($0, [nil]) } + Form.identified.map { ($0, [nil, "a", "b"]) }

  @Test(arguments: observed) func unobservedKeyPathNoLongerNotifies(form: Form, identifiers: [String?]) {
    let count = identifiers.count
    observeEverything(as: form, identifiers: identifiers)
    controller.unobserve(circle, keyPath: "radius")
    #expect(callsForChanges(of: circle) == [0, count, count])
    #expect(callsForChanges(of: other) == [count, count, count])
    controller.unobserve(circle, keyPath: "center.x")
    #expect(callsForChanges(of: circle) == [0, count, 0])
  }

  @Test(arguments: observed) func unobservedObjectNoLongerNotifies(form: Form, identifiers: [String?]) {
    let count = identifiers.count
    observeEverything(as: form, identifiers: identifiers)
    controller.unobserve(circle)
    #expect(callsForChanges(of: circle) == [0, 0, 0])
    #expect(callsForChanges(of: other) == [count, count, count])
  }

  @Test(arguments: observed) func unobservingAllStopsEveryNotification(form: Form, identifiers: [String?]) {
    observeEverything(as: form, identifiers: identifiers)
    controller.unobserveAll()
    #expect(callsForChanges(of: circle) == [0, 0, 0])
    #expect(callsForChanges(of: other) == [0, 0, 0])
  }

  @Test func unobservingAnIdentifierLeavesTheOthers() {
    observeEverything(identifiers: [nil, "a", "b"])
    controller.unobserve(circle, keyPath: "radius", identifier: "a")
    #expect(callsForChanges(of: circle) == [2, 3, 3])
    #expect(callsForChanges(of: other) == [3, 3, 3])
    controller.unobserve(circle, keyPath: "radius", identifier: "b")
    #expect(callsForChanges(of: circle) == [1, 3, 3])
  }

  @Test func unobservingAnIdentifierLeavesWhatHasNone() {
    observeEverything()
    controller.unobserve(circle, keyPath: "radius", identifier: "a")
    #expect(callsForChanges(of: circle) == [1, 1, 1])
  }

  @Test func unobservingIsPerController() {
    let second = KVOController(observer: recorder)
    observeEverything()
    for object in [circle, other] {
      for path in paths { second.observe(object, path, as: Form(way: .block)) }
    }
    second.unobserve(circle, keyPath: "radius")
    second.unobserve(other)
    #expect(callsForChanges(of: circle) == [1, 2, 2])
    #expect(callsForChanges(of: other) == [1, 1, 1])
    second.unobserveAll()
    #expect(callsForChanges(of: circle) == [1, 1, 1])
  }

  // MARK: Nothing to end

  @Test func unobservingWhatIsNotObservedDoesNothing() {
    controller.unobserve(circle)
    controller.unobserve(circle, keyPath: "radius")
    controller.unobserve(circle, keyPath: "radius", identifier: "a")
    controller.unobserve(circle, keyPath: "noKeyAtAll")
    controller.unobserveAll()
    observeEverything()
    controller.unobserve(Circle())
    controller.unobserve(Circle(), keyPath: "radius")
    controller.unobserve(circle, keyPath: "center")
    controller.unobserve(circle, keyPath: "x")
    controller.unobserve(circle, keyPath: "")
    #expect(callsForChanges(of: circle) == [1, 1, 1])
    #expect(callsForChanges(of: other) == [1, 1, 1])
  }

  @Test func unobservingNilDoesNothing() {
    observeEverything()
    controller.unobserve(nil)
    controller.unobserve(nil, keyPath: "radius")
    controller.unobserve(nil, keyPath: "radius", identifier: "a")
    controller.unobserve(Circle?.none as Any)
    #expect(callsForChanges(of: circle) == [1, 1, 1])
  }

  @Test func unobservingWhatCannotBeObservedDoesNothing() {
    observeEverything()
    controller.unobserve("radius")
    controller.unobserve(PlainRecorder(), keyPath: "radius")
    controller.unobserve(1, keyPath: "radius", identifier: "a")
    #expect(callsForChanges(of: circle) == [1, 1, 1])
  }

  @Test func repeatedUnobservingDoesNothing() {
    observeEverything(identifiers: ["a", "b"])
    for _ in 0..<3 {
      controller.unobserve(circle, keyPath: "radius", identifier: "a")
      controller.unobserve(circle, keyPath: "borderWidth")
      controller.unobserve(other)
    }
    #expect(callsForChanges(of: circle) == [1, 0, 2])
    for _ in 0..<3 { controller.unobserveAll() }
    #expect(callsForChanges(of: circle) == [0, 0, 0])
  }

  @Test(arguments: Form.all) func observingNilDoesNothing(form: Form) {
    controller.observe(nil, "radius", as: form, options: .initial)
    controller.observe(Circle?.none as Any, "radius", as: form, options: .initial)
    #expect(recorder.calls == [])
  }

  // MARK: Nothing left behind

  @Test func anObjectThatIsNoLongerObservedIsAsBefore() {
    observeEverything(identifiers: [nil, "a"])
    #expect(circle.registrationCount > 0)
    controller.unobserve(circle, keyPath: "radius")
    controller.unobserve(circle, keyPath: "borderWidth", identifier: "a")
    #expect(circle.registrationCount > 0)
    controller.unobserve(circle)
    #expect(circle.registrationCount == 0)
    #expect(circle.center?.registrationCount ?? 0 == 0)
    #expect(other.registrationCount > 0)
    controller.unobserveAll()
    #expect(other.registrationCount == 0)
  }

  @Test func blockIsReleasedWhenItsObservationEnds() {
    let census = Census()
    let endings: [(KVOController) -> Void] = [
      { $0.unobserve(circle, keyPath: "radius") }, { $0.unobserve(circle, keyPath: "radius", identifier: "a") },
      { $0.unobserve(circle) }, { $0.unobserveAll() },
    ]
    for end in endings {
      let resident = Resident(census)
      controller.observe(circle, keyPath: "radius", identifier: "a") { _, _, _ in resident.stay() }
      circle.radius += 1
      end(controller)
    }
    #expect(census.living == 0)
  }

  @Test func ignoredBlockIsReleased() {
    let census = Census()
    controller.observe(circle, "radius", as: Form(way: .block))
    for _ in 0..<3 {
      let resident = Resident(census)
      controller.observe(circle, keyPath: "radius") { _, _, _ in resident.stay() }
      controller.observe(nil, keyPath: "radius") { _, _, _ in resident.stay() }
    }
    #expect(census.living == 0)
  }
}
