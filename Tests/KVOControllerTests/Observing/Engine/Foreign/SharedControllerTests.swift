#if !canImport(ObjectiveC)
import KVOController
import Testing
import _KVOTestSupport

/// Every registration with a foreign object is one of the shared controller's, for one key, with a context that is never used again.
@Suite(.watched, .sound) struct SharedControllerTests {
  private let recorder = Recorder()

  /// An object that knows by whom and with which contexts it is observed.
  private final class Registering: ForeignNode, @unchecked Sendable {
    private let registrations = Locked<
      [(observer: KeyValueObservable, keyPath: String, context: UnsafeMutableRawPointer?)]
    >(
      [])
    private let options = Locked<[NSKeyValueObservingOptions]>([])

    override func addObserver(
      _ observer: KeyValueObservable, forKeyPath keyPath: String, options: NSKeyValueObservingOptions = [],
      context: UnsafeMutableRawPointer?
    ) {
      registrations.append((observer, keyPath, context))
      self.options.append(options)
      super.addObserver(observer, forKeyPath: keyPath, options: options, context: context)
    }

    var observers: Set<ObjectIdentifier> { Set(registrations.current.map { ObjectIdentifier($0.observer) }) }
    var keyPaths: [String] { registrations.current.map(\.keyPath) }
    var lastContext: UnsafeMutableRawPointer? { registrations.current.last?.context }
    var lastOptions: NSKeyValueObservingOptions? { options.current.last }

    /// Notifies the observer, however late it is.
    func notify(_ context: UnsafeMutableRawPointer?) {
      registrations.current.last?.observer
        .observeValue(forKeyPath: "number", of: self, change: [.kindKey: UInt(1)], context: context)
    }
  }

  @Test func oneObserverRegistersEachKeyOfRootsAndStepsAlike() {
    let (root, child) = (Registering(), Registering())
    root["child"] = child
    let controllers = [KVOController(observer: recorder), KVOController(observer: Recorder())]
    for controller in controllers { controller.observe(root, keyPath: "child.number") { _, _, _ in } }
    #expect(root.keyPaths == ["child", "child"])
    #expect(child.keyPaths == ["number", "number"])
    #expect(root.observers.union(child.observers).count == 1)
    for controller in controllers { controller.unobserveAll() }
    #expect(root.registeredKeyPaths == [])
  }

  @Test func theEndAsksForTheUsersOptionsAndAStepForANotificationBeforeTheChange() {
    let (root, child) = (Registering(), Registering())
    root["child"] = child
    let controller = KVOController(observer: recorder)
    controller.observe(root, keyPath: "child.number", options: [.initial, .new]) { _, _, _ in }
    #expect(root.lastOptions == .prior)
    #expect(child.lastOptions == .new)
    controller.unobserveAll()
  }

  @Test func changeJustBeforeRegistrationIsNotLost() {
    let node = ForeignNode()
    node["number"] = 1
    node.whenAboutToRegister = { [unowned node] in node["number"] = 5 }
    var received: [Int?] = []
    let controller = KVOController(observer: recorder)
    controller.observe(node, keyPath: "number", options: [.initial, .new]) { _, _, change in
      received.append(change[.newKey] as? Int)
    }
    node.whenAboutToRegister = nil
    #expect(received == [5])
    controller.unobserveAll()
  }

  @Test func objectReplacedDuringRegistrationIsNotConfusedWithTheNewOne() {
    let (root, replaced, new) = (OwnNode(), ForeignNode(), ForeignNode())
    root.child = replaced
    replaced.whenAboutToRegister = { [unowned replaced] in
      replaced.whenAboutToRegister = nil
      root.child = new
    }
    var received: [Int?] = []
    let controller = KVOController(observer: recorder)
    controller.observe(root, keyPath: "child.number", options: .new) { _, _, change in
      received.append(change[.newKey] as? Int)
    }
    replaced["number"] = 1
    received = []
    new["number"] = 2
    #expect(received == [2])
    controller.unobserveAll()
  }

  @Test(arguments: [true, false]) func theRootIsNeverRetainedAndTakesItsObservationsAlong(_ isObserver: Bool) throws {
    let life: Weak<ForeignNode>
    let token: KVOObservation
    let nonRetaining = KVOController(observer: recorder, retainObserved: false)
    do {
      let node = ForeignNode(overriding: ["observationInfo"])
      life = Weak(node)
      let controller = isObserver ? node.kvoController : nonRetaining
      controller.observe(node, keyPath: "number") { _, _, _ in }
      token = try #require(controller.observations.first)
    }
    #expect(!life.isAlive)
    #expect(!token.isValid)
    #expect(nonRetaining.observations.isEmpty)
  }

  @Test func aContextStandsForOneObservationAndThenForNone() {
    let node = Registering()
    let controller = KVOController(observer: recorder)
    var contexts: Set<UnsafeMutableRawPointer?> = [nil]
    for _ in 0..<500 {
      controller.observe(node, keyPath: "number", action: Recorder.redraw)
      let context = node.lastContext
      #expect(contexts.insert(context).inserted)
      node.notify(context)
      #expect(recorder.takeCalls().count == 1)
      controller.unobserve(node, keyPath: "number")
      node.notify(context)
      #expect(recorder.count == 0)
    }
    controller.observe(node, keyPath: "number", action: Recorder.redraw)
    node.notify(nil)
    node.notify(UnsafeMutableRawPointer(bitPattern: UInt.max))
    #expect(recorder.count == 0)
    controller.unobserveAll()
  }

  @Test func threadsThatRegisterAndLookUpAtOnceFindJustTheirOwn() {
    let shared = Locked<[UInt: Int]>([:])
    let wrong = Locked(0)
    let ledger = ForeignLedger.current
    onThreads(4) { thread in
      let (node, recorder) = (Registering(in: ledger), Recorder())
      let controller = KVOController(observer: recorder)
      for round in 0..<(isSanitized ? 100 : 500) {
        let number = thread << 32 | round
        let called = Locked<Int?>(nil)
        controller.observe(node, keyPath: "number", isolation: nil) { _, _, _ in called.withLock { $0 = number } }
        let context = node.lastContext
        if shared.withLock({ $0.updateValue(number, forKey: UInt(bitPattern: context)) }) != nil { wrong.add() }
        node.notify(context)
        if called.current != number { wrong.add() }
        controller.unobserve(node)
        // A late context finds what it was made for, or nothing, and nothing of this thread.
        called.withLock { $0 = nil }
        if let (late, _) = shared.withLock({ $0.randomElement() }) {
          node.notify(UnsafeMutableRawPointer(bitPattern: late))
        }
        if called.current != nil { wrong.add() }
      }
    }
    #expect(wrong.current == 0)
  }
}
#endif
