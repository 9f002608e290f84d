import KVOController

extension Case {
  /// Key paths with arguments, which have no names: each of them is a new one.
  static var indexedKeyPaths: [Case] {
    growing("observe key paths with arguments", prepare: { Indexed($0) }) { $0.observe() }
      + growing("end key paths with arguments", prepare: { Indexed($0, isObserving: true) }) { $0.unobserve() }
      + growing("observe and end key paths through nil", prepare: { Indexed($0) }) {
        $0.observeThroughNil()
        $0.unobserveThroughNil()
      }
      + growing(
        "observe and end a key alongside key paths through nil",
        prepare: {
          let indexed = Indexed($0)
          indexed.observeThroughNil()
          return indexed
        }
      ) {
        $0.observeAndEndRows()
      }
      + growing("observe key paths in one call", prepare: { Indexed($0) }) { $0.observeNames() }
  }

  /// A computed property that reads all nodes of a tree, for each node.
  static var trees: [Case] {
    let (few, many) = (9, 12)
    func name(_ what: String, _ depth: Int) -> String { "\(what), \(Branch.count(depth).grouped) nodes" }
    func reading(_ depth: Int, _ comparisons: [Comparison]) -> Case {
      Case(name("read a tree", depth), comparisons) {
        let root = Branch(depth: depth)
        return Trial(
          Loop(keeping: root) { for _ in 0..<$0 { use(root.sum); barrier() } }, operations: Branch.count(depth))
      }
    }
    func changing(
      _ what: String, _ depth: Int, _ comparisons: [Comparison], _ change: @escaping (Branch) -> Void
    ) -> Case {
      Case(name(what, depth), comparisons) {
        let root = Branch(depth: depth), watcher = Watcher(), leaf = root.leaf
        watcher.kvoController.observe(root, \.sum, options: []) { _, _ in watcher.take(1) }
        return Trial(
          Loop(keeping: root, telling: watcher) { for _ in 0..<$0 { change(leaf); barrier() } },
          operations: Branch.count(depth))
      }
    }
    return [few, many].flatMap { depth in
      let read = Comparison.beside(name("read a tree", depth))
      func grown(_ what: String) -> [Comparison] {
        depth == few ? [] : [.beside(name(what, few), atMost: 3)]
      }
      return [
        reading(depth, []),
        changing("change a node", depth, [read] + grown("change a node")) { $0.number += 1 },
        changing("add or remove a node", depth, [read] + grown("add or remove a node")) { $0.addOrRemove() },
      ]
    }
  }
}

extension Case {
  /// A computed property of an object that holds many others, which it doesn't read.
  static var holders: [Case] {
    let (few, many) = (100, 100_000)
    func name(_ count: Int) -> String { "change a node of an object that holds others, \(count.grouped)" }
    func changing(_ count: Int, _ comparisons: Comparison...) -> Case {
      Case(name(count), comparisons) {
        let holder = Holder(count), watcher = Watcher()
        watcher.kvoController.observe(holder, \.first, options: []) { _, _ in watcher.take(1) }
        return Trial(
          Loop(keeping: holder, telling: watcher) { for value in 0..<$0 { holder.node.number = value; barrier() } })
      }
    }
    return [changing(few), changing(many, .beside(name(few), atMost: 1.5))]
  }
}

/// An object with many others, of which a computed property reads one.
private final class Holder: KeyValueObject {
  @Observed var node = Node()
  @Observed var others: [Node]
  let unobserved: [Node]

  /// Depends on the node, without declaring it.
  var first: Int { node.number }

  init(_ count: Int) {
    others = (0..<count / 2).map { _ in Node() }
    unobserved = (0..<count / 2).map { _ in Node() }
    super.init()
  }
}

/// One object that one controller observes by many key paths with arguments.
private final class Indexed {
  // Cases are prepared on one thread.
  nonisolated(unsafe) private static var next = 0

  private final class Table: KeyValueObject {
    @Observed var rows = [0]
    @Observed var next: Table?
    subscript(row: Int) -> Int { rows[row % rows.count] }
  }

  private let table = Table()
  private let watcher = Watcher()
  private let controller: KVOController
  private let first: Int
  private let count: Int

  init(_ count: Int, isObserving: Bool = false) {
    (first, self.count) = (Self.next, count)
    Self.next += count
    controller = watcher.kvoController
    if isObserving { observe() }
  }

  func observe() {
    for row in first..<first + count { controller.observe(table, \.[row]) { _, _ in } }
  }

  func unobserve() {
    for row in first..<first + count { controller.unobserve(table, \.[row]) }
  }

  /// The keys of these paths may become known later.
  func observeThroughNil() {
    for row in first..<first + count { controller.observe(table, \.next?[row]) { _, _ in } }
  }

  func observeAndEndRows() {
    for row in 0..<count { controller.observe(table, \.rows, identifier: row) { _, _ in } }
    for row in 0..<count { controller.unobserve(table, \.rows, identifier: row) }
  }

  func observeNames() {
    let names = (0..<count).map { "row\($0)" }
    controller.observe(table, keyPaths: names, options: []) { _, _, _ in }
  }

  func unobserveThroughNil() {
    for row in first..<first + count { controller.unobserve(table, \.next?[row]) }
  }
}

/// A node of a binary tree.
private final class Branch: KeyValueObject {
  @Observed var number = 1
  @Observed var children: [Branch] = []
  private lazy var spare = Branch(depth: 0)

  /// Depends on all nodes, without declaring it.
  var sum: Int { children.reduce(number) { $0 + $1.sum } }

  init(depth: Int) {
    super.init()
    if depth > 0 { children = [Branch(depth: depth - 1), Branch(depth: depth - 1)] }
  }

  static func count(_ depth: Int) -> Int { (2 << depth) - 1 }

  /// The first leaf.
  var leaf: Branch { children.first?.leaf ?? self }

  func addOrRemove() {
    children = children.isEmpty ? [spare] : []
  }
}
