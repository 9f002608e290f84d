import KVOController
import Testing
import _KVOTestSupport

/// Reading a proxy shows what the property contains now, even by those methods that Foundation on Linux answers from storage
/// of its own, if they can be overridden or read the count.
@Suite struct ProxyReadingTests {
  let library = Library()

  @Test func anOrderedSetIsCompared() {
    let proxy = library.mutableOrderedSetValue(forKey: "numbers")
    library.numbers = [3, 1, 2]
    #expect(proxy[0] as? Int == 3)
    #expect(proxy.isEqual(to: NSOrderedSet(array: [3, 1, 2])))
    #expect(!proxy.isEqual(to: NSOrderedSet(array: [1, 2, 3])))
    #expect(proxy.intersects(NSOrderedSet(array: [9, 1])))
    #expect(!proxy.intersects(NSOrderedSet(array: [9])))
    #expect(proxy.intersectsSet([9, 1]))
    #expect(!proxy.intersectsSet([9]))
    #expect(proxy.isSubset(of: NSOrderedSet(array: [1, 2, 3, 4])))
    #expect(!proxy.isSubset(of: NSOrderedSet(array: [1, 2])))
    #expect(proxy.isSubset(of: [1, 2, 3, 4] as Set<AnyHashable>))
    #expect(!proxy.isSubset(of: [1, 2] as Set<AnyHashable>))
  }

  @Test func anOrderedSetIsEnumeratedSearchedAndSorted() {
    let proxy = library.mutableOrderedSetValue(forKey: "numbers")
    library.numbers = [3, 1, 2]
    var seen: [Int?] = []
    proxy.enumerateObjects { object, _, _ in seen.append(object as? Int) }
    proxy.enumerateObjects(at: [1]) { object, _, _ in seen.append(object as? Int) }
    #expect(seen == [3, 1, 2, 1])
    #expect(proxy.index(ofObjectAt: [1, 2]) { object, _, _ in object as? Int == 2 } == 2)
    #expect(proxy.indexes(ofObjectsAt: [0, 1, 2]) { object, _, _ in object as? Int != 1 } == [0, 2])
    let compare: (Any, Any) -> ComparisonResult = { left, right in
      NSNumber(value: left as? Int ?? 0).compare(NSNumber(value: right as? Int ?? 0))
    }
    #expect(proxy.sortedArray(options: [], usingComparator: compare) as? [Int] == [1, 2, 3])
    library.numbers = [1, 2, 3]
    let range = NSRange(location: 0, length: 3)
    #expect(proxy.index(of: 2, inSortedRange: range, usingComparator: compare) == 1)
  }

  @Test func anOrderedSetIsLiveIfItsCountIsTheSame() {
    let proxy = library.mutableOrderedSetValue(forKey: "numbers")
    library.numbers = [3, 1, 2]
    #expect(proxy.array as? [Int] == [3, 1, 2])
    library.numbers = [6, 4, 5]
    #expect(proxy.array as? [Int] == [6, 4, 5] && Set(proxy.set.compactMap { $0.base as? Int }) == [4, 5, 6])
    #expect(proxy.index(ofObjectPassingTest: { object, _, _ in object as? Int == 5 }) == 2)
    #expect(proxy.sortedArray(using: MutatingMethodTests.descriptors) as? [Int] == [4, 5, 6])
  }

  @Test func aCopyIsNoView() throws {
    let proxy = library.mutableOrderedSetValue(forKey: "numbers")
    library.numbers = [3, 1]
    let copy = try #require(proxy.copy() as? NSOrderedSet)
    library.numbers = []
    #expect(copy.isEqual(to: NSOrderedSet(array: [3, 1])))
  }

  @Test func aSetIsComparedAndJoined() {
    library.numberSet = [1, 2]
    let proxy = library.mutableSetValue(forKey: "numberSet")
    #expect(proxy.intersects([2, 9]))
    #expect(!proxy.intersects([9]))
    #expect(proxy.addingObjects(from: [2, 3] as Set<AnyHashable>) == [1, 2, 3])
    #expect(proxy.addingObjects(from: [4] as [Any]) == [1, 2, 4])
    #expect(library.numberSet == [1, 2])
  }

  @Test func objectsAreRemovedInARange() {
    let (one, other) = (Node("a"), Node("b"))
    library.nodes = [one, other, one]
    let nodes = library.mutableArrayValue(forKey: "nodes")
    nodes.removeObject(identicalTo: one, in: NSRange(location: 1, length: 1))
    #expect(library.nodes == [one, other, one])
    nodes.removeObject(identicalTo: one, in: NSRange(location: 1, length: 2))
    #expect(library.nodes == [one, other])
  }

