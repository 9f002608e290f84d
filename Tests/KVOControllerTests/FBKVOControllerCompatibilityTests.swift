import KVOController
import Testing
import _KVOTestSupport

/// The tests of FBKVOController's own suite, for this library under FBKVOController's names.
///
/// The original's mock observer is a `Watcher` here. Another one, registered without a controller, provides the
/// expected calls.
@Suite struct FBKVOControllerCompatibilityTests {
  static let optionsBasic: NSKeyValueObservingOptions = [.new, .old, .initial]
  static let optionsAll: NSKeyValueObservingOptions = [.new, .old, .initial, .prior]
  static let keyPathKey = NSKeyValueChangeKey(rawValue: FBKVONotificationKeyPathKey)
  static var context: UnsafeMutableRawPointer? { .number(42) }

  let circle = Circle()
  let observer = Watcher()
  let reference = Watcher()
  let controller: FBKVOController

  init() {
    controller = FBKVOController(observer: observer)
  }

  @Test func debugDescriptionContainsClassName() {
    controller.observe(
      circle, keyPaths: ["radius", "borderWidth"], options: Self.optionsAll, context: Self.context)
    #expect(controller.debugDescription.contains("\(FBKVOController.self)"))
  }

  // MARK: Notifications

  @Test func blockOptionsBasic() {
    var count = 0
    var lastObserver: AnyObject?
    var lastObject: AnyObject?
    var lastChange: [NSKeyValueChangeKey: Any] = [:]
    let block: FBKVONotificationBlock = { observer, object, change in
      count += 1
      lastObserver = observer.map { $0 as AnyObject }
      lastObject = object as AnyObject
      lastChange = change
    }
    circle.addObserver(reference, forKeyPath: "radius", options: Self.optionsBasic, context: Self.context)
    controller.observe(circle, keyPath: "radius", options: Self.optionsBasic, block: block)
    for radius in 0...1 {
      if radius > 0 { circle.radius = radius }
      #expect(count == radius + 1)
      #expect(lastObserver === observer)
      #expect(lastObject === circle)
      #expect(lastChange.removeValue(forKey: Self.keyPathKey) as? String == "radius")
      #expect(Change(lastChange) == reference.changes.last)
    }
    circle.removeObserver(reference, forKeyPath: "radius")
  }

  @Test func keyValueObservingOptionsNone() {
    circle.addObserver(reference, forKeyPath: "radius", options: [], context: Self.context)
    controller.observe(circle, keyPath: "radius", options: [], context: Self.context)
    circle.radius = 1
    #expect(observer.count == 1)
    #expect(observer.calls == reference.calls)
    circle.removeObserver(reference, forKeyPath: "radius")
  }

  @Test func keyValueObservingOptionsBasic() {
    circle.radius = 1
    circle.addObserver(reference, forKeyPath: "radius", options: Self.optionsBasic, context: Self.context)
    controller.observe(circle, keyPath: "radius", options: Self.optionsBasic, context: Self.context)
    #expect(observer.count == 1)
    #expect(observer.calls == reference.calls)
    circle.removeObserver(reference, forKeyPath: "radius")
  }

  @Test func keyValueObservingOptionsAll() {
    circle.radius = 1
    circle.addObserver(reference, forKeyPath: "radius", options: Self.optionsAll, context: Self.context)
    controller.observe(circle, keyPath: "radius", options: Self.optionsAll, context: Self.context)
    #expect(observer.count == 1)
    #expect(observer.calls == reference.calls)
    circle.radius = 2
    #expect(observer.count == 3)
    #expect(observer.calls == reference.calls)
    circle.removeObserver(reference, forKeyPath: "radius")
  }

  @Test func customActionOptionsBasic() {
    controller.observe(circle, keyPath: "radius", options: Self.optionsBasic, action: Watcher.redraw)
    #expect(observer.calls == [Call()])
    circle.radius = 1
    #expect(observer.calls == [Call(), Call()])
  }

  @Test func customActionWithChangeOptionsBasic() {
    circle.addObserver(reference, forKeyPath: "radius", options: Self.optionsBasic, context: Self.context)
    controller.observe(circle, keyPath: "radius", options: Self.optionsBasic, action: Watcher.update(change:))
    #expect(observer.changes == reference.changes)
    circle.radius = 2
    #expect(observer.count == 2)
    #expect(observer.changes == reference.changes)
    circle.removeObserver(reference, forKeyPath: "radius")
  }

