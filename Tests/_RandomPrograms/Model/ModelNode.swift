/// An observer in the model.
class ModelObserver {
  let id: Int

  init(id: Int) {
    self.id = id
  }
}

/// A node in the model: plain properties, without any notification.
final class ModelNode: ModelObserver {
  let type: Key.Class
  /// Tells it from all other nodes that ever were.
  let serial: Int
  var number = 0
  var name = ""
  var maybe: Int?
  var ping = 0
  var pong = 0
  var manual = 0
  var note = ""
  var lines: [Int] = []
  var child: ModelNode?
  var next: ModelNode?
  var guide: ModelNode?
  weak var friend: ModelNode? { didSet { hasFriend = friend != nil } }
  /// Whether a friend was set, which may have been deallocated since.
  var hasFriend = false
  var items: [Int] = []
  var kids: [ModelNode] = []
  var tags: Set<Int> = []
  var ordered: [Int]?
  /// The property of the plain class, which the special class overrides.
  var rank = 0
  /// By the name.
  var secret = 0
  /// The namesake that special nodes have besides.
  var hidden = 0
  var boxes: [ModelNode] = []
  /// Its own controllers, by whether they retain.
  var controllers: [Bool: ModelController] = [:]

  init(id: Int, serial: Int) {
    type = nodeType(id)
    self.serial = serial
    super.init(id: id)
  }

  var sum: Int { number + (child?.number ?? 0) + (type == .special ? maybe ?? 0 : 0) }
  var label: String { (type == .special ? "special " : "") + plainLabel }
  var plainLabel: String { "\(name):\(sum)" }
  var total: Int { number + (child?.number ?? 0) + (maybe ?? 0) }
  var chosen: ModelNode? { number.isMultiple(of: 2) ? child : self }

  /// The node under a key that leads to one.
  func node(_ key: Key) -> ModelNode? {
    switch key {
    case .child: child
    case .next: next
    case .guide: guide
    case .friend: friend
    case .chosen: chosen
    default: nil
    }
  }

  func value(_ key: Key) -> Value {
    switch key {
    case .number, .echo: .int(number)
    case .name: .text(name)
    case .maybe: maybe.map { .int($0) } ?? .null
    case .ping: .int(ping)
    case .pong: .int(pong)
    case .manual: .int(manual)
    case .note: .text(note)
    case .lines: .ints(lines)
    case .child, .next, .guide, .friend, .chosen: node(key).map { .object($0.id) } ?? .null
    case .items: .ints(items)
    case .kids: .list(kids.map { .object($0.id) })
    case .tags: .set(Set(tags.map { .int($0) }))
    case .ordered: ordered.map { .ordered($0.map { .int($0) }) } ?? .null
    case .doubles: .ints(items.map { $0 * 2 })
    case .doubled: .int(manual * 2)
    case .sum: .int(sum)
    case .label: .text(label)
    case .left: .int(number + 1)
    case .right: .int(number + (maybe ?? 0))
    case .bottom: .int(3 * number + (maybe ?? 0))
    case .title: .text("\(name)-\(number)")
    case .nextLabel: next.map { .text($0.label) } ?? .null
    case .chosenSum: chosen.map { .int($0.sum) } ?? .null
    case .guideName: guide.map { .text($0.name) } ?? .null
    case .kidCount: .int(kids.count)
    case .lineCount: .int(lines.count)
    case .noteLength: .int(note.count)
    case .ghost: .int(number * 100)
    case .reach: .int(number + (next?.number ?? 0) + (maybe ?? 0))
    case .rank: .int(type == .special ? (maybe ?? 0) + (next?.number ?? 0) : rank)
    case .secret: .int(secret)
    case .hidden: .int(type == .special ? hidden : secret)
    case .boxes: .list(boxes.map { .object($0.id) })
    case .total: .int(total)
    case .boxSum: .int(boxes.reduce(0) { $0 + $1.number })
    }
  }

  /// The result of an operator for a collection.
  func value(_ key: Key, _ operation: String) -> Value {
    switch (key, operation) {
    case (.kids, "sum.number"): return .int(kids.reduce(0) { $0 + $1.number })
    case (.kids, "max.number"): return kids.map(\.number).max().map { .int($0) } ?? .null
    case (.ordered, "count"): return ordered.map { .int($0.count) } ?? .null
    default: break
    }
    let numbers =
      switch key {
      case .kids: kids.map(\.number)
      case .tags: Array(tags)
      case .doubles: items.map { $0 * 2 }
      case .lines: lines
      default: items
      }
    return .int(operation == "count" ? numbers.count : numbers.reduce(0, +))
  }
}

/// The class of the node with an id.
func nodeType(_ id: Int) -> Key.Class { id.isMultiple(of: 3) ? .special : .plain }
