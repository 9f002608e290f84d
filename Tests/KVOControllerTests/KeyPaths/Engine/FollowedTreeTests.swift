#if !canImport(ObjectiveC)
import KVOController
import Testing
import _RandomPrograms

/// A computed property that depends on all nodes of a tree, while nodes are added, removed, moved, and changed.
@Suite struct FollowedTreeTests {
  private final class Node: KeyValueObject, @unchecked Sendable {
    @Observed var number = 1
    @Observed var children: [Node] = []
    var sum: Int { children.reduce(number) { $0 + $1.sum } }

    var all: [Node] { children.reduce([self]) { $0 + $1.all } }

    static func tree(depth: Int) -> Node {
      let node = Node()
      if depth > 0 { node.children = (0..<3).map { _ in tree(depth: depth - 1) } }
      return node
    }
  }

  private let root = Node.tree(depth: 3)

  /// The values of each call that `change` leads to.
  private func calls(_ options: NSKeyValueObservingOptions = [.old, .new], _ change: () -> Void) -> [[Int?]] {
    // All calls are made on this thread.
    nonisolated(unsafe) var calls: [[Int?]] = []
    let token = root.observe(\.sum, options: options) { _, change in calls.append([change.oldValue, change.newValue]) }
    change()
    token.invalidate()
    return calls
  }

  @Test(arguments: 0..<6) func everyChangeOfTheTreeNotifiesAndNoOther(seed: UInt64) {
    var numbers = RandomNumbers(seed: seed)
    var detached: [Node] = []
    nonisolated(unsafe) var latest: Int?
    nonisolated(unsafe) var count = 0
    let token = root.observe(\.sum, options: [.new]) { _, change in
      latest = change.newValue
      count += 1
    }
    for _ in 0..<60 {
      let node = root.all.randomElement(using: &numbers)!
      switch Int.random(in: 0..<8, using: &numbers) {
      case 0: node.children.append(detached.popLast() ?? Node.tree(depth: 1))
      case 1: node.children.insert(detached.popLast() ?? Node.tree(depth: 2), at: 0)
      case 2: node.children.reverse()
      case 3: node.children.shuffle(using: &numbers)
      case 4: if !node.children.isEmpty { detached.append(node.children.removeFirst()) } else { node.number += 1 }
      case 5: if !node.children.isEmpty { detached.append(node.children.removeLast()) } else { node.number += 1 }
      case 6:
        // Several changes at once, in different places.
        node.children = node.children.filter { _ in Bool.random(using: &numbers) } + [Node(), Node.tree(depth: 1)]
      default: node.number += 1
      }
      #expect(count == 1)
      #expect(latest == root.sum)
      count = 0
      for other in root.all.shuffled(using: &numbers).prefix(4) { other.number += 1 }
      #expect(count == min(4, root.all.count))
      #expect(latest == root.sum)
      count = 0
      for other in detached.flatMap(\.all).prefix(20) { other.number += 1 }
      detached.randomElement(using: &numbers)?.children.append(Node())
      #expect(count == 0)
      if root.all.count > 60 {
        root.children.removeLast()
        count = 0
      }
    }
    token.invalidate()
    root.number += 1
    #expect(count == 0)
  }

  @Test func anObjectThatIsMetTwiceIsFollowedUntilItIsMetNoMore() {
    let shared = Node()
    root.children[0].children.append(shared)
    root.children[2].children.insert(shared, at: 0)
    let received = calls {
      shared.number += 1
      root.children[0].children.removeLast()
      shared.number += 1
      root.children[2].children.removeFirst()
      shared.number += 1
    }
    #expect(received == [[42, 44], [44, 42], [42, 43], [43, 40]])
  }

  @Test func replacedTreeNoLongerNotifies() {
    let former = root.children
    let received = calls(.new) {
      root.children = [Node.tree(depth: 2)]
      former[0].children[0].number += 1
      root.children[0].children[2].number += 1
      root.children = former
      former[2].children[1].number += 1
    }
    #expect(received == [[nil, 14], [nil, 15], [nil, 41], [nil, 42]])
  }
}
#endif
