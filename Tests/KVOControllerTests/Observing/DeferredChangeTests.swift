import KVOController
import Testing
import _KVOTestSupport

/// What a change inside of an in-place mutation notifies doesn't read the property that is being mutated: observations that
/// would are notified when the mutation ends.
@Suite struct DeferredChangeTests {
  /// An element that changes its owner when it is released.
  private final class Item {
    private let onDeinit: () -> Void

    init(_ onDeinit: @escaping () -> Void) {
      self.onDeinit = onDeinit
    }

    deinit {
      onDeinit()
    }
  }

  private final class List: KeyValueObject, @unchecked Sendable {
    @Observed var items: [Item] = []
    @Observed var released = 0
    @Observed var others = 0
    var summary: String { "\(items.count) of \(items.count + released)" }
    var text: String { "\(items.count) items" }

    override class var keyPaths: [String: AnyKeyPath] { ["text": \List.text] }
    override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
      key == "text" ? ["items", "released"] : super.keyPathsForValuesAffectingValue(forKey: key)
    }

    func fill(_ count: Int) {
      for _ in 0..<count { items.append(Item { [weak self] in self?.released += 1 }) }
    }
  }

  private let list = List()

  init() {
    list.fill(3)
  }

  @Test func releasedElementsMayChangeWhatAComputedPropertyReads() {
    // All calls are made on this thread.
    nonisolated(unsafe) var summaries: [String?] = []
    let token = list.observe(\.summary, options: [.new, .old]) { _, change in
      #expect(change.oldValue == "3 of 3")
      summaries.append(change.newValue)
    }
    list.items.removeAll()
    #expect(summaries == ["0 of 3"])
    #expect(list.released == 3)
    token.invalidate()
  }

  @Test func releasedElementsMayChangeWhatADependentKeyDependsOn() {
    let recorder = Recorder()
    recorder.observe(list, "text", [.new, .old])
    list.items.removeAll()
    #expect(recorder.changes == [.setting(new: "0 items", old: "3 items")])
    recorder.unobserve(list, "text")
  }

  @Test func elementsCanChangeAnotherPropertyWhoseObserversAreNotifiedImmediately() {
    let recorder = Recorder()
    recorder.observe(list, "released", [.new])
    recorder.observe(list, "items", [])
    list.items.removeAll()
    #expect(recorder.changes == [.setting(new: 1), .setting(new: 2), .setting(new: 3), .setting])
    recorder.unobserve(list, "released")
    recorder.unobserve(list, "items")
  }

  @Test func aMutationOfAPropertyThatIsNotReadDefersNothing() {
    nonisolated(unsafe) var received: [Int] = []
    let token = list.observe(\.others, options: [.new]) { _, change in received.append(change.newValue ?? -1) }
    func mutate(_ items: inout [Item]) {
      list.others = 1
      list.others = 2
      #expect(received == [1, 2])
    }
    mutate(&list.items)
    #expect(received == [1, 2])
    token.invalidate()
  }

  @Test func mutationsMayBeNested() {
    let other = List()
    other.fill(2)
    let recorder = Recorder()
    recorder.observe(list, "text", [.new])
    recorder.observe(other, "text", [.new])
    func mutate(_ items: inout [Item]) {
      other.items.removeAll()
      #expect(recorder.changes == [.setting(new: "0 items")])
      list.released = 7
      #expect(recorder.changes.count == 1)
    }
    mutate(&list.items)
    #expect(recorder.changes == [.setting(new: "0 items"), .setting(new: "3 items")])
    recorder.unobserve(list, "text")
    recorder.unobserve(other, "text")
  }

  @Test func aPriorCallComesAtTheBeginningOfTheMutation() {
    let recorder = Recorder()
    recorder.observe(list, "text", [.new, .old, .prior])
    list.items.removeAll()
    #expect(recorder.changes == [.prior(old: "3 items"), .setting(new: "0 items", old: "3 items")])
    recorder.unobserve(list, "text")
  }

  @Test func theObservationMayEndMeanwhile() {
    let recorder = Recorder()
    recorder.observe(list, "text", [.new])
    func mutate(_ items: inout [Item]) {
      list.released = 7
      recorder.unobserve(list, "text")
    }
    mutate(&list.items)
    #expect(recorder.changes == [])
    #expect(list.registrationCount == 0)
  }

  /// An object whose property is on the path of another one.
  private final class Shelf: KeyValueObject, @unchecked Sendable {
    @Observed var list: List? = List()
    @Observed var factor = 1
    var total: Int { factor * (list?.items.count ?? 0) }
  }

  @Test func aPathOfAnotherObjectThatLeadsToIt() {
    let shelf = Shelf()
    shelf.list = list
    let recorder = Recorder()
    nonisolated(unsafe) var totals: [Int?] = []
    recorder.observe(shelf, "list.text", [.new])
    let token = shelf.observe(\.total, options: .new) { _, change in totals.append(change.newValue) }
    func mutate(_ items: inout [Item]) {
      shelf.factor = 10
      list.released = 1
      items.removeLast()
      #expect(totals == [] && recorder.changes == [])
    }
    mutate(&list.items)
    #expect(totals == [20])
    #expect(recorder.changes == [.setting(new: "2 items")])
    recorder.unobserve(shelf, "list.text")
    token.invalidate()
  }

  @Test func aPathThatLeavesTheObjectMeanwhile() {
    let shelf = Shelf()
    shelf.list = list
    nonisolated(unsafe) var totals: [Int?] = []
    let token = shelf.observe(\.total, options: .new) { _, change in totals.append(change.newValue) }
    let other = List()
    other.fill(5)
    func mutate(_ items: inout [Item]) {
      shelf.list = other
    }
    mutate(&list.items)
    #expect(totals == [5])
    list.items = []
    other.items = []
    #expect(totals == [5, 0])
    token.invalidate()
  }

  @Test func aPathThatIsLedAwayMeanwhileIsFollowedWhenTheMutationEnds() {
    let shelf = Shelf()
    shelf.list = list
    let other = List()
    let recorder = Recorder()
    nonisolated(unsafe) var counts: [[Int?]] = []
    recorder.observe(shelf, "list.text", [.new, .old])
    let token = shelf.observe(\.list?.items.count, options: [.new, .old]) { _, change in
      counts.append([change.oldValue ?? nil, change.newValue ?? nil])
    }
    func mutate(_ items: inout [Item]) {
      shelf.list = other
      items.removeLast()
      #expect(counts == [] && recorder.changes == [])
    }
    mutate(&list.items)
    #expect(counts == [[3, 0]])
    #expect(recorder.changes == [.setting(new: "0 items", old: "3 items")])
    list.items = []
    #expect(counts.count == 1 && recorder.changes.count == 1)
    other.fill(1)
    #expect(counts == [[3, 0], [0, 1]])
    #expect(recorder.changes.last == .setting(new: "1 items", old: "0 items"))
    recorder.unobserve(shelf, "list.text")
    token.invalidate()
  }

  @Test func pathLedAwayByAHandlerOrPriorHandlerNotifiesOnce() {
    let shelf = Shelf()
    shelf.list = list
    let recorder = Recorder()
    recorder.observe(shelf, "list.text", [.new])
    let token = list.observe(\.items, options: .prior) { [shelf] _, change in
      if change.isPrior { shelf.list = nil }
    }
    list.items.removeLast()
    #expect(recorder.changes == [.setting(new: NSNull())])
    token.invalidate()
    shelf.list = list
    let second = list.observe(\.items) { [shelf] _, _ in shelf.list = nil }
    list.items.removeLast()
    #expect(recorder.changes.dropFirst() == [.setting(new: "2 items"), .setting(new: NSNull())])
    second.invalidate()
    recorder.unobserve(shelf, "list.text")
  }

  @Test func pathLedAwayByAHandlerAfterElementsChangedWhatItReadsNotifiesOnce() {
    let shelf = Shelf()
    shelf.list = list
    let recorder = Recorder()
    recorder.observe(shelf, "list.text", [.new])
    let token = list.observe(\.items) { [shelf] _, _ in shelf.list = nil }
    // The elements are released within the mutation.
    list.items.removeAll()
    #expect(list.released == 3)
    #expect(recorder.changes == [.setting(new: NSNull())])
    token.invalidate()
    recorder.unobserve(shelf, "list.text")
  }
}
