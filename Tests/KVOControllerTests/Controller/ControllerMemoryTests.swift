import KVOController
import Testing
import _KVOTestSupport

/// Whatever is done, and however often, memory is where it was. Each test has a process of its own.
@Suite(.enabled(if: seesGrowth)) struct ControllerMemoryTests {
  @Test func observingAndUnobservingLeavesMemoryWhereItWas() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let recorder = Recorder()
      let circle = Circle()
      let controller = KVOController(observer: recorder)
      reportGrowth("block", cycles: aMillionCycles) { _ in
        controller.observe(circle, keyPath: "radius", options: [.old, .new]) { _, _, _ in }
        controller.unobserve(circle, keyPath: "radius")
      }
      reportGrowth("typed") { _ in
        controller.observe(circle, \.radius) { _, _ in }
        controller.unobserve(circle)
      }
      reportGrowth("context") { _ in
        controller.observe(circle, keyPath: "radius", context: nil)
        controller.unobserveAll()
      }
      reportGrowth("action") { _ in
        controller.observe(circle, keyPath: "radius", action: Recorder.redraw)
        controller.unobserve(circle, keyPath: "radius")
      }
      reportGrowth("identifier") { round in
        controller.observe(circle, keyPath: "radius", identifier: round) { _, _, _ in }
        controller.unobserve(circle, keyPath: "radius", identifier: round)
      }
      reportGrowth("token") { _ in controller.observe(circle, \.radius) { _, _ in }.invalidate() }
    }
    #expect(growth(result) == [])
  }

  @Test func observingAPathAndReplacingItsObjectsLeavesMemoryWhereItWas() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let recorder = Recorder()
      let circle = Circle()
      let controller = KVOController(observer: recorder)
      reportGrowth("path", cycles: manyCycles / 4) { round in
        controller.observe(circle, keyPath: "center.x", options: [.old, .new]) { _, _, _ in }
        circle.center = Point(x: round)
        circle.center?.x += 1
        controller.unobserve(circle, keyPath: "center.x")
      }
      controller.observe(circle, keyPath: "center.x", options: [.old, .new, .prior]) { _, _, _ in }
      controller.observe(circle, \.center?.x) { _, _ in }
      reportGrowth("replacements", cycles: manyCycles / 4) { round in circle.center = Point(x: round) }
      controller.unobserveAll()
    }
    #expect(growth(result) == [])
  }

  @Test func controllersObserversAndObjectsThatComeAndGoLeaveMemoryWhereItWas() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let recorder = Recorder()
      let circle = Circle()
      let nonRetaining = KVOController(observer: recorder, retainObserved: false)
      reportGrowth("controllers") { round in
        KVOController(observer: recorder).observe(circle, keyPath: "radius") { _, _, _ in }
      }
      reportGrowth("observers", cycles: manyCycles / 4) { _ in
        let recorder = Recorder()
        recorder.kvoController.observe(circle, keyPath: "radius") { _, _, _ in }
        recorder.kvoControllerNonRetaining.observe(circle, keyPath: "radius") { _, _, _ in }
        circle.radius += 1
      }
      reportGrowth("objects", cycles: manyCycles / 4) { _ in
        let circle = Circle()
        nonRetaining.observe(circle, keyPath: "radius") { _, _, _ in }
        nonRetaining.observe(circle, \.borderWidth) { _, _ in }
        circle.radius += 1
      }
      reportGrowth("streams", cycles: manyCycles / 4) { _ in
        _ = recorder.kvoController.values(of: circle, \.radius)
        circle.radius += 1
      }
    }
    #expect(growth(result) == [])
  }

  @Test func changesLeaveMemoryWhereItWas() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let recorder = Recorder()
      let circle = Circle()
      let controller = KVOController(observer: recorder)
      controller.observe(circle, keyPath: "radius", options: [.old, .new, .prior]) { _, _, _ in }
      controller.observe(circle, \.diameter) { _, _ in }
      reportGrowth("changes") { round in circle.radius = round }
      reportGrowth("coding", cycles: manyCycles / 4) { round in circle.setValue(round, forKeyPath: "radius") }
    }
    #expect(growth(result) == [])
  }
}
