import KVOController
import Testing
import _KVOTestSupport

/// Paths that lead through dictionaries, of each type that Key-Value Coding reads.
@Suite(.watched, .sound) struct DictionaryPathTests {
  /// A model with nodes in dictionaries of each type.
  final class Catalog: KeyValueObject, @unchecked Sendable {
    @Observed var nodes: [String: Node] = [:]
    @Observed var optionals: [String: Node?]? = nil
    @Observed var values: [String: Any] = [:]
    @Observed var fixed = NSDictionary()
    @Observed var mutable = NSMutableDictionary()
    @Observed var any: Any?

    var summary: String { value(forKeyPath: "values.inner.x.name") as? String ?? "" }

    override class var keyPaths: [String: AnyKeyPath] { ["summary": \Catalog.summary] }

    override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
      key == "summary" ? ["values.inner.x.name"] : []
    }

    /// Puts a node, or nothing, into the dictionary for a key.
    func put(_ node: Node?, _ key: String) {
      let entries = node.map { ["x": $0] } ?? [:]
      switch key {
      case "nodes": nodes = entries
      case "optionals": optionals = entries
      case "values": values = entries
      case "fixed": fixed = NSDictionary(dictionary: entries)
      case "mutable": mutable = NSMutableDictionary(dictionary: entries)
      default: any = entries
      }
    }
  }

  static let keys = ["nodes", "optionals", "values", "fixed", "mutable", "any"]

  let recorder = Recorder()
  let catalog = Catalog()

  @Test(arguments: keys) func anObjectInADictionaryNotifiesThroughItsPath(key: String) {
    let node = Node("a")
    catalog.put(node, key)
    recorder.observe(catalog, "\(key).x.name")
    node.name = "b"
    node.number = 1
    #expect(recorder.take() == [.setting(new: "b", old: "a")])
    #expect(catalog.value(forKeyPath: "\(key).x.name") as? String == "b")
  }

  @Test(arguments: keys) func replacingTheDictionaryLeadsThePathToTheObjectInTheNewOne(key: String) {
    let (former, node) = (Node("a"), Node("b"))
    catalog.put(former, key)
    recorder.observe(catalog, "\(key).x.name")
    catalog.put(node, key)
    former.name = "c"
    node.name = "d"
    catalog.put(nil, key)
    node.name = "e"
    catalog.put(former, key)
    former.name = "f"
    #expect(
      recorder.take() == [
        .setting(new: "b", old: "a"), .setting(new: "d", old: "b"), .setting(new: null, old: "d"),
        .setting(new: "c", old: null), .setting(new: "f", old: "c"),
      ])
  }

  @Test func changesOfADictionaryInPlaceLeadThePathOn() {
    let (first, second) = (Node("a"), Node("b"))
    recorder.observe(catalog, "nodes.x.name")
    catalog.nodes["x"] = first
    catalog.nodes["y"] = second
    first.name = "c"
    catalog.nodes["x"] = second
    first.name = "d"
    catalog.nodes.removeValue(forKey: "x")
    second.name = "e"
    #expect(
      recorder.take() == [
        .setting(new: "a", old: null), .setting(new: "a", old: "a"), .setting(new: "c", old: "a"),
        .setting(new: "b", old: "c"), .setting(new: null, old: "b"),
      ])
  }

  @Test func aPathLeadsThroughADictionaryInADictionary() {
    let (node, child) = (Node("a"), Node("c"))
    node.child = child
    catalog.values = ["inner": ["x": node] as NSDictionary]
    recorder.observe(catalog, "values.inner.x.child.name")
    child.name = "d"
    node.child = Node("e")
    catalog.values["inner"] = ["x": Node("f", child: child)]
    child.name = "g"
    #expect(
      recorder.take() == [
        .setting(new: "d", old: "c"), .setting(new: "e", old: "d"), .setting(new: "d", old: "e"),
        .setting(new: "g", old: "d"),
      ])
  }

  @Test func aKeyCanDependOnAPathThroughADictionary() {
    let node = Node("a")
    catalog.values = ["inner": ["x": node]]
    recorder.observe(catalog, "summary")
    node.name = "b"
    catalog.values = [:]
    #expect(recorder.take() == [.setting(new: "b", old: "a"), .setting(new: "", old: "b")])
  }

  @Test func aDictionaryAtTheEndIsReadByItsKey() {
    catalog.values = ["a": 1]
    recorder.observe(catalog, "values.a")
    recorder.observe(catalog, "values.@count")
    catalog.values["a"] = 2
    #expect(recorder.take() == [.setting(new: NSNumber(value: 1), old: NSNumber(value: 1)), .setting(new: 2, old: 1)])
  }

  @Test func anObjectInADictionaryMayDie() {
    catalog.nodes = ["x": Node("a")]
    catalog.mutable = ["x": Node("b")]
    recorder.observe(catalog, "nodes.x.name")
    recorder.observe(catalog, "mutable.x.name")
    catalog.mutable.removeAllObjects()
    catalog.nodes = [:]
    catalog.mutable = ["x": Node("c")]
    #expect(recorder.take() == [.setting(new: null, old: "a"), .setting(new: "c", old: null)])
  }

  @Test func aDictionaryReplacedWhileAnObserverIsCalledIsFollowed() {
    let (first, second) = (Node("a"), Node("b"))
    catalog.nodes = ["x": first]
    recorder.observe(catalog, "nodes.x.name")
    recorder.whenCalled = { [catalog] recorder, _ in
      recorder.whenCalled = nil
      catalog.nodes = ["x": second]
    }
    first.name = "c"
    first.name = "d"
    second.name = "e"
    #expect(recorder.take().last == .setting(new: "e", old: "b"))
  }

  @Test func nothingIsRetained() {
    weak var dead: Node?
    do {
      let node = Node("a")
      dead = node
      catalog.values = ["x": node]
      recorder.observe(catalog, "values.x.name")
      catalog.values = [:]
    }
    #expect(dead == nil)
  }

  @Test func typedAndNamedPathsNotifyAlike() {
    let node = Node("a")
    catalog.nodes = ["x": node]
    let names = Locked<[String?]>([])
    let token = catalog.observe(\.nodes["x"]?.name, options: .new) { _, change in
      names.append(change.newValue ?? nil)
    }
    recorder.observe(catalog, "nodes.x.name", .new)
    node.name = "b"
    catalog.nodes["x"] = Node("c")
    catalog.nodes["x"] = nil
    node.name = "d"
    token.invalidate()
    #expect(names.current == ["b", "c", nil])
    #expect(recorder.take() == [.setting(new: "b"), .setting(new: "c"), .setting(new: null)])
  }

  enum Slot: String { case x, y }

  final class Rack: KeyValueObject {
    @Observed var slots: [Slot: Node] = [:]
    @Observed var texts: [Substring: Node] = [:]
    @Observed var hashables: [AnyHashable: Node] = [:]
    @Observed var numbered: [Int: Node] = [:]
    @Observed var fixed: NSDictionary = [1: "a"]
  }

  @Test(arguments: ["slots", "texts", "hashables"]) func keysThatAStringStandsForAreFound(key: String) {
    let (rack, first, second) = (Rack(), Node("a"), Node("b"))
    func put(_ node: Node?) {
      switch key {
      case "slots": rack.slots[.x] = node
      case "texts": rack.texts["x"] = node
      default: rack.hashables["x"] = node
      }
    }
    put(first)
    recorder.observe(rack, "\(key).x.name")
    #expect(rack.value(forKeyPath: "\(key).x.name") as? String == "a")
    first.name = "c"
    put(second)
    first.name = "d"
    second.name = "e"
    put(nil)
    #expect(
      recorder.take() == [
        .setting(new: "c", old: "a"), .setting(new: "b", old: "c"), .setting(new: "e", old: "b"),
        .setting(new: null, old: "e"),
      ])
  }

  @Test func aDictionaryOfOtherKeysStopsWhenItIsObserved() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Recorder().observe(Rack(), "numbered.1.name")
    }
    #expect(said("is not supported. Key path: 1.name.", "Observe \"numbered\"", in: result))
  }

  @Test func oneOfFoundationsIsAskedWithTheString() {
    let rack = Rack()
    recorder.observe(rack, "fixed.1")
    rack.fixed = ["1": "b"]
    #expect(recorder.take() == [.setting(new: "b", old: null)])
  }
}
