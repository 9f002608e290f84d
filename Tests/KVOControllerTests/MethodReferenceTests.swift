import KVOController
import Testing
import _KVOTestSupport

/// References to methods by FBKVOController's names.
@Suite struct MethodReferenceTests {
  let circle = Circle()
  let recorder = Recorder()
  let controller: FBKVOController

  init() { controller = FBKVOController(observer: recorder) }

  @Test func referenceToBlockFormObserves() {
    let values = Locked<[Int?]>([])
    let observe = controller.observe(_:keyPath:options:block:)
    observe(circle, "radius", [.initial, .new]) { observer, object, change in
      #expect(observer is Recorder && object is Circle)
      values.append(change[.newKey] as? Int)
    }
    circle.radius = 1
    #expect(values.current == [0, 1])
  }

  @Test func unappliedReferenceToBlockFormForSeveralKeyPathsObserves() {
    let keyPaths = Locked<[String?]>([])
    let observe = FBKVOController.observe(_:keyPaths:options:block:)
    observe(controller)(circle, ["radius", "borderWidth"], .new) { _, _, change in
      keyPaths.append(change[.keyPathKey] as? String)
    }
    circle.radius = 1
    circle.borderWidth = 1
    #expect(keyPaths.current == ["radius", "borderWidth"])
  }

  @Test func referencesToContextFormAndUnobserveWork() {
    let observe = controller.observe(_:keyPath:options:context:)
    let unobserve = controller.unobserve(_:keyPath:)
    observe(circle, "radius", .new, .number(7))
    circle.radius = 1
    unobserve(circle, "radius")
    circle.radius = 2
    #expect(recorder.calls == [Call(keyPath: "radius", object: circle, change: .setting(new: 1), context: 7)])
  }

  @Test func referenceWithoutBlockObservesNothing() {
    let observe = controller.observe(_:keyPath:options:block:)
    observe(circle, "radius", .new, nil)
    #expect(circle.registrationCount == 0)
  }

  /// A change on another thread waits for the main actor only if a call doesn't select what is there for references.
  @Test @MainActor func callWithBlockSelectsTheFormWithIsolation() {
    var values: [Int?] = []
    let block: FBKVONotificationBlock = { _, _, change in values.append(change[.newKey] as? Int) }
    controller.observe(circle, keyPath: "radius", options: .new, block: block)
    controller.observe(circle, keyPaths: ["borderWidth"], options: .new, block: block)
    onThreads(1) { [circle] _ in
      circle.radius = 1
      circle.borderWidth = 2
    }
    #expect(values == [])
    circle.radius = 3
    circle.borderWidth = 4
    #expect(values == [1, 3, 2, 4])
  }
}
