import KVOController

/// A registration in the model. It retains nothing.
final class Registration {
  let id: Int
  let path: Path
  let options: NSKeyValueObservingOptions
  private(set) weak var root: ModelNode?
  /// The observer that is called; nil for a closure.
  private(set) weak var observer: ModelObserver?
  /// The controller that this is for, and the form in which its observer is called.
  private(set) weak var controller: ModelController?
  let form: Form?
  let isClosure: Bool
  /// Whether Foundation calls the closure: once for each change of which it was told before, and with settings of sets.
  var isRelayed: Bool { isClosure && foundationRegisters }
  /// Its place in the order of all registrations.
  var serial = 0
  var isRemoved = false
  /// Whether the initial call is under way. A closure can't be ended there: what ends it isn't known yet.
  var isStarting = false
  var isToEnd = false
  /// The dependencies of the value, as of their last change.
  private var followed: [Followed] = []
  /// How often the registration has been led away from properties.
  private var departures: [Place: Int] = [:]
  /// The changes that Foundation was told before, and hasn't been told of since. It ends the latest first, whatever its key.
  private var openChanges: [Int] = []

  init(
    id: Int, _ root: ModelNode, _ path: Path, _ options: NSKeyValueObservingOptions, _ observer: ModelObserver?
  ) {
    self.id = id
    self.root = root
    self.path = path
    self.options = options
    self.observer = observer
    form = nil
    isClosure = observer == nil
  }

  init(
    id: Int, _ root: ModelNode, _ path: Path, _ options: NSKeyValueObservingOptions, _ controller: ModelController,
    _ form: Form
  ) {
    self.id = id
    self.root = root
    self.path = path
    self.options = options
    self.controller = controller
    self.form = form
    observer = controller.observer
    isClosure = false
  }

  var isAlive: Bool { !isRemoved && root != nil && (isClosure || observer != nil) }

  func begin(_ change: Int) { openChanges.append(change) }

  /// Returns whether no change that has begun later goes on.
  func end(_ change: Int) -> Bool {
    defer { openChanges.removeAll { $0 == change } }
    return openChanges.last == change
  }

  /// The value at the end of the path.
  func value() -> Value {
    var node = root
    for key in path.keys.dropLast() { node = node?.node(key) }
    guard let node, let key = path.keys.last else { return .null }
    return path.operation.map { node.value(key, $0) } ?? node.value(key)
  }

  /// How the change of one property of one node touches this registration.
  enum Touch { case not, aside, atTheEnd }

  func touch(_ node: ModelNode, _ key: Key) -> Touch {
    var touch = Touch.not
    let key = key.resolved(in: node.type)
    for followed in followed where followed.key == key && followed.node == node.serial {
      if followed.isEnd { return .atTheEnd }
      touch = .aside
    }
    return touch
  }

  /// The listed key whose getter has found a property first.
  func reader(of node: ModelNode, _ key: Key) -> Place? {
    let place = Place(node: node.serial, key: key.resolved(in: node.type))
    return followed.first { $0.place == place }?.reader
  }

  /// Goes along the path and all dependencies to see what the value comes from.
  func follow() {
    let former = Set(followed.map(\.place))
    followed = []
    if let root { follow(root, path.keys[...], isPath: true) }
    for place in former.subtracting(followed.map(\.place)) { departures[place, default: 0] += 1 }
  }

  func departures(from node: ModelNode, _ key: Key) -> Int {
    departures[Place(node: node.serial, key: key.resolved(in: node.type)), default: 0]
  }

  private func follow(_ start: ModelNode, _ keys: ArraySlice<Key>, isPath: Bool, _ reader: Place? = nil) {
    guard let key = keys.first?.resolved(in: start.type) else { return }
    let isEnd = isPath && keys.count == 1 && path.operation == nil
    let isKnown = followed.contains { $0.key == key && $0.node == start.serial }
    followed.append(Followed(node: start.serial, key: key, isEnd: isEnd, reader: reader))
    if !isKnown {
      let isListed = key == .reach
      let reader = isListed ? Place(node: start.serial, key: key) : reader
      for path in key.dependencies(in: start.type) { follow(start, path.keys[...], isPath: false, reader) }
      if key == .boxSum { for node in start.boxes { follow(node, [.number], isPath: false) } }
    }
    if keys.count > 1, let next = start.node(key) { follow(next, keys.dropFirst(), isPath: isPath, reader) }
  }
}

/// A property that a value comes from.
struct Followed {
  /// The serial number of the node, which may have been deallocated since.
  let node: Int
  let key: Key
  /// Whether it is the end of the path itself.
  let isEnd: Bool
  /// The listed key whose getter reads it.
  let reader: Place?

  fileprivate var place: Place { Place(node: node, key: key) }
}

/// A property of a node.
struct Place: Hashable {
  let node: Int
  let key: Key
}
