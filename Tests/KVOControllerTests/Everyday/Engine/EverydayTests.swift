#if !canImport(ObjectiveC)
import KVOController
import Testing
import _KVOTestSupport

/// Each row of ``Everyday`` hears what it should of an imitation of the class, and leaves nothing registered.
@Suite(.sound) @MainActor struct EverydayTests {
  private func run<Object: ForeignNode>(
    _ rows: [Everyday.Row<Object>], sourceLocation: SourceLocation = #_sourceLocation, _ make: () -> Object
  ) async {
    for (index, row) in rows.enumerated() {
      let object = make()
      do {
        let screen = Everyday.Screen()
        row.begin(screen, object)
        for value in row.values {
          let key = row.key
          let value: any Sendable = (value as? Everyday.Made)?.make() as? ForeignNode ?? value
          if row.isElsewhere {
            await Task.detached { change(key, of: object, to: value) }.value
          } else {
            change(key, of: object, to: value)
          }
        }
        for _ in 0..<1000 where screen.heard.count < row.heard.count { await Task.yield() }
        #expect(screen.heard == row.heard, "row \(index): \(row.key)", sourceLocation: sourceLocation)
        screen.kvoController.unobserveAll()
      }
      #expect(object.registeredKeyPaths.isEmpty, "row \(index): \(row.key)", sourceLocation: sourceLocation)
    }
  }

  @Test func players() async {
    await run(Everyday.player) {
      let player = Everyday.AVPlayer()
      player["currentItem"] = Everyday.AVPlayerItem()
      return player
    }
    await run(Everyday.item) { Everyday.AVPlayerItem() }
    await run(Everyday.playerLayer) { Everyday.AVPlayerLayer() }
    await run(Everyday.looper) { Everyday.AVPlayerLooper() }
    await run(Everyday.picture) { Everyday.AVPictureInPictureController() }
  }

  @Test func webViews() async {
    await run(Everyday.web) {
      let web = Everyday.WKWebView()
      web["themeColor"] = "red"
      return web
    }
    await run(Everyday.download) {
      let download = Everyday.WKDownload()
      download["progress"] = Everyday.Progress()
      return download
    }
  }

  @Test func scrollViews() async { await run(Everyday.scroll) { Everyday.UIScrollView() } }

  @Test func views() async {
    await run(Everyday.view) {
      let view = Everyday.UIView()
      view["layer"] = Everyday.CALayer()
      return view
    }
  }

  @Test func layers() async { await run(Everyday.layer) { Everyday.CALayer() } }

  @Test func devices() async {
    await run(Everyday.device) { Everyday.AVCaptureDevice() }
    await run(Everyday.session) { Everyday.AVAudioSession() }
    await run(Everyday.captureSession) { Everyday.AVCaptureSession() }
  }

  @Test func progressesAndOperations() async {
    await run(Everyday.progress) { Everyday.Progress() }
    await run(Everyday.queue) {
      let queue = Everyday.OperationQueue()
      queue["progress"] = Everyday.Progress()
      return queue
    }
    await run(Everyday.operation) { Everyday.Operation() }
    await run(Everyday.query) { Everyday.NSMetadataQuery() }
  }

  @Test func defaults() async { await run(Everyday.defaults) { Everyday.UserDefaults() } }

  @Test func tasks() async {
    await run(Everyday.task) {
      let task = Everyday.URLSessionTask()
      task["progress"] = Everyday.Progress()
      return task
    }
  }

  @Test func managedObjects() async {
    await run(Everyday.note) { Everyday.Note() }
    await run(Everyday.context) { Everyday.NSManagedObjectContext() }
  }

  @Test func applications() async {
    await run(Everyday.application) {
      let application = Everyday.NSApplication()
      application["effectiveAppearance"] = Everyday.NSAppearance()
      return application
    }
    await run(Everyday.workspace) {
      let workspace = Everyday.NSWorkspace()
      workspace["frontmostApplication"] = Everyday.NSRunningApplication()
      return workspace
    }
    await run(Everyday.runningApplication) { Everyday.NSRunningApplication() }
  }

  @Test func windows() async {
    await run(Everyday.window) { Everyday.NSWindow() }
    await run(Everyday.viewController) {
      let (controller, view) = (Everyday.NSViewController(), Everyday.NSView())
      (view["window"], view["effectiveAppearance"]) = (Everyday.NSWindow(), Everyday.NSAppearance())
      controller["view"] = view
      return controller
    }
    await run(Everyday.splitItem) { Everyday.NSSplitViewItem() }
    await run(Everyday.document) { Everyday.NSDocument() }
  }

  @Test func controllers() async {
    await run(Everyday.arrayController) {
      let controller = Everyday.NSArrayController()
      controller["selection"] = ForeignNode()
      return controller
    }
    await run(Everyday.treeController) { Everyday.NSTreeController() }
    await run(Everyday.defaultsController) {
      let controller = Everyday.NSUserDefaultsController()
      controller["values"] = ForeignNode()
      return controller
    }
  }
}

/// Sets the value at a key path of an imitation, as the class itself does: by hand, if it notifies so.
private func change(_ keyPath: String, of object: ForeignNode, to value: Any) {
  let keys = keyPath.split(separator: ".").map(String.init)
  let owner = keys.dropLast().reduce(object) { $0[$1] as? ForeignNode ?? $0 }
  if let key = keys.last { owner.change(key, to: value) }
}
#endif
