import KVOController
import Testing
import _KVOTestSupport

@Suite struct ChangeDictionaryTests {
  let node = Node("a", number: 1)
  let recorder = Recorder()

  @Test(arguments: 0..<16) func theOptionsSayWhichCallsAreMadeAndWhatTheyContain(rawOptions: UInt) {
    let options = NSKeyValueObservingOptions(rawValue: rawOptions)
    func new(_ number: Int) -> AnyHashable? { options.contains(.new) ? number : nil }
    let old: AnyHashable? = options.contains(.old) ? 1 : nil
    recorder.observe(node, "number", options)
    #expect(recorder.take() == (options.contains(.initial) ? [.setting(new: new(1))] : []))
    node.number = 2
    #expect(recorder.take() == (options.contains(.prior) ? [.prior(old: old)] : []) + [.setting(new: new(2), old: old)])
  }

  @Test func nilIsNull() {
    let child = Node("child")
    recorder.observe(node, "child")
    recorder.observe(node, "optional")
    node.child = child
    node.child = nil
    node.optional = 1
    node.optional = nil
    #expect(
      recorder.take() == [
        .setting(new: child, old: null), .setting(new: null, old: child), .setting(new: 1, old: null),
        .setting(new: null, old: 1),
      ])
  }

  @Test func aPresentOptionalAppearsUnwrapped() {
    recorder.observe(node, "optional")
    node.optional = 1
    node.optional = 2
    let change = recorder.calls.last?.dictionary
    #expect(change?[.newKey].map { type(of: $0) } == Int.self)
    #expect(change?[.oldKey].map { type(of: $0) } == Int.self)
  }

  @Test func unreachableValuesAreNull() {
    recorder.observe(node, "child.name")
    node.child = Node("child")
    node.child = nil
    #expect(recorder.take() == [.setting(new: "child", old: null), .setting(new: null, old: "child")])
  }

  // MARK: Initial

  @Test func theInitialValueOfNilIsNull() {
    recorder.observe(node, "child", [.initial, .new])
    recorder.observe(node, "child.child.name", [.initial, .new])
    #expect(recorder.take() == [.setting(new: null), .setting(new: null)])
  }

  @Test func theInitialCallGoesToTheNewRegistrationOnly() {
    let other = Recorder()
    other.observe(node, "number", [.initial, .new])
    _ = other.take()
    recorder.observe(node, "number", [.initial, .new])
    #expect(recorder.take() == [.setting(new: 1)])
    #expect(other.take() == [])
  }

  @Test func theInitialCallIsSentWhereNotificationIsManual() {
    let account = Account()
    account.balance = 5
    recorder.observe(account, "balance", [.initial, .new])
    #expect(recorder.take() == [.setting(new: 5)])
  }

  // MARK: Prior

  @Test func aPriorCallComesBeforeTheChange() {
    recorder.observe(node, "number", [.prior, .new, .old])
    var seen: [Int] = []
    recorder.whenCalled = { [node] _, _ in seen.append(node.number) }
    node.number = 2
    #expect(recorder.take() == [.prior(old: 1), .setting(new: 2, old: 1)])
    #expect(seen == [1, 2])
  }

  // MARK: Snapshots

  @Test func optionsOfOneRegistrationNeverLeakIntoAnothers() {
    let options: [NSKeyValueObservingOptions] = [
      [], .new, .old, [.new, .old], .prior, [.prior, .old], [.prior, .new],
    ]
    let expected: [[Change]] = [
      [.setting], [.setting(new: 2)], [.setting(old: 1)], [.setting(new: 2, old: 1)], [.prior, .setting],
      [.prior(old: 1), .setting(old: 1)], [.prior, .setting(new: 2)],
    ]
    for order in [Array(options.indices), options.indices.reversed()] {
      let node = Node("a", number: 1)
      let recorders = options.map { _ in Recorder() }
      for index in order { recorders[index].observe(node, "number", options[index]) }
      node.number = 2
      #expect(recorders.map { $0.take() } == expected)
    }
  }

  @Test func optionsOfOneContextNeverLeakIntoAnothers() {
    recorder.observe(node, "number", [.new, .prior], context: 1)
    recorder.observe(node, "number", .old, context: 2)
    node.number = 2
    #expect(recorder.calls.filter { $0.context == 1 }.map(\.change) == [.prior, .setting(new: 2)])
    #expect(recorder.calls.filter { $0.context == 2 }.map(\.change) == [.setting(old: 1)])
  }

  @Test func aDictionaryNeverChangesLater() {
    recorder.observe(node, "items", [.new, .old, .prior])
    node.items = [1]
    node.items.append(2)
    node.items[0] = 7
    node.items = []
    #expect(
      recorder.changes == [
        .prior(old: [Int]()), .setting(new: [1], old: [Int]()), .prior(old: [1]), .setting(new: [1, 2], old: [1]),
        .prior(old: [1, 2]), .setting(new: [7, 2], old: [1, 2]), .prior(old: [7, 2]),
        .setting(new: [Int](), old: [7, 2]),
      ])
  }

  // MARK: Every assignment

  @Test func everyAssignmentNotifies() {
    recorder.observe(node, "number")
    node.number = 1
    node.number = 1
    #expect(recorder.take() == [.setting(new: 1, old: 1), .setting(new: 1, old: 1)])
  }

  @Test func aKeyAndItsNameAreTheSameInADictionaryOfAnyHashable() {
    let change: [NSKeyValueChangeKey: Any] = [.newKey: 1, .kindKey: 2]
    #expect((change as [AnyHashable: Any])["new"] as? Int == 1)
    #expect((change as [AnyHashable: Any])[NSKeyValueChangeKey.kindKey] as? Int == 2)
    #expect((["new": 1] as [AnyHashable: Any])[NSKeyValueChangeKey.newKey] as? Int == 1)
  }
}
