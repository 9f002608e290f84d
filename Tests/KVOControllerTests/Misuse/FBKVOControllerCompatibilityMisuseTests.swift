import KVOController
import Testing
import _KVOTestSupport

/// The tests of FBKVOController's own suite for missing arguments.
///
/// There a missing argument raises in debug builds. Here the compiler refuses nil for key paths, blocks and actions; in
/// place of each is the nearest error that still compiles.
@Suite struct FBKVOControllerCompatibilityMisuseTests {
  let controller = FBKVOController(observer: nil)

  // MARK: Nil objects

  @Test func observeKeyPathsOptionsBlockWhenObjectIsNilDoesNothing() {
    controller.observe(nil, keyPaths: ["ante", "bellum"], options: []) { _, _, _ in }
  }

  @Test func observeKeyPathsOptionsContextWhenObjectIsNilDoesNothing() {
    controller.observe(nil, keyPaths: ["terra", "firma"], options: [], context: nil)
  }

  /// The original raises, because its nil observer has no such selector. Here it is as with the other forms.
  @Test func observeKeyPathsOptionsActionWhenObjectIsNilDoesNothing() {
    controller.observe(nil, keyPaths: ["ante", "bellum"], options: [], action: Watcher.redraw)
  }

  /// Instead of a nil block: an empty one, which isn't an error.
  @Test func observeKeyPathsOptionsBlockWhenBlockIsEmptyDoesNothing() {
    let observer = Watcher()
    let circle = Circle()
    let controller = FBKVOController(observer: observer)
    controller.observe(circle, keyPaths: ["radius", "borderWidth"], options: .initial) { _, _, _ in }
    circle.radius = 1
    #expect(observer.calls == [])
    withExtendedLifetime(controller) {}
  }

  // MARK: Actions that the observer doesn't have

  /// Instead of a null action: one of a class that has nothing to do with the observer's.
  @Test func observeKeyPathsOptionsActionWhenActionIsOfAStrangerRaises() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let observer = Watcher()
      FBKVOController(observer: observer).observe(Circle(), keyPaths: ["carpe", "diem"], action: PlainWatcher.redraw)
      withExtendedLifetime(observer) {}
    }
    #expect(said("Watcher", "carpe", "PlainWatcher", in: result))
  }

  @Test func observeKeyPathsOptionsActionWhenObserverDoesNotHaveTheActionRaises() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let observer = Point()
      FBKVOController(observer: observer).observe(Circle(), keyPaths: ["caveat", "emptor"], action: Watcher.redraw)
      withExtendedLifetime(observer) {}
    }
    #expect(said("Point", "caveat", "Watcher", in: result))
  }

  #if DEBUG
  // MARK: Missing key paths

  /// Instead of nil key paths, here and below: a list of nothing but an empty one.
  @Test func observeKeyPathsOptionsBlockWhenKeyPathsHoldNothingRaises() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      FBKVOController(observer: nil).observe(nil, keyPaths: [""], options: []) { _, _, _ in }
    }
    #expect(said("Cannot observe ", ", because the key path is empty. Name a key.", in: result))
  }

  @Test func observeKeyPathsOptionsBlockWhenKeyPathsIsEmptyRaises() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      FBKVOController(observer: nil).observe(nil, keyPaths: [], options: []) { _, _, _ in }
    }
    #expect(said("Cannot observe ", ", because the key path is empty. Name a key.", in: result))
  }

  @Test func observeKeyPathsOptionsActionWhenKeyPathsHoldNothingRaises() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      FBKVOController(observer: nil).observe(nil, keyPaths: [""], options: [], action: Watcher.redraw)
    }
    #expect(said("Cannot observe ", ", because the key path is empty. Name a key.", in: result))
  }

  @Test func observeKeyPathsOptionsActionWhenKeyPathsIsEmptyRaises() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      FBKVOController(observer: nil).observe(nil, keyPaths: [], options: [], action: Watcher.redraw)
    }
    #expect(said("Cannot observe ", ", because the key path is empty. Name a key.", in: result))
  }

  @Test func observeKeyPathsOptionsContextWhenKeyPathsHoldNothingRaises() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      FBKVOController(observer: nil).observe(nil, keyPaths: [""], options: [], context: nil)
    }
    #expect(said("Cannot observe ", ", because the key path is empty. Name a key.", in: result))
  }

  @Test func observeKeyPathsOptionsContextWhenKeyPathsIsEmptyRaises() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      FBKVOController(observer: nil).observe(nil, keyPaths: [], options: [], context: nil)
    }
    #expect(said("Cannot observe ", ", because the key path is empty. Name a key.", in: result))
  }
  #endif
}
