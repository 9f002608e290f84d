import KVOController
import Testing
import _KVOTestSupport

/// Values are read when the turn of each registration comes, so no observer is left with an outdated one.
@Suite struct OrderOfReadingTests {
  let node = Node("root", number: 0)
  let first = Recorder("first")
  let second = Recorder("second")

  /// How a change may have to be made.
  enum Way: CaseIterable {
    /// By the setter alone.
    case direct
    /// With a transaction, because an observer needs a prior call.
    case transaction
  }

  @Test(arguments: Way.allCases)
  func theNewValueIsTheOneWhenTheCallIsMade(_ way: Way) {
    let witness = Recorder()
    if way == .transaction { witness.observe(node, "number", .prior) }
    first.observe(node, "number")
    second.observe(node, "number")
    second.whenCalled = { [node] _, _ in if node.number == 1 { node.number = 2 } }
    node.number = 1
    #expect(second.take() == [.setting(new: 1, old: 0), .setting(new: 2, old: 1)])
    #expect(first.take() == [.setting(new: 2, old: 1), .setting(new: 2, old: 0)])
  }

  @Test func theNewValueAtTheEndOfAManualPair() {
    first.observe(node, "friend")
    second.observe(node, "friend")
    let (one, two) = (Node("one"), Node("two"))
    second.whenCalled = { [node] recorder, _ in
      recorder.whenCalled = nil
      node.friend = two
    }
    node.willChangeValue(forKey: "friend")
    node.friend = one
    node.didChangeValue(forKey: "friend")
    #expect(second.take() == [.setting(new: one, old: null)])
    #expect(first.take() == [.setting(new: two, old: null)])
  }

  @Test func theNewValueOfADependentKey() {
    let person = Person("Ada", "Byron")
    first.observe(person, "fullName")
    second.observe(person, "fullName")
    second.whenCalled = { recorder, _ in
      recorder.whenCalled = nil
      person.first = "Augusta"
    }
    person.last = "Lovelace"
    #expect(
      first.take() == [
        .setting(new: "Augusta Lovelace", old: "Ada Lovelace"), .setting(new: "Augusta Lovelace", old: "Ada Byron"),
      ])
  }

  @Test func theNewValueOfATypedHandler() {
    let received = Locked<[String]>([])
    let tokens = [
      node.observe(\.number, options: [.old, .new]) { _, change in
        received.append("first \(change.oldValue!)→\(change.newValue!)")
      },
      node.observe(\.number, options: [.old, .new]) { node, change in
        received.append("second \(change.oldValue!)→\(change.newValue!)")
        if node.number == 1 { node.number = 2 }
      },
    ]
    node.number = 1
    #expect(received.current == ["second 0→1", "second 1→2", "first 1→2", "first 0→2"])
    withExtendedLifetime(tokens) {}
  }

  @Test func theNewValueAfterAChangeInPlaceOrThroughCoding() {
    first.observe(node, "items")
    second.observe(node, "items", [])
    second.whenCalled = { [node] recorder, _ in
      recorder.whenCalled = nil
      node.items.append(2)
      node.setValue([1, 2, 3], forKey: "items")
      node.mutableArrayValue(forKey: "items").add(4)
    }
    node.items = [1]
    #expect(first.changes.last == .setting(new: [1, 2, 3, 4], old: [Int]()))
  }

  @Test func theNewValueOfAnObjectIsReleasedWhenItWasReplaced() {
    var replaced: Node? = Node("replaced")
    weak let weakReplaced = replaced
    first.observe(node, "child", .new)
    second.observe(node, "child", [])
    let latest = Node("latest")
    second.whenCalled = { [node] recorder, _ in
      recorder.whenCalled = nil
      node.child = latest
    }
    first.whenCalled = { _, _ in }
    node.child = replaced
    replaced = nil
    _ = first.take()
    #expect(weakReplaced == nil)
    #expect(node.child === latest)
  }

  @Test func theOldValueIsReadAtTheTurnOfThePriorCall() {
    first.observe(node, "number", [.prior, .old, .new])
    second.observe(node, "number", [.prior, .old, .new])
    first.whenCalled = { [node] recorder, _ in
      recorder.whenCalled = nil
      node.number = 10
    }
    node.number = 1
    #expect(
      second.take() == [.prior(old: 0), .setting(new: 10, old: 0), .prior(old: 10), .setting(new: 1, old: 10)])
    #expect(
      first.take() == [.prior(old: 0), .prior(old: 0), .setting(new: 10, old: 0), .setting(new: 1, old: 0)])
  }

  @Test func theOldValueWithoutPriorCallIsReadAtItsTurnToo() {
    first.observe(node, "number", .prior)
    second.observe(node, "number", .old)
    first.whenCalled = { [node] recorder, _ in
      recorder.whenCalled = nil
      node.number = 10
    }
    node.number = 1
    #expect(second.take() == [.setting(old: 0), .setting(old: 10)])
  }

  // MARK: Led away

  @Test(arguments: Way.allCases) func pathLedAwayIsNotNotifiedAgain(_ way: Way) {
    let (old, new) = (Node("old"), Node("new"))
    node.child = old
    first.observe(node, "child.name")
    second.observe(old, "name", way == .direct ? [.old, .new] : [.old, .new, .prior])
    second.whenCalled = { [node] _, call in if !call.isPrior { node.child = new } }
    old.name = "changed"
    #expect(first.take() == [.setting(new: "new", old: "changed")])
    let prior: [Change] = way == .direct ? [] : [.prior(old: "old")]
    #expect(second.take() == prior + [.setting(new: "changed", old: "old")])
  }

  @Test func pathLedAwayBeforeTheChangeIsNotNotifiedOfIt() {
    let (old, new) = (Node("old"), Node("new"))
    node.child = old
    second.observe(old, "name", .prior)
    first.observe(node, "child.name", [.prior, .old, .new])
    second.whenCalled = { [node] _, call in if call.isPrior { node.child = new } }
    old.name = "changed"
    #expect(first.take() == [.prior(old: "old"), .setting(new: "new", old: "old")])
  }

  @Test func thePartnerOfAPriorCallIsAlwaysSent() {
    let (old, new) = (Node("old"), Node("new"))
    node.child = old
    first.observe(node, "child.name", [.prior, .old, .new])
    second.observe(old, "name", [])
    second.whenCalled = { [node] _, _ in node.child = new }
    old.name = "changed"
    #expect(
      first.take() == [
        .prior(old: "old"), .prior(old: "changed"), .setting(new: "new", old: "changed"),
        .setting(new: "new", old: "old"),
      ])
  }

  @Test func pathLedAwayAndBackIsNotifiedWithTheCurrentValue() {
    let (old, new) = (Node("old"), Node("new"))
    node.child = old
    first.observe(node, "child.name", .new)
    second.observe(old, "name", [])
    second.whenCalled = { [node] _, _ in
      node.child = new
      node.child = old
    }
    old.name = "changed"
    #expect(first.take() == [.setting(new: "new"), .setting(new: "changed"), .setting(new: "changed")])
  }
}
