#if !canImport(ObjectiveC)
import KVOController
import Testing
import _KVOTestSupport

/// A class that keeps its observers itself, as CALayer does, raises an exception if an object is deallocated while it is observed. What
/// observes it can end in the object's `deinit`.
@Suite(.watched, .sound) struct SelfObservingLayerTests {
  /// Reports what is registered when the `deinit` of the class begins, after those of its subclasses.
  private class Layer: ForeignNode, @unchecked Sendable {
    private let left: Locked<[String]>

    override class var overriddenMethods: Set<String> { ["observationInfo", "retain", "allowsWeakReference"] }

    init(_ left: Locked<[String]>) {
      self.left = left
      super.init()
    }

    deinit {
      for keyPath in registeredKeyPaths { left.append(keyPath) }
    }
  }

  private final class Endless: Layer, @unchecked Sendable {}

  private final class Ending: Layer, @unchecked Sendable {
    private let end: (Ending) -> Void

    init(_ left: Locked<[String]>, _ end: @escaping (Ending) -> Void) {
      self.end = end
      super.init(left)
    }

    deinit { end(self) }
  }

  private let recorder = Recorder()
  /// The key paths that were registered when the class's `deinit` began.
  private let left = Locked<[String]>([])

  @Test func withoutAnEndTheRegistrationIsLeft() {
    do {
      let layer = Endless(left)
      layer.kvoController.observe(layer, keyPath: "bounds") { _, _, _ in }
    }
    #expect(left.current == ["bounds"])
  }

  @Test(arguments: [true, false]) func unobserveAllEndsWhatAnObjectObservesOfItself(isShared: Bool) {
    var count = 0
    do {
      let layer = Ending(left) {
        if isShared { $0.kvoController.unobserveAll() } else { $0.kvoControllerNonRetaining.unobserveAll() }
      }
      let controller = isShared ? layer.kvoController : layer.kvoControllerNonRetaining
      controller.observe(layer, keyPath: "bounds") { _, _, _ in count += 1 }
      controller.observe(layer, keyPaths: ["position", "mask.bounds"]) { _, _, _ in count += 1 }
      layer["bounds"] = CGRect.zero
    }
    #expect(count == 1)
    #expect(left.current == [])
  }

  @Test(arguments: [false, true]) func unobserveEndsWhatANonRetainingControllerObserves(byKeyPath: Bool) {
    let controller = KVOController(observer: recorder, retainObserved: false)
    do {
      let layer = Ending(left) {
        guard byKeyPath else { return controller.unobserve($0) }
        controller.unobserve($0, keyPath: "bounds")
        controller.unobserve($0, keyPath: "position", identifier: 1)
      }
      controller.observe(layer, keyPath: "bounds") { _, _, _ in }
      controller.observe(layer, keyPath: "position", identifier: 1) { _, _, _ in }
    }
    #expect(left.current == [])
    #expect(controller.observations.isEmpty)
  }

  @Test func anObjectOnItsOwnPathIsRemovedToo() {
    let model = Holder()
    do {
      let layer = Ending(left) { $0.kvoController.unobserveAll() }
      model.held = layer
      layer.kvoController.observe(model, keyPath: "held.bounds") { _, _, _ in }
      #expect(layer.registeredKeyPaths == ["bounds"])
    }
    #expect(left.current == [])
    #expect(model.held == nil)
  }

  private final class Holder: KeyValueObject, @unchecked Sendable {
    @ObservedWeak var held: ForeignNode?
  }

  /// A controller that is used beyond its observer.
  @Test func anotherThreadEndsEverythingWhileTheObserverIsDeallocated() {
    let ledger = ForeignLedger.current
    for _ in 0..<(isSanitized ? 50 : 500) {
      let node = Locked<ForeignNode?>(ForeignNode(in: ledger))
      nonisolated(unsafe) let controller = KVOController(observer: node.current, retainObserved: false)
      if let object = node.current { controller.observe(object, keyPath: "number", isolation: nil) { _, _, _ in } }
      onThreads(2) { thread in
        if thread == 0 { _ = node.take() } else { controller.unobserveAll() }
      }
      #expect(controller.observations.isEmpty)
    }
  }

  #if DEBUG
  @Test func aNoticeSaysOnceWhereSuchAnObjectObservesItself() async throws {
    let result = try #require(
      await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        let layers = [Endless(Locked([])), Endless(Locked([]))]
        for layer in layers {
          layer.kvoController.observe(layer, keyPath: "bounds") { _, _, _ in }
          layer.kvoController.unobserveAll()
        }
        let (node, controller) = (ForeignNode(in: nil), KVOController(observer: Recorder()))
        node.kvoController.observe(node, keyPath: "number") { _, _, _ in }
        controller.observe(layers[0], keyPath: "bounds") { _, _, _ in }
        controller.unobserveAll()
      })
    let message = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(message.components(separatedBy: "of itself").count == 2)
    #expect(message.contains("Endless 0x") && message.contains("\"bounds\"") && message.contains("unobserveAll()"))
  }
  #endif
}
#endif
