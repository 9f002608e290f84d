#if !canImport(ObjectiveC)
import KVOController
import Testing
import _KVOTestSupport

/// Paths that lead through objects that the engine doesn't observe itself behave like all others, wherever these are: at the
/// head of the path, in the middle, or at its end.
@Suite(.watched, .sound) struct ForeignPathTests {
  private let observer = Recorder()

  private static let options: [NSKeyValueObservingOptions] = [
    [], .new, .old, [.new, .old], [.new, .old, .prior], [.initial, .new], [.initial, .prior],
    [.new, .old, .initial, .prior],
  ]

  /// What an observer of `"child.child.number"` receives while the objects on the path change.
  private func changes(_ arrangement: Arrangement, _ options: NSKeyValueObservingOptions) -> [Change] {
    let controller = KVOController(observer: observer, retainObserved: arrangement.isRetaining)
    let (root, first, second, leaf, other) = arrangement.path()
    var changes: [Change] = []
    func mark(_ name: String) { changes.append(Change(.setting, new: name)) }
    controller.observe(root, keyPath: "child.child.number", options: options) { _, object, change in
      #expect(object as AnyObject === root)
      changes.append(Change(change))
    }
    mark("leaf")
    leaf.setValue(2, forKey: "number")
    mark("second")
    root.setValue(second, forKey: "child")
    leaf.setValue(3, forKey: "number")
    first.setValue(other, forKey: "child")
    mark("other")
    other.setValue(11, forKey: "number")
    mark("nil")
    second.setValue(nil, forKey: "child")
    other.setValue(12, forKey: "number")
    mark("nothing")
    root.setValue(nil, forKey: "child")
    second.setValue(leaf, forKey: "child")
    mark("again")
    root.setValue(second, forKey: "child")
    leaf.setValue(4, forKey: "number")
    mark("end")
    controller.unobserve(root, keyPath: "child.child.number")
    leaf.setValue(5, forKey: "number")
    second.setValue(nil, forKey: "child")
    root.setValue(nil, forKey: "child")
    return changes
  }

  @Test(arguments: Arrangement.all) func observersReceiveWhatTheyReceiveFromOwnObjects(_ arrangement: Arrangement) {
    for options in Self.options {
      #expect(changes(arrangement, options) == changes(.own, options), "\(options)")
    }
  }

