import KeyValueObserving

/// The world of a random test as the rules have it: for each change, every registration is walked from its root.
final class ModelWorld {
  var log: [String] = []
  var script: ArraySlice<Operation> = []
  private let nodes = (0..<OperationGenerator.nodes).map { ModelNode(id: $0) }
  private var registrations: [Registration] = []

  private final class Registration {
    let id: Int
    let root: ModelNode
    let keyPath: [String]
    let options: NSKeyValueObservingOptions
    let observer: Int
    var isAlive = true

    init(_ id: Int, _ root: ModelNode, _ keyPath: String, _ options: NSKeyValueObservingOptions, _ observer: Int) {
      self.id = id
      self.root = root
      self.keyPath = keyPath.split(separator: ".").map { String($0) }
      self.options = options
      self.observer = observer
    }

    var value: String {
      var value: Any? = root
      for key in keyPath { value = (value as? ModelNode)?.value(key) }
      return text(of: value)
    }
  }

  func end() {
    for node in nodes { node.child = nil }
  }

  func perform(_ operation: Operation) {
    switch operation {
    case .setNumber(let node, let number): change(nodes[node], "number") { $0.number = number }
    case .addToNumber(let node, let number):
      change(nodes[node], "number", reading: { $0.number }, { $0.number = $1 + number })
    case .setName(let node, let name): change(nodes[node], "name") { $0.name = name }
    case .setChild(let node, let child):
      let child = child.map { nodes[$0] }
      change(nodes[node], "child") { $0.child = child }
    case .setNewChild(let node, let id):
      let child = ModelNode(id: id)
      change(nodes[node], "child") { $0.child = child }
    case .setChildNumberByPath(let node, let number):
      if let child = nodes[node].child { change(child, "number") { $0.number = number } }
    case .setManualSilently(let node, let manual): nodes[node].manual = manual
    case .pair(let node, let key, let manual, let inside):
      change(nodes[node], key) {
        if let inside { perform(inside) }
        if key == "manual" { $0.manual = manual }
      }
    case .didChangeAlone: break
    case .observe(let id, let node, let keyPath, let options, let observer):
      let registration = Registration(id, nodes[node], keyPath, options, observer)
      registrations.append(registration)
      if options.contains(.initial) {
        call(registration, new: options.contains(.new) ? registration.value : nil, old: nil, isPrior: false)
      }
    case .unobserve(let id): remove { $0.id == id }
    case .dropObserver(let observer): remove { $0.observer == observer }
    }
  }

  private func remove(where condition: (Registration) -> Bool) {
    for registration in registrations where condition(registration) { registration.isAlive = false }
    registrations.removeAll { !$0.isAlive }
  }

  private func change(_ node: ModelNode, _ key: String, _ mutate: (ModelNode) -> Void) {
    change(node, key, reading: { _ in }, { node, _ in mutate(node) })
  }

  /// Notifies of a change; what it starts from is read before or after the prior calls, which may change it too.
  private func change<Value>(
    _ node: ModelNode, _ key: String, reading: (ModelNode) -> Value, _ mutate: (ModelNode, Value) -> Void
  ) {
    let touched = registrations.filter { depends($0.root, $0.keyPath[...], on: node, key) }
    let receivers = touched.map { ($0, $0.options.contains(.old) ? $0.value : nil) }
    for (registration, old) in receivers where registration.options.contains(.prior) && registration.isAlive {
      call(registration, new: nil, old: old, isPrior: true)
    }
    mutate(node, reading(node))
    let calls = receivers.map { ($0.0, $0.0.options.contains(.new) ? $0.0.value : nil, $0.1) }
    for (registration, new, old) in calls.reversed() where registration.isAlive {
      call(registration, new: new, old: old, isPrior: false)
    }
  }

  /// Whether a value at the end of a path would change with one property of one node.
  private func depends(_ root: ModelNode, _ path: ArraySlice<String>, on node: ModelNode, _ key: String) -> Bool {
    guard let first = path.first else { return false }
    if root === node && first == key { return true }
    if ModelNode.dependencies[first, default: []].contains(where: { depends(root, $0[...], on: node, key) }) {
      return true
    }
    guard let next = root.value(first) as? ModelNode else { return false }
    return depends(next, path.dropFirst(), on: node, key)
  }

  private func call(_ registration: Registration, new: String?, old: String?, isPrior: Bool) {
    var entries = ["kind: 1"]
    if let new { entries.append("new: \(new)") }
    if isPrior { entries.append("notificationIsPrior: true") }
    if let old { entries.append("old: \(old)") }
    let keyPath = registration.keyPath.joined(separator: ".")
    log.append("\(registration.id) #\(registration.root.id).\(keyPath) {\(entries.joined(separator: ", "))}")
    if let next = script.popFirst() { perform(next) }
  }
}

private func text(of value: Any?) -> String {
  switch value {
  case let node as ModelNode: "#\(node.id)"
  case let value?: "\(value)"
  case nil: "null"
  }
}

private final class ModelNode {
  static let dependencies: [String: [[String]]] = [
    "doubled": [["manual"]], "sum": [["number"], ["child", "number"]], "label": [["name"], ["sum"]],
    "chosen": [["number"], ["child"]],
  ]

  let id: Int
  var name = ""
  var number = 0
  var manual = 0
  var child: ModelNode?

  init(id: Int) {
    self.id = id
  }

  func value(_ key: String) -> Any? {
    switch key {
    case "name": name
    case "number": number
    case "manual": manual
    case "child": child
    case "doubled": manual * 2
    case "sum": number + (child?.number ?? 0)
    case "label": "\(name):\(number + (child?.number ?? 0))"
    case "chosen": number.isMultiple(of: 2) ? child : self
    default: nil
    }
  }
}
