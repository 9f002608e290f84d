import KVOController
import Testing
import _KVOTestSupport

/// Changes that Foundation notifies of pair by thread.
@Suite struct OpenChangesTests {
  private func number(_ value: ChangedValue?) -> Int? { value?.typed(as: Int.self) }

  @Test func nestedChangesEndInReverseOrder() {
    var changes = OpenChanges()
    for old in 1...3 { changes.begin(old: .value(old)) }
    #expect(number(changes.latest) == 3)
    #expect((0..<3).map { _ in number(changes.end()) } == [3, 2, 1])
  }

  /// The observer has come after the change began, so no prior notification was sent.
  @Test func anEndWithoutABeginningHasNoOldValue() {
    var changes = OpenChanges()
    #expect(changes.end() == nil)
    #expect(changes.latest == nil)
    changes.begin(old: .null)
    #expect(changes.end() != nil)
    #expect(changes.end() == nil)
  }

  @Test func threadsEndTheirOwnChanges() {
    let changes = Locked(OpenChanges())
    changes.withLock { $0.begin(old: .value(1)) }
    onThreads(1) { _ in
      #expect(changes.withLock { $0.end() } == nil)
      changes.withLock { $0.begin(old: .value(2)) }
    }
    #expect(changes.withLock { number($0.end()) } == 1)
    #expect(changes.withLock { $0.end() } == nil)
    #expect(changes.withLock { $0.endAll().map(number) } == [2])
  }

  @Test func allEndAtOnce() {
    var changes = OpenChanges()
    for old in 1...3 { changes.begin(old: .value(old)) }
    #expect(changes.endAll().map(number) == [3, 2, 1])
    #expect(changes.endAll().isEmpty)
    #expect(changes.end() == nil)
  }
}
