#if !canImport(ObjectiveC)
import KVOController
import Testing
import _KVOTestSupport

/// A window, and what else passes its observers on to Foundation, isn't retained by what is observed of it, and dies anywhere on a path.
@Suite(.sound) struct WindowLifetimeTests {
  private typealias Window = Everyday.NSWindow

  private final class Model: KeyValueObject, @unchecked Sendable {
    @ObservedWeak var window: Window?
    @Observed var other: ForeignNode?
    weak var held: ForeignNode?

    override class var keyPaths: [String: AnyKeyPath] { ["held": \Model.held] }
  }

  private let recorder = Recorder()
  private let model = Model()
  private let controller: KVOController

  init() { controller = KVOController(observer: recorder) }

  /// Observes a key of an object that a weak property of a model has, and lets go of it.
  private func isRetained(_ key: String = "number", _ make: () -> ForeignNode) -> Bool {
    do {
      let object = make()
      model.held = object
      controller.observe(model, keyPath: "held.\(key)", options: .new) { _, _, _ in }
      #expect(object.registeredKeyPaths == [key])
    }
    defer { controller.unobserveAll() }
    return model.held != nil
  }

  @Test func whatPassesItsObserversOnToFoundationIsNotRetained() {
    #expect(!isRetained("title") { Window() })
    #expect(!isRetained { Everyday.NSWorkspace() })
    #expect(!isRetained { Everyday.WKWebView() })
    #expect(!isRetained { Everyday.MTKView() })
  }

  @Test func whatNotifiesByHandOrHasOwnStorageIsStillRetained() {
    #expect(isRetained("firstResponder") { Window() })
    #expect(isRetained { Everyday.NSRunningApplication() })
    #expect(isRetained { Everyday.AVPlayer() })
  }

  private final class View: Everyday.NSView, @unchecked Sendable {
    weak var shown: Window?

    override func value(forKey key: String) -> Any? { key == "window" ? shown : super.value(forKey: key) }
  }

  /// The window retains the view controller, which retains its view, and what it observes.
  @Test func aWindowOnAPathOfItsOwnControllerIsReleased() {
    let life: Weak<Window>
    do {
      let (screen, window, view) = (Everyday.NSViewController(), Window(), View())
      life = Weak(window)
      view.shown = window
      screen["view"] = view
      window["contentViewController"] = screen
      var titles: [String??] = []
      screen.observe(screen, \.view.window?.title) { _, _, change in titles.append(change.newValue) }
      window.title = "a"
      #expect(titles == ["a"])
    }
    #expect(!life.isAlive)
  }

  @Test func aWeakPropertysWindowIsReleasedWhileItIsObserved() {
    let life: Weak<Window>
    var titles: [String??] = []
    do {
      let window = Window()
      life = Weak(window)
      model.window = window
      controller.observe(model, \.window?.title) { _, change in titles.append(change.newValue) }
      window.title = "a"
    }
    #expect(!life.isAlive)
    let next = Window()
    next["title"] = ""
    model.window = next
    next.title = "b"
    #expect(titles == ["a", "", "b"])
    controller.unobserveAll()
    #expect(next.registeredKeyPaths == [])
  }

  @Test(arguments: [true, false]) func aWindowDiesAtTheRoot(isObserver: Bool) throws {
    let life: Weak<Window>
    let token: KVOObservation
    let nonRetaining = KVOController(observer: recorder, retainObserved: false)
    do {
      let window = Window()
      life = Weak(window)
      let controller = isObserver ? window.kvoController : nonRetaining
      token = controller.observe(window, \.title) { _, _ in }
    }
    #expect(!life.isAlive)
    #expect(!token.isValid)
  }

  @Test func theRestOfAPathFromAWindowIsRegisteredKeyByKey() {
    let (window, view) = (Window(), Everyday.NSView())
    window["contentView"] = view
    controller.observe(window, keyPath: "contentView.number", options: .new) { _, _, _ in }
    #expect(window.registeredKeyPaths == ["contentView"])
    #expect(view.registeredKeyPaths == ["number"])
    controller.unobserveAll()
  }
}
#endif
