#if !canImport(ObjectiveC)
import KVOController
import Testing
import _KVOTestSupport

/// Foreign objects on a path, and those from which it begins, die before and after the observation.
@Suite(.watched, .sound) struct ForeignLifetimeTests {
  private let observer = Recorder()

  private func expectNothingRegistered(_ nodes: KeyValueObject..., location: SourceLocation = #_sourceLocation) {
    #expect(nodes.allSatisfy { ($0 as? ForeignNode)?.registeredKeyPaths.isEmpty != false }, sourceLocation: location)
  }

  @Test(arguments: Arrangement.all) func rootIsDeallocatedWhileObserved(_ arrangement: Arrangement) {
    let controller = KVOController(observer: observer, retainObserved: false)
    let (middle, leaf) = (arrangement.node(1), arrangement.node(2))
    middle.setValue(leaf, forKey: "child")
    var count = 0
    var token: KVOObservation?
    do {
      let root = arrangement.node(0)
      root.setValue(middle, forKey: "child")
      controller.observe(root, keyPath: "child.child.number") { _, _, _ in count += 1 }
      controller.observe(root, keyPath: "number") { _, _, _ in count += 1 }
      if let root = root as? OwnNode { token = controller.observe(root, \.child) { _, _ in } }
    }
    expectNothingRegistered(middle, leaf)
    middle.setValue(nil, forKey: "child")
    leaf.setValue(7, forKey: "number")
    #expect(count == 0)
    #expect(token?.isValid != true)
    #expect(!controller.debugDescription.contains("number"))
  }

  private final class Farewell: ForeignNode, @unchecked Sendable {
    var inDeinit: () -> Void = {}

    deinit { inDeinit() }
  }

  @Test func observationsEndedInTheDeinitOfTheirObjectLeaveNothing() {
    weak var marker: Recorder?
    let child = ForeignNode()
    do {
      let controller = KVOController(observer: observer, retainObserved: false)
      do {
        let captured = Recorder()
        marker = captured
        let root = Farewell()
        root["child"] = child
        // The observer isn't the object, so the first one's registration remains until the object is deallocated.
        controller.observe(root, keyPath: "number") { _, _, _ in withExtendedLifetime(captured) {} }
        controller.observe(root, keyPath: "child.number") { _, _, _ in withExtendedLifetime(captured) {} }
        root.inDeinit = {
          controller.unobserveAll()
          #expect(child.registeredKeyPaths == [])
        }
      }
      expectNothingRegistered(child)
    }
    #expect(marker == nil)
  }

  @Test func anObservationThatTheInitialCallOfAnotherHasEndedLeavesNothing() {
    let controller = KVOController(observer: observer, retainObserved: false)
    var keyPaths: [String] = []
    do {
      let root = ForeignNode()
      controller.observe(root, keyPaths: ["number", "text"], options: .initial) {
        [unowned controller] _, object, change in
        keyPaths.append(change[.keyPathKey] as? String ?? "")
        controller.unobserve(object, keyPath: "text")
      }
      #expect(root.registeredKeyPaths == ["number"])
      root["number"] = 1
    }
    #expect(keyPaths == ["number", "number"])
    #expect(controller.observations.isEmpty)
  }

  @Test(arguments: Arrangement.all) func anObjectThatObservesItselfLeavesNothingOnOthers(_ arrangement: Arrangement) {
    let (middle, leaf) = (arrangement.node(1), arrangement.node(2))
    middle.setValue(leaf, forKey: "child")
    var count = 0
    do {
      let root = arrangement.node(0)
      root.setValue(middle, forKey: "child")
      root.kvoController.observe(root, keyPath: "child.child.number") { _, _, _ in count += 1 }
      leaf.setValue(1, forKey: "number")
    }
    #expect(count == 1)
    expectNothingRegistered(middle, leaf)
    leaf.setValue(2, forKey: "number")
    middle.setValue(nil, forKey: "child")
    #expect(count == 1)
  }

  /// What keeps an object on a path alive while it is observed: Foundation doesn't clean up after it, or would read it.
  enum Bond: CaseIterable, Sendable {
    case none, ownRegistration, ownStorage, manualNotification, dottedDependency

    func node() -> ForeignNode {
      switch self {
      case .none: ForeignNode()
      case .ownRegistration: ForeignNode(overriding: ["addObserver:forKeyPath:options:context:"])
      case .ownStorage: ForeignNode(overriding: ["observationInfo"])
      case .manualNotification: Manual()
      case .dottedDependency: Dependent()
      }
    }
  }

  private final class Manual: ForeignNode, @unchecked Sendable {
    override class func automaticallyNotifiesObservers(forKey key: String) -> Bool { false }
  }

  private final class Dependent: ForeignNode, @unchecked Sendable {
    override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
      ["number", "child"].contains(key) ? ["other.number"] : super.keyPathsForValuesAffectingValue(forKey: key)
    }
  }

  @Test(arguments: Bond.allCases) func objectOnThePathIsDeallocated(_ bond: Bond) {
    /// Leads to an object that it doesn't retain, and doesn't notify when it is gone.
    final class Holder: KeyValueObject, @unchecked Sendable {
      weak var held: ForeignNode?
      override class var keyPaths: [String: AnyKeyPath] { ["held": \Holder.held] }
    }
    let holder = Holder()
    let controller = KVOController(observer: observer)
    var values: [Int?] = []
    do {
      let node = bond.node()
      holder.held = node
      controller.observe(holder, keyPath: "held.number", options: .new) { _, _, change in
        values.append(change[.newKey] as? Int)
      }
      node.beginChange(of: "number")
      node.setValue(2, forKey: "number")
      node.endChange(of: "number")
    }
    #expect((holder.held != nil) == (bond != .none))
    let next = ForeignNode()
    holder.willChangeValue(forKey: "held")
    holder.held = next
    holder.didChangeValue(forKey: "held")
    next["number"] = 3
    // One that notifies automatically does so once more.
    #expect(values.suffix(3) == [2, nil, 3])
    controller.unobserveAll()
  }

  /// Its storage is gone when its properties are, as that of `NSManagedObject`.
  @Test(arguments: ["number", "child.number"])
  func nothingIsRemovedFromARootWhoseStorageIsGone(_ keyPath: String) {
    let controller = KVOController(observer: observer, retainObserved: false)
    let child = ForeignNode()
    var count = 0
    do {
      let root = ForeignNode(overriding: ["observationInfo"])
      root["child"] = child
      controller.observe(root, keyPath: keyPath) { _, _, _ in count += 1 }
      root["number"] = 1
      child["number"] = 1
    }
    #expect(count == 1)
    child["number"] = 2
    #expect(count == 1)
    expectNothingRegistered(child)
    #expect(!controller.debugDescription.contains("number"))
  }

  /// Removing a registration for a key that depends on a dotted path reads the object, whose properties are gone by then.
  @Test(arguments: [false, true]) func selfObservingObjectIsNotReadDuringDeallocation(_ isPath: Bool) {
    let (child, other) = (ForeignNode(), ForeignNode())
    var count = 0
    do {
      let node = Dependent()
      (node["child"], node["other"]) = (child, other)
      node.kvoController.observe(node, keyPath: isPath ? "child.number" : "number") { _, _, _ in count += 1 }
      node["number"] = 1
      child["number"] = 2
      #expect(count == 1)
      other["number"] = 3
      #expect(count == 2)
    }
    child["number"] = 4
    other["number"] = 5
    #expect(count == 2)
  }
}
#endif
