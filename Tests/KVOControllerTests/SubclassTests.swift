import KVOController
import Testing
import _KVOTestSupport

/// Subclasses of `KVOController` may override what it does.
@Suite struct SubclassTests {
  /// Counts the calls of its methods.
  final class Counting: KVOController, @unchecked Sendable {
    /// Filled when a method is called.
    private var called: [String] = []
    private let calls: Locked<[String]>

    init(_ observer: AnyObject?, _ calls: Locked<[String]>) {
      self.calls = calls
      super.init(observer: observer, retainObserved: true)
    }

    override func observe(
      _ object: Any?, keyPath: String, options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
      isolation: isolated (any Actor)? = #isolation, block: @escaping FBKVONotificationBlock
    ) {
      calls.append("observe \(keyPath)")
      super
        .observe(
          object, keyPath: keyPath, options: options, identifier: identifier, isolation: isolation, block: block)
    }

    override func observe(
      _ object: Any?, keyPath: String, options: NSKeyValueObservingOptions = [], context: UnsafeMutableRawPointer?
    ) {
      calls.append("observe \(keyPath) with a context")
      super.observe(object, keyPath: keyPath, options: options, context: context)
    }

    override func unobserve(_ object: Any?, keyPath: String) {
      calls.append("unobserve \(keyPath)")
      super.unobserve(object, keyPath: keyPath)
    }

    override func unobserveAll() {
      called.append("unobserveAll")
      calls.append("unobserveAll")
      super.unobserveAll()
    }
  }

  let circle = Circle()
  let recorder = Recorder()
  let calls = Locked<[String]>([])

  /// A subclass with the designated initializer of FBKVOController.
  final class Counted: FBKVOController {
    static let count = Locked(0)

    override init(observer: AnyObject?, retainObserved: Bool) {
      Self.count.withLock { $0 += 1 }
      super.init(observer: observer, retainObserved: retainObserved)
    }
  }

  @Test func overriddenInitializerServesEachWayToCreateAController() {
    let plain = PlainRecorder()
    let value: Any? = plain
    let controllers = [
      Counted(observer: plain), Counted(observer: plain, retainObserved: false), Counted(observer: value),
    ]
    #expect(Counted.count.current == 3)
    #expect(controllers.allSatisfy { $0.observer === plain })
  }

  @Test func overriddenMethodsWithContextAndOfUnobservingAreCalled() {
    let controller = Counting(recorder, calls)
    controller.observe(circle, keyPath: "radius", context: nil)
    controller.unobserve(circle, keyPath: "radius")
    #expect(calls.current == ["observe radius with a context", "unobserve radius"])
    #expect(circle.registrationCount == 0)
  }

  @Test func theTypedFormsCallNoOverride() {
    let controller = Counting(recorder, calls)
    let tokens = [
      controller.observe(circle, \.radius) { _, _ in }, controller.observe(circle, \.radius.magnitude) { _, _ in },
      controller.observe(circle, \.radius, identifier: 1) { _, _ in },
    ]
    controller.unobserve(circle, \.radius, identifier: 1)
    #expect(tokens.map(\.isValid) == [true, true, false])
    controller.unobserve(circle, \.radius.magnitude)
    #expect(tokens.map(\.isValid) == [true, false, false])
    controller.unobserve(circle, \.radius)
    #expect(tokens.map(\.isValid) == [false, false, false])
    #expect(calls.current == [])
  }

  @Test func anOverrideIsCalledForItsOwnFormOnly() {
    let controller = Counting(recorder, calls)
    controller.observe(circle, keyPath: "radius") { _, _, _ in }
    // One observation of both, and not one of each.
    controller.observe(circle, keyPaths: ["radius", "borderWidth"]) { _, _, _ in }
    #expect(calls.current == ["observe radius"])
    controller.unobserveAll()
    #expect(calls.current.last == "unobserveAll")
    #expect(circle.registrationCount == 0)
  }

  @Test func anOverrideIsNotCalledOnceTheSubclassWasTornDown() {
    do {
      let controller = Counting(recorder, calls)
      controller.observe(circle, keyPath: "radius") { _, _, _ in }
    }
    #expect(calls.current == ["observe radius"])
    #expect(circle.registrationCount == 0)
  }
}
