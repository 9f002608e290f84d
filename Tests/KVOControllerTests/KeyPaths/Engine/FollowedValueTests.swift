#if !canImport(ObjectiveC)
import KVOController
import _KVOTestSupport
import Testing

/// The dependencies of a computed property that isn't declared, wherever the objects are that it reads.
@Suite struct FollowedValueTests {
  final class Leaf: KeyValueObject, @unchecked Sendable {
    @Observed var number = 1
  }

  struct Pair {
    var first: Leaf?
    var text = ""
  }

  enum Choice {
    case none
    case one(Leaf)
    indirect case many(Choice, Leaf)
  }

  class Base: KeyValueObject, @unchecked Sendable {
    let constant = Leaf()
  }

  final class Tree: Base, @unchecked Sendable {
    @Observed var table: [String: Leaf] = [:]
    @Observed var pair = Pair()
    @Observed var tuple: (Leaf?, Int) = (nil, 0)
    @Observed var choice = Choice.none
    @Observed var nested: [[Leaf?]]? = nil
    @Observed var any: Any? = nil
    @Observed var result: Result<Leaf, CancellationError> = .failure(CancellationError())
    @Observed var leaves: Set<Leaf> = []
    @Observed var foundation = NSArray()
    @Observed var own: Tree?
    var plain = Leaf()
    lazy var made = Leaf()
    var boxes: [Int: (leaf: Leaf, weight: Double)] = [:]

    var tableSum: Int { table.values.reduce(0) { $0 + $1.number } }
    var pairNumber: Int { pair.first?.number ?? 0 }
    var tupleNumber: Int { tuple.0?.number ?? 0 }
    var choiceNumber: Int {
      switch choice {
      case .none: 0
      case .one(let leaf): leaf.number
      case .many(.one(let other), let leaf): other.number + leaf.number
      case .many(_, let leaf): leaf.number
      }
    }
    var nestedSum: Int { (nested ?? []).joined().reduce(0) { $0 + ($1?.number ?? 0) } }
    var anyNumber: Int { (any as? [Leaf])?.first?.number ?? (any as? Pair)?.first?.number ?? 0 }
    var resultNumber: Int { (try? result.get())?.number ?? 0 }
    var setSum: Int { leaves.reduce(0) { $0 + $1.number } }
    var foundationNumber: Int { (foundation.firstObject as? Leaf)?.number ?? 0 }
    var plainSum: Int {
      plain.number + constant.number + made.number + (boxes[1]?.leaf.number ?? 0) + (own?.plainSum ?? 0)
    }
  }

  let tree = Tree()
  let leaf = Leaf()
  let other = Leaf()

  /// The new values after each of some steps.
  private func values(_ keyPath: KeyPath<Tree, Int>, _ steps: (() -> Void)...) -> [Int?] {
    // All calls are made on this thread.
    nonisolated(unsafe) var received: [Int?] = []
    let token = tree.observe(keyPath, options: .new) { _, change in received.append(change.newValue) }
    for step in steps { step() }
    token.invalidate()
    return received
  }

  @Test func dictionaries() {
    #expect(values(\.tableSum, { tree.table["a"] = leaf }, { leaf.number = 5 }) == [1, 5])
  }

  @Test func structsAndTuples() {
    #expect(values(\.pairNumber, { tree.pair.first = leaf }, { leaf.number = 5 }) == [1, 5])
    #expect(values(\.tupleNumber, { tree.tuple.0 = leaf }, { leaf.number = 6 }) == [5, 6])
  }

  @Test func enums() {
    let steps = values(
      \.choiceNumber, { tree.choice = .one(leaf) }, { leaf.number = 5 }, { tree.choice = .many(.one(leaf), other) },
      { leaf.number = 6 }, { other.number = 2 })
    #expect(steps == [1, 5, 6, 7, 8])
    leaf.number = 1
    #expect(values(\.resultNumber, { tree.result = .success(leaf) }, { leaf.number = 5 }) == [1, 5])
  }

