#if !canImport(ObjectiveC)
import KVOController
import Testing
import _KVOTestSupport

/// The objects that stand for Foundation's have the manners of Foundation's.
@Suite(.watched, .sound) struct ForeignNodeTests {
  private let node = ForeignNode()
  private let recorder = Recorder()

  private var ledger: ForeignLedger { ForeignLedger.current ?? ForeignLedger() }

  private func observe(_ keyPath: String = "number", _ options: NSKeyValueObservingOptions = [.new, .old]) {
    node.addObserver(recorder, forKeyPath: keyPath, options: options, context: nil)
  }

  private func unobserve(_ keyPath: String = "number") {
    node.removeObserver(recorder, forKeyPath: keyPath, context: nil)
  }

  @Test func theInitialNotificationComesBeforeTheRegistration() {
    var registered: [[String]] = []
    recorder.whenCalled = { [node] _, _ in registered.append(node.registeredKeyPaths) }
    node["number"] = 1
    observe("number", [.initial, .new])
    #expect(registered == [[]])
    #expect(recorder.takeCalls().map(\.change) == [.setting(new: 1)])
    #expect(node.registeredKeyPaths == ["number"])
    recorder.whenCalled = nil
    unobserve()
  }

  @Test func removingWhatIsNotRegisteredIsAnError() {
    unobserve()
    #expect(ledger.take() == ["number isn't registered"])
    observe()
    unobserve()
    #expect(ledger.take() == [])
    unobserve()
    #expect(ledger.take() == ["number isn't registered"])
  }

  @Test func whatIsLeftWhenTheObjectDiesIsAnError() {
    let own = ForeignLedger()
    do {
      let node = ForeignNode(in: own)
      #expect(own.count == 1)
      node.addObserver(recorder, forKeyPath: "number", options: [], context: nil)
    }
    #expect(own.count == 1)
    do {
      let node = ForeignNode(in: own)
      node.addObserver(recorder, forKeyPath: "number", options: [], context: nil)
      node.removeObserver(recorder, forKeyPath: "number", context: nil)
      #expect(own.count == 2)
    }
    #expect(own.count == 1)
  }

  private final class Dependent: ForeignNode, @unchecked Sendable {
    override func value(forKey key: String) -> Any? {
      key == "title" ? child?.value(forKey: "number") : super.value(forKey: key)
    }

