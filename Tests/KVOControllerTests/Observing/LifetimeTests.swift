import KVOController
import Testing
import _KVOTestSupport

/// Tests of paths run with foreign objects at the head of the path, in the middle, and at its end.
@Suite(.watched, .sound) struct LifetimeTests {
  let recorder = Recorder()

  @Test(arguments: Placement.ofTwoKeys) func anObserverIsNotRetained(_ placement: Placement) {
    let chain = placement.chain
    let node = chain.head()
    weak var weakObserver: Recorder?
    draining {
      let observer = Recorder()
      weakObserver = observer
      observer.observe(node, "number")
      observer.observe(node, "child.name")
      node.number = 1
    }
    #expect(weakObserver == nil)
    node.number = 2
    node.child = chain.end()
  }

  @Test(arguments: Placement.ofTwoKeys) func anObservedObjectIsNotRetained(_ placement: Placement) {
    let chain = placement.chain
    weak var weakNode: (any ChainNode)?
    draining {
      let node = chain.head()
      weakNode = node
      recorder.observe(node, "number", [.new, .old, .prior, .initial])
      recorder.observe(node, "child.name")
      node.number = 1
      _ = recorder.take()
    }
    #expect(weakNode == nil)
    #expect(recorder.take() == [])
  }

  @Test(arguments: Placement.allCases) func objectsOnThePathAreNotRetained(_ placement: Placement) {
    let chain = placement.chain
    let node = chain.head()
    weak var weakMiddle: (any ChainNode)?
    weak var weakLeaf: (any ChainNode)?
    draining {
      let leaf = chain.end("leaf")
      let middle = chain.middle("middle", child: leaf)
      (weakMiddle, weakLeaf) = (middle, leaf)
      node.child = middle
      recorder.observe(node, "child.child.name", [])
      leaf.name = "other"
      node.child = nil
    }
    #expect(weakMiddle == nil)
    #expect(weakLeaf == nil)
    #expect(recorder.take() == [.setting, .setting])
  }

  @Test func anObjectObservingItselfIsNotRetained() {
    final class Loner: Recorder, @unchecked Sendable { @Observed var number = 0 }
    weak var weakLoner: Loner?
    draining {
      let loner = Loner()
      weakLoner = loner
      loner.observe(loner, "number", [])
      loner.number = 1
    }
    #expect(weakLoner == nil)
  }

  @Test(arguments: Placement.ofTwoKeys) func deallocatedObserverIsSkippedAndTheOthersAreCalled(_ placement: Placement) {
    let chain = placement.chain
    let node = chain.head()
    let last = Recorder()
    recorder.observe(node, "number", [.new, .prior])
    draining {
      let dying = Recorder()
      dying.observe(node, "number", [.new, .prior])
      dying.observe(node, "child.name")
    }
    last.observe(node, "number", [.new, .prior])
    node.number = 5
    #expect(recorder.take() == [.prior, .setting(new: 5)])
    #expect(last.take() == [.prior, .setting(new: 5)])
  }

  @Test(arguments: Placement.ofTwoKeys) func deallocatedRootIsNotNotifiedOfItsFormerPath(_ placement: Placement) {
    let chain = placement.chain
    let child = chain.end("child")
    draining {
      let root = chain.head("root", child: child)
      recorder.observe(root, "child.name", [.new, .prior])
      child.name = "b"
      #expect(recorder.take() == [.prior, .setting(new: "b")])
    }
    child.name = "c"
    #expect(recorder.take() == [])
    recorder.observe(child, "name", [])
    child.name = "d"
    #expect(recorder.take() == [.setting])
  }

  @Test(arguments: Placement.allCases) func observersAndObjectsCanBeReleasedInEitherOrder(_ placement: Placement) {
    let chain = placement.chain
    for observerFirst in [true, false] {
      var node: (any ChainNode)? = chain.head("a", child: chain.middle("b"))
      var observer: Recorder? = Recorder()
      for key in ["number", "child.name", "child.child.number"] { node.map { observer?.observe($0, key) } }
      if observerFirst {
        observer = nil
        node?.number = 1
        node?.child?.name = "c"
        node = nil
      } else {
        node = nil
        #expect(observer?.take() == [])
        observer = nil
      }
    }
  }

  @Test func aNewObjectAtTheSameAddressStartsWithoutRegistrations() {
    var addresses = ReusedAddresses()
    while let number = addresses.nextRound() {
      let node = Node("\(number)")
      addresses.note(node)
      #expect(node.registrationCount == 0)
      node.number = number
      node.willChangeValue(forKey: "name")
      node.didChangeValue(forKey: "name")
      #expect(recorder.take() == [])
      recorder.observe(node, "number", .new)
      recorder.observe(node, "name", .new)
      recorder.observe(node, "child.name")
      node.number = -1
      #expect(recorder.take() == [.setting(new: -1)])
    }
  }

  @Test func newObserverAtTheSameAddressIsNotNotified() {
    let node = Node()
    var addresses = ReusedAddresses()
    while let number = addresses.nextRound() {
      let observer = Recorder()
      addresses.note(observer)
      node.number = number
      #expect(observer.take() == [])
      observer.observe(node, "number", .new)
      node.number = -1
      #expect(observer.take() == [.setting(new: -1)])
    }
  }

  @Test(arguments: Placement.ofTwoKeys) func newObjectAtTheAddressOfOneOnThePathIsUnrelated(_ placement: Placement) {
    let chain = placement.chain
    let root = chain.head("root")
    recorder.observe(root, "child.number", [])
    var addresses = ReusedAddresses()
    while addresses.nextRound() != nil {
      draining {
        root.child = chain.end("child")
        root.child.map { addresses.note($0) }
        root.child = nil
        _ = recorder.take()
      }
      let unrelated = chain.end("unrelated")
      addresses.note(unrelated)
      unrelated.number = 1
      #expect(recorder.take() == [])
    }
  }

  // MARK: Weak objects on the path

  @Test func deallocationOfAWeakObjectOnThePathSendsNothing() {
    let root = Node("root")
    recorder.observe(root, "friend.name", [.new, .old, .prior])
    do {
      let friend = Node("friend")
      root.setValue(friend, forKey: "friend")
      #expect(recorder.take() == [.prior(old: null), .setting(new: "friend", old: null)])
    }
    #expect(root.friend == nil)
    #expect(recorder.take() == [])
    let other = Node("other")
    root.setValue(other, forKey: "friend")
    #expect(recorder.take() == [.prior(old: null), .setting(new: "other", old: null)])
    other.name = "changed"
    #expect(recorder.take() == [.prior(old: "other"), .setting(new: "changed", old: "other")])
  }

  @Test func restOfThePathIsFollowedAfterAWeakObjectIsDeallocated() {
    let child = Node("child")
    let root = Node("root", child: child)
    do {
      let friend = Node("friend", child: Node("leaf"))
      child.friend = friend
      recorder.observe(root, "child.friend.child.name")
      friend.child?.name = "changed"
      #expect(recorder.take() == [.setting(new: "changed", old: "leaf")])
    }
    #expect(child.friend == nil)
    #expect(recorder.take() == [])
    root.child = child
    #expect(recorder.take() == [.setting(new: null, old: null)])
    let friend = Node("friend", child: Node("new leaf"))
    child.setValue(friend, forKey: "friend")
    #expect(recorder.take() == [.setting(new: "new leaf", old: null)])
    withExtendedLifetime(friend) {}
  }
}
