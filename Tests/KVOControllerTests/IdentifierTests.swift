import KVOController
import Testing
import _KVOTestSupport

/// An object, a key path and an identifier make an observation; the first of equal ones wins.
@Suite struct IdentifierTests {
  let circle = Circle()
  let recorder = Recorder()
  let controller: KVOController

  init() { controller = KVOController(observer: recorder) }

  // MARK: The same again

  @Test(arguments: Form.all, Form.all) func whatIsObservedAlreadyIsIgnored(first: Form, second: Form) {
    controller.observe(circle, "radius", as: first, options: .new, number: 1)
    controller.observe(circle, "radius", as: second, options: [.new, .old, .prior], number: 2)
    circle.radius = 1
    #expect(recorder.calls == [first.call("radius", circle, .setting(new: 1), number: 1)])
  }

  @Test(arguments: Form.all, Form.all) func observingAgainMakesNoSecondInitialCall(first: Form, second: Form) {
    controller.observe(circle, "radius", as: first)
    controller.observe(circle, "radius", as: second, options: [.initial, .new])
    #expect(recorder.calls == [])
  }

  @Test(arguments: Form.identified, Form.identified) func equalIdentifiersAreTheSameAgain(first: Form, second: Form) {
    controller.observe(circle, "radius", as: first, identifier: "a", number: 1)
    controller.observe(circle, "radius", as: second, options: .initial, identifier: ["a"].joined(), number: 2)
    circle.radius = 1
    #expect(recorder.calls == [first.call("radius", circle, .setting, number: 1)])
  }

  @Test(arguments: Form.all) func endedObservationCanBeginAgain(form: Form) {
    controller.observe(circle, "radius", as: form, options: .initial, number: 1)
    controller.unobserve(circle, keyPath: "radius")
    #expect(recorder.takeCalls() == [form.call("radius", circle, .setting, number: 1)])
    controller.observe(circle, "radius", as: form, options: [.initial, .new], number: 2)
    #expect(recorder.takeCalls() == [form.call("radius", circle, .setting(new: 0), number: 2)])
    circle.radius = 1
    #expect(recorder.takeCalls() == [form.call("radius", circle, .setting(new: 1), number: 2)])
  }

  @Test func oneUnobservingEndsWhatWasObservedTwice() {
    controller.observe(circle, "radius", as: Form(way: .block))
    controller.observe(circle, "radius", as: Form(way: .block))
    controller.unobserve(circle, keyPath: "radius")
    circle.radius = 1
    #expect(recorder.calls == [])
  }

  @Test func whatWasObservedAlreadyInAListDoesNotKeepTheRestFromBeingObserved() {
    controller.observe(circle, "radius", as: Form(way: .block), number: 1)
    controller.observe(circle, keyPaths: ["radius", "borderWidth"], options: .initial, context: nil)
    #expect(recorder.takeCalls().map(\.keyPath) == ["borderWidth"])
    circle.borderWidth = 1
    #expect(recorder.takeCalls().map(\.keyPath) == ["borderWidth"])
  }

  // MARK: Not the same

  @Test(arguments: Form.identified) func differentIdentifiersAreObservedSideBySide(form: Form) {
    for identifier: AnyHashable? in [nil, "a", "b", 1] {
      controller.observe(circle, "radius", as: form, options: .initial, identifier: identifier)
    }
    #expect(recorder.takeCalls().count == 4)
    circle.radius = 1
    #expect(recorder.takeCalls().count == 4)
  }

  @Test func identifiersWithTheSameHashAreStillDifferent() {
    struct Colliding: Hashable {
      let name: String
      func hash(into hasher: inout Hasher) {}
    }
    for (number, name) in ["a", "b", "a", "c"].enumerated() {
      controller.observe(
        circle, "radius", as: Form(way: .block), identifier: Colliding(name: name), number: number)
    }
    circle.radius = 1
    #expect(Set(recorder.takeCalls().map(\.context)) == [0, 1, 3])
    controller.unobserve(circle, keyPath: "radius", identifier: Colliding(name: "b"))
    circle.radius = 2
    #expect(Set(recorder.takeCalls().map(\.context)) == [0, 3])
  }

  @Test(arguments: Form.identified) func otherKeyPathsMayHaveTheSameIdentifier(form: Form) {
    controller.observe(circle, "radius", as: form, identifier: "a")
    controller.observe(circle, "borderWidth", as: form, identifier: "a")
    circle.radius = 1
    circle.borderWidth = 1
    #expect(recorder.count == 2)
  }

  @Test(arguments: Form.all) func otherObjectsMayHaveTheSameKeyPath(form: Form) {
    let other = Circle()
    controller.observe(circle, "radius", as: form, identifier: form.way == .context ? nil : "a")
    controller.observe(other, "radius", as: form, identifier: form.way == .context ? nil : "a")
    circle.radius = 1
    #expect(recorder.takeCalls().count == 1)
    other.radius = 1
    #expect(recorder.takeCalls().count == 1)
  }

  @Test(arguments: Form.all) func anotherControllerIsNotifiedIndependently(form: Form) {
    let other = KVOController(observer: recorder)
    controller.observe(circle, "radius", as: form, options: .initial)
    other.observe(circle, "radius", as: form, options: .initial)
    #expect(recorder.takeCalls().count == 2)
    other.unobserveAll()
    circle.radius = 1
    #expect(recorder.takeCalls().count == 1)
  }

  @Test func eachIdentifierKeepsItsOwnOptions() {
    let block = Form(way: .block)
    controller.observe(circle, "radius", as: block, options: .new, identifier: "new", number: 1)
    controller.observe(circle, "radius", as: block, options: [.old, .prior], identifier: "old", number: 2)
    controller.observe(circle, "radius", as: block, identifier: "none", number: 3)
    circle.radius = 1
    let calls = recorder.takeCalls()
    #expect(calls.count == 4)
    for call in [
      block.call("radius", circle, .setting(new: 1), number: 1),
      block.call("radius", circle, .prior(old: 0), number: 2),
      block.call("radius", circle, .setting(old: 0), number: 2), block.call("radius", circle, .setting, number: 3),
    ] {
      #expect(calls.contains(call))
    }
  }
}
