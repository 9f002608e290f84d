import KVOController
import Testing
import _KVOTestSupport

@Suite struct ActionFormTests {
  let circle = Circle()
  let recorder = Recorder()
  let controller: KVOController

  init() { controller = KVOController(observer: recorder) }

  @Test func anActionMayTakeTheChangeAsFoundationGivesIt() {
    controller.observe(
      circle, keyPath: "radius", options: [.initial, .prior, .new, .old], action: Recorder.update(change:))
    circle.radius = 1
    #expect(recorder.changes == [.setting(new: 0), .prior(old: 0), .setting(new: 1, old: 0)])
  }

  @Test func theActionIsThatOfTheObserversClass() {
    final class LoudRecorder: Recorder, @unchecked Sendable {
      var shouts = 0
      override func redraw() { shouts += 1 }
    }
    let loud = LoudRecorder()
    let controller = KVOController(observer: loud)
    controller.observe(circle, keyPath: "radius", action: Recorder.redraw)
    circle.radius = 1
    #expect(loud.shouts == 1)
    #expect(loud.calls == [])
    withExtendedLifetime(controller) {}
  }

  @Test func anObserverOfAnyClassMayHaveActions() {
    let plain = PlainRecorder()
    let controller = KVOController(observer: plain)
    controller.observe(circle, keyPath: "radius", action: PlainRecorder.redraw)
    controller.observe(circle, keyPath: "borderWidth", options: .new, action: PlainRecorder.update(change:))
    controller.observe(circle, keyPath: "diameter", options: .new, action: PlainRecorder.update(change:object:))
    circle.borderWidth = 2
    #expect(plain.changes == [.setting(new: 2)])
    controller.unobserve(circle, keyPath: "radius")
    circle.radius = 3
    #expect(plain.changes == [.setting(new: 2), .setting(new: 6)])
    #expect(plain.objects == [ObjectIdentifier(circle)])
    controller.observe(circle, keyPath: "radius", action: PlainRecorder.redraw)
    controller.unobserve(circle, keyPath: "diameter")
    circle.radius = 4
    #expect(plain.changes == [.setting(new: 2), .setting(new: 6), nil])
    withExtendedLifetime(controller) {}
  }

  @Test(arguments: [true, false]) func anActionDoesNotRetainTheObserver(retaining: Bool) {
    var recorder: Recorder? = Recorder()
    let life = Weak(recorder)
    let controller = KVOController(observer: recorder, retainObserved: retaining)
    for form in Form.identified {
      controller.observe(circle, "radius", as: form, identifier: form)
    }
    recorder = nil
    #expect(!life.isAlive)
    circle.radius = 1
    withExtendedLifetime(controller) {}
  }

  @Test func anObserverThatIsNilHasNoWrongClass() {
    let controller = KVOController(observer: nil)
    controller.observe(circle, keyPath: "radius", options: .initial, action: Recorder.redraw)
    controller.observe(circle, keyPath: "radius", options: .initial, action: PlainRecorder.redraw)
    circle.radius = 1
    withExtendedLifetime(controller) {}
  }

  // MARK: Methods of the main actor

  @MainActor final class Screen {
    private(set) var calls = 0

    func redraw() { note(1) }
    func update(change: [NSKeyValueChangeKey: Any]) { note(change.isEmpty ? 1_000 : 10) }
    func update(change: [NSKeyValueChangeKey: Any], object: Any) { note(object is Circle ? 100 : 1_000) }

    private func note(_ number: Int) {
      MainActor.assertIsolated()
      calls += number
    }
  }

  private nonisolated static func observe(_ circle: Circle, by controller: KVOController) {
    controller.observe(circle, keyPath: "radius", identifier: 1, action: Screen.redraw)
    controller.observe(circle, keyPath: "radius", identifier: 2, action: Screen.update(change:))
    controller.observe(circle, keyPath: "radius", identifier: 3, action: Screen.update(change:object:))
  }

  @MainActor @Test func aMethodOfTheMainActorRunsThere() async {
    let (screen, circle) = (Screen(), circle)
    let controller = KVOController(observer: screen)
    Self.observe(circle, by: controller)
    circle.radius = 1
    #expect(screen.calls == 111)
    #expect(finishes { circle.radius = 2 })
    #expect(screen.calls == 111)
    while screen.calls < 222 { await Task.yield() }
    #expect(screen.calls == 222)
    controller.unobserveAll()
  }

  @MainActor @Test func aMethodOfTheMainActorRunsThereWhateverActorObserves() async {
    actor Elsewhere {
      func observe(_ circle: Circle, by screen: Screen) {
        let controller = KVOController(observer: screen)
        controller.observe(circle, keyPath: "radius", action: Screen.redraw)
        circle.radius = 1
        kept = controller
      }
      var kept: KVOController?
    }
    let (screen, elsewhere, circle) = (Screen(), Elsewhere(), circle)
    await elsewhere.observe(circle, by: screen)
    while screen.calls < 1 { await Task.yield() }
    circle.radius = 2
    #expect(screen.calls == 2)
  }

  @globalActor actor OtherActor { static let shared = OtherActor() }
  @OtherActor final class OtherScreen {
    nonisolated let threads = Locked(0)
    nonisolated init() {}
    func redraw() { threads.add() }
  }

  /// The compiler lets the reference lose its isolation, and has nothing by which an overload can tell. The method runs where the
  /// change is made, as Concurrency says.
  @Test func aMethodOfAnotherGlobalActorIsNotKnownToBeIsolated() {
    let screen = OtherScreen()
    let controller = KVOController(observer: screen)
    controller.observe(circle, keyPath: "radius", action: OtherScreen.redraw)
    circle.radius = 1
    #expect(screen.threads.current == 1)
  }
}
