import KVOController
import Testing
import _KVOTestSupport

/// Everything works from a `deinit`.
@Suite struct DeinitTests {
  let log = Locked<[String]>([])

  /// Runs a closure in its `deinit`.
  private class Mortal: Recorder, @unchecked Sendable {
    @Observed var number = 1
    @Observed var child: Node?
    @Observed var items: [Int] = []
    var double: Int { number * 2 }
    var lastWill: ((Mortal) -> Void)?

    override class var keyPaths: [String: AnyKeyPath] { ["double": \Mortal.double] }

    override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
      key == "double" ? ["number"] : super.keyPathsForValuesAffectingValue(forKey: key)
    }

    deinit { lastWill?(self) }
  }

  @Test func anObserverRemovesItselfInDeinit() {
    let node = Node("a", child: Node("b"))
    do {
      let observer = Mortal()
      observer.observe(node, "number", [], context: 1)
      observer.observe(node, "number", [])
      observer.observe(node, "child.name", [])
      observer.lastWill = { [node] observer in
        observer.unobserve(node, "number", context: 1)
        observer.unobserve(anyContextOf: node, "number")
        observer.unobserve(anyContextOf: node, "child.name")
      }
    }
    #expect(node.registrationCount == 0)
    node.number = 2
    node.child?.name = "c"
  }

  @Test func anObserverChangesWhatItObservesInDeinit() {
    let node = Node("a", child: Node("b"))
    let other = Recorder()
    other.observe(node, "number", [.new, .prior])
    do {
      let observer = Mortal()
      observer.observe(node, "number", [.new, .prior])
      observer.observe(node, "child.number")
      observer.lastWill = { [node, log] observer in
        node.number = 2
        node.child?.number = 3
        node.child = nil
        log.append("calls: \(observer.calls.count)")
      }
    }
    #expect(log.take() == ["calls: 0"])
    #expect(other.take() == [.prior, .setting(new: 2)])
    #expect(node.number == 2)
  }

  @Test func observersAreRemovedInTheDeinitOfTheObject() {
    let recorder = Recorder()
    do {
      let mortal = Mortal()
      mortal.child = Node("child")
      recorder.observe(mortal, "number", [], context: 1)
      recorder.observe(mortal, "child.name", [])
      recorder.observe(mortal, "double", [])
      mortal.lastWill = { [recorder, log] mortal in
        recorder.unobserve(mortal, "number", context: 1)
        recorder.unobserve(anyContextOf: mortal, "child.name")
        recorder.unobserve(anyContextOf: mortal, "double")
        mortal.number = 2
        mortal.child?.name = "other"
        log.append("info: \(mortal.registrationCount == 0)")
      }
    }
    #expect(log.take() == ["info: true"])
    #expect(recorder.take() == [])
  }

  @Test func propertiesAreReadAndSetInTheDeinitOfTheObservedObject() {
    let recorder = Recorder()
    do {
      let mortal = Mortal()
      let child = Node("child")
      mortal.child = child
      for key in ["number", "child.name", "double", "items"] { recorder.observe(mortal, key, [.new, .old, .prior]) }
      mortal.lastWill = { [log] mortal in
        mortal.number += 4
        mortal.items.append(7)
        mortal.child?.name = "changed"
        mortal.child = nil
        mortal.setValue(mortal.number + 1, forKey: "number")
        mortal.willChangeValue(forKey: "double")
        mortal.didChangeValue(forKey: "double")
        log.append("\(mortal.number) \(mortal.items) \(mortal.value(forKey: "double") as? Int ?? -1)")
      }
    }
    #expect(log.take() == ["6 [7] 12"])
    _ = recorder.take()
    let mortal = Mortal()
    mortal.number = 3
    #expect(recorder.take() == [])
  }

  @Test func anUnobservedObjectIsUsedInItsDeinit() {
    do {
      let mortal = Mortal()
      mortal.lastWill = { [log] mortal in
        mortal.number = 5
        mortal.items += [1]
        mortal.willChangeValue(forKey: "number")
        mortal.didChangeValue(forKey: "number")
        log.append("\(mortal.value(forKeyPath: "double") as? Int ?? -1) \(mortal.registrationCount == 0)")
      }
    }
    #expect(log.take() == ["10 true"])
  }

  @Test func aChildIsUnobservedInTheDeinitOfItsOwner() {
    let child = Node("child")
    let other = Recorder()
    do {
      let owner = Mortal()
      owner.child = child
      owner.observe(child, "name", [])
      owner.observe(owner, "child.number", [])
      other.observe(owner, "child.number", [])
      owner.lastWill = { owner in
        if let child = owner.child { owner.unobserve(child, "name") }
        owner.unobserve(anyContextOf: owner, "child.number")
        owner.child = nil
      }
    }
    _ = other.take()
    #expect(child.registrationCount == 0)
    child.name = "b"
    child.number = 2
    #expect(other.take() == [])
  }

  @Test func anObserverRegisteredForItselfUnregistersInDeinit() {
    do {
      let mortal = Mortal()
      mortal.observe(mortal, "number", [])
      mortal.lastWill = { [log] mortal in
        mortal.unobserve(anyContextOf: mortal, "number")
        mortal.number = 9
        log.append("\(mortal.number) \(mortal.calls.count)")
      }
    }
    #expect(log.take() == ["9 0"])
  }

  @Test func objectCanBeReleasedWithTheReplacedValue() {
    let recorder = Recorder()
    let root = Node("root")
    recorder.observe(root, "child.number")
    do {
      let child = Parting()
      child.parent = root
      root.child = child
      recorder.observe(child, "name", [])
    }
    _ = recorder.take()
    root.child = nil
    #expect(recorder.take() == [.setting(new: null, old: 0)])
    #expect(root.name == "left alone")
  }

  /// Tells its parent of its end.
  private final class Parting: Node, @unchecked Sendable {
    weak var parent: Node?
    deinit { parent?.name = "left alone" }
  }

  @Test func deinitCanNotifyOtherObjects() {
    let recorder = Recorder()
    let root = Node("root")
    recorder.observe(root, "name", .new)
    do {
      let child = Parting()
      child.parent = root
      recorder.observe(child, "number")
    }
    #expect(recorder.take() == [.setting(new: "left alone")])
  }
}
