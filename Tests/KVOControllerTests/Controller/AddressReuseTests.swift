import KVOController
import Testing
import _KVOTestSupport

/// A new object at a freed address is unrelated to the old one. Allocators usually reuse it
/// immediately.
@Suite struct AddressReuseTests {
  let recorder = Recorder()
  let controller: KVOController

  init() {
    controller = KVOController(observer: recorder, retainObserved: false)
  }

  @Test(arguments: Form.all) func aLaterObjectIsNotObserved(form: Form) {
    for _ in 0..<100 {
      controller.observe(Circle(), "radius", as: form)
      let unrelated = Circle()
      unrelated.radius = 1
      #expect(recorder.calls == [])
      #expect(unrelated.registrationCount == 0)
    }
  }

  @Test(arguments: Form.all) func aLaterObjectIsNotTakenForOneThatIsObservedAlready(form: Form) {
    for number in 0..<100 {
      controller.observe(Circle(), "radius", as: form)
      let unrelated = Circle()
      controller.observe(unrelated, "radius", as: form, options: [.initial, .new], number: number)
      unrelated.radius = 1
      #expect(
        recorder.takeCalls() == [
          form.call("radius", unrelated, .setting(new: 0), number: number),
          form.call("radius", unrelated, .setting(new: 1), number: number),
        ])
    }
  }

  @Test func unobservingALaterObjectTakesNothingAway() {
    for _ in 0..<100 {
      controller.observe(Circle(), "radius", as: Form(way: .block))
      let unrelated = Circle()
      controller.unobserve(unrelated)
      controller.observe(unrelated, "borderWidth", as: Form(way: .block))
      controller.unobserve(unrelated, keyPath: "radius")
      unrelated.borderWidth = 1
      #expect(recorder.takeCalls().count == 1)
    }
    controller.unobserveAll()
  }

  @Test func aLaterObjectOnThePathIsNotFollowed() {
    let circle = Circle()
    controller.observe(circle, "anchor.x", as: Form(way: .block))
    for _ in 0..<100 {
      circle.setValue(Point(), forKey: "anchor")
      _ = recorder.takeCalls()
      let unrelated = Point()
      unrelated.x = 1
      #expect(recorder.takeCalls() == [])
    }
  }

  @Test func aLaterControllerStartsWithNothing() {
    let circle = Circle()
    for number in 0..<100 {
      KVOController(observer: recorder).observe(circle, "radius", as: Form(way: .block), number: -1)
      let later = KVOController(observer: recorder)
      circle.radius += 1
      #expect(recorder.takeCalls() == [])
      later.observe(circle, "radius", as: Form(way: .block), number: number)
      circle.radius += 1
      #expect(recorder.takeCalls().map(\.context) == [number])
    }
  }

  @Test func aLaterObserverIsNotCalledForAnEarlierOne() {
    let circle = Circle()
    for _ in 0..<100 {
      var controllers: [KVOController] = []
      do {
        let recorder = Recorder()
        controllers.append(KVOController(observer: recorder))
        controllers[0].observe(circle, "radius", as: Form(way: .block))
        controllers[0].observe(circle, "borderWidth", as: Form(way: .context))
      }
      let later = Recorder()
      circle.radius += 1
      circle.borderWidth += 1
      #expect(later.calls == [])
      #expect(controllers[0].observer == nil)
    }
  }

  @Test func aLaterObjectDoesNotHaveTheControllerOfAnEarlierOne() {
    for _ in 0..<100 {
      let circle = Circle()
      do {
        let recorder = Recorder()
        recorder.kvoController.observe(circle, "radius", as: Form(way: .block))
      }
      let later = Recorder()
      #expect(later.kvoController.observer === later)
      circle.radius += 1
      #expect(later.calls == [])
    }
  }
}
