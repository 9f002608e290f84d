import Foundation
import KVOController
import Testing
import _KVOTestSupport

/// Threads that change what a slow getter reads don't make each other read it again and again.
@Suite(.watched, .timeLimit(.minutes(10))) @MainActor struct SlowGetterTests {
  /// A model with a getter that takes a millisecond. Each thread sets a property of its own.
  private final class Sums: KeyValueObject, @unchecked Sendable {
    @Observed var a = 0
    @Observed var b = 0
    @Observed var c = 0
    @Observed var d = 0
    @Observed var e = 0
    @Observed var f = 0
    @Observed var g = 0
    @Observed var h = 0
    let reads = Locked(0)

    static var counters: [ReferenceWritableKeyPath<Sums, Int>] { [\.a, \.b, \.c, \.d, \.e, \.f, \.g, \.h] }

    private var sum: Int {
      reads.add()
      // Longer than a change otherwise takes, so that all threads make theirs meanwhile.
      Thread.sleep(forTimeInterval: 0.001)
      return Self.counters.reduce(0) { $0 + self[keyPath: $1] }
    }

    /// Listed, with the keys that affect it.
    var listed: Int { sum }
    /// Followed by reading.
    var followed: Int { sum }
    /// A step of a path, which leads to another object each time.
    var result: Leaf { Leaf(sum) }

    override class var keyPaths: [String: AnyKeyPath] { ["listed": \Sums.listed, "result": \Sums.result] }
    override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
      switch key {
      case "listed", "result": ["a", "b", "c", "d", "e", "f", "g", "h"]
      default: super.keyPathsForValuesAffectingValue(forKey: key)
      }
    }
  }

  private final class Leaf: KeyValueObject, @unchecked Sendable {
    @Observed var number = 0

    init(_ number: Int) {
      self.number = number
      super.init()
    }
  }

  private let sums = Sums()
  private let watcher = Watcher()
  private let threads = 8
  private let sets = 25

  /// Counts the reads while eight threads make changes.
  ///
  /// - Returns: The number of reads for each change.
  private func readsForEachSet(_ set: @escaping @Sendable (Sums, Int, Int) -> Void) -> Double {
    let (sums, sets) = (sums, sets)
    sums.reads.withLock { $0 = 0 }
    onThreads(threads) { thread in
      for number in 1...sets { set(sums, thread, number) }
    }
    return Double(sums.reads.current) / Double(threads * sets)
  }

  private nonisolated static func count(_ sums: Sums, _ thread: Int, _ number: Int) {
    sums[keyPath: Sums.counters[thread]] = number
  }

  @Test func anActorsSlowGetterIsReadAtMostTwiceForAChange() async {
    let values = Locked<[Int]>([])
    watcher.kvoController.observe(sums, \.listed, options: .new) { _, change in
      values.withLock { $0.append(change.newValue ?? -1) }
    }
    let reads = readsForEachSet(Self.count)
    #expect(reads <= 2)
    while values.current.count < threads * sets { await Task.yield() }
    #expect(values.current == values.current.sorted())
    #expect(values.current.last == threads * sets)
    #expect(values.current.count == threads * sets)
    watcher.kvoController.unobserveAll()
  }

  @Test func aSequencesSlowGetterIsReadAtMostTwiceForAChange() async {
    let stream = watcher.kvoController.values(of: sums, \.listed)
    let reads = readsForEachSet(Self.count)
    #expect(reads <= 2)
    watcher.kvoController.unobserveAll()
    var values: [Int] = []
    for await value in stream { values.append(value) }
    #expect(values == values.sorted())
    #expect(values.last == threads * sets)
    #expect(values.count == threads * sets + 1)
  }

  @Test func anOldValueIsReadOnceMore() async {
    let values = Locked<[Int]>([])
    watcher.kvoController.observe(sums, \.listed) { _, change in
      values.withLock { $0.append(change.newValue ?? -1) }
    }
    let reads = readsForEachSet(Self.count)
    #expect(reads <= 3)
    while values.current.count < threads * sets { await Task.yield() }
    #expect(values.current == values.current.sorted())
    #expect(values.current.last == threads * sets)
    watcher.kvoController.unobserveAll()
  }

  @Test func whatIsFollowedByReadingIsReadOnceMore() async {
    let values = Locked<[Int]>([])
    watcher.kvoController.observe(sums, \.followed, options: .new) { _, change in
      values.withLock { $0.append(change.newValue ?? -1) }
    }
    let reads = readsForEachSet(Self.count)
    #expect(reads <= 3)
    while values.current.count < threads * sets { await Task.yield() }
    #expect(values.current == values.current.sorted())
    #expect(values.current.last == threads * sets)
    watcher.kvoController.unobserveAll()
  }

  @Test func aSlowStepOfAPathThatLeadsElsewhereEachTimeIsReadAFewTimesForAChange() async {
    let numbers = Locked<[Int]>([])
    watcher.kvoController.observe(sums, \.result.number, options: .new) { _, change in
      numbers.withLock { $0.append(change.newValue ?? -1) }
    }
    let reads = readsForEachSet(Self.count)
    #expect(reads <= 8)
    while numbers.current.count < threads * sets { await Task.yield() }
    #expect(numbers.current == numbers.current.sorted())
    #expect(numbers.current.last == threads * sets)
    watcher.kvoController.unobserveAll()
  }
}
