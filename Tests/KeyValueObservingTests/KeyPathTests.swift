import KeyValueObserving
import Testing
import _KVOTestSupport

@Suite struct KeyPathTests {
  let root = Node("root")
  let recorder = Recorder()

  @Test func aLeafNotifiesThroughItsPath() {
    let child = Node("child")
    root.child = child
    recorder.observe(root, "child.name")
    child.name = "changed"
    #expect(recorder.take() == [.setting(new: "changed", old: "child")])
    child.number = 1
    root.name = "other"
    #expect(recorder.take() == [])
  }

  @Test func replacingTheMiddleNotifies() {
    root.child = Node("old")
    recorder.observe(root, "child.name", [.prior, .new, .old])
    root.child = Node("new")
    #expect(recorder.take() == [.prior(old: "old"), .setting(new: "new", old: "old")])
  }

  @Test func replacingTheMiddleNotifiesEvenIfTheValueIsTheSame() {
    let child = Node("same")
    root.child = child
    recorder.observe(root, "child.name")
    root.child = Node("same")
    root.child = child
    root.child = child
    #expect(recorder.take() == Array(repeating: .setting(new: "same", old: "same"), count: 3))
    child.name = "changed"
    #expect(recorder.take() == [.setting(new: "changed", old: "same")])
  }

  @Test func replacedChildNoLongerNotifies() {
    let (old, new) = (Node("old"), Node("new"))
    root.child = old
    recorder.observe(root, "child.name")
    root.child = new
    _ = recorder.take()
    old.name = "unheard"
    #expect(recorder.take() == [])
    new.name = "heard"
    #expect(recorder.take() == [.setting(new: "heard", old: "new")])
  }

  @Test func nothingBelowAReplacedChildNotifies() {
    let leaves = [Node("leaf 1"), Node("leaf 2")]
    let middles = leaves.map { Node("middle", child: $0) }
    root.child = middles[0]
    recorder.observe(root, "child.child.name")
    root.child = middles[1]
    #expect(recorder.take() == [.setting(new: "leaf 2", old: "leaf 1")])
    leaves[0].name = "unheard"
    middles[0].child = nil
    #expect(recorder.take() == [])
    leaves[1].name = "heard"
    middles[1].child = leaves[0]
    #expect(recorder.take() == [.setting(new: "heard", old: "leaf 2"), .setting(new: "unheard", old: "heard")])
  }

  @Test func aNilMiddleMakesTheValueNull() {
    recorder.observe(root, "child.child.name", [.initial, .new, .old])
    #expect(recorder.take() == [.setting(new: null)])
    root.child = Node("middle")
    #expect(recorder.take() == [.setting(new: null, old: null)])
    root.child?.child = Node("leaf")
    #expect(recorder.take() == [.setting(new: "leaf", old: null)])
    root.child = nil
    #expect(recorder.take() == [.setting(new: null, old: "leaf")])
  }

  @Test func aChildThatComesBackIsFollowedAgain() {
    let child = Node("child")
    recorder.observe(root, "child.number", .new)
    for number in 1...3 {
      root.child = child
      child.number = number
      root.child = nil
      child.number = -1
      #expect(recorder.take().dropFirst() == [.setting(new: number), .setting(new: null)])
    }
  }

  @Test func longPathsAreFollowedToTheirEnd() {
    let nodes = (0...20).map { Node("\($0)") }
    for index in 0..<20 { nodes[index].child = nodes[index + 1] }
    recorder.observe(nodes[0], Array(repeating: "child", count: 20).joined(separator: ".") + ".number")
    nodes[20].number = 7
    #expect(recorder.take() == [.setting(new: 7, old: 0)])
    for index in (0..<20).reversed() {
      nodes[index].child = nodes[index].child
      #expect(recorder.take() == [.setting(new: 7, old: 7)])
    }
  }

  @Test func theLastComponentMayBeAnObject() {
    let leaf = Node("leaf")
    root.child = Node("middle")
    recorder.observe(root, "child.child")
    root.child?.child = leaf
    leaf.name = "not the value"
    #expect(recorder.take() == [.setting(new: leaf, old: null)])
  }

  @Test func mutationInPlaceOfTheLeafNotifiesOnce() {
    root.child = Node("child")
    recorder.observe(root, "child.items")
    root.child?.items.append(1)
    #expect(recorder.take() == [.setting(new: [1], old: [Int]())])
  }

