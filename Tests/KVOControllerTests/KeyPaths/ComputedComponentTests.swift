import KVOController
import Testing
import _KVOTestSupport

/// Paths whose components are computed, or don't retain their objects.
@Suite struct ComputedComponentTests {
  let recorder = Recorder()

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
