import KVOController
import Testing
import _KVOTestSupport

@Suite struct ContextFormTests {
  let circle = Circle()
  let recorder = Recorder()
  let controller: KVOController

  init() { controller = KVOController(observer: recorder) }

  @Test func contextFormIsNotifiedLikeAnObserverWithoutController() {
    let reference = Recorder()
    let options: NSKeyValueObservingOptions = [.initial, .prior, .new, .old]
    circle.addObserver(reference, forKeyPath: "center.x", options: options, context: .number(7))
    controller.observe(circle, keyPath: "center.x", options: options, context: .number(7))
    circle.center = Point(x: 1)
    circle.center?.x = 2
    circle.center = nil
    circle.removeObserver(reference, forKeyPath: "center.x", context: .number(7))
    #expect(recorder.calls == reference.calls)
    #expect(recorder.count == 7)
  }

  @Test func theContextMayBeNil() {
    controller.observe(circle, keyPath: "radius", context: nil)
    circle.radius = 1
    #expect(recorder.calls == [Call(keyPath: "radius", object: circle, change: .setting, context: 0)])
  }

  @Test func aListOfKeyPathsSharesTheContext() {
    controller.observe(circle, keyPaths: ["radius", "borderWidth"], options: .new, context: .number(7))
    circle.radius = 1
    circle.borderWidth = 2
    #expect(
      recorder.calls == [
        Call(keyPath: "radius", object: circle, change: .setting(new: 1), context: 7),
        Call(keyPath: "borderWidth", object: circle, change: .setting(new: 2), context: 7),
      ])
  }

  @Test func anotherContextIsNoOtherObservation() {
    controller.observe(circle, keyPath: "radius", context: .number(1))
    controller.observe(circle, keyPath: "radius", options: .initial, context: .number(2))
    circle.radius = 1
    #expect(recorder.calls.map(\.context) == [1])
  }

  @Test func registrationsOfTheObserversOwnAreNotTouched() {
    circle.addObserver(recorder, forKeyPath: "radius", context: .number(1))
    controller.observe(circle, keyPath: "radius", context: .number(1))
    circle.radius = 1
    #expect(recorder.takeCalls().count == 2)
    controller.unobserve(circle, keyPath: "radius")
    circle.radius = 2
    #expect(recorder.takeCalls().count == 1)
    circle.removeObserver(recorder, forKeyPath: "radius", context: .number(1))
    circle.radius = 3
    #expect(recorder.calls == [])
  }

  @Test func anObservingObjectMayObserveItself() {
    let recorder = ObservedRecorder()
    let controller = KVOController(observer: recorder)
    controller.observe(recorder, keyPath: "mood", options: .new, context: nil)
    recorder.mood = 1
    #expect(recorder.calls == [Call(keyPath: "mood", object: recorder, change: .setting(new: 1), context: 0)])
  }
}
