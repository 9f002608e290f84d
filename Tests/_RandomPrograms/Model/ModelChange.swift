import KVOController

/// A change in the middle: begun, and not yet at its end.
struct ModelChange {
  /// A change of a collection, for observers of the collection itself.
  struct Kind {
    var kind = NSKeyValueChange.setting
    /// Places in an array or ordered set; nil for a set.
    var indexes: [Int]?
    /// The objects that are removed from or inserted into a set.
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
  }

  struct Receiver {
    let registration: Registration
    /// Read at its turn, before the change.
    let old: Value?
    /// Whether it was called before the change: then it is after it, too.
    let isPriorSent: Bool
    /// What only observers of the collection itself receive.
    let kind: Kind?
    /// How often the registration had been led away from the property when the change began.
    let departures: Int
  }

  let number: Int
  private(set) weak var node: ModelNode?
  let key: Key
  let receivers: [Receiver]

  init(_ number: Int, node: ModelNode, key: Key, receivers: [Receiver]) {
    self.number = number
    self.node = node
    self.key = key
    self.receivers = receivers
  }
}
