import KVOController

/// The world as the rules have it: a list of registrations, each with a list of what it follows. Those that a change
/// touches are fixed when it begins. Their old values are read in turn, each before its own prior call; after the
/// change they are traversed again from their roots, and their new values are read in turn, each before its own call.
final class ModelWorld {
  var events: [Event] = []
  var script: ArraySlice<Operation> = []
  var stack = CallStack()
  var slots: [ModelNode]
  var controllers: [ModelController] = []
  var tokens: [Int: Weak<ModelObservation>] = [:]
  var sequences: [Int: Weak<ModelObservation>] = [:]
  private(set) var observers: [ModelObserver]
  private var registrations: [Registration] = []
  private var halves: [ModelChange] = []
  /// Registrations that are notified of a change that a setter is making, and of no other until it has returned.
  private var covered: [Registration] = []
  private var nodes: [Weak<ModelNode>] = []
  private var held: [ModelNode] = []
  private var serial = 0
  private var latestSerial = 0
  private var latestChange = 0
  /// Whether the rules leave open what is called: a registration that nested changes have led away and back once more, or one that
  /// Foundation calls with the old value of another change, because two changes overlap of which none is within the other.
  private(set) var isAmbiguous = false

  init() {
    slots = []
    observers = (0..<ProgramGenerator.observers).map { ModelObserver(id: -1 - $0) }
    slots = (0..<ProgramGenerator.slots).map { node(10 + $0) }
    controllers = (0..<ProgramGenerator.controllers).map { newController($0) }
  }

  func node(_ id: Int) -> ModelNode {
    serial += 1
    let node = ModelNode(id: id, serial: serial)
    nodes.append(Weak(node))
    held.append(node)
    return node
  }

  // MARK: Lives

  /// Keeps all nodes alive until the end of the step.
  func beginStep() {
    held = living
    halves.removeAll { $0.node == nil }
  }

  /// Releases the nodes. Those that have lost their friend notify of that, because its deallocation sends nothing.
  func endStep() {
    endWithObservers()
    held = []
    for node in living where node.hasFriend && node.friend == nil {
      node.hasFriend = false
      change(node, .friend) {}
    }
  }

  /// The nodes that are alive, with the values that they are made of.
  var contents: [Int: [Value]] {
    let keys: [Key] = [
      .number, .name, .maybe, .ping, .pong, .manual, .guide, .lines, .note, .child, .next, .friend, .items, .kids,
      .tags, .ordered, .rank, .secret, .hidden, .boxes,
    ]
    return Dictionary(living.map { node in (node.id, keys.map { node.value($0) }) }) { first, _ in first }
  }

  /// The nodes that are alive.
  var living: [ModelNode] {
    let living = nodes.compactMap(\.object)
    if living.count < nodes.count { nodes = living.map { Weak($0) } }
    return living
  }

  /// Takes apart what the nodes have come to form.
  func end() {
    for node in living {
      (node.child, node.next, node.guide, node.kids, node.controllers) = (nil, nil, nil, [], [:])
      node.boxes = []
    }
  }

  // MARK: Registrations

  func observe(
    _ id: Int, _ node: ModelNode, _ path: Path, _ options: NSKeyValueObservingOptions, _ listener: Listener
  ) {
    let observer: ModelObserver? =
      switch listener {
      case .observer(let number): observers[number]
      case .slot(let slot): slots[slot]
      case .closure: nil
      }
    register(Registration(id: id, node, path, options, observer))
  }

  /// - Parameter replace: Ends what the registration replaces, before the initial call.
  func register(_ registration: Registration, replace: () -> Void = {}) {
    registrations.removeAll { !$0.isAlive }
    registration.follow()
    latestSerial += 1
    registration.serial = latestSerial
    registrations.append(registration)
    replace()
    guard registration.options.contains(.initial) else { return }
    registration.isStarting = true
    call(registration, new: registration.options.contains(.new) ? registration.value() : nil)
    registration.isStarting = false
    if registration.isToEnd { registration.isRemoved = true }
  }

  func unobserve(_ id: Int) {
    for registration in registrations where registration.id == id && registration.isStarting && registration.isClosure {
      registration.isToEnd = true
      return
    }
    for registration in registrations where registration.id == id { registration.isRemoved = true }
  }

  func dropObserver(_ number: Int) {
    observers[number] = ModelObserver(id: observers[number].id - ProgramGenerator.observers)
  }

  // MARK: Changes

  /// Notifies of a change. The value before it is read after the prior calls, which may change it too.
  func change(
    _ node: ModelNode, _ key: Key, _ kind: ModelChange.Kind? = nil, covers: Bool = false, _ mutate: () -> Void
  ) {
    let change = begin(node, key, kind)
    let outer = covered
    if covers { covered += change.receivers.map(\.registration) }
    mutate()
    covered = outer
    end(change)
  }

  func will(_ node: ModelNode, _ key: Key, _ kind: ModelChange.Kind? = nil) {
    halves.append(begin(node, key, kind))
  }

  func did(_ node: ModelNode, _ key: Key) {
    guard let index = halves.lastIndex(where: { $0.node === node && $0.key == key }) else { return }
    end(halves.remove(at: index))
  }

