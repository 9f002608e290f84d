import KVOController
import Testing
import _KVOTestSupport

/// What FBKVOController's own suite tests of missing arguments.
///
/// There a missing key path, block, or action raises an exception, which Swift can't catch; here it traps. The compiler
/// rejects nil for the key paths of each of the three forms, for the block, and for the action: the five tests of the
/// original that can't be expressed.
@Suite struct OriginalMissingArgumentTests {
  // MARK: Nil objects

  @Test func observingNilWithABlockDoesNothing() {
    let observer = Recorder()
    for controller in [FBKVOController(observer: nil), FBKVOController(observer: observer)] {
      controller.observe(nil, keyPaths: ["here", "there"], options: .initial) { _, _, _ in Issue.record("called") }
      #expect(controller.observations.isEmpty)
    }
  }

  @Test func observingNilWithAContextDoesNothing() {
    let observer = Recorder()
    for controller in [FBKVOController(observer: nil), FBKVOController(observer: observer)] {
      controller.observe(nil, keyPaths: ["here", "there"], options: .initial, context: nil)
      #expect(controller.observations.isEmpty)
    }
    #expect(observer.calls == [])
  }

  /// The original raises for a controller without an observer, which can't have the method. Here the object is nil, as
  /// in the other forms, and so nothing is observed.
  @Test func observingNilWithAnActionDoesNothing() {
    let observer = Recorder()
    for controller in [FBKVOController(observer: nil), FBKVOController(observer: observer)] {
      controller.observe(nil, keyPath: "here", options: .initial, action: Recorder.redraw)
      #expect(controller.observations.isEmpty)
    }
    #expect(observer.calls == [])
  }

  /// The original raises here too. An observer may be deallocated at any time, so its absence is no error.
  @Test func actionWithoutObserverIsNotCalled() {
    let circle = Circle()
    let controller = FBKVOController(observer: nil)
    controller.observe(circle, keyPath: "radius", options: .initial, action: Recorder.redraw)
    circle.radius = 1
    #expect(controller.observer == nil)
  }

  // MARK: Actions that the observer doesn't have

  @Test func actionThatTheObserverDoesNotHaveTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let observer = Point()
      FBKVOController(observer: observer).observe(Circle(), keyPath: "radius", options: [], action: Recorder.redraw)
      withExtendedLifetime(observer) {}
    }
    #expect(said("Cannot notify <Point", "\"radius\"", "of type Recorder", in: result))
  }

  // MARK: Missing key paths

  #if DEBUG
  @Test func blockFormWithoutKeyPathsTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      FBKVOController(observer: nil).observe(nil, keyPaths: [], options: []) { _, _, _ in }
    }
    #expect(said("Cannot observe nil, because the list of key paths is empty. Name a key.", in: result))
  }

  @Test func contextFormWithoutKeyPathsTraps() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      FBKVOController(observer: nil).observe(nil, keyPaths: [], options: [], context: nil)
    }
    #expect(said("Cannot observe nil, because the list of key paths is empty. Name a key.", in: result))
  }
  #endif
}
