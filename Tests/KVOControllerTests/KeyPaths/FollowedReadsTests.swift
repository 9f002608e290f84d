import Foundation
import KVOController
import Testing
import _KVOTestSupport

/// Following a computed property touches what its getter reads, and nothing else of the user's memory.
@Suite struct FollowedReadsTests {
  private final class Leaf: KeyValueObject, @unchecked Sendable {
    @Observed var number = 1
  }

  // MARK: What the getter doesn't read

  private final class Table: KeyValueObject, @unchecked Sendable {
    struct Cell {
      var leaf = Leaf()

      mutating func run(_ body: () -> Void) {
        leaf = Leaf()
        body()
      }
    }

    @Observed var name = "x"
    @Observed var seed = 1
    var cells = ["a": Cell(), "b": Cell()]
    var next: Int { seed + 1 }
  }

  @Test func aPlainPropertyMayBeMutatedMeanwhile() {
    let table = Table()
    // All calls are made on this thread.
    nonisolated(unsafe) var counts: [Int?] = []
    let token = table.observe(\.name.count, options: .new) { _, change in counts.append(change.newValue) }
    table.cells["a"]?.run { table.name += "y" }
    for round in 0..<100 { table.cells["new \(round)", default: Table.Cell()].run { table.name += "y" } }
    #expect(counts == (2...102).map { $0 })
    token.invalidate()
  }

  private final class Library: KeyValueObject, @unchecked Sendable {
    @Observed var title = "a"
    var shout: String { title.uppercased() }
    /// Guarded by the lock, which a getter of the class never takes.
    private var cache: [Int: Leaf] = [:]
    private let lock = NSLock()

    func fill(_ number: Int) {
      lock.withLock {
        if cache.count > 100 { cache = [:] }
        cache[number] = Leaf()
      }
    }
  }

  @Test func aCacheBehindALockIsNotRead() {
    let library = Library()
    let rounds = isSanitized ? 500 : 5000
    onThreads(3) { thread in
      for round in 0..<rounds {
        guard thread == 0 else {
          library.fill(round)
          continue
        }
        let token = library.observe(\.shout, options: [.initial, .new]) { _, _ in }
        library.title = "\(round)"
        token.invalidate()
      }
    }
    #expect(library.registrationCount == 0)
  }

  private indirect enum Deep {
    case end(Leaf)
    case more(Deep)

    var leaf: Leaf {
      var deep = self
      while case .more(let next) = deep { deep = next }
      guard case .end(let leaf) = deep else { fatalError("A chain ends in a leaf.") }
      return leaf
    }
  }

  private final class Holder: KeyValueObject, @unchecked Sendable {
    @Observed var deep = Deep.end(Leaf())
    @Observed var endless: Repeated<Leaf>?
    var deepNumber: Int { deep.leaf.number }
    var endlessNumber: Int { endless?.first?.number ?? 0 }
  }

  @Test func deepValuesAreNotSearched() {
    let (holder, leaf) = (Holder(), Leaf())
    holder.deep = (0..<10_000).reduce(Deep.end(leaf)) { deep, _ in .more(deep) }
    nonisolated(unsafe) var numbers: [Int?] = []
    let token = holder.observe(\.deepNumber, options: .new) { _, change in numbers.append(change.newValue) }
    leaf.number = 2
    #expect(numbers == [2])
    token.invalidate()
    // Released level by level, because the compiler's own release is recursive.
    while case .more(let next) = holder.deep { holder.deep = next }
  }

  @Test func hugeCollectionsAreNotIterated() {
    let (holder, leaf) = (Holder(), Leaf())
    holder.endless = repeatElement(leaf, count: 1 << 40)
    nonisolated(unsafe) var numbers: [Int?] = []
    let token = holder.observe(\.endlessNumber, options: .new) { _, change in numbers.append(change.newValue) }
    leaf.number = 2
    #expect(numbers == [2])
    token.invalidate()
  }

  // MARK: Wherever the objects are

  private struct Pile: Collection {
    var leaves: [Leaf]
    var startIndex: Int { 0 }
    var endIndex: Int { leaves.count }
    subscript(index: Int) -> Leaf { leaves[index] }
    func index(after index: Int) -> Int { index + 1 }
  }

  nonisolated(unsafe) private static var global = Leaf()

  private final class Model: KeyValueObject, @unchecked Sendable {
    @Observed var pile = Pile(leaves: [])
    lazy var made = Leaf()
    weak var weak: Leaf?
    var closure: () -> Leaf? = { nil }
    var pileSum: Int { pile.reduce(0) { $0 + $1.number } }
    var madeNumber: Int { made.number }
    var weakNumber: Int { weak?.number ?? -1 }
    var globalNumber: Int { global.number }
    var closureNumber: Int { closure()?.number ?? -1 }
  }

