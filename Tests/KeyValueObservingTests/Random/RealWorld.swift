import KeyValueObserving

/// The world of a random test as the engine has it.
final class RealWorld {
  var log: [String] = []
  var script: ArraySlice<Operation> = []
  private let nodes = (0..<OperationGenerator.nodes).map { RealNode(id: $0) }
  private var observers: [RealObserver] = []
  private var registrations: [Int: (node: Int, keyPath: String, observer: Int)] = [:]

  init() {
    observers = (0..<OperationGenerator.observers).map { _ in RealObserver(self) }
  }

  /// Takes apart the cycles that the nodes have come to form.
  func end() {
    script = []
    for node in nodes { node.child = nil }
  }

  func perform(_ operation: Operation) {
    switch operation {
    case .setNumber(let node, let number): nodes[node].number = number
    case .addToNumber(let node, let number): nodes[node].number += number
    case .setName(let node, let name): nodes[node].name = name
    case .setChild(let node, let child): nodes[node].child = child.map { nodes[$0] }
    case .setNewChild(let node, let id): nodes[node].child = RealNode(id: id)
    case .setChildNumberByPath(let node, let number): nodes[node].setValue(number, forKeyPath: "child.number")
    case .setManualSilently(let node, let manual): nodes[node].manual = manual
    case .pair(let node, let key, let manual, let inside):
      nodes[node].willChangeValue(forKey: key)
      if let inside { perform(inside) }
      if key == "manual" { nodes[node].manual = manual }
      nodes[node].didChangeValue(forKey: key)
    case .didChangeAlone(let node, let key): nodes[node].didChangeValue(forKey: key)
    case .observe(let id, let node, let keyPath, let options, let observer):
      registrations[id] = (node, keyPath, observer)
      nodes[node].addObserver(observers[observer], forKeyPath: keyPath, options: options, context: .number(id))
    case .unobserve(let id):
      guard let registration = registrations.removeValue(forKey: id) else { return }
      nodes[registration.node].removeObserver(
        observers[registration.observer], forKeyPath: registration.keyPath, context: .number(id))
    case .dropObserver(let observer):
      registrations = registrations.filter { $0.value.observer != observer }
      observers[observer] = RealObserver(self)
    }
  }

  fileprivate func called(_ id: Int, _ object: Any?, _ keyPath: String?, _ change: [NSKeyValueChangeKey: Any]) {
    let entries = change.map { key, value in
      let value: Any = key == .notificationIsPriorKey ? (value as? Bool) ?? value : value
      return "\(key.rawValue): \(Self.text(of: value))"
    }.sorted().joined(separator: ", ")
    log.append("\(id) \(Self.text(of: object)).\(keyPath ?? "") {\(entries)}")
    if let next = script.popFirst() { perform(next) }
  }

  private static func text(of value: Any?) -> String {
    switch value {
    case let node as RealNode: "#\(node.id)"
    case is NSNull: "null"
    case let value?: "\(value)"
    case nil: "nil"
    }
  }
}

private final class RealObserver: KeyValueObject {
  private unowned let world: RealWorld

  init(_ world: RealWorld) {
    self.world = world
  }

  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    world.called(Int(bitPattern: context), object, keyPath, change ?? [:])
  }
}

private final class RealNode: KeyValueObject {
  let id: Int
  @Observed var name = ""
  @Observed var number = 0
  @Observed var manual = 0
  @Observed var child: RealNode?

  init(id: Int) {
    self.id = id
  }

  var doubled: Int { manual * 2 }
  var sum: Int { number + (child?.number ?? 0) }
  var label: String { "\(name):\(sum)" }
  var chosen: RealNode? { number.isMultiple(of: 2) ? child : self }

  override class var keyPaths: [String: AnyKeyPath] {
    ["doubled": \RealNode.doubled, "sum": \RealNode.sum, "label": \RealNode.label, "chosen": \RealNode.chosen]
  }

  override class func automaticallyNotifiesObservers(forKey key: String) -> Bool { key != "manual" }

  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    switch key {
    case "doubled": ["manual"]
    case "sum": ["number", "child.number"]
    case "label": ["name", "sum"]
    case "chosen": ["number", "child"]
    default: []
    }
  }
}
