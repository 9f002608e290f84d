import KVOController
import Testing
import _KVOTestSupport

/// How changes of a path are relayed to Foundation, which pairs beginnings and ends, and reads the old value at a beginning.
@Suite struct ChangeRelayTests {
  /// Foundation, with the value that it would read at each notification.
  private final class Foundation: Sendable {
    let relay = ChangeRelay()
    let current = Locked(0)
    private let log = Locked<[String]>([])

    func take() -> [String] { log.take() }

    private func note(_ name: String, _ kind: NSKeyValueChange, _ indexes: IndexSet?) {
      let value: String
      switch relay.heldValue {
      case .value(let held): value = "\(held)"
      case .null: value = "nil"
      case .notRequested, nil: value = "\(current.current)"
      }
      log.append("\(name) \(kind.rawValue)\(indexes.map { " at \(Array($0))" } ?? "") \(value)")
    }

    func relay(
      _ kind: NSKeyValueChange = .setting, isPrior: Bool = false, _ indexes: IndexSet? = nil,
      old: ChangedValue = .notRequested
    ) {
      relay.relay(kind, isPrior: isPrior, indexes, old: old) {
        note("will", $0, $1)
      } didChange: {
        note("did", $0, $1)
      }
    }

    func change(to value: Int) {
      relay(isPrior: true)
      current.withLock { $0 = value }
      relay()
    }
  }

  private let foundation = Foundation()

  @Test func aChangeIsABeginningAndAnEndWithTheCurrentValues() {
    foundation.change(to: 1)
    foundation.change(to: 2)
    #expect(foundation.take() == ["will 1 0", "did 1 1", "will 1 1", "did 1 2"])
  }

  @Test func nestedChangesNestLikeBrackets() {
    foundation.relay(isPrior: true)
    foundation.change(to: 1)
    foundation.current.withLock { $0 = 2 }
    foundation.relay()
    #expect(foundation.take() == ["will 1 0", "will 1 0", "did 1 1", "did 1 2"])
  }

  @Test func anIndexedChangeKeepsItsKindAndIndexes() {
    foundation.relay(.insertion, isPrior: true, [1, 2])
    foundation.relay(.insertion, [1, 2])
    #expect(foundation.take() == ["will 2 at [1, 2] 0", "did 2 at [1, 2] 0"])
  }

  /// The observance was registered between the prior call and the change, on another thread.
  @Test func aLateEndIsAWholeChangeWithTheOldValue() {
    foundation.current.withLock { $0 = 5 }
    foundation.relay(old: .value(4))
    #expect(foundation.take() == ["will 1 4", "did 1 5"])
    foundation.relay(old: .null)
    #expect(foundation.take() == ["will 1 nil", "did 1 5"])
  }

  @Test func aLateIndexedEndIsASettingOfTheCurrentValue() {
    foundation.relay(.removal, [0], old: .value([1]))
    #expect(foundation.take() == ["will 1 0", "did 1 0"])
  }

  @Test func aLateEndLeavesNothingOpen() {
    foundation.relay(old: .value(4))
    _ = foundation.take()
    #expect(foundation.relay.heldValue == nil)
    foundation.change(to: 6)
    #expect(foundation.take() == ["will 1 0", "did 1 6"])
  }

  @Test func aChangeEndsOnTheThreadOnWhichItHasBegun() {
    foundation.relay(isPrior: true)
    onThreads(1) { [foundation] _ in foundation.relay(old: .value(7)) }
    #expect(foundation.take() == ["will 1 0", "will 1 7", "did 1 0"])
    foundation.relay()
    #expect(foundation.take() == ["did 1 0"])
  }
}
