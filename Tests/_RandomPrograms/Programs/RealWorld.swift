import KVOController

/// The world as the engine has it.
final class RealWorld {
  var events: [Event] = []
  var script: ArraySlice<Operation> = []
  var stack = CallStack()
  var slots: [RealNode] = []
  /// The number of operations done.
  private(set) var count = 0
  var controllers: [KVOController] = []
  var tokens: [Int: KVOObservation] = [:]
  /// Sequences that aren't read.
  var sequences: [Int: Any] = [:]
  private(set) var observers: [RealObserver] = []
  private var registrations: [Int: RealRegistration] = [:]
  private var nodes: [Weak<RealNode>] = []
  /// The nodes that are retained; nil if none are.
  private var held: [RealNode]?

  init() {
    observers = (0..<ProgramGenerator.observers).map { RealObserver(self, id: -1 - $0) }
    slots = (0..<ProgramGenerator.slots).map { node(10 + $0) }
    controllers = (0..<ProgramGenerator.controllers).map { newController($0) }
  }

  func node(_ id: Int) -> RealNode {
    let node = nodeType(id) == .special ? RealSpecialNode(self, id: id) : RealNode(self, id: id)
    nodes.append(Weak(node))
    held?.append(node)
    return node
  }

  // MARK: Lives

  /// Retains all nodes until the end of the step: whether one is deallocated in the middle of a change that replaces
  /// it, or only at its end, isn't specified.
  func beginStep() {
    held = living
  }

  /// Releases the nodes. Those that have lost their friend notify of that, because its deallocation sends nothing.
  func endStep() {
    held = []
    for node in living where node.hasFriend && node.friend == nil {
      node.hasFriend = false
      node.willChangeValue(forKey: "friend")
      node.didChangeValue(forKey: "friend")
    }
  }

  /// The nodes that are alive.
  var living: [RealNode] {
    let living = nodes.compactMap(\.object)
    if living.count < nodes.count { nodes = living.map { Weak($0) } }
    return living
  }

  var contents: [Int: [Value]] {
    Dictionary(living.map { ($0.id, $0.contents) }) { first, _ in first }
  }

  /// Ends all registrations, breaks the cycles that the nodes form, and releases them. Returns what is wrong then.
  func end() -> String? {
    script = []
    // The registrations of a deallocated observer can't be removed any longer.
    let abandoned = registrations.values.filter(\.isAbandoned).compactMap { $0.root?.id }
    for id in registrations.keys { unobserve(id, withoutContext: false) }
    controllers = []
    for node in living {
      node.kvoController.unobserveAll()
      node.kvoControllerNonRetaining.unobserveAll()
    }
    let observed = living.filter { $0.observationInfo != nil && !abandoned.contains($0.id) }.map(\.id)
    for node in living { (node.child, node.next, node.guide, node.kids) = (nil, nil, nil, []) }
    for node in living { node.boxes = [] }
    (slots, held) = ([], nil)
    let living = living.map(\.id)
    if !observed.isEmpty { return "Nodes are observed when all has ended: \(observed)" }
    return living.isEmpty ? nil : "Nodes are alive without a reference: \(living)"
  }

  // MARK: Registrations

  func observe(
    _ id: Int, _ node: RealNode, _ path: Path, _ options: NSKeyValueObservingOptions, _ listener: Listener
  ) {
    let observer: RealObserver
    switch listener {
    case .observer(let number): observer = observers[number]
    case .slot(let slot): observer = slots[slot]
    case .closure:
      // It has to be there before it is called for the first time, to be ended then.
      let registration = RealRegistration(node, nil, path.description)
      registrations[id] = registration
      let token = (TypedKeyPath.all[path.description] ?? TypedKeyPath.followed[path.description])?
        .observe(node, options) { [unowned self] object, event in
          called(event(id, object.id, path.description))
        }
      if registration.isEnded { token?.invalidate() } else { registration.token = token }
      return
    }
    let registration = RealRegistration(node, observer, path.description)
    registrations[id] = registration
    let context = UnsafeMutableRawPointer(bitPattern: id)
    if let controller = registration.controller {
      controller.observe(node, keyPath: path.description, options: options, context: context)
    } else {
      node.addObserver(observer, forKeyPath: path.description, options: options, context: context)
    }
  }

  func unobserve(_ id: Int, withoutContext: Bool) {
    guard let registration = registrations[id], !registration.isAbandoned else { return }
    registrations[id] = nil
    registration.isEnded = true
    registration.token?.invalidate()
    registration.token = nil
    registration.controller?.unobserveAll()
    guard registration.controller == nil, let root = registration.root, let observer = registration.observer else {
      return
    }
    let isAlone = !registrations.values.contains {
      $0.root === root && $0.observer === observer && $0.keyPath == registration.keyPath
    }
    if withoutContext && isAlone {
      root.removeObserver(observer, forKeyPath: registration.keyPath)
    } else {
      root.removeObserver(observer, forKeyPath: registration.keyPath, context: .init(bitPattern: id))
    }
  }

  func dropObserver(_ number: Int) {
    observers[number] = RealObserver(self, id: observers[number].id - ProgramGenerator.observers)
  }

  /// - Parameter mayBePrior: Whether the call may be a prior one without saying so.
  func called(_ event: Event, mayBePrior: Bool = false) {
    events.append(event)
    guard let next = script.popFirst() else { return }
    stack.beginCall(isPrior: event.isPrior || mayBePrior)
    perform(next)
    stack.end()
  }

  func performed() {
    count += 1
  }
}

/// A registration with the engine.
final class RealRegistration {
  private(set) weak var root: RealNode?
  private(set) weak var observer: RealObserver?
  let keyPath: String
  private let isClosure: Bool
  /// That of a closure.
  var token: NSKeyValueObservation?
  /// That of an observer which `addObserver` wouldn't register with the engine.
  private(set) var controller: KVOController?
  var isEnded = false

  init(_ root: RealNode, _ observer: RealObserver?, _ keyPath: String) {
    self.root = root
    self.observer = observer
    self.keyPath = keyPath
    isClosure = observer == nil
    if foundationRegisters, let observer { controller = KVOController(observer: observer, retainObserved: false) }
  }

  /// Whether there is no node left that could be removed.
  var isAbandoned: Bool { !isClosure && observer == nil }
}

extension RealNode {
  /// The values of the node's properties, in the order of the model.
  var contents: [Value] {
    let parts: [Any?] = [
      number, name, maybe, ping, pong, manual, guide, lines, note, child, next, friend, items, kids, tags, ordered,
      rank, namedSecret, hidden, boxes.map(\.node),
    ]
    return parts.map { $0.map { Value($0) } ?? .null }
  }
}