  @Test func objectsThatAreNotEquatableAreFoundByIdentity() {
    final class Plain {}
    let (one, other) = (Plain(), Plain())
    let box = Box([one])
    let proxy = box.mutableArrayValue(forKey: "value")
    #expect(proxy.contains(one))
    #expect(!proxy.contains(other))
    proxy.remove(other)
    #expect(proxy.count == 1)
    proxy.remove(one)
    #expect(box.value.isEmpty)
  }

  @Test func anOrderedSetGetsEachObjectOnce() {
    final class Song: NSObject {
      let title: String
      init(_ title: String) { self.title = title }
      override func isEqual(_ object: Any?) -> Bool { (object as? Song)?.title == title }
      override var hash: Int { title.hashValue }
    }
    struct Point: Equatable {
      var x = 0
    }
    func count<Value>(_ box: Box<[Value]>, afterAdding values: Value...) -> Int {
      let proxy = box.mutableOrderedSetValue(forKey: "value")
      for value in values { proxy.add(value) }
      box.value.removeFirst()
      for value in values { proxy.add(value) }
      return box.value.count
    }
    #expect(count(Box([Song("a")]), afterAdding: Song("b"), Song("a"), Song("b")) == 2)
    #expect(count(Box([Point(x: 1)]), afterAdding: Point(x: 2), Point(x: 1), Point(x: 2)) == 2)
    #expect(count(Box(["\u{e9}"]), afterAdding: "e\u{301}", "b", "b") == 2)
    #expect(count(Box([1.5]), afterAdding: 2, 1.5, 2) == 2)
    #expect(count(Box<[Any]>([NSNull()]), afterAdding: "a", NSNull(), NSNumber(value: 2)) == 3)
    #expect(count(Box<[NSNumber]>([1]), afterAdding: 2, 1, 2) == 2)
  }

  private struct Tag: Equatable {
    var name = ""
  }

  private final class Label: Hashable {
    let name: String
    init(_ name: String) { self.name = name }
    static func == (left: Label, right: Label) -> Bool { left.name == right.name }
    func hash(into hasher: inout Hasher) { hasher.combine(name) }
  }

  @Test func whatFoundationCannotHashIsFound() {
    func check<Value>(_ names: (Value) -> String, _ make: (String) -> Value) {
      let box = Box(["a", "b", "c", "d"].map(make))
      let (ordered, array) = (box.mutableOrderedSetValue(forKey: "value"), box.mutableArrayValue(forKey: "value"))
      #expect(ordered.contains(make("a")) && ordered.index(of: make("b")) == 1 && array.contains(make("c")))
      array.removeObjects(in: [make("b"), make("c")])
      #expect(box.value.map(names) == ["a", "d"])
      ordered.addObjects(from: [make("d"), make("e"), make("e")])
      #expect(box.value.map(names) == ["a", "d", "e"])
      ordered.intersect(NSOrderedSet(array: [make("d"), make("e")]))
      #expect(box.value.map(names) == ["d", "e"])
      ordered.minus(NSOrderedSet(array: [make("d"), make("e")]))
      #expect(box.value.isEmpty)
    }
    check(\Tag.name) { Tag(name: $0) }
    check(\Label.name) { Label($0) }
    check({ ($0 as? Tag)?.name ?? "" }) { Tag(name: $0) as Any }
    check({ ($0 as? Label)?.name ?? "" }) { Label($0) as Any }
  }

  @Test func settingAnOrderedSetAsAnArrayKeepsEachObjectOnce() {
    let recorder = Recorder()
    recorder.observe(library, "ordered", [.new])
    library.mutableArrayValue(forKey: "ordered").setArray([1, 2, 1])
    #expect(library.ordered.isEqual(to: NSOrderedSet(array: [1, 2])))
    #expect(recorder.take().count == 1)
  }

  @Test func indexesOfAPropertyWithoutOrderLeadToNothing() {
    let recorder = Recorder()
    recorder.observe(library, "numberSet", [.new, .old])
    recorder.observe(library, "set", [.new, .old])
    library.numberSet = [1]
    _ = recorder.take()
    for key in ["numberSet", "set"] {
      library.willChange(.replacement, valuesAt: [0], forKey: key)
      library.didChange(.replacement, valuesAt: [0], forKey: key)
    }
    let calls = recorder.calls
    #expect(calls.count == 2)
    for call in calls {
      #expect(call.dictionary[.indexesKey] as? IndexSet == [0])
      #expect((call.dictionary[.newKey] as? [Any])?.isEmpty == true)
      #expect((call.dictionary[.oldKey] as? [Any])?.isEmpty == true)
    }
  }
}
