import KVOController
import Testing
import _KVOTestSupport

/// What FBKVOController's own suite tests of the end of observations.
@Suite struct OriginalEndingTests {
  let circle = Circle()
  let observer = Recorder()
  let controller: FBKVOController

  init() {
    controller = FBKVOController(observer: observer)
  }

  @Test func blockCanUnobserveDuringItsInitialCall() {
    var radii: [Int] = []
    circle.radius = 1
    controller.observe(circle, keyPath: "radius", options: .initial) { _, _, _ in
      radii.append(circle.radius)
      controller.unobserve(circle)
    }
    circle.radius = 2
    #expect(radii == [1])
    #expect(circle.registrationCount == 0)
  }

  @Test func unobservingAKeyPathKeepsTheOthers() {
    controller.observe(circle, keyPath: "radius", options: [], context: .number(5))
    controller.observe(circle, keyPath: "borderWidth", options: [], context: .number(5))
    circle.radius = 1
    circle.borderWidth = 1
    #expect(observer.takeCalls().map(\.keyPath) == ["radius", "borderWidth"])
    controller.unobserve(circle, keyPath: "borderWidth")
    circle.radius = 2
    circle.borderWidth = 2
    #expect(observer.takeCalls() == [Call(keyPath: "radius", object: circle, change: .setting, context: 5)])
  }

  @Test func unobservingAnObjectKeepsTheOthers() {
    let other = Circle()
    for object in [circle, other] {
      controller.observe(object, keyPath: "radius", options: [], action: Recorder.update(change:object:))
    }
    controller.unobserve(other)
    circle.radius = 1
    other.radius = 1
    #expect(observer.calls == [Call(object: circle, change: .setting)])
    #expect(other.registrationCount == 0)
  }

  @Test func deallocatedControllerStopsObserving() {
    var own: FBKVOController? = FBKVOController(observer: observer)
    own?.observe(circle, keyPath: "radius", options: [.initial, .old, .new], action: Recorder.redraw)
    #expect(observer.count == 1)
    own = nil
    circle.radius = 1
    #expect(observer.count == 1)
    #expect(circle.registrationCount == 0)
  }

  @Test func changeAfterObserverIsDeallocatedIsSafe() {
    var own: Recorder? = Recorder()
    let (life, count) = (Weak(own), Locked(0))
    let controller = FBKVOController(observer: own)
    own?.whenCalled = { _, _ in count.withLock { $0 += 1 } }
    controller.observe(circle, keyPath: "radius", options: [.initial, .old, .new], action: Recorder.redraw)
    #expect(count.current == 1)
    own = nil
    #expect(!life.isAlive)
    circle.radius = 1
    #expect(count.current == 1)
    #expect(controller.observer == nil)
  }
}