  /// Whether the change is part of a pair, whose getter has found the property, and of which the registration is notified.
  private func isWithinPair(_ registration: Registration, _ node: ModelNode, _ key: Key) -> Bool {
    guard let reader = registration.reader(of: node, key) else { return false }
    return halves.contains { half in
      half.node?.serial == reader.node && half.key == reader.key
        && half.receivers.contains { $0.registration === registration }
    }
  }

  private func begin(_ node: ModelNode, _ key: Key, _ kind: ModelChange.Kind?) -> ModelChange {
    let latest = latestSerial
    latestChange += 1
    let number = latestChange
    var receivers: [ModelChange.Receiver] = []
    // Those that are led there by the prior calls of others, and were registered before, join.
    while true {
      let joining: [(Registration, ModelChange.Kind?)] = registrations.compactMap { registration in
        guard registration.isAlive, registration.serial <= latest, !covered.contains(where: { $0 === registration }),
          !receivers.contains(where: { $0.registration === registration })
        else { return nil }
        let touch = registration.touch(node, key)
        guard touch != .not else { return nil }
        let isUnordered = kind != nil && kind?.indexes == nil
        return (registration, touch == .atTheEnd && !(registration.isRelayed && isUnordered) ? kind : nil)
      }
      if joining.isEmpty { break }
      for (registration, kind) in joining {
        let old = registration.options.contains(.old) && registration.isAlive ? old(registration, node, key, kind) : nil
        let isTouched = registration.touch(node, key) != .not && !isWithinPair(registration, node, key)
        let isPrior = isTouched && (registration.options.contains(.prior) || registration.isRelayed)
        if isPrior, registration.isRelayed { registration.begin(number) }
        if isPrior, registration.options.contains(.prior) { call(registration, old: old, kind, isPrior: true) }
        receivers.append(
          ModelChange.Receiver(
            registration: registration, old: old, isPriorSent: isPrior, kind: kind,
            departures: registration.departures(from: node, key)))
      }
      receivers.sort { $0.registration.serial < $1.registration.serial }
    }
    return ModelChange(number, node: node, key: key, receivers: receivers)
  }

  private func end(_ change: ModelChange) {
    guard let node = change.node else { return }
    for registration in registrations where registration.touch(node, change.key) != .not { registration.follow() }
    // The objects of a collection are read at once, where they were put.
    let parts = change.receivers.map { receiver in
      receiver.kind?.kind == .insertion || receiver.kind?.kind == .replacement
        ? part(node.value(change.key), receiver.kind?.indexes, receiver.kind?.inserted) : nil
    }
    for (receiver, part) in zip(change.receivers, parts).reversed() {
      let registration = receiver.registration
      if receiver.isPriorSent, registration.isRelayed, !registration.end(change.number) { isAmbiguous = true }
      // A registration whose path has left the object meanwhile has reported its new value already.
      guard
        receiver.isPriorSent
          || registration.touch(node, change.key) != .not && !isWithinPair(registration, node, change.key)
      else { continue }
      if !receiver.isPriorSent, registration.departures(from: node, change.key) != receiver.departures {
        isAmbiguous = true
      }
      let isRead = registration.isAlive && registration.options.contains(.new)
      call(
        registration, new: isRead ? new(receiver, part, node, change.key) : nil, old: receiver.old, receiver.kind)
    }
  }

  private func old(_ registration: Registration, _ node: ModelNode, _ key: Key, _ kind: ModelChange.Kind?)
    -> Value?
  {
    switch kind?.kind {
    case .insertion?: nil
    case .removal?, .replacement?: part(node.value(key), kind?.indexes, kind?.removed)
    default: registration.value()
    }
  }

  private func new(_ receiver: ModelChange.Receiver, _ part: Value?, _ node: ModelNode, _ key: Key) -> Value? {
    switch receiver.kind?.kind {
    case .removal?: nil
    // The path may have changed meanwhile.
    case .insertion?, .replacement?:
      receiver.registration.touch(node, key) == .atTheEnd ? part : receiver.registration.value()
    default: receiver.registration.value()
    }
  }

  /// The elements of a collection that a change is about.
  private func part(_ value: Value, _ indexes: [Int]?, _ set: Set<Int>?) -> Value {
    guard let indexes else { return .set(Set((set ?? []).map { .int($0) })) }
    switch value {
    case .list(let values), .ordered(let values): return .list(indexes.map { values[$0] })
    default: return value
    }
  }

  private func call(
    _ registration: Registration, new: Value? = nil, old: Value? = nil, _ kind: ModelChange.Kind? = nil,
    isPrior: Bool = false
  ) {
    guard registration.isAlive, let root = registration.root else { return }
    let observer = registration.observer
    var event = Event(
      observer: observer?.id ?? 0, context: registration.id, root: root.id, keyPath: registration.path.description,
      kind: (kind?.kind ?? .setting).rawValue, isPrior: isPrior, new: new, old: old, indexes: kind?.indexes)
    if registration.isRelayed { event.forgetNulls() }
    events.append(registration.form.map { event.told(in: $0) } ?? event)
    guard let next = script.popFirst() else { return }
    stack.beginCall(isPrior: isPrior || registration.form?.way == .action)
    // Changes inside a call aren't part of the setter's change.
    let outer = covered
    covered = []
    perform(next)
    covered = outer
    stack.end()
    withExtendedLifetime((root, observer)) {}
  }
}
