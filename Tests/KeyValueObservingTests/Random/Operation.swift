import KeyValueObserving

/// What a random test does, by numbers, so that two worlds can do the same.
indirect enum Operation {
  case setNumber(node: Int, Int)
  case addToNumber(node: Int, Int)
  case setName(node: Int, String)
  case setChild(node: Int, to: Int?)
  case setNewChild(node: Int, id: Int)
  case setChildNumberByPath(node: Int, Int)
  case setManualSilently(node: Int, Int)
  case pair(node: Int, key: String, manual: Int, inside: Operation?)
  case didChangeAlone(node: Int, key: String)
  case observe(id: Int, node: Int, keyPath: String, options: NSKeyValueObservingOptions, observer: Int)
  case unobserve(id: Int)
  case dropObserver(Int)
}

/// Numbers that can be had again from their seed.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// Makes up operations.
struct OperationGenerator {
  static let nodes = 4
  static let observers = 3
  static let keyPaths = [
    "number", "name", "child", "manual", "doubled", "sum", "label", "chosen", "child.number", "child.name",
    "child.manual", "child.doubled", "child.child.number", "child.child.child.name", "child.sum", "chosen.number",
    "chosen.label", "child.chosen.name", "chosen.chosen.child", "child.label", "chosen",
  ]
  static let pairedKeys = ["manual", "number", "child", "sum", "chosen"]

  private var random: SeededGenerator
  private var lastID = 100

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
  }

  private mutating func newID() -> Int {
    lastID += 1
    return lastID
  }

  private mutating func below(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

  private mutating func pick<Element>(_ choices: [Element]) -> Element { choices[below(choices.count)] }

  /// An operation for the top, or one for inside a callback.
  mutating func operation(nested: Bool) -> Operation {
    let node = below(Self.nodes)
    switch below(nested ? 19 : 22) {
    case 0, 1: return .setNumber(node: node, below(5))
    case 2: return .addToNumber(node: node, 1)
    case 3, 4: return .setName(node: node, pick(["a", "b", "c"]))
    case 5...7: return .setChild(node: node, to: below(Self.nodes))
    case 8: return .setChild(node: node, to: nil)
    case 9: return .setNewChild(node: node, id: newID())
    case 10: return .setChildNumberByPath(node: node, below(5))
    case 11: return .setManualSilently(node: node, below(5))
    case 12, 13: return pair(node)
    case 14...16:
      return .observe(
        id: newID(), node: node, keyPath: pick(Self.keyPaths),
        options: NSKeyValueObservingOptions(rawValue: UInt(below(16))), observer: below(Self.observers))
    case 17, 18: return .unobserve(id: lastID - below(40))
    case 19, 20: return .didChangeAlone(node: node, key: pick(Self.pairedKeys))
    default: return below(4) == 0 ? .dropObserver(below(Self.observers)) : .unobserve(id: lastID - below(40))
    }
  }

  /// A pair, with another change between its halves at times.
  private mutating func pair(_ node: Int) -> Operation {
    let inside: Operation? =
      switch below(6) {
      case 0: .setNumber(node: below(Self.nodes), below(5))
      case 1: .setChild(node: below(Self.nodes), to: below(Self.nodes))
      case 2: .pair(node: below(Self.nodes), key: pick(Self.pairedKeys), manual: below(5), inside: nil)
      default: nil
      }
    return .pair(node: node, key: pick(Self.pairedKeys), manual: below(5), inside: inside)
  }

  /// What the first few callbacks of an operation do.
  mutating func script() -> [Operation] {
    guard below(3) == 0 else { return [] }
    return (0..<below(5)).map { _ in operation(nested: true) }
  }
}
