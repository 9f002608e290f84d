import KVOController
import Testing
import _KVOTestSupport

/// Operations between the beginning and the end of a change: in a prior call, or between a pair of manual calls.
@Suite struct PriorCallTests {
  let root = Node("root", child: Node("old"))
  let new = Node("new")
  let recorder = Recorder()
  let late = Recorder()

  /// Runs a closure in the first prior call.
  private func inPriorCall(_ body: @escaping () -> Void) {
    recorder.whenCalled = { recorder, _ in
      recorder.whenCalled = nil
      body()
    }
  }

  /// `late` is notified of the new child's name once, and of the old one's not at all.
  private func expectLateFollows(_ new: Node, not old: Node?) {
    #expect(late.take() == [])
    old?.name = "unheard"
    #expect(late.take() == [])
    new.name = "received"
    #expect(late.take() == [.setting(new: "received", old: "new")])
  }

  @Test(arguments: [false, true]) func registrationDuringAReplacementFollowsTheNewChild(inPlace: Bool) {
    let old = root.child
    func replace(_ child: inout Node?) { child = new }
    recorder.observe(root, "child", .prior)
    inPriorCall { [late, root] in late.observe(root, "child.name") }
    if inPlace { replace(&root.child) } else { root.child = new }
    expectLateFollows(new, not: old)
    late.unobserve(root, "child.name")
    #expect(old?.registrationCount ?? 0 == 0 && new.registrationCount == 0)
  }

  @Test func registrationOnAnotherThreadDuringAReplacementIsNotifiedOfIt() {
    let old = root.child
    recorder.observe(root, "child", .prior)
    inPriorCall { [late, root] in onThreads(1) { _ in late.observe(root, "child.name") } }
    root.child = new
    // What isn't known, because the path is another's, is left out.
    #expect(late.take() == [.setting(new: "new")])
    expectLateFollows(new, not: old)
  }

  @Test(arguments: [false, true]) func registrationBetweenAPairFollowsTheNewChild(hasOtherObservers: Bool) {
    let old = root.child
    if hasOtherObservers { recorder.observe(root, "friend", []) }
    root.willChangeValue(forKey: "friend")
    late.observe(root, "friend.name")
    root.friend = new
    root.didChangeValue(forKey: "friend")
    expectLateFollows(new, not: old)
  }

  private final class Branch: KeyValueObject {
    @Observed var value = 0
    @Observed var next: Branch?
    @ObservedWeak var weak: Branch?
    var far: Int { weak?.next?.value ?? -1 }

    override class var keyPaths: [String: AnyKeyPath] { ["far": \Branch.far] }
    override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
      key == "far" ? ["weak.next.value"] : super.keyPathsForValuesAffectingValue(forKey: key)
    }
  }

  @Test(arguments: ["far", "weak.far", "weak.next.value"])
  func noPriorCallIsMadeBehindAnObjectThatIsGone(keyPath: String) {
    let (branch, leaf) = (Branch(), Branch())
    var middle: Branch? = Branch()
    middle?.next = leaf
    middle?.weak = middle
    branch.weak = middle
    recorder.observe(branch, keyPath, [.prior, .old, .new])
    middle = nil
    #expect(branch.weak == nil)
    leaf.value = 1
    #expect(recorder.take() == [])
    recorder.unobserve(branch, keyPath)
    #expect(leaf.registrationCount == 0)
  }

  @Test func aPathLedThroughTheChangingPropertyFollowsTheNewChild() {
    let outer = Node("outer")
    late.observe(outer, "child.child.name")
    let old = root.child
    recorder.observe(root, "child", .prior)
    inPriorCall { [root] in outer.child = root }
    root.child = new
    #expect(late.take() == [.setting(new: "old", old: null), .setting(new: "new", old: "old")])
    expectLateFollows(new, not: old)
  }

  @Test func aPathLedAwayFromTheChangingPropertyStaysAway() {
    let outer = Node("outer", child: root)
    let other = Node("other", child: Node("other leaf"))
    late.observe(outer, "child.child.name")
    recorder.observe(root, "child", .prior)
    inPriorCall { outer.child = other }
    root.child = new
    // It was a receiver of the outer change at its beginning, but has received the new value already.
    #expect(late.take() == [.setting(new: "other leaf", old: "old")])
    new.name = "unheard"
    root.child = nil
    #expect(late.take() == [])
    other.child?.name = "received"
    #expect(late.take() == [.setting(new: "received", old: "other leaf")])
  }

  @Test func theNewValueIsThatAtTheEndOfThePathEvenIfThatHasMovedMeanwhile() {
    let other = Node("other", number: 7)
    let old = root.child
    recorder.observe(root, "child.number", [.prior, .new, .old])
    inPriorCall { [root] in root.child = other }
    old?.number = 5
    #expect(
      recorder.take() == [
        .prior(old: 0), .prior(old: 0), .setting(new: 7, old: 0), .setting(new: 7, old: 0),
      ])
    old?.number = 6
    #expect(recorder.take() == [])
  }

  @Test func pathLedAwayDuringAPairIsNotNotifiedAtItsEnd() {
    let account = Account()
    let box = Box<Account?>(account)
    recorder.observe(box, "value.balance")
    account.willChangeValue(forKey: "balance")
    account.balance = 5
    box.value = Account()
    #expect(recorder.take() == [.setting(new: 0, old: 5)])
    account.didChangeValue(forKey: "balance")
    #expect(recorder.take() == [])
  }

  @Test func aChangeOfTheOldChildInThePriorCallOfItsReplacementIsDelivered() {
    let old = root.child
    recorder.observe(root, "child.number", [.prior, .new, .old])
    inPriorCall { old?.number = 5 }
    root.child = new
    #expect(
      recorder.take() == [
        .prior(old: 0), .prior(old: 0), .setting(new: 5, old: 0), .setting(new: 0, old: 0),
      ])
  }

  @Test func aChangeOfTheOldChildBetweenAPairIsDelivered() {
    let friend = Node("friend")
    root.friend = friend
    recorder.observe(root, "friend.number")
    root.willChangeValue(forKey: "friend")
    friend.number = 5
    #expect(recorder.take() == [.setting(new: 5, old: 0)])
    root.friend = new
    root.didChangeValue(forKey: "friend")
    #expect(recorder.take() == [.setting(new: 0, old: 0)])
    friend.number = 6
    #expect(recorder.take() == [])
  }

  @Test func registrationRemovedDuringAReplacementLeavesNothingBehind() {
    let old = root.child
    recorder.observe(root, "child.name", .prior)
    late.observe(root, "child.name")
    inPriorCall { [recorder, late, root] in
      late.unobserve(root, "child.name")
      recorder.unobserve(root, "child.name")
    }
    root.child = new
    #expect(late.take() == [])
    #expect(recorder.take() == [.prior])
    #expect(root.registrationCount == 0 && old?.registrationCount ?? 0 == 0 && new.registrationCount == 0)
  }
}