  private let model = Model()

  /// The new values of a computed property after changes of a leaf that it reads.
  private func values(_ keyPath: KeyPath<Model, Int>, _ leaf: Leaf) -> [Int?] {
    nonisolated(unsafe) var received: [Int?] = []
    let token = model.observe(keyPath, options: .new) { _, change in received.append(change.newValue) }
    leaf.number = 2
    leaf.number = 3
    token.invalidate()
    leaf.number = 4
    return received
  }

  @Test func aCollectionOfTheUsers() {
    let leaf = Leaf()
    model.pile.leaves = [Leaf(), leaf]
    #expect(values(\.pileSum, leaf) == [3, 4])
  }

  @Test func aLazyProperty() {
    #expect(values(\.madeNumber, model.made) == [2, 3])
    let other = Model()
    nonisolated(unsafe) var received: [Int?] = []
    let token = other.observe(\.madeNumber, options: .new) { _, change in received.append(change.newValue) }
    other.made.number = 7
    #expect(received == [7])
    token.invalidate()
  }

  @Test func aWeakProperty() {
    let leaf = Leaf()
    model.weak = leaf
    #expect(values(\.weakNumber, leaf) == [2, 3])
  }

  @Test func aGlobal() {
    #expect(values(\.globalNumber, Self.global) == [2, 3])
  }

  @Test func aClosure() {
    let leaf = Leaf()
    model.closure = { leaf }
    #expect(values(\.closureNumber, leaf) == [2, 3])
  }

  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  private final class Inline: KeyValueObject, @unchecked Sendable {
    @Observed var leaves: [2 of Leaf] = [Leaf(), Leaf()]
    var sum: Int { leaves[0].number + leaves[1].number }
  }

  @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
  @Test func anInlineArray() {
    let inline = Inline()
    nonisolated(unsafe) var sums: [Int?] = []
    let token = inline.observe(\.sum, options: .new) { _, change in sums.append(change.newValue) }
    inline.leaves[1].number = 5
    inline.leaves = [Leaf(), Leaf()]
    #expect(sums.first == 6 && sums.last == 2)
    token.invalidate()
  }

  // MARK: Getters with side effects

  private final class Cached: KeyValueObject, @unchecked Sendable {
    @Observed var source = Leaf()
    @Observed var child: Leaf?
    @Observed var fills = 0

    /// Replaces a cached child, the last reference to which may be this one.
    var fresh: Int {
      child = Leaf()
      return source.number + (child?.number ?? 0)
    }

    var counted: Int {
      fills += 1
      return source.number
    }
  }

  @Test func aGetterMayReplaceWhatItReads() {
    let cached = Cached()
    nonisolated(unsafe) var received: [Int?] = []
    let token = cached.observe(\.fresh, options: .new) { _, change in received.append(change.newValue) }
    cached.source.number = 2
    cached.child?.number = 9
    #expect(received.prefix(1) == [3])
    #expect(received.count <= 3)
    token.invalidate()
  }

  @Test func aGetterThatChangesWhatItReadsDoesNotRecur() {
    let cached = Cached()
    nonisolated(unsafe) var received: [Int?] = []
    let token = cached.observe(\.counted, options: .new) { _, change in received.append(change.newValue) }
    cached.source.number = 2
    #expect(received == [2])
    token.invalidate()
  }

  // MARK: A path that is replaced while it is first observed

  /// A class of its own for each type, so that nothing of it was observed before.
  private final class Root<Unused>: KeyValueObject, @unchecked Sendable {
    final class Plain: KeyValueObject, @unchecked Sendable {
      @Observed var y = 0
    }

    @Observed var leaf: Plain? = Plain()
  }

  private func observeWhileReplaced<Unused>(_ type: Unused.Type, _ depth: Int) {
    let root = Root<Unused>()
    let recorder = Recorder()
    recorder.observe(root, "leaf", [])
    let leaves = (0..<100).map { $0.isMultiple(of: 3) ? nil : Root<Unused>.Plain() }
    onThreads(2) { thread in
      if thread == 0 {
        for leaf in leaves { root.leaf = leaf }
      } else {
        for _ in 0..<3 { root.observe(\.leaf?.y, options: [.initial, .new]) { _, _ in }.invalidate() }
      }
    }
    recorder.unobserve(root, "leaf")
    #expect(root.registrationCount == 0)
    if depth > 0 { observeWhileReplaced([Unused].self, depth - 1) }
  }

  @Test func aPathMayBeReplacedWhileItIsFirstObserved() {
    observeWhileReplaced(Int.self, 60)
  }
}
