import Foundation
import KVOController
import Testing
import _KVOTestSupport

@Suite struct DependentKeyTests {
  let recorder = Recorder()

  @Test func aDependentKeyNotifiesWithItsOwnValues() {
    let person = Person("Ada", "Byron")
    recorder.observe(person, "fullName", [.prior, .new, .old])
    person.last = "Lovelace"
    #expect(recorder.take() == [.prior(old: "Ada Byron"), .setting(new: "Ada Lovelace", old: "Ada Byron")])
    person.age = 36
    #expect(recorder.take() == [])
  }

  @Test func chainsAreFollowed() {
    let person = Person("Ada", "Byron")
    recorder.observe(person, "greeting")
    person.first = "Augusta"
    #expect(recorder.take() == [.setting(new: "Dear Augusta Byron", old: "Dear Ada Byron")])
  }

  @Test func eachAssignmentInASetterIsASeparateChange() {
    let person = Person("Ada", "Byron")
    recorder.observe(person, "fullName")
    person.fullName = "Augusta King"
    #expect(
      recorder.take() == [
        .setting(new: "Augusta Byron", old: "Ada Byron"), .setting(new: "Augusta King", old: "Augusta Byron"),
      ])
  }

  @Test func aPairForTheDependentKeyItselfNotifies() {
    let person = Person("Ada", "Byron")
    recorder.observe(person, "fullName")
    person.willChangeValue(forKey: "fullName")
    person.didChangeValue(forKey: "fullName")
    #expect(recorder.take() == [.setting(new: "Ada Byron", old: "Ada Byron")])
  }

  @Test func aPairForTheDependentKeyReachesWhatDependsOnIt() {
    let person = Person("Ada", "Byron")
    recorder.observe(person, "greeting", [])
    person.willChangeValue(forKey: "fullName")
    person.didChangeValue(forKey: "fullName")
    #expect(recorder.take() == [.setting])
  }

  @Test func mutationInPlaceOfADependencyIsASetting() {
    let model = Graph()
    recorder.observe(model, "count")
    model.items.append(3)
    #expect(recorder.take() == [.setting(new: 1, old: 0)])
  }

  // MARK: Shapes

  /// Dependencies of all shapes.
  private class Graph: KeyValueObject {
    @Observed var items: [Int] = []
    @Observed var top = 1
    @Observed var ping = 1
    @Observed var pong = 2
    @Observed var node: Node?
    @Observed var twin: Node?
    var count: Int { items.count }
    var left: Int { top + 1 }
    var right: Int { top + 2 }
    var bottom: Int { left + right }
    var nodeName: String? { node?.name }
    var both: Int { (node?.number ?? 0) + (twin?.number ?? 0) }

    class var dependencies: [String: Set<String>] {
      [
        "count": ["items"], "left": ["top"], "right": ["top"], "bottom": ["left", "right", "top"], "ping": ["pong"],
        "pong": ["ping"], "nodeName": ["node.name"], "both": ["node.number", "twin.number"],
      ]
    }

    override class var keyPaths: [String: AnyKeyPath] {
      [
        "count": \Graph.count, "left": \Graph.left, "right": \Graph.right, "bottom": \Graph.bottom,
        "nodeName": \Graph.nodeName, "both": \Graph.both,
      ]
    }

    override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
      dependencies[key] ?? super.keyPathsForValuesAffectingValue(forKey: key)
    }
  }

  @Test func aDiamondNotifiesOnce() {
    let graph = Graph()
    recorder.observe(graph, "bottom", [.prior, .new, .old])
    graph.top = 11
    #expect(recorder.take() == [.prior(old: 5), .setting(new: 25, old: 5)])
  }

  @Test func mutualDependenciesNotifyOnceEach() {
    let graph = Graph()
    let other = Recorder()
    recorder.observe(graph, "ping")
    other.observe(graph, "pong")
    graph.ping = 5
    #expect(recorder.take() == [.setting(new: 5, old: 1)])
    #expect(other.take() == [.setting(new: 2, old: 2)])
    graph.pong = 6
    #expect(recorder.take() == [.setting(new: 5, old: 5)])
    #expect(other.take() == [.setting(new: 6, old: 2)])
  }

  @Test func aCycleOfDependenciesIsLegal() {
    final class Ring: KeyValueObject {
      @Observed var a = 0
      @Observed var b = 0
      @Observed var c = 0
      override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
        ["a": ["c"], "b": ["a"], "c": ["b", "c"]][key] ?? []
      }
    }
    let ring = Ring()
    for key in ["a", "b", "c"] { recorder.observe(ring, key, .new) }
    ring.a = 1
    #expect(Set(recorder.calls.map(\.keyPath)) == ["a", "b", "c"])
    #expect(recorder.calls.count == 3)
    _ = recorder.take()
    ring.c = 3
    #expect(recorder.calls.count == 3)
    for key in ["a", "b", "c"] { recorder.unobserve(ring, key) }
    #expect(ring.registrationCount == 0)
  }

  @Test func aDependencyMayBeAKeyPath() {
    let graph = Graph()
    let (old, new) = (Node("old"), Node("new"))
    recorder.observe(graph, "nodeName", [.prior, .new, .old])
    graph.node = old
    #expect(recorder.take() == [.prior(old: null), .setting(new: "old", old: null)])
    old.name = "older"
    #expect(recorder.take() == [.prior(old: "old"), .setting(new: "older", old: "old")])
    graph.node = new
    #expect(recorder.take() == [.prior(old: "older"), .setting(new: "new", old: "older")])
    old.name = "unheard"
    #expect(recorder.take() == [])
    new.name = "newer"
    graph.node = nil
    #expect(
      recorder.take() == [
        .prior(old: "new"), .setting(new: "newer", old: "new"), .prior(old: "newer"),
        .setting(new: null, old: "newer"),
      ])
  }

  @Test func aNodeSharedByTwoDependenciesNotifiesOnce() {
    let graph = Graph()
    let shared = Node("shared", number: 1)
    (graph.node, graph.twin) = (shared, shared)
    recorder.observe(graph, "both")
    shared.number = 10
    #expect(recorder.take() == [.setting(new: 20, old: 2)])
    graph.twin = nil
    #expect(recorder.take() == [.setting(new: 10, old: 20)])
    shared.number = 5
    #expect(recorder.take() == [.setting(new: 5, old: 10)])
    graph.node = nil
    _ = recorder.take()
    shared.number = 6
    #expect(recorder.take() == [])
  }

  @Test func aDependentKeyAtTheEndOfAPath() {
    let box = Box<Person?>(Person("Ada", "Byron"))
    recorder.observe(box, "value.greeting")
    box.value?.first = "A."
    box.value = Person("Alan", "Turing")
    box.value?.last = "T."
    box.value = nil
    #expect(
      recorder.take() == [
        .setting(new: "Dear A. Byron", old: "Dear Ada Byron"),
        .setting(new: "Dear Alan Turing", old: "Dear A. Byron"),
        .setting(new: "Dear Alan T.", old: "Dear Alan Turing"), .setting(new: null, old: "Dear Alan T."),
      ])
  }

  // MARK: Classes

  /// Adds to its superclass's dependencies, and to what they affect.
  private final class Graft: Graph {
    @Observed var extra = 100
    override var count: Int { items.count + extra }
    var doubleCount: Int { count * 2 }

    override class var dependencies: [String: Set<String>] {
      super.dependencies.merging(["count": ["items", "extra"], "doubleCount": ["count"]]) { $1 }
    }

    override class var keyPaths: [String: AnyKeyPath] { ["doubleCount": \Graft.doubleCount] }
  }

  @Test func dependenciesAreThoseOfTheObjectsClass() {
    let (graph, graft) = (Graph(), Graft())
    recorder.observe(graph, "count")
    recorder.observe(graft, "count")
    graft.extra = 5
    #expect(recorder.take() == [.setting(new: 5, old: 100)])
    graft.items.append(1)
    #expect(recorder.take() == [.setting(new: 6, old: 5)])
    graph.items.append(1)
    #expect(recorder.take() == [.setting(new: 1, old: 0)])
  }

  @Test func aSubclassMayDependOnKeysOfItsSuperclass() {
    let graft = Graft()
    recorder.observe(graft, "doubleCount")
    graft.items = [1, 2]
    graft.extra = 0
    #expect(recorder.take() == [.setting(new: 204, old: 200), .setting(new: 4, old: 204)])
    recorder.unobserve(graft, "doubleCount")
    recorder.observe(graft, "bottom")
    graft.top = 2
    #expect(recorder.take() == [.setting(new: 7, old: 5)])
  }

  @Test func aLongChainIsFollowedOnASmallStack() {
    let end = Gate()
    let thread = Thread {
      let (link, recorder) = (Link(), Recorder())
      recorder.observe(link, "key0", .new)
      link.value = 1
      if recorder.take() == [.setting(new: 1)] { end.arrive() }
      end.arrive()
    }
    thread.stackSize = 512 * 1024
    thread.start()
    #expect(end.wait(for: 2))
  }

  // MARK: Manual dependencies

  @Test func aManualDependencyDrivesItsDependentsByPairsAlone() {
    let account = Account()
    recorder.observe(account, "total", [.prior, .new, .old])
    account.balance = 3
    account.setValue(4, forKey: "balance")
    account.balance += 1
    #expect(recorder.take() == [])
    account.deposit(5)
    #expect(recorder.take() == [.prior(old: 5), .setting(new: 10, old: 5)])
    account.limit = 7
    #expect(recorder.take() == [.prior(old: 10), .setting(new: 17, old: 10)])
  }
}

/// A model with a chain of 1,000 keys, each of which depends on the next one.
private final class Link: KeyValueObject {
  @Observed var value = 0
  var end: Int { value }

  private static let count = 1000

  override class var keyPaths: [String: AnyKeyPath] {
    Dictionary(uniqueKeysWithValues: (0..<count).map { ("key\($0)", \Link.end) })
  }

  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    guard let index = Int(key.dropFirst(3)), key.hasPrefix("key") else { return [] }
    return [index + 1 == count ? "value" : "key\(index + 1)"]
  }
}
