import KVOController
import Testing
import _KVOTestSupport

/// Each test runs with foreign objects at the head of the path, in the middle, and at its end.
@Suite(.watched, .sound) struct KeyPathTests {
  let recorder = Recorder()

  @Test(arguments: Placement.ofTwoKeys) func aLeafNotifiesThroughItsPath(_ placement: Placement) {
    let chain = placement.chain
    let root = chain.head("root")
    let child = chain.end("child")
    root.child = child
    recorder.observe(root, "child.name")
    child.name = "changed"
    #expect(recorder.take() == [.setting(new: "changed", old: "child")])
    child.number = 1
    root.name = "other"
    #expect(recorder.take() == [])
  }

  @Test(arguments: Placement.ofTwoKeys) func replacingTheMiddleNotifiesAndLeavesTheOldOne(_ placement: Placement) {
    let chain = placement.chain
    let root = chain.head("root")
    let (old, new) = (chain.end("old"), chain.end("new"))
    root.child = old
    recorder.observe(root, "child.name", [.prior, .new, .old])
    root.child = new
    #expect(recorder.take() == [.prior(old: "old"), .setting(new: "new", old: "old")])
    old.name = "unheard"
    #expect(recorder.take() == [])
    new.name = "received"
    #expect(recorder.take() == [.prior(old: "new"), .setting(new: "received", old: "new")])
  }

  @Test(arguments: Placement.ofTwoKeys) func replacingTheMiddleNotifiesEvenIfTheValueIsTheSame(_ placement: Placement) {
    let chain = placement.chain
    let root = chain.head("root")
    let child = chain.end("same")
    root.child = child
    recorder.observe(root, "child.name")
    root.child = chain.end("same")
    root.child = child
    root.child = child
    #expect(recorder.take() == Array(repeating: .setting(new: "same", old: "same"), count: 3))
    child.name = "changed"
    #expect(recorder.take() == [.setting(new: "changed", old: "same")])
  }

  @Test(arguments: Placement.allCases) func nothingBelowAReplacedChildNotifies(_ placement: Placement) {
    let chain = placement.chain
    let root = chain.head("root")
    let leaves = [chain.end("leaf 1"), chain.end("leaf 2")]
    let middles = leaves.map { chain.middle("middle", child: $0) }
    root.child = middles[0]
    recorder.observe(root, "child.child.name")
    root.child = middles[1]
    #expect(recorder.take() == [.setting(new: "leaf 2", old: "leaf 1")])
    leaves[0].name = "unheard"
    middles[0].child = nil
    #expect(recorder.take() == [])
    leaves[1].name = "received"
    middles[1].child = leaves[0]
    #expect(recorder.take() == [.setting(new: "received", old: "leaf 2"), .setting(new: "unheard", old: "received")])
  }

  @Test(arguments: Placement.allCases) func aNilMiddleMakesTheValueNull(_ placement: Placement) {
    let chain = placement.chain
    let root = chain.head("root")
    recorder.observe(root, "child.child.name", [.initial, .new, .old])
    #expect(recorder.take() == [.setting(new: null)])
    root.child = chain.middle("middle")
    #expect(recorder.take() == [.setting(new: null, old: null)])
    root.child?.child = chain.end("leaf")
    #expect(recorder.take() == [.setting(new: "leaf", old: null)])
    root.child = nil
    #expect(recorder.take() == [.setting(new: null, old: "leaf")])
  }

  @Test(arguments: Placement.ofTwoKeys) func aChildThatComesBackIsFollowedAgain(_ placement: Placement) {
    let chain = placement.chain
    let root = chain.head("root")
    let child = chain.end("child")
    recorder.observe(root, "child.number", .new)
    for number in 1...3 {
      root.child = child
      child.number = number
      root.child = nil
      child.number = -1
      #expect(recorder.take().dropFirst() == [.setting(new: number), .setting(new: null)])
    }
  }

