import KVOController
import Testing
import _KVOTestSupport

/// What FBKVOController's own suite tests of notifications, under FBKVOController's names.
///
/// The original's suite has 29 tests. 24 can be expressed in Swift; five pass nil for key paths, a block, or an action,
/// which the compiler rejects: see `OriginalMissingArgumentTests`.
@Suite struct OriginalBehaviorTests {
  /// The options that the original combines.
  static let valuesAndInitial: NSKeyValueObservingOptions = [.initial, .old, .new]
  static let everyOption: NSKeyValueObservingOptions = [.initial, .old, .new, .prior]

  let circle = Circle()
  let observer = Recorder()
  /// An observer that is registered without a controller. Its calls are the expected ones.
  let registered = Recorder()
  let controller: FBKVOController

  init() {
    controller = FBKVOController(observer: observer)
  }

  /// Registers the other observer for the radius while a test runs.
  func comparing(_ options: NSKeyValueObservingOptions, _ body: () -> Void) {
    circle.addObserver(registered, forKeyPath: "radius", options: options, context: .number(5))
    body()
    circle.removeObserver(registered, forKeyPath: "radius", context: .number(5))
  }

  @Test func debugDescriptionNamesFBKVOController() {
    controller.observe(circle, keyPaths: ["radius", "borderWidth"], options: Self.everyOption, context: .number(5))
    #expect(controller.debugDescription.contains("FBKVOController"))
  }

  // MARK: Contexts

  @Test(arguments: [[], valuesAndInitial, everyOption])
  func contextFormCallsLikeRegistration(options: NSKeyValueObservingOptions) {
    circle.radius = 1
    comparing(options) {
      controller.observe(circle, keyPath: "radius", options: options, context: .number(5))
      #expect(observer.count == (options.contains(.initial) ? 1 : 0))
      #expect(observer.calls == registered.calls)
      circle.radius = 2
      #expect(
        observer.takeCalls().count == 1 + (options.contains(.initial) ? 1 : 0) + (options.contains(.prior) ? 1 : 0))
      circle.radius = 3
      #expect(registered.calls.suffix(observer.count) == observer.calls[...])
      #expect(observer.calls.last?.context == 5)
    }
  }

  @Test func contextFormForSeveralKeyPathsObservesEach() {
    controller.observe(circle, keyPaths: ["radius", "borderWidth"], options: .new, context: nil)
    circle.radius = 1
    #expect(observer.takeCalls() == [Call(keyPath: "radius", object: circle, change: .setting(new: 1), context: 0)])
    circle.borderWidth = 10
    #expect(
      observer.takeCalls() == [Call(keyPath: "borderWidth", object: circle, change: .setting(new: 10), context: 0)])
  }

  // MARK: Blocks

  @Test func blockReceivesObserverObjectKeyPathAndChange() {
    var count = 0
    // The block doesn't retain the controller.
    let block: FBKVONotificationBlock = { [observer, circle] receiver, object, change in
      count += 1
      #expect(receiver as? Recorder === observer)
      #expect(object as? Circle === circle)
      #expect(change[NSKeyValueChangeKey(rawValue: FBKVONotificationKeyPathKey)] as? String == "radius")
      let expected: Change = count == 1 ? .setting(new: 0) : .setting(new: 7, old: 0)
      #expect(Change(change) == expected.with(keyPath: "radius"))
    }
    comparing(Self.valuesAndInitial) {
      controller.observe(circle, keyPath: "radius", options: Self.valuesAndInitial, block: block)
      #expect(count == 1)
      circle.radius = 7
      #expect(count == 2)
      #expect(registered.changes == [.setting(new: 0), .setting(new: 7, old: 0)])
    }
  }

  @Test func blockForSeveralKeyPathsObservesEach() {
    var values: [Int?] = []
    controller.observe(circle, keyPaths: ["radius", "borderWidth"], options: .new) { _, _, change in
      values.append(change[.newKey] as? Int)
    }
    circle.radius = 1
    circle.borderWidth = 10
    #expect(values == [1, 10])
  }

  // MARK: Actions

  @Test func actionWithoutArgumentsIsCalledInitiallyAndForEachChange() {
    controller.observe(circle, keyPath: "radius", options: Self.valuesAndInitial, action: Recorder.redraw)
    #expect(observer.takeCalls() == [Call()])
    circle.radius = 1
    #expect(observer.takeCalls() == [Call()])
  }

  @Test func actionWithChangeReceivesTheChangeOfARegistration() {
    comparing(Self.valuesAndInitial) {
      let action: (Recorder) -> ([NSKeyValueChangeKey: Any]) -> Void = Recorder.update(change:)
      controller.observe(circle, keyPath: "radius", options: Self.valuesAndInitial, action: action)
      #expect(observer.calls == [Call(change: .setting(new: 0))])
      circle.radius = 2
      #expect(observer.count == 2)
      #expect(observer.changes == registered.changes)
    }
  }

  @Test func actionWithChangeAndObjectReceivesBoth() {
    comparing(Self.valuesAndInitial) {
      controller
        .observe(circle, keyPath: "radius", options: Self.valuesAndInitial, action: Recorder.update(change:object:))
      #expect(observer.calls == [Call(object: circle, change: .setting(new: 0))])
      circle.radius = 2
      #expect(observer.count == 2)
      #expect(observer.changes == registered.changes)
      #expect(observer.calls.allSatisfy { $0.object == ObjectIdentifier(circle) })
    }
  }
}