  @Test func nestedCollectionsAndAny() {
    #expect(values(\.nestedSum, { tree.nested = [[leaf, nil], [other]] }, { other.number = 5 }) == [2, 6])
    #expect(values(\.anyNumber, { tree.any = [leaf] }, { leaf.number = 5 }) == [1, 5])
    #expect(values(\.anyNumber, { tree.any = Pair(first: leaf) }, { leaf.number = 7 }) == [5, 7])
    #expect(values(\.setSum, { tree.leaves = [leaf] }, { leaf.number = 8 }) == [7, 8])
    #expect(values(\.foundationNumber, { tree.foundation = [leaf] }, { leaf.number = 9 }) == [8, 9])
  }

  @Test func storedProperties() {
    tree.own = Tree()
    tree.boxes[1] = (leaf, 1)
    let steps = values(
      \.plainSum, { tree.plain.number = 2 }, { tree.constant.number = 2 }, { leaf.number = 2 },
      { tree.own?.plain.number = 2 })
    #expect(steps == [8, 9, 10, 11])
  }

  @Test func longChainsOfStoredProperties() {
    final class Chain: KeyValueObject, @unchecked Sendable {
      @Observed var number = 0
      let next: Chain?
      init(_ next: Chain?) { self.next = next }
      var last: Int {
        var chain = self
        while let next = chain.next { chain = next }
        return chain.number
      }
    }
    let end = Chain(nil)
    let start = (0..<500).reduce(end) { chain, _ in Chain(chain) }
    nonisolated(unsafe) var received: [Int?] = []
    let token = start.observe(\.last, options: .new) { _, change in received.append(change.newValue) }
    end.number = 3
    #expect(received == [3])
    token.invalidate()
    withExtendedLifetime(start) {}
  }

  // MARK: Getters that change something

  final class Cached: KeyValueObject, @unchecked Sendable {
    @Observed var items = [1, 2]
    @Observed var cache: Int?
    var total: Int {
      if let cache { return cache }
      let sum = items.reduce(0, +)
      cache = sum
      return sum
    }
  }

  @Test func aGetterMayFillACache() {
    let cached = Cached()
    nonisolated(unsafe) var received: [Int?] = []
    let token = cached.observe(\.total, options: [.old, .new]) { _, change in received.append(change.newValue) }
    cached.cache = nil
    #expect(received.last == 3)
    cached.items = [5]
    cached.cache = nil
    #expect(received.last == 5)
    token.invalidate()
  }

  @Test func othersAreNotifiedOfTheCache() {
    let cached = Cached()
    let recorder = Recorder()
    recorder.observe(cached, "cache")
    let token = cached.observe(\.total, options: .new) { _, _ in }
    #expect(recorder.take() == [.setting(new: 3, old: null)])
    token.invalidate()
  }

  @Test func aGetterMayFillADeclaredCache() {
    final class Declared: KeyValueObject, @unchecked Sendable {
      @Observed var items = [1, 2]
      @Observed var cache: Int?
      var total: Int {
        cache = items.reduce(0, +)
        return cache ?? 0
      }
      override class var keyPaths: [String: AnyKeyPath] { ["total": \Declared.total] }
      override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
        key == "total" ? ["items", "cache"] : []
      }
    }
    let declared = Declared()
    let recorder = Recorder()
    recorder.observe(declared, "total")
    declared.items = [5]
    #expect(recorder.take().last == .setting(new: 5, old: 3))
  }

  // MARK: Many objects

  final class Node: KeyValueObject, @unchecked Sendable {
    @Observed var value = 1
    @Observed var children: [Node] = []
    var sum: Int { children.reduce(value) { $0 + $1.sum } }
  }

  @Test func aRecursiveSumFollowsTheWholeTree() {
    func tree(_ depth: Int) -> Node {
      let node = Node()
      if depth > 0 { node.children = [tree(depth - 1), tree(depth - 1)] }
      return node
    }
    let root = tree(9)
    nonisolated(unsafe) var received: [Int?] = []
    let token = root.observe(\.sum, options: .new) { _, change in received.append(change.newValue) }
    root.children[0].children[1].children[0].value = 2
    #expect(received == [1024])
    let removed = root.children.removeLast()
    removed.value = 9
    #expect(received == [1024, 513])
    root.children[0].value = 2
    #expect(received == [1024, 513, 514])
    token.invalidate()
    #expect(root.observationInfo == nil && root.children[0].children[0].observationInfo == nil)
  }
}
#endif