  @Test(arguments: Placement.allCases) func longPathsAreFollowedToTheirEnd(_ placement: Placement) {
    let chain = placement.chain
    let nodes = [chain.head()] + (1..<20).map { chain.middle("\($0)") } + [chain.end()]
    for index in 0..<20 { nodes[index].child = nodes[index + 1] }
    recorder.observe(nodes[0], Array(repeating: "child", count: 20).joined(separator: ".") + ".number")
    nodes[20].number = 7
    #expect(recorder.take() == [.setting(new: 7, old: 0)])
    for index in (0..<20).reversed() {
      nodes[index].child = nodes[index].child
      #expect(recorder.take() == [.setting(new: 7, old: 7)])
    }
  }

  @Test(arguments: Placement.allCases) func theLastComponentMayBeAnObject(_ placement: Placement) {
    let chain = placement.chain
    let root = chain.head("root")
    let leaf = chain.end("leaf")
    root.child = chain.middle("middle")
    recorder.observe(root, "child.child")
    root.child?.child = leaf
    leaf.name = "not the value"
    #expect(recorder.take() == [.setting(new: leaf as KeyValueObservable, old: null)])
  }

  @Test(arguments: Placement.allCases) func aSetThroughThePathOfSwiftIsOneCallback(_ placement: Placement) {
    let chain = placement.chain
    let root = chain.head("root")
    root.child = chain.middle("child")
    recorder.observe(root, "child.child.number")
    root.child?.child = chain.end("leaf")
    root.child?.child?.number += 1
    root.child?.child?.number = 5
    #expect(
      recorder.take() == [.setting(new: 0, old: null), .setting(new: 1, old: 0), .setting(new: 5, old: 1)])
  }

  // MARK: Shared nodes and cycles

  @Test(arguments: Placement.allCases) func aNodeThatIsItsOwnChildNotifiesOnce(_ placement: Placement) {
    let chain = placement.chain
    let root = chain.head("root")
    root.child = root
    recorder.observe(root, "child.child.number", [.prior, .new, .old])
    root.number = 5
    #expect(recorder.take() == [.prior(old: 0), .setting(new: 5, old: 0)])
    root.child = chain.middle("leafless")
    #expect(recorder.take() == [.prior(old: 5), .setting(new: null, old: 5)])
    root.number = 6
    #expect(recorder.take() == [])
  }

  @Test(arguments: Placement.allCases) func aCycleNotifiesOncePerChange(_ placement: Placement) {
    let chain = placement.chain
    let root = chain.head("root")
    let other = chain.middle("other", child: root)
    root.child = other
    defer { root.child = nil }
    recorder.observe(root, "child.child.child.name")
    other.name = "changed"
    #expect(recorder.take() == [.setting(new: "changed", old: "other")])
    root.name = "not the leaf"
    #expect(recorder.take() == [])
    // root.child is the first component and the third.
    root.child = chain.middle("third", child: chain.middle("fourth", child: chain.end("fifth")))
    #expect(recorder.take() == [.setting(new: "fifth", old: "changed")])
    other.child = nil
    #expect(recorder.take() == [])
  }

  @Test(arguments: Placement.allCases) func aCycleThatArisesLaterNotifiesOnce(_ placement: Placement) {
    let chain = placement.chain
    let root = chain.head("root")
    let child = chain.middle("child")
    root.child = child
    recorder.observe(root, "child.child.child.name")
    child.child = child
    #expect(recorder.take() == [.setting(new: "child", old: null)])
    child.name = "changed"
    #expect(recorder.take() == [.setting(new: "changed", old: "child")])
    child.child = nil
    #expect(recorder.take() == [.setting(new: null, old: "changed")])
    child.name = "unreached"
    #expect(recorder.take() == [])
  }

  @Test(arguments: Placement.allCases) func aPathThatEndsAtAPropertyOnItsWayStaysThere(_ placement: Placement) {
    let chain = placement.chain
    let root = chain.head("root")
    let child = chain.middle("child")
    root.child = child
    recorder.observe(root, "child.child.child")
    child.child = root
    #expect(recorder.take() == [.setting(new: child as KeyValueObservable, old: null)])
    child.child = nil
    #expect(recorder.take() == [.setting(new: null, old: child as KeyValueObservable)])
    let other = chain.middle("other", child: chain.end("leaf"))
    root.child = other
    other.child = root
    #expect(recorder.take().last == .setting(new: other as KeyValueObservable, old: null))
    root.child = nil
    #expect(recorder.take() == [.setting(new: null, old: other as KeyValueObservable)])
  }

  @Test(arguments: Placement.allCases) func aPathThatPassesAPropertyTwiceLeavesItOnce(_ placement: Placement) {
    let chain = placement.chain
    let root = chain.head("root")
    root.child = root
    recorder.observe(root, "child.child.name")
    let child = chain.middle("child")
    root.child = child
    #expect(recorder.take() == [.setting(new: null, old: "root")])
    child.child = chain.end("leaf")
    #expect(recorder.take() == [.setting(new: "leaf", old: null)])
    root.child = root
    #expect(recorder.take() == [.setting(new: "root", old: "leaf")])
    root.child = nil
  }

  @Test(arguments: Placement.ofTwoKeys) func anObjectSharedByTwoRootsNotifiesEach(_ placement: Placement) {
    let chain = placement.chain
    let root = chain.head("root")
    let child = chain.end("child")
    let other = chain.head("other", child: child)
    root.child = child
    recorder.observe(root, "child.name")
    recorder.observe(other, "child.name")
    child.name = "changed"
    #expect(Set(recorder.calls.map(\.object)) == [ObjectIdentifier(root), ObjectIdentifier(other)])
    #expect(recorder.take() == [.setting(new: "changed", old: "child"), .setting(new: "changed", old: "child")])
    root.child = nil
    _ = recorder.take()
    child.name = "again"
    #expect(recorder.calls.map(\.object) == [ObjectIdentifier(other)])
  }

  @Test(arguments: Placement.allCases) func onePathBelowAnotherIsCalledOnItsOwn(_ placement: Placement) {
    let chain = placement.chain
    let root = chain.head("root")
    let child = chain.middle("child", child: chain.end("leaf"))
    let other = Recorder()
    root.child = child
    recorder.observe(root, "child.child.name")
    other.observe(child, "child.name")
    child.child?.name = "changed"
    root.child = nil
    #expect(recorder.take() == [.setting(new: "changed", old: "leaf"), .setting(new: null, old: "changed")])
    #expect(other.take() == [.setting(new: "changed", old: "leaf")])
    child.child?.name = "again"
    #expect(recorder.take() == [])
    #expect(other.take() == [.setting(new: "again", old: "changed")])
  }

  // MARK: Old values

  @Test(arguments: Placement.allCases) func allOldValuesAreReadBeforeTheChange(_ placement: Placement) {
    let chain = placement.chain
    let root = chain.head("root")
    let old = chain.middle("old", number: 1, child: chain.end("old leaf"))
    root.child = old
    let keyPaths = ["child.name", "child.number", "child.child.name", "child"]
    let new = chain.middle("new", number: 2, child: chain.end("new leaf"))
    for keyPath in keyPaths { recorder.observe(root, keyPath) }
    root.child = new
    let changes = Dictionary(uniqueKeysWithValues: recorder.calls.map { ($0.keyPath ?? "", $0.change) })
    #expect(recorder.calls.count == 4)
    #expect(
      changes == [
        "child.name": .setting(new: "new", old: "old"), "child.number": .setting(new: 2, old: 1),
        "child.child.name": .setting(new: "new leaf", old: "old leaf"),
        "child": .setting(new: new as KeyValueObservable, old: old as KeyValueObservable),
      ])
  }
}
