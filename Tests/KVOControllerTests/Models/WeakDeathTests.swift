import KVOController
import Testing
import _KVOTestSupport

/// Objects that weak properties refer to, and that are deallocated.
@Suite(.watched) struct WeakDeathTests {
  let recorder = Recorder()

  @Test func deallocationSendsNothing() {
    let kin = Kin("kin")
    for keyPath in ["parent", "parent.name", "parent.child.name", "title", "grandparent", "grandparent.name"] {
      recorder.observe(kin, keyPath, [.new, .old, .prior])
    }
    do {
      let grandparent = Kin("grandparent")
      let parent = Kin("parent", child: Kin("child"), parent: grandparent)
      kin.parent = parent
      _ = recorder.take()
    }
    #expect(recorder.take() == [])
    #expect(kin.parent == nil)
  }

  @Test func theNextChangeBeginsWithNil() {
    let kin = Kin("kin")
    recorder.observe(kin, "parent", [.new, .old, .prior])
    recorder.observe(kin, "parent.name", [.new, .old, .prior])
    kin.parent = Kin("released")
    _ = recorder.take()
    let parent = Kin("parent")
    kin.parent = parent
    #expect(
      recorder.take() == [
        .prior(old: null), .prior(old: null), .setting(new: "parent", old: null), .setting(new: parent, old: null),
      ])
    parent.name = "changed"
    #expect(recorder.take() == [.prior(old: "parent"), .setting(new: "changed", old: "parent")])
  }

  @Test(arguments: ["parent.child.name", "parent.child.child.name"])
  func whatLayBehindItIsNotHeardAnyLonger(_ keyPath: String) {
    let kin = Kin("kin")
    let leaf = Kin("leaf")
    let child = keyPath == "parent.child.name" ? leaf : Kin("child", child: leaf)
    recorder.observe(kin, keyPath, [.new, .old, .prior])
    do {
      let parent = Kin("parent", child: child)
      kin.parent = parent
      leaf.name = "heard"
      #expect(recorder.take().last == .setting(new: "heard", old: "leaf"))
    }
    child.child = nil
    leaf.name = "unheard"
    leaf.name = "again"
    #expect(recorder.take() == [])
    let parent = Kin("parent", child: leaf)
    leaf.child = leaf
    kin.parent = parent
    #expect(recorder.take() == [.prior(old: null), .setting(new: "again", old: null)])
    leaf.child = nil
  }

  @Test func whatLayBehindItIsNotHeardByADependentKey() {
    let (kin, old) = (Kin("kin"), Kin("old"))
    recorder.observe(kin, "grandparent.name")
    do {
      let parent = Kin("parent", parent: old)
      kin.parent = parent
      old.name = "heard"
      #expect(recorder.take() == [.setting(new: "old", old: null), .setting(new: "heard", old: "old")])
    }
    old.name = "unheard"
    old.name = "again"
    #expect(recorder.take() == [])
    let parent = Kin("parent", parent: old)
    kin.parent = parent
    #expect(recorder.take() == [.setting(new: "again", old: null)])
  }

  @Test func anObjectOnThePathTwiceIsStillHeardWhereItIsReachable() {
    // kin.child.parent.name leads back to kin, whose name is also that of the path "name".
    let kin = Kin("kin")
    let child = Kin("child", parent: kin)
    kin.child = child
    recorder.observe(kin, "child.parent.name")
    recorder.observe(kin, "name", context: 1)
    kin.name = "changed"
    #expect(recorder.take() == Array(repeating: .setting(new: "changed", old: "kin"), count: 2))
    kin.child = nil
    _ = recorder.take()
    kin.name = "again"
    #expect(recorder.take() == [.setting(new: "again", old: "changed")])
  }

  @Test func weakReferencesInARowMayDieInAnyOrder() {
    for order in [[0, 1], [1, 0]] {
      let (kin, leaf) = (Kin("kin"), Kin("leaf"))
      recorder.observe(kin, "parent.parent.child.name")
      var both: [Kin?] = [Kin("first"), Kin("second", child: leaf)]
      both[0]?.parent = both[1]
      kin.parent = both[0]
      leaf.name = "heard"
      #expect(recorder.take().count == 2)
      for index in order {
        both[index] = nil
        leaf.name = "unheard"
        #expect(recorder.take() == [])
      }
      recorder.unobserve(kin, "parent.parent.child.name")
      #expect(kin.registrationCount == 0)
    }
  }

  @Test func deathInTheMiddleOfAChangeIsSafe() {
    // The handler releases the object whose key is being changed, through which the path of another observer leads.
    let kin = Kin("kin")
    let (owner, leaf) = (Kin("owner"), Kin("leaf"))
    owner.child = Kin("parent", child: leaf)
    kin.parent = owner.child
    let other = Recorder()
    other.observe(kin, "parent.child.name")
    recorder.observe(leaf, "name", [.new, .prior])
    recorder.whenCalled = { [unowned owner] _, call in if call.isPrior { owner.child = nil } }
    leaf.name = "changed"
    recorder.whenCalled = nil
    #expect(other.take() == [])
    #expect(recorder.take() == [.prior, .setting(new: "changed")])
    leaf.name = "again"
    #expect(other.take() == [])
  }

  @Test func deathInAPriorCallOfThePathItselfIsAnsweredWithNull() {
    let kin = Kin("kin")
    let (owner, leaf) = (Kin("owner"), Kin("leaf"))
    owner.child = Kin("parent", child: leaf)
    kin.parent = owner.child
    recorder.observe(kin, "parent.child.name", [.new, .old, .prior])
    recorder.whenCalled = { [unowned owner] _, call in if call.isPrior { owner.child = nil } }
    leaf.name = "changed"
    recorder.whenCalled = nil
    #expect(recorder.take() == [.prior(old: "leaf"), .setting(new: null, old: "leaf")])
    leaf.name = "again"
    #expect(recorder.take() == [])
  }

  @Test func deathWhileThePathIsFollowedIsNotMissed() {
    /// Releases the object before it on the path when it is read.
    final class Trap: Kin, @unchecked Sendable {
      @Observed var target: Kin?
      var whenRead: (() -> Void)?
      var way: Kin? {
        whenRead.take()?()
        return target
      }
      override class var keyPaths: [String: AnyKeyPath] { ["way": \Trap.way] }
      override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
        key == "way" ? ["target"] : super.keyPathsForValuesAffectingValue(forKey: key)
      }
    }
    let (kin, leaf, trap, owner) = (Kin("kin"), Kin("leaf"), Trap("trap"), Kin("owner"))
    trap.target = leaf
    owner.child = Kin("parent", child: trap)
    trap.whenRead = { [unowned owner] in owner.child = nil }
    kin.parent = owner.child
    recorder.observe(kin, "parent.child.way.name", [.new, .old])
    #expect(kin.parent == nil)
    leaf.name = "unheard"
    trap.target = nil
    #expect(recorder.take() == [])
    let parent = Kin("parent", child: trap)
    trap.target = leaf
    kin.parent = parent
    leaf.name = "heard"
    #expect(recorder.take() == [.setting(new: "unheard", old: null), .setting(new: "heard", old: "unheard")])
    recorder.unobserve(kin, "parent.child.way.name")
    #expect([kin, leaf, trap, owner, parent].allSatisfy { $0.registrationCount == 0 })
  }

  @Test func aNewObjectAtTheSameAddressIsUnrelated() {
    let kin = Kin("kin")
    recorder.observe(kin, "parent.name")
    for _ in 0..<100 {
      do {
        let parent = Kin("parent")
        kin.parent = parent
        parent.name = "changed"
      }
      _ = recorder.take()
      let unrelated = Kin("unrelated")
      unrelated.name = "changed"
      #expect(recorder.take() == [])
    }
  }

  @Test func anObjectMayReplaceItselfInItsDeinit() {
    let (kin, other) = (Kin("kin"), Kin("other"))
    recorder.observe(kin, "parent")
    recorder.observe(kin, "parent.name")
    do {
      let parent = Kin("parent")
      parent.whenReleased = { kin.parent = other }
      kin.parent = parent
      _ = recorder.take()
    }
    #expect(recorder.take() == [.setting(new: "other", old: null), .setting(new: other, old: null)])
    other.name = "changed"
    #expect(recorder.take() == [.setting(new: "changed", old: "other")])
  }

  @Test func nothingRetainsTheObjectAfterAChange() {
    let kin = Kin("kin")
    for keyPath in ["parent", "parent.name", "title", "grandparent"] {
      recorder.observe(kin, keyPath, [.old, .new, .prior])
    }
    var reference = Weak<Kin>(nil)
    do {
      let parent = Kin("parent")
      reference = Weak(parent)
      kin.parent = parent
      parent.name = "changed"
      _ = recorder.take()
    }
    #expect(!reference.isAlive)
  }

  // MARK: With a second thread

  @Test func replacingItAndDeathsOnOtherThreadsAreSafe() {
    let kin = Kin("kin")
    let counter = Counter()
    for keyPath in ["parent", "parent.name", "parent.child.name", "title"] {
      counter.observe(kin, keyPath, [.new, .old])
    }
    let leaf = Kin("leaf")
    let shared = Locked<[Kin]>([])
    onThreads(3) { thread in
      for round in 0..<2_000 {
        switch thread {
        case 0:
          let parent = Kin("parent \(round)", child: leaf)
          shared.append(parent)
          kin.parent = parent
        case 1:
          // Deaths, mostly on this thread.
          let dead = shared.take()
          dead.first?.name = "changed"
        default:
          leaf.name = "\(round)"
          _ = draining { kin.value(forKeyPath: "parent.name") }
        }
      }
    }
    shared.withLock { $0 = [] }
    #expect(kin.parent == nil)
    let before = counter.total
    leaf.name = "unheard"
    #expect(counter.total == before)
    let last = Kin("last", child: leaf)
    kin.parent = last
    #expect(counter.total == before + 4)
    leaf.name = "heard"
    #expect(counter.total == before + 5)
  }

  @Test func registrationsComeAndGoWhileObjectsDie() {
    let kin = Kin("kin")
    let keeper = Counter()
    keeper.observe(kin, "number", [])
    let leaf = Kin("leaf")
    keeper.observe(leaf, "number", [], context: 1)
    onThreads(3) { thread in
      let counter = Counter()
      for round in 0..<1_000 {
        if thread == 0 {
          let parent = Kin("parent", child: leaf)
          kin.parent = parent
          if round % 3 == 0 { kin.parent = nil }
        } else {
          counter.observe(kin, "parent.child.name", [.new, .old, .initial])
          if thread == 1 { leaf.number += 1 }
          counter.unobserve(kin, "parent.child.name")
        }
      }
    }
    #expect(kin.registrationCount == 1)
    #expect(leaf.registrationCount == 1)
    keeper.unobserve(kin, "number")
    keeper.unobserve(leaf, "number", context: 1)
    #expect(kin.registrationCount == 0)
  }
}
