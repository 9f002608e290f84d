import KVOController
import Testing
import _KVOTestSupport

@Suite struct ContextFormTests {
  let circle = Circle()
  let watcher = Watcher()
  let controller: KVOController

  init() {
    controller = KVOController(observer: watcher)
  }

  @Test func theObserverGetsFoundationsChangeAsItIs() {
    controller.observe(
      circle, keyPath: "radius", options: [.initial, .prior, .new, .old], context: .number(7))
    circle.radius = 1
    #expect(
      watcher.calls == [
        Call(keyPath: "radius", object: circle, change: .setting(new: 0), context: 7),
        Call(keyPath: "radius", object: circle, change: .prior(old: 0), context: 7),
        Call(keyPath: "radius", object: circle, change: .setting(new: 1, old: 0), context: 7),
      ])
  }

  @Test func contextFormIsNotifiedLikeAnObserverWithoutController() {
    let reference = Watcher()
    let options: NSKeyValueObservingOptions = [.initial, .prior, .new, .old]
    circle.addObserver(reference, forKeyPath: "center.x", options: options, context: .number(7))
    controller.observe(circle, keyPath: "center.x", options: options, context: .number(7))
    circle.center = Point(x: 1)
    circle.center?.x = 2
    circle.center = nil
    circle.removeObserver(reference, forKeyPath: "center.x", context: .number(7))
    #expect(watcher.calls == reference.calls)
    #expect(watcher.count == 7)
  }

  @Test func theContextMayBeNil() {
    controller.observe(circle, keyPath: "radius", context: nil)
    circle.radius = 1
    #expect(watcher.calls == [Call(keyPath: "radius", object: circle, change: .setting, context: 0)])
  }

  @Test func aListOfKeyPathsSharesTheContext() {
    controller.observe(circle, keyPaths: ["radius", "borderWidth"], options: .new, context: .number(7))
    circle.radius = 1
    circle.borderWidth = 2
    #expect(
      watcher.calls == [
        Call(keyPath: "radius", object: circle, change: .setting(new: 1), context: 7),
        Call(keyPath: "borderWidth", object: circle, change: .setting(new: 2), context: 7),
      ])
  }

  @Test func anotherContextIsNoOtherObservation() {
    controller.observe(circle, keyPath: "radius", context: .number(1))
    controller.observe(circle, keyPath: "radius", options: .initial, context: .number(2))
    circle.radius = 1
    #expect(watcher.calls.map(\.context) == [1])
  }

  @Test func registrationsOfTheObserversOwnAreNotTouched() {
    circle.addObserver(watcher, forKeyPath: "radius", context: .number(1))
    controller.observe(circle, keyPath: "radius", context: .number(1))
    circle.radius = 1
    #expect(watcher.take().count == 2)
    controller.unobserve(circle, keyPath: "radius")
    circle.radius = 2
    #expect(watcher.take().count == 1)
    circle.removeObserver(watcher, forKeyPath: "radius", context: .number(1))
    circle.radius = 3
    #expect(watcher.calls == [])
  }

  @Test func anObservingObjectMayObserveItself() {
    controller.observe(watcher, keyPath: "mood", options: .new, context: nil)
    watcher.mood = 1
    #expect(watcher.calls == [Call(keyPath: "mood", object: watcher, change: .setting(new: 1), context: 0)])
  }
}
