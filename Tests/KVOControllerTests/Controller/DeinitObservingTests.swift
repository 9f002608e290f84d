import KVOController
import Testing
import _KVOTestSupport

/// Observing an object in its `deinit` does no harm, whether or not it has an effect, and doesn't retain it.
@Suite(.watched) struct DeinitObservingTests {
  @Test(arguments: [true, false]) func anObjectMayBeObservedInItsDeinit(retaining: Bool) {
    let recorder = Recorder()
    let controller = KVOController(observer: recorder, retainObserved: retaining)
    let census = Census()
    for form in Form.all {
      let circle = Circle(resident: Resident(census))
      circle.whenReleased = { circle in
        controller.observe(circle, "radius", as: form, options: [.initial, .new])
        circle.radius += 1
      }
    }
    #expect(census.living == 0)
    #expect(!controller.debugDescription.contains("radius"))
    _ = recorder.takeCalls()
    let stranger = Circle()
    stranger.radius = 1
    #expect(recorder.calls == [])
  }

  @Test func aTypedKeyPathMayBeObservedInItsObjectsDeinit() {
    let recorder = Recorder()
    let controller = KVOController(observer: recorder)
    let census = Census()
    do {
      let circle = Circle(resident: Resident(census))
      circle.whenReleased = { circle in
        controller.observe(circle, \.radius) { _, _ in }
        controller.observe(circle, \.center?.x) { _, _ in }
        circle.radius += 1
        circle.center = Point()
      }
    }
    #expect(census.living == 0)
    #expect(!controller.debugDescription.contains("radius"))
  }
}
