import Foundation
import KVOController
import Testing
import _KVOTestSupport

/// Threads that change what a slow getter reads don't make each other read it again and again.
@Suite(.watched) @MainActor struct SlowGetterTests {
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

    /// A collection with one element for each sum.
    var results: [Leaf] {
      let sum = sum
      return [
        leaves.withLock { leaves in
          let leaf = leaves[sum] ?? Leaf(sum)
          leaves[sum] = leaf
          return leaf
        }
      ]
    }
    private let leaves = Locked<[Int: Leaf]>([:])

    override class var keyPaths: [String: AnyKeyPath] {
      ["listed": \Sums.listed, "result": \Sums.result, "results": \Sums.results]
    }
    override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
      switch key {
      case "listed", "result", "results": ["a", "b", "c", "d", "e", "f", "g", "h"]
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
  private let recorder = Recorder()
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

  /// Observes a sum on the main actor while the threads change it, and checks how often it is read.
  ///
  /// - Returns: The new values, in the order in which they came.
  private func newValues(
    of keyPath: KeyPath<Sums, Int>, options: NSKeyValueObservingOptions, mostReads: Double,
    at location: SourceLocation = #_sourceLocation
  ) async -> [Int] {
    let values = Locked<[Int]>([])
    recorder.kvoController.observe(sums, keyPath, options: options) { _, change in
      values.append(change.newValue ?? -1)
    }
    let reads = readsForEachSet(Self.count)
    #expect(reads <= mostReads, sourceLocation: location)
    while values.current.count < threads * sets { await Task.yield() }
    #expect(values.current == values.current.sorted(), sourceLocation: location)
    #expect(values.current.last == threads * sets, sourceLocation: location)
    recorder.kvoController.unobserveAll()
    return values.current
  }

  @Test func anActorsSlowGetterIsReadAtMostTwiceForAChange() async {
    let values = await newValues(of: \.listed, options: .new, mostReads: 2)
    #expect(values.count == threads * sets)
  }

  @Test func aSequencesSlowGetterIsReadAtMostTwiceForAChange() async {
    let stream = recorder.kvoController.values(of: sums, \.listed)
    let reads = readsForEachSet(Self.count)
    #expect(reads <= 2)
    recorder.kvoController.unobserveAll()
    var values: [Int] = []
    for await value in stream { values.append(value) }
    #expect(values == values.sorted())
    #expect(values.last == threads * sets)
    #expect(values.count == threads * sets + 1)
  }

  @Test func anOldValueIsReadOnceMore() async {
    _ = await newValues(of: \.listed, options: [.old, .new], mostReads: 3)
  }

  @Test func whatIsFollowedByReadingIsReadOnceMore() async {
    _ = await newValues(of: \.followed, options: .new, mostReads: 3)
  }

  @Test func aSlowStepOfAPathThatLeadsElsewhereEachTimeIsReadAFewTimesForAChange() async {
    let numbers = Locked<[Int]>([])
    recorder.kvoController.observe(sums, \.result.number, options: .new) { _, change in
      numbers.append(change.newValue ?? -1)
    }
    let reads = readsForEachSet(Self.count)
    #expect(reads <= 8)
    // A change of which another one has led the path away is notified with that one.
    while numbers.current.last != threads * sets { await Task.yield() }
    #expect(numbers.current == numbers.current.sorted())
    recorder.kvoController.unobserveAll()
  }

  /// An observer of elements, which lets them call it on any thread.
  private final class Viewer: KeyValueObject, @unchecked Sendable {
    let calls = Locked<[Int]>([])
  }

  @Test func aSlowCollectionIsReadAtMostTwiceForAChange() {
    let viewer = Viewer()
    viewer.observe(sums, elements: \.results, \.number, options: [.initial, .new], isolation: nil) { viewer, leaf, _ in
      viewer.calls.append(leaf.number)
    }
    #expect(readsForEachSet(Self.count) <= 2)
    // The element that came last was adopted last.
    let before = viewer.calls.current.count
    let results = sums.results
    results[0].number = -1
    #expect(Array(viewer.calls.current[before...]) == [-1])
    #expect(results[0].number == -1)
    viewer.kvoController.unobserveAll()
  }
}
