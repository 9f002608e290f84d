#if canImport(Observation)
import KVOController
import _KVOTestSupport
import Observation
import Testing

/// Trackings in large numbers, of many objects and classes, and on several threads.
@Suite(.watched) struct ManyTrackingsTests {
  let document = Document()
  let tracking = Tracking()

  @Test(arguments: [1, 2, 31, 32, 33, 64, 500]) func aReadIsTrackedHoweverManyTrackingsWait(count: Int) {
    let waiting = (0..<count).map { _ in Tracking() }
    for other in waiting {
      other.track { document.title }
      // Reads without tracking, which must not matter.
      _ = (document.pages, document.words, document.pages)
    }
    tracking.track { document.pages }
    _ = (document.words, document.title)
    document.words = []
    #expect(tracking.count == 0)
    document.pages = 1
    #expect(tracking.count == 1)
    #expect(waiting.allSatisfy { $0.count == 0 })
    document.title = "a"
    #expect(waiting.allSatisfy { $0.count == 1 })
    #expect(tracking.count == 1)
  }

  @Test func aTrackingMayReadManyObjects() {
    let documents = (0..<10_000).map { _ in Document() }
    tracking.track { documents.reduce(0) { $0 + $1.pages } }
    documents[5_000].title = "a"
    #expect(tracking.count == 0)
    documents[9_999].pages = 1
    #expect(tracking.count == 1)
  }

  @Test func manyTrackingsMayReadAnObject() {
    let trackings = (0..<10_000).map { _ in Tracking() }
    for tracking in trackings { tracking.track { document.pages } }
    document.pages = 1
    #expect(trackings.allSatisfy { $0.count == 1 })
    document.pages = 2
    #expect(trackings.allSatisfy { $0.count == 1 })
  }

  @Test func aTrackingMayBeginManyOthers() {
    let inner = Tracking()
    tracking.track {
      for _ in 0..<200 {
        inner.track { document.words }
        _ = document.title
      }
    }
    document.words = ["a"]
    #expect(inner.count == 200)
    #expect(tracking.count == 1)
  }

  /// More classes than are remembered, of which every second one conforms, and each has its own answer.
  @Test func eachOfManyClassesIsTrackedIfItConforms() {
    func check<Value>(_ value: Value, depth: Int) {
      for _ in 0..<2 {
        let tracked = Tracking()
        let untracked = Tracking()
        let (holder, box) = (Holder(value), Box(value))
        tracked.track { _ = holder.value }
        untracked.track { _ = box.value }
        holder.value = value
        box.value = value
        #expect(tracked.count == 1)
        #expect(untracked.count == 0)
      }
      guard depth > 0 else { return }
      check([value], depth: depth - 1)
      check(Optional(value), depth: depth - 1)
    }
    check(0, depth: 7)
  }

  @Test func aConformanceMayDependOnTheTypeOfValues() {
    let (numbers, closures) = (Cabinet(1), Cabinet { 1 })
    tracking.track { numbers.value }
    numbers.value = 2
    #expect(tracking.count == 1)
    tracking.track { _ = closures.value }
    closures.value = { 2 }
    #expect(tracking.count == 1)
  }

  // MARK: Threads

  @Test func readsAreTrackedWhileOtherThreadsReadUntracked() {
    let (document, tracking) = (document, tracking)
    let rounds = isSanitized ? 100 : 500
    onThreads(4) { number in
      for _ in 0..<rounds {
        if number % 2 == 0 {
          _ = (document.title, document.pages)
        } else {
          tracking.track { document.pages }
        }
      }
    }
    document.title = "a"
    #expect(tracking.count == 0)
    document.pages = 1
    #expect(tracking.count == 2 * rounds)
  }

  @Test func trackingsOnSeveralThreadsNotifyOnceEach() {
    let documents = (0..<4).map { _ in Document() }
    let tracking = tracking
    let rounds = isSanitized ? 100 : 500
    onThreads(4) { number in
      for round in 0..<rounds {
        let document = documents[(number + round) % documents.count]
        tracking.track { (document.title, document.pages, document.value(forKey: "summary")) }
        _ = document.words
      }
    }
    for document in documents { document.pages = 1 }
    #expect(tracking.count == 4 * rounds)
  }
}

/// A generic model that is Observable for some values.
private final class Cabinet<Value>: KeyValueObject {
  @Observed var value: Value

  init(_ value: Value) { self.value = value }
}

extension Cabinet: Observable where Value: Equatable {}
#endif