  @Test func customActionWithChangeObjectOptionsBasic() {
    circle.addObserver(reference, forKeyPath: "radius", options: Self.optionsBasic, context: Self.context)
    controller.observe(circle, keyPath: "radius", options: Self.optionsBasic, action: Watcher.update(change:object:))
    #expect(observer.changes == reference.changes)
    circle.radius = 2
    #expect(observer.count == 2)
    #expect(observer.changes == reference.changes)
    #expect(observer.calls.map(\.object) == reference.calls.map(\.object))
    circle.removeObserver(reference, forKeyPath: "radius")
  }

  // MARK: Several key paths

  @Test func observeKeyPathsOptionsBlockObservesEachOfTheKeyPaths() {
    var newValues: [Int?] = []
    controller.observe(circle, keyPaths: ["radius", "borderWidth"], options: .new) { _, _, change in
      newValues.append(change[.newKey] as? Int)
    }
    circle.radius = 1
    circle.borderWidth = 10
    #expect(newValues == [1, 10])
  }

  @Test func observeKeyPathsOptionsActionObservesEachOfTheKeyPaths() {
    controller.observe(circle, keyPaths: ["radius", "borderWidth"], options: .new, action: Watcher.redraw)
    circle.radius = 1
    circle.borderWidth = 10
    #expect(observer.count == 2)
  }

  @Test func observeKeyPathsOptionsContextObservesEachOfTheKeyPaths() {
    controller.observe(circle, keyPaths: ["radius", "borderWidth"], options: .new, context: nil)
    circle.radius = 1
    circle.borderWidth = 10
    #expect(observer.calls.map(\.keyPath) == ["radius", "borderWidth"])
    #expect(observer.calls.allSatisfy { $0.object == ObjectIdentifier(circle) && $0.context == 0 })
  }

  // MARK: Ending

  @Test func observeKeyPathsOptionsContextUnobserveWithinBlockWithOptionInitial() {
    circle.radius = 1
    var lastObservedRadius = 0
    controller.observe(circle, keyPath: "radius", options: .initial) { _, _, _ in
      lastObservedRadius = circle.radius
      controller.unobserve(circle)
    }
    circle.radius = 2
    #expect(lastObservedRadius == 1)
  }

  @Test func unobserveKeyPath() {
    controller.observe(circle, keyPath: "radius", options: [], context: Self.context)
    controller.observe(circle, keyPath: "borderWidth", options: [], context: Self.context)
    circle.radius = 1
    circle.borderWidth = 1
    #expect(observer.count == 2)
    controller.unobserve(circle, keyPath: "borderWidth")
    circle.radius = 2
    circle.borderWidth = 2
    #expect(observer.count == 3)
    #expect(observer.calls.allSatisfy { $0.object == ObjectIdentifier(circle) && $0.context == 42 })
  }

  @Test func unobserveObject() {
    let other = Circle()
    controller.observe(circle, keyPath: "radius", options: [], action: Watcher.update(change:object:))
    controller.observe(other, keyPath: "radius", options: [], action: Watcher.update(change:object:))
    controller.unobserve(other)
    circle.radius = 1
    other.radius = 1
    #expect(observer.calls == [Call(object: circle, change: .setting)])
  }

  @Test func deallocatedController() {
    var controller: FBKVOController? = FBKVOController(observer: observer)
    controller?.observe(circle, keyPath: "radius", options: Self.optionsBasic, action: Watcher.redraw)
    #expect(observer.count == 1)
    controller = nil
    circle.radius = 1
    #expect(observer.count == 1)
  }

  @Test func deallocatedObserver() {
    var observer: Watcher? = Watcher()
    let life = Weak(observer)
    let controller = FBKVOController(observer: observer)
    controller.observe(circle, keyPath: "radius", options: Self.optionsBasic, action: Watcher.redraw)
    #expect(observer?.count == 1)
    observer = nil
    #expect(!life.isAlive)
    circle.radius = 1
    withExtendedLifetime(controller) {}
  }

  /// The original does nothing, to see that the continuous integration runs. This one does something.
  @Test func continuousIntegrationHappyDance() {
    observer.kvoController = FBKVOController(observer: observer)
    observer.kvoController.observe(circle, keyPath: "radius", action: Watcher.redraw)
    circle.radius = 1
    #expect(observer.count == 1)
  }
}