  @Test func aSetThroughThePathOfSwiftIsOneCallback() {
    root.child = Node("child")
    recorder.observe(root, "child.child.number")
    root.child?.child = Node("leaf")
    root.child?.child?.number += 1
    root[keyPath: \.child!.child!.number] = 5
    #expect(
      recorder.take() == [.setting(new: 0, old: null), .setting(new: 1, old: 0), .setting(new: 5, old: 1)])
  }

  // MARK: Shared nodes and cycles

  @Test func aNodeThatIsItsOwnChildNotifiesOnce() {
    root.child = root
    recorder.observe(root, "child.child.number", [.prior, .new, .old])
    root.number = 5
    #expect(recorder.take() == [.prior(old: 0), .setting(new: 5, old: 0)])
    root.child = Node("leafless")
    #expect(recorder.take() == [.prior(old: 5), .setting(new: null, old: 5)])
    root.number = 6
    #expect(recorder.take() == [])
  }

  @Test func aCycleNotifiesOncePerChange() {
    let other = Node("other", child: root)
    root.child = other
    defer { root.child = nil }
    recorder.observe(root, "child.child.child.name")
    other.name = "changed"
    #expect(recorder.take() == [.setting(new: "changed", old: "other")])
    root.name = "not the leaf"
    #expect(recorder.take() == [])
    // root.child is the first component and the third.
    root.child = Node("third", child: Node("fourth", child: Node("fifth")))
    #expect(recorder.take() == [.setting(new: "fifth", old: "changed")])
    other.child = nil
    #expect(recorder.take() == [])
  }

  @Test func aCycleThatArisesLaterNotifiesOnce() {
    let child = Node("child")
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

  @Test func anObjectSharedByTwoRootsNotifiesEach() {
    let child = Node("child")
    let other = Node("other", child: child)
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

  @Test func onePathBelowAnotherIsCalledOnItsOwn() {
    let child = Node("child", child: Node("leaf"))
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

  @Test func allOldValuesAreReadBeforeTheChange() {
    let old = Node("old", number: 1, child: Node("old leaf"))
    root.child = old
    let keyPaths = ["child.name", "child.number", "child.child.name", "child"]
    let new = Node("new", number: 2, child: Node("new leaf"))
    for keyPath in keyPaths { recorder.observe(root, keyPath) }
    root.child = new
    let changes = Dictionary(uniqueKeysWithValues: recorder.calls.map { ($0.keyPath ?? "", $0.change) })
    #expect(recorder.calls.count == 4)
    #expect(
      changes == [
        "child.name": .setting(new: "new", old: "old"), "child.number": .setting(new: 2, old: 1),
        "child.child.name": .setting(new: "new leaf", old: "old leaf"),
        "child": .setting(new: new, old: old),
      ])
  }

  // MARK: Computed components

  /// Leads to one of two nodes.
  private final class Switch: KeyValueObject {
    @Observed var left = Node("left")
    @Observed var right = Node("right")
    @Observed var usesLeft = true
    var current: Node { usesLeft ? left : right }
    var currentName: String { current.name }

    override class var keyPaths: [String: AnyKeyPath] {
      ["current": \Switch.current, "currentName": \Switch.currentName]
    }

    override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
      switch key {
      case "current": ["left", "right", "usesLeft"]
      case "currentName": ["current.name"]
      default: super.keyPathsForValuesAffectingValue(forKey: key)
      }
    }
  }

  @Test(arguments: ["current.name", "currentName"])
  func aComputedComponentMovesTheRegistration(keyPath: String) {
    let model = Switch()
    recorder.observe(model, keyPath)
    model.left.name = "l"
    #expect(recorder.take() == [.setting(new: "l", old: "left")])
    model.usesLeft = false
    #expect(recorder.take() == [.setting(new: "right", old: "l")])
    model.left.name = "unheard"
    #expect(recorder.take() == [])
    model.right.name = "r"
    #expect(recorder.take() == [.setting(new: "r", old: "right")])
    model.right = Node("new")
    #expect(recorder.take() == [.setting(new: "new", old: "r")])
    model.right.name = "newer"
    #expect(recorder.take() == [.setting(new: "newer", old: "new")])
  }

  @Test func aComputedComponentBelowAnObjectMovesToo() {
    let box = Box<Switch?>(nil)
    recorder.observe(box, "value.current.name")
    let model = Switch()
    box.value = model
    model.usesLeft = false
    model.right.name = "r"
    model.left.name = "unheard"
    box.value = nil
    model.right.name = "unheard"
    model.usesLeft = true
    #expect(
      recorder.take() == [
        .setting(new: "left", old: null), .setting(new: "right", old: "left"), .setting(new: "r", old: "right"),
        .setting(new: null, old: "r"),
      ])
  }

  @Test func behindAWeakObjectThatDiedNothingIsReachable() {
    let root = Node("root")
    let leaf = Node("leaf", number: 1)
    var middle: Node? = Node("middle", child: leaf)
    root.friend = middle
    let recorder = Recorder()
    recorder.observe(root, "friend.child.number")
    leaf.number = 2
    #expect(recorder.take() == [.setting(new: 2, old: 1)])
    middle = nil
    #expect(root.friend == nil)
    leaf.number = 3
    #expect(recorder.take().allSatisfy { $0 == .setting(new: null, old: null) })
    leaf.number = 4
    #expect(recorder.take() == [])
    withExtendedLifetime(middle) {}
  }
}
