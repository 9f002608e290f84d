#if !canImport(ObjectiveC)
import KVOController
import Testing

/// Clients create changes in tests of code that handles them. Foundation's own type has no public initializer.
@Suite struct ObservedChangeTests {
  @Test func aChangeHasTheValuesThatItIsCreatedWith() {
    let change = NSKeyValueObservedChange(
      kind: .replacement, newValue: ["b"], oldValue: ["a"], indexes: [1], isPrior: true)
    #expect(change.kind == .replacement)
    #expect(change.newValue == ["b"])
    #expect(change.oldValue == ["a"])
    #expect(change.indexes == [1])
    #expect(change.isPrior)
  }

  @Test func aNilThatWasRequestedDiffersFromNone() {
    #expect(NSKeyValueObservedChange<Int?>(kind: .setting, newValue: .some(nil)).newValue == .some(nil))
    #expect(NSKeyValueObservedChange<Int?>(kind: .setting).newValue == Int??.none)
    #expect(!NSKeyValueObservedChange<Int?>(kind: .setting).isPrior)
  }
}
#endif
