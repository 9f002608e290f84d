import KVOController

/// One on a key path.
final class Node: KeyValueObject {
  @Observed var next: Node?
  @Observed var number = 0

  /// Makes the first of so many nodes.
  convenience init(depth: Int) {
    self.init()
    if depth > 1 { next = Node(depth: depth - 1) }
  }

  var leaf: Node { next?.leaf ?? self }
}
