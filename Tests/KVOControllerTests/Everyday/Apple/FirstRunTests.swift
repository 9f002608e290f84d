#if canImport(ObjectiveC)
#if os(macOS)
import AppKit
import KVOController
import Testing
import _KVOTestSupport

/// What only a Mac can show of Apple's classes themselves.
@Suite @MainActor struct FirstRunTests {
  private final class Observer: NSObject {
    var heard: [String] = []
  }

  private nonisolated final class Model: KeyValueObject {
    @ObservedWeak var window: NSWindow?
  }

  private final class Insets: NSObject {
    @objc dynamic var insets = NSEdgeInsets()
  }

  private nonisolated final class Layer: CALayer {
    nonisolated(unsafe) static var count = 0

    func begin() { kvoController.observe(self, keyPath: "bounds", options: .new) { _, _, _ in Layer.count += 1 } }
    deinit { kvoController.unobserveAll() }
  }

  private let observer = Observer()

  @Test func aStructureThatSwiftDoesNotBridgeArrives() {
    let boxed = Insets()
    observer.observe(boxed, \.insets) { observer, _, change in observer.heard.append("\(change.newValue?.top ?? -1)") }
    boxed.insets.top = 9
    #expect(observer.heard == ["9.0"])
  }

  @Test func aWeakPropertysWindowIsReleasedWhileItIsObserved() {
    let model = Model()
    weak var life: NSWindow?
    autoreleasepool {
      let window = Everyday.EverydaySetterTests.window()
      (model.window, life) = (window, window)
      observer.observe(model, \.window?.title) { _, _, _ in }
    }
    RunLoop.main.run(until: Date() + 0.2)
    #expect(life == nil)
  }

  @Test func theFirstResponderOfAWindowIsNotified() {
    let (window, field) = (Everyday.EverydaySetterTests.window(), NSTextField(string: ""))
    window.contentView?.addSubview(field)
    observer.observe(window, \.firstResponder) { observer, _, _ in observer.heard.append("responder") }
    window.makeFirstResponder(field)
    #expect(!observer.heard.isEmpty)
    observer.unobserve(window)
  }

  @Test func aLayerThatObservesItselfIsDeallocatedWithoutAnException() {
    autoreleasepool {
      let layer = Layer()
      layer.begin()
      layer.bounds.size.width = 3
    }
    #expect(Layer.count == 1)
  }
}
#endif
#endif