    override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
      switch key {
      case "title": ["text"]
      case "text": ["child.number", "number"]
      default: super.keyPathsForValuesAffectingValue(forKey: key)
      }
    }
  }

  @Test func dependenciesAreFollowedToOtherObjects() {
    let node = Dependent()
    let children = [ForeignNode(), ForeignNode()]
    (children[0].number, children[1].number) = (1, 2)
    node.child = children[0]
    node.addObserver(recorder, forKeyPath: "title", options: [.new, .old], context: nil)
    #expect(children.map(\.registeredKeyPaths) == [["number"], []])
    children[0].number = 3
    node.child = children[1]
    #expect(children.map(\.registeredKeyPaths) == [[], ["number"]])
    children[0].number = 4
    children[1].number = 5
    node.number = 6
    #expect(
      recorder.changes == [
        .setting(new: 3, old: 1), .setting(new: 2, old: 3), .setting(new: 5, old: 2), .setting(new: 5, old: 5),
      ])
    node.removeObserver(recorder, forKeyPath: "title", context: nil)
    #expect(children.map(\.registeredKeyPaths) == [[], []])
  }

  /// Which is what nobody may do, and the engine doesn't.
  @Test func removingADependentKeyReadsTheObject() {
    final class Careless: ForeignNode, @unchecked Sendable {
      var observer: Recorder?
      override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
        key == "number" ? ["child.number"] : super.keyPathsForValuesAffectingValue(forKey: key)
      }
      override class func automaticallyNotifiesObservers(forKey key: String) -> Bool { false }
    }
    do {
      let node = Careless()
      node.child = ForeignNode()
      node.addObserver(recorder, forKeyPath: "number", options: [], context: nil)
      Lifeline.insert(of: node, recorder)
    }
    #expect(ledger.take() == ["an object that is deallocated is read to remove number"])
  }

  /// Removes a registration in the object's `deinit`, when its properties are gone.
  private final class Lifeline: @unchecked Sendable {
    private static let key = AssociationKey()
    private let object: Unmanaged<ForeignNode>
    private let recorder: Recorder

    private init(_ node: ForeignNode, _ recorder: Recorder) {
      object = .passUnretained(node)
      self.recorder = recorder
    }

    deinit {
      object._withUnsafeGuaranteedRef { $0.removeObserver(recorder, forKeyPath: "number", context: nil) }
    }

    // Not inlined, so that nothing but the node retains the lifeline afterwards.
    @inline(never)
    static func insert(of node: ForeignNode, _ recorder: Recorder) {
      withExtendedLifetime(node) { _ = node.associate(Lifeline(node, recorder), key, replacing: true) }
    }
  }

  @Test func plainRegistrationsCanBeRemovedWhenThePropertiesAreGone() {
    do {
      let node = ForeignNode()
      node.addObserver(recorder, forKeyPath: "number", options: [], context: nil)
      Lifeline.insert(of: node, recorder)
    }
    #expect(ledger.take() == [])
  }

  @Test func nothingCanBeRemovedWhenTheStorageOfAClassIsGone() {
    do {
      let node = ForeignNode(overriding: ["observationInfo"])
      node.addObserver(recorder, forKeyPath: "number", options: [], context: nil)
      Lifeline.insert(of: node, recorder)
    }
    #expect(ledger.take() == ["number isn't registered"])
  }

  @Test func changesBelongToThreads() {
    observe("number", [])
    node.beginChange(of: "number")
    onThreads(1) { [node] _ in node.endChange(of: "number") }
    #expect(recorder.count == 0)
    node.endChange(of: "number")
    #expect(recorder.count == 1)
    unobserve()
  }

  @Test func anEndWithoutABeginningSendsNothingAndTakesAnOuterOne() {
    observe("number", [])
    node.endChange(of: "number")
    #expect(recorder.count == 0)
    node.beginChange(of: "number")
    node.endChange(of: "number")
    node.endChange(of: "number")
    #expect(recorder.count == 1)
    unobserve()
  }

  @Test func aChangeRetainsTheObservers() {
    weak var life: Recorder?
    do {
      let observer = Recorder()
      life = observer
      node.addObserver(observer, forKeyPath: "number", options: [], context: nil)
      node.beginChange(of: "number")
      node.removeObserver(observer, forKeyPath: "number", context: nil)
    }
    #expect(life != nil)
    node.endChange(of: "number")
    #expect(life == nil)
  }

  @Test func onlyWhatIsStillRegisteredIsNotifiedOfTheEnd() {
    observe("number", .prior)
    node.beginChange(of: "number")
    unobserve()
    node.endChange(of: "number")
    #expect(recorder.changes == [.prior])
    node.beginChange(of: "number")
    observe("number", .prior)
    node.endChange(of: "number")
    #expect(recorder.changes == [.prior])
    unobserve()
  }

  /// A notification that is under way on one thread comes although another one has removed the registration.
  @Test func aRegistrationMayBeNotifiedAfterItsRemoval() {
    observe("number", [])
    node.beginChange(of: "number")
    node.whenAboutToNotify = { [node, recorder] in
      onThreads(1) { _ in node.removeObserver(recorder, forKeyPath: "number", context: nil) }
    }
    node.endChange(of: "number")
    node.whenAboutToNotify = nil
    #expect(recorder.count == 1)
    #expect(node.registeredKeyPaths == [])
  }

  @Test func aClassThatNotifiesManuallySendsNothingByItself() {
    final class Manual: ForeignNode, @unchecked Sendable {
      override class func automaticallyNotifiesObservers(forKey key: String) -> Bool { false }
    }
    let node = Manual()
    node.addObserver(recorder, forKeyPath: "number", options: [], context: nil)
    node.number = 1
    #expect(recorder.count == 0)
    #expect(node.number == 1)
    node.beginChange(of: "number")
    node.endChange(of: "number")
    #expect(recorder.count == 1)
    node.removeObserver(recorder, forKeyPath: "number", context: nil)
  }
}
#endif
