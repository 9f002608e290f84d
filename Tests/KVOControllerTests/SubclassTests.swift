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
      calls.withLock { $0.append("observe \(keyPath)") }
      super
        .observe(
          object, keyPath: keyPath, options: options, identifier: identifier, isolation: isolation, block: block)
    }

    override func unobserveAll() {
      called.append("unobserveAll")
      calls.withLock { $0.append("unobserveAll") }
      super.unobserveAll()
    }
  }

  let circle = Circle()
  let watcher = Watcher()
  let calls = Locked<[String]>([])

  @Test func anOverrideIsCalledForItsOwnFormOnly() {
    let controller = Counting(watcher, calls)
    controller.observe(circle, keyPath: "radius") { _, _, _ in }
    // One observation of both, and not one of each.
    controller.observe(circle, keyPaths: ["radius", "borderWidth"]) { _, _, _ in }
    #expect(calls.current == ["observe radius"])
    controller.unobserveAll()
    #expect(calls.current.last == "unobserveAll")
    #expect(circle.observationInfo == nil)
  }

  @Test func anOverrideIsNotCalledOnceTheSubclassWasTornDown() {
    do {
      let controller = Counting(watcher, calls)
      controller.observe(circle, keyPath: "radius") { _, _, _ in }
    }
    #expect(calls.current == ["observe radius"])
    #expect(circle.observationInfo == nil)
  }
}
