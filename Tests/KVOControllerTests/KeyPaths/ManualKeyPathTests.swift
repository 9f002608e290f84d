import KVOController
import Testing
import _KVOTestSupport

/// Pairs of manual calls that name their key by a key path.
@Suite struct ManualKeyPathTests {
  final class Store: KeyValueObject, @unchecked Sendable {
    @Observed var amount = 0
    @Observed var items: [String] = []
    @Observed var marks: Set<String> = []

    override class func automaticallyNotifiesObservers(forKey key: String) -> Bool { false }
  }

  final class Branch: KeyValueObject, @unchecked Sendable {
    var size = 0

    override class var keyPaths: [String: AnyKeyPath] { ["size": \Branch.size] }
  }

  let store = Store()
  let recorder = Recorder()

  @Test func aPairSendsOneChange() {
    recorder.observe(store, "amount")
    store.amount = 1
    #expect(recorder.take() == [])
    store.willChangeValue(for: \.amount)
    store.amount = 2
    store.didChangeValue(for: \.amount)
    #expect(recorder.take() == [.setting(new: 2, old: 1)])
  }

  @Test func aPairForAnArrayHasKindAndIndexes() {
    // All calls are made on this thread.
    nonisolated(unsafe) var changes: [NSKeyValueObservedChange<[String]>] = []
    let token = store.observe(\.items, options: [.old, .new]) { _, change in changes.append(change) }
    store.willChange(.insertion, valuesAt: [0, 1], for: \.items)
    store.items = ["a", "b"]
    store.didChange(.insertion, valuesAt: [0, 1], for: \.items)
    store.willChange(.removal, valuesAt: [0], for: \.items)
    store.items = ["b"]
    store.didChange(.removal, valuesAt: [0], for: \.items)
    store.willChange(.replacement, valuesAt: [0], for: \.items)
    store.items = ["c"]
    store.didChange(.replacement, valuesAt: [0], for: \.items)
    #expect(changes.map(\.kind) == [.insertion, .removal, .replacement])
    #expect(changes.map(\.indexes) == [[0, 1], [0], [0]])
    #expect(changes.map(\.newValue) == [["a", "b"], nil, ["c"]])
    #expect(changes.map(\.oldValue) == [nil, ["a"], ["b"]])
    token.invalidate()
  }

  @Test func aPairForASetHoldsWhatCameAndWent() {
    recorder.observe(store, "marks")
    store.willChangeValue(for: \.marks, withSetMutation: .union, using: ["a", "b"])
    store.marks = ["a", "b"]
    store.didChangeValue(for: \.marks, withSetMutation: .union, using: ["a", "b"])
    store.willChangeValue(for: \.marks, withSetMutation: .minus, using: ["a"])
    store.marks = ["b"]
    store.didChangeValue(for: \.marks, withSetMutation: .minus, using: ["a"])
    store.willChangeValue(for: \.marks, withSetMutation: .set, using: ["c"])
    store.marks = ["c"]
    store.didChangeValue(for: \.marks, withSetMutation: .set, using: ["c"])
    #expect(
      recorder.take() == [
        Change(.insertion, new: Set(["a", "b"])), Change(.removal, old: Set(["a"])),
        Change(.replacement, new: Set(["c"]), old: Set(["b"])),
      ])
  }

  @Test func aPairNotifiesClosures() {
    nonisolated(unsafe) var numbers: [Int?] = []
    let token = store.observe(\.amount, options: .new) { _, change in numbers.append(change.newValue) }
    store.willChangeValue(for: \.amount)
    store.amount = 3
    store.didChangeValue(for: \.amount)
    #expect(numbers == [3])
    token.invalidate()
  }

  @Test func aPairWorksForADeclaredStoredProperty() {
    let branch = Branch()
    nonisolated(unsafe) var numbers: [Int?] = []
    let token = branch.observe(\.size, options: [.old, .new]) { _, change in
      numbers += [change.oldValue, change.newValue]
    }
    branch.willChangeValue(for: \.size)
    branch.size = 4
    branch.didChangeValue(for: \.size)
    #expect(numbers == [0, 4])
    token.invalidate()
  }

  @Test func anEndWithoutABeginningSendsNothing() {
    recorder.observe(store, "amount")
    store.didChangeValue(for: \.amount)
    #expect(recorder.take() == [])
  }
}
