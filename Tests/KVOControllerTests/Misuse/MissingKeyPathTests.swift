import KVOController
import Testing
import _KVOTestSupport

#if DEBUG
/// A missing key path stops debug builds.
@Suite struct MissingKeyPathTests {
  @Test func emptyKeyPathOfABlockTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      KVOController(observer: nil).observe(Circle(), keyPath: "") { _, _, _ in }
    }
    #expect(said("Cannot observe ", ", because the key path is empty. Name a key.", in: result))
  }

  @Test func emptyKeyPathOfAContextTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      KVOController(observer: nil).observe(Circle(), keyPath: "", context: nil)
    }
    #expect(said("Cannot observe ", ", because the key path is empty. Name a key.", in: result))
  }

  @Test func emptyKeyPathOfAnActionTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      KVOController(observer: nil).observe(Circle(), keyPath: "", action: Recorder.redraw)
    }
    #expect(said("Cannot observe ", ", because the key path is empty. Name a key.", in: result))
  }

  @Test func emptyKeyPathInAListTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      KVOController(observer: nil).observe(Circle(), keyPaths: ["radius", ""]) { _, _, _ in }
    }
    #expect(said("Cannot observe ", ", because the key path is empty. Name a key.", in: result))
  }

  @Test func emptyListForABlockTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      KVOController(observer: nil).observe(Circle(), keyPaths: []) { _, _, _ in }
    }
    #expect(said("Cannot observe ", ", because the list of key paths is empty. Name a key.", in: result))
  }

  @Test func anEmptyTypedListTrapsAtTheCallersLine() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Circle().observe(Circle(), [] as [PartialKeyPath<Circle>]) { _, _ in }
    }
    #expect(said("because the list of key paths is empty. Name a key.", "MissingKeyPathTests.swift:", in: result))
  }

  @Test func emptyListForAContextTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      KVOController(observer: nil).observe(Circle(), keyPaths: [], context: nil)
    }
    #expect(said("Cannot observe ", ", because the list of key paths is empty. Name a key.", in: result))
  }
}
#else
/// A missing key path does nothing in release builds.
@Suite struct MissingKeyPathTests {
  let circle = Circle()
  let recorder = Recorder()

  @Test func anEmptyKeyPathDoesNothing() {
    let controller = KVOController(observer: recorder)
    for form in Form.all {
      controller.observe(circle, "", as: form, options: .initial)
    }
    circle.radius = 1
    #expect(recorder.calls == [])
    #expect(circle.registrationCount == 0)
    withExtendedLifetime(controller) {}
  }

  @Test func anEmptyListDoesNothing() {
    let controller = KVOController(observer: recorder)
    controller.observe(circle, keyPaths: [], options: .initial) { _, _, _ in Issue.record("called") }
    controller.observe(circle, keyPaths: [], options: .initial, context: nil)
    circle.radius = 1
    #expect(recorder.calls == [])
    #expect(circle.registrationCount == 0)
    withExtendedLifetime(controller) {}
  }
}
#endif
