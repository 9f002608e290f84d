import KVOController
import Testing
import _KVOTestSupport

#if canImport(AVFoundation)
import AVFoundation
import WebKit
#endif

extension Everyday {
  /// Each row whose property has a public setter hears what it should when that is called; on Apple platforms, of the class itself.
  @Suite(.sound) @MainActor struct EverydaySetterTests {
    private func run<Object: KeyValueObservable>(
      _ rows: [Row<Object>], sourceLocation: SourceLocation = #_sourceLocation, _ make: () -> Object
    ) async {
      for (index, row) in rows.enumerated() {
        guard let set = row.set else { continue }
        let (screen, object) = (Screen(), make())
        row.begin(screen, object)
        set(object)
        for _ in 0..<500 where screen.heard.count < row.heard.count { try? await Task.sleep(nanoseconds: 2_000_000) }
        #expect(screen.heard == row.heard, "row \(index): \(row.key)", sourceLocation: sourceLocation)
        screen.kvoController.unobserveAll()
      }
    }

    @Test func players() async { await run(Everyday.player) { AVPlayer() } }

    @Test func layers() async { await run(Everyday.layer) { CALayer() } }

    @Test func progresses() async { await run(Everyday.progress) { Progress(totalUnitCount: 4) } }

    @Test func operationsAndQueues() async {
      await run(Everyday.operation) { Operation() }
      await run(Everyday.queue) { OperationQueue() }
    }

    @Test func defaults() async {
      await run(Everyday.defaults) {
        #if canImport(ObjectiveC)
        let defaults = UserDefaults(suiteName: "KVOController.Everyday") ?? .standard
        defaults.removePersistentDomain(forName: "KVOController.Everyday")
        return defaults
        #else
        UserDefaults()
        #endif
      }
    }

    #if !os(macOS)
    @Test func views() async { await run(Everyday.view) { UIView() } }
    #endif

    #if !canImport(UIKit)
    @Test func windows() async {
      await run(Everyday.window) { Self.window() }
      await run(Everyday.splitItem) { Self.splitItem() }
    }

    @Test func controllers() async { await run(Everyday.arrayController) { Self.arrayController() } }

    #if canImport(ObjectiveC)
    static func window() -> NSWindow {
      let window = NSWindow(contentRect: .zero, styleMask: .titled, backing: .buffered, defer: true)
      window.isReleasedWhenClosed = false
      return window
    }

    private static func splitItem() -> NSSplitViewItem { NSSplitViewItem(viewController: NSViewController()) }

    private static func arrayController() -> NSArrayController {
      let controller = NSArrayController(content: ["a", "b"])
      controller.avoidsEmptySelection = false
      controller.setSelectionIndexes([])
      return controller
    }
    #else
    private static func window() -> NSWindow { NSWindow() }
    private static func splitItem() -> NSSplitViewItem { NSSplitViewItem() }
    private static func arrayController() -> NSArrayController { NSArrayController() }
    #endif
    #endif
  }
}