  @Test func aDependentKeyMayLeadThroughForeignObjects() {
    final class Player: KeyValueObject, @unchecked Sendable {
      @Observed var item: ForeignNode?
      var title: String { "\(item?["number"] as? Int ?? -1)" }

      override class var keyPaths: [String: AnyKeyPath] { ["title": \Player.title] }
      override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
        key == "title" ? ["item.number"] : super.keyPathsForValuesAffectingValue(forKey: key)
      }
    }
    do {
      let player = Player()
      let items = [ForeignNode(), ForeignNode()]
      // All calls are made on this thread.
      nonisolated(unsafe) var titles: [String?] = []
      let token = player.observe(\.title, options: [.new, .old]) { _, change in
        titles += [change.oldValue, change.newValue]
      }
      player.item = items[0]
      items[0]["number"] = 1
      player.item = items[1]
      items[0]["number"] = 2
      items[1]["number"] = 3
      token.invalidate()
      items[1]["number"] = 4
      #expect(titles == ["-1", "-1", "-1", "1", "1", "-1", "-1", "3"])
    }
  }

  private final class Lamp: KeyValueObject, @unchecked Sendable {
    @Observed var level = 0
    var text: String { "level \(level)" }
  }

  private final class Room: ForeignNode, @unchecked Sendable {
    var lamp: Lamp? {
      get { self["lamp"] as? Lamp }
      set { self["lamp"] = newValue }
    }
    override class var keyPaths: [String: AnyKeyPath] { ["lamp": \Room.lamp] }
  }

  /// The engine can read `text` only, but not hear of a change of `lamp` by reading.
  @Test(arguments: [true, false]) func aComputedPropertyMayFollowAForeignKey(_ isRetaining: Bool) {
    let room = Room()
    let lamps = [Lamp(), Lamp()]
    let controller = KVOController(observer: observer, retainObserved: isRetaining)
    var texts: [String?] = []
    room.lamp = lamps[0]
    controller.observe(room, \.lamp?.text) { _, change in texts += [change.oldValue ?? nil, change.newValue ?? nil] }
    lamps[0].level = 1
    room.lamp = lamps[1]
    lamps[0].level = 2
    lamps[1].level = 3
    room.lamp = nil
    lamps[1].level = 4
    #expect(texts == ["level 0", "level 1", "level 1", "level 0", "level 0", "level 3", "level 3", nil])
    controller.unobserveAll()
    room.lamp = lamps[0]
    #expect(texts.count == 8)
  }

  @Test(arguments: Arrangement.all) func anOwnKeyAtTheEndMayDependOnOthers(_ arrangement: Arrangement) {
    guard !arrangement.placement.isForeign(at: 2) else { return }
    do {
      let (root, middle) = (arrangement.node(0), arrangement.node(1))
      let leaf = OwnNode()
      root.setValue(middle, forKey: "child")
      middle.setValue(leaf, forKey: "child")
      var totals: [Int?] = []
      let controller = KVOController(observer: observer, retainObserved: arrangement.isRetaining)
      controller.observe(root, keyPath: "child.child.total", options: .new) { _, _, change in
        totals.append(change[.newKey] as? Int)
      }
      leaf.number = 2
      leaf.factor = 5
      middle.setValue(nil, forKey: "child")
      leaf.number = 3
      #expect(totals == [2, 10, nil])
    }
  }

  /// Foundation notifies of each of its keys, also of those that depend on one another.
  @Test func aForeignKeyAndOneThatDependsOnItNotifyForEach() {
    for isForeign in [true, false] {
      let root = OwnMixedNode()
      let child: KeyValueObject = isForeign ? ForeignMixedNode() : OwnMixedNode()
      child.setValue(2, forKey: "factor")
      root.child = child
      nonisolated(unsafe) var sums: [Int?] = []
      let token = root.observe(\.sum, options: [.new, .old]) { _, change in
        sums += [change.oldValue, change.newValue]
      }
      child.setValue(1, forKey: "number")
      #expect(sums == (isForeign ? [0, 3, 0, 3] : [0, 3]))
      child.setValue(3, forKey: "factor")
      #expect(sums.suffix(2) == [3, 4])
      token.invalidate()
    }
  }

  @Test func classWithItsOwnRegistrationTakesTheRestOfThePath() {
    let (root, leaf) = (OwnNode(), ForeignNode())
    let proxy = ForeignNode(overriding: ["addObserver:forKeyPath:options:context:"])
    root.child = proxy
    proxy["child"] = leaf
    var values: [Int?] = []
    let token = KVOController(observer: observer)
    token.observe(root, keyPath: "child.child.number", options: .new) { _, _, change in
      values.append(change[.newKey] as? Int)
    }
    #expect(proxy.registeredKeyPaths == ["child.number"])
    leaf["number"] = 1
    proxy["child"] = nil
    leaf["number"] = 2
    root.child = nil
    #expect(values == [1, nil, nil])
    token.unobserveAll()
  }

  @Test func operatorsReadForeignObjects() {
    let (root, nodes) = (OwnNode(), [ForeignNode(), ForeignNode()])
    for (number, node) in nodes.enumerated() { node["number"] = number + 1 }
    let controller = KVOController(observer: observer)
    var sums: [Int?] = []
    controller.observe(root, keyPath: "items.@sum.number", options: .new) { _, _, change in
      sums.append(change[.newKey] as? Int)
    }
    root.items = nodes
    root.items = [nodes[1]]
    #expect(sums == [3, 2])
    let elsewhere = ForeignNode()
    elsewhere["child"] = nodes[0]
    root.child = elsewhere
    root.setValue(7, forKeyPath: "child.child.number")
    #expect(root.value(forKeyPath: "child.child.number") as? Int == 7)
  }
}
#endif
