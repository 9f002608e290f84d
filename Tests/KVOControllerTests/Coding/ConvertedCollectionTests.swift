import KVOController
import Testing
import _KVOTestSupport

/// KVC converts collections element by element, whatever class they are of, and loses nothing.
@Suite struct ConvertedCollectionTests {
  private enum Level: Int { case low, middle, high }
  private enum Suit: String { case hearts, spades }

  private final class Card: KeyValueObject {
    @Observed var tags: Set<String> = []
    @Observed var moreTags: Set<String>?
    @Observed var anySet: Set<AnyHashable> = []
    @Observed var levels: [Level] = []
    @Observed var levelSet: Set<Level> = []
    @Observed var nestedLevels: [[Level]] = []
    @Observed var suits: [String: Suit] = [:]
    @Observed var names: [String?] = []
    @Observed var numbers: [Int] = []
    @Observed var maybeNumbers: [Int]?
    @Observed var objects: [Any] = []
    @Observed var info: [String: Any] = [:]
    @Observed var table: [AnyHashable: Any] = [:]
    @Observed var byNumber: [Int: [String]] = [:]
    @Observed var array = NSArray()
    @Observed var mutableArray = NSMutableArray()
    @Observed var set = NSSet()
    @Observed var mutableSet = NSMutableSet()
    @Observed var counted = NSCountedSet()
    @Observed var ordered = NSOrderedSet()
    @Observed var mutableOrdered = NSMutableOrderedSet()
    @Observed var dictionary = NSDictionary()
    @Observed var mutableDictionary = NSMutableDictionary()
  }

  // MARK: Sets

  @Test(arguments: ["tags", "moreTags", "anySet", "set", "mutableSet", "counted"])
  func aProxyOfASetFitsASetProperty(_ key: String) {
    let (source, target) = (Card(), Card())
    source.tags = ["a", "b"]
    target.setValue(source.mutableSetValue(forKey: "tags"), forKey: key)
    #expect(strings(target, key) == ["a", "b"])
    let again = Card()
    again.setValuesForKeys([key: source.mutableSetValue(forKey: "tags")])
    #expect(strings(again, key) == ["a", "b"])
    // It is a copy, not a view of the other object's set.
    source.tags = []
    #expect(strings(target, key) == ["a", "b"])
  }

  @Test(arguments: ["tags", "moreTags", "anySet", "set", "mutableSet", "counted"])
  func everySubclassOfFoundationsSetFitsASetProperty(_ key: String) {
    let card = Card()
    for set in [NSCountedSet(array: ["a", "b", "b"]), NSMutableSet(array: ["a", "b"]), NSSet(array: ["a", "b"])] {
      card.setValue(NSSet(), forKey: key)
      card.setValue(set, forKey: key)
      #expect(strings(card, key) == ["a", "b"], "\(type(of: set))")
    }
  }

  @Test func aSetIsSetToItsOwnProxy() {
    let card = Card()
    card.tags = ["a", "b"]
    card.mutableSet = NSMutableSet(array: ["a", "b"])
    card.mutableArray = NSMutableArray(array: ["a", "b"])
    for key in ["tags", "mutableSet"] {
      card.setValue(card.mutableSetValue(forKey: key), forKey: key)
      #expect(strings(card, key) == ["a", "b"])
    }
    card.setValue(card.mutableArrayValue(forKey: "mutableArray"), forKey: "mutableArray")
    #expect(card.mutableArray as? [String] == ["a", "b"])
  }

  @Test func anArrayFitsASetProperty() {
    let card = Card()
    card.setValue(["a", "b", "a"], forKey: "tags")
    #expect(card.tags == ["a", "b"])
    card.setValue(NSArray(array: [0, 2]), forKey: "levelSet")
    #expect(card.levelSet == [.low, .high])
  }

  @Test func aCountedSetKeepsItsCounts() {
    let card = Card()
    card.setValue(NSCountedSet(array: ["a", "a"]), forKey: "counted")
    #expect(card.counted.count(for: "a") == 2)
    let proxy = card.mutableSetValue(forKey: "counted")
    proxy.add("a")
    proxy.add("b")
    #expect(card.counted.count(for: "a") == 3 && card.counted.count(for: "b") == 1)
    proxy.remove("a")
    #expect(card.counted.count(for: "a") == 2 && proxy.count == 2)
  }

  private func strings(_ card: Card, _ key: String) -> [String]? {
    switch card.value(forKey: key) {
    case let set as Set<String> where !set.isEmpty: set.sorted()
    case let set as NSSet: set.allObjects.compactMap { $0 as? String }.sorted()
    case let set as Set<AnyHashable>: set.compactMap { $0 as? String }.sorted()
    default: nil
    }
  }

  // MARK: Arrays and ordered sets

  @Test func everyArrayFitsAnArrayProperty() {
    let source = Card()
    source.numbers = [1, 2, 2]
    source.ordered = [1, 2]
    let arrays: [Any] = [
      source.mutableArrayValue(forKey: "numbers"), NSMutableArray(array: [1, 2, 2]),
      [1, 2, 2] as [Any], [1, 2, 2] as [Int8], [1, 2, 2.0] as [NSNumber],
    ]
    for array in arrays {
      for key in ["numbers", "maybeNumbers", "array", "mutableArray", "objects"] {
        let card = Card()
        card.setValue(array, forKey: key)
        let values = card.mutableArrayValue(forKey: key).map { ($0 as? NSNumber)?.intValue }
        #expect(values == [1, 2, 2], "\(key) from \(type(of: array))")
      }
    }
  }

  @Test func aViewIsCopied() {
    let (source, target) = (Card(), Card())
    source.numbers = [1, 2]
    source.mutableOrdered = NSMutableOrderedSet(array: [1, 2])
    target.setValue(source.mutableArrayValue(forKey: "numbers"), forKey: "array")
    target.setValue(source.mutableArrayValue(forKey: "numbers"), forKey: "mutableArray")
    target.setValue(source.mutableOrderedSetValue(forKey: "mutableOrdered"), forKey: "ordered")
    target.setValue(source.mutableOrderedSetValue(forKey: "mutableOrdered"), forKey: "mutableOrdered")
    source.numbers = []
    source.mutableOrdered = NSMutableOrderedSet()
    #expect(target.array as? [Int] == [1, 2] && target.mutableArray as? [Int] == [1, 2])
    #expect(target.ordered.array as? [Int] == [1, 2] && target.mutableOrdered.array as? [Int] == [1, 2])
  }

  @Test func arraysAndOrderedSetsConvertToEachOther() {
    let card = Card()
    card.setValue(NSOrderedSet(array: [2, 1]), forKey: "numbers")
    #expect(card.numbers == [2, 1])
    card.setValue(card.mutableOrderedSetValue(forKey: "numbers"), forKey: "maybeNumbers")
    #expect(card.maybeNumbers == [2, 1])
    card.setValue([1, 2, 1], forKey: "ordered")
    card.setValue([1, 2, 1], forKey: "mutableOrdered")
    #expect(card.ordered.array as? [Int] == [1, 2] && card.mutableOrdered.array as? [Int] == [1, 2])
  }

  @Test func mutableCollectionsAreMadeOfImmutableOnes() {
    let card = Card()
    card.setValue([1, 2], forKey: "mutableArray")
    card.setValue(Set([1]), forKey: "mutableSet")
    card.setValue(["a": 1], forKey: "mutableDictionary")
    card.mutableArray.add(3)
    card.mutableSet.add(2)
    card.mutableDictionary.setObject(2, forKey: NSString("b"))
    #expect(card.mutableArray as? [Int] == [1, 2, 3] && card.mutableSet as? Set<Int> == [1, 2])
    #expect(card.mutableDictionary as? [String: Int] == ["a": 1, "b": 2])
  }

  // MARK: Elements

  @Test func elementsConvertAsSingleValuesDo() {
    let card = Card()
    card.setValue([0, 2], forKey: "levels")
    #expect(card.levels == [.low, .high])
    card.setValue([NSNumber(value: 1), Level.high] as [Any], forKey: "levels")
    #expect(card.levels == [.middle, .high])
    card.setValue(Set([0, 2]), forKey: "levelSet")
    #expect(card.levelSet == [.low, .high])
    card.setValue([[0], [], [1, 2]], forKey: "nestedLevels")
    #expect(card.nestedLevels == [[.low], [], [.middle, .high]])
    card.setValue(["a": "spades"], forKey: "suits")
    #expect(card.suits == ["a": .spades])
    card.setValue(NSDictionary(dictionary: ["b": "hearts"]), forKey: "suits")
    #expect(card.suits == ["b": .hearts])
    card.setValue(["1": 1], forKey: "info")
    #expect(card.info["1"] as? Int == 1)
  }

  @Test func nullIsNilInACollectionOfOptionals() {
    let card = Card()
    card.setValue(["a", NSNull(), "b"] as [Any], forKey: "names")
    #expect(card.names == ["a", nil, "b"])
    card.setValue(NSArray(array: [NSNull()]), forKey: "names")
    #expect(card.names == [nil])
    card.setValue(["a"] as [String], forKey: "names")
    #expect(card.names == ["a"])
    card.setValue([1, nil] as [Int?], forKey: "objects")
    #expect(card.objects.count == 2 && card.objects[0] as? Int == 1 && card.objects[1] is NSNull)
  }

  @Test func nilAndNullBecomeNullInFoundationsCollections() {
    let card = Card()
    card.setValue([1, nil] as [Int?], forKey: "array")
    #expect(card.array.count == 2 && card.array[1] is NSNull)
    card.setValue(["a": nil] as [String: Int?], forKey: "dictionary")
    #expect(card.dictionary["a"] is NSNull)
  }

  @Test func aDictionaryOfAnyClassLosesNothing() {
    let card = Card()
    for dictionary in [NSDictionary(dictionary: ["a": 1]), NSMutableDictionary(dictionary: ["a": 1])] {
      for key in ["info", "table", "dictionary", "mutableDictionary"] {
        card.setValue(dictionary, forKey: key)
        #expect(card.value(forKeyPath: "\(key).a") as? Int == 1, "\(key) from \(type(of: dictionary))")
      }
    }
    card.setValue([1: ["a"], 2.0: ["b"]] as [AnyHashable: Any], forKey: "byNumber")
    #expect(card.byNumber == [1: ["a"], 2: ["b"]])
  }

  /// A cast of all elements would make each of them another object.
  @Test func aConvertedCollectionIsOneChange() {
    let (card, recorder) = (Card(), Recorder())
    recorder.observe(card, "levels")
    card.setValue([1], forKey: "levels")
    #expect(recorder.take() == [.setting(new: [Level.middle], old: [Level]())])
  }

  // MARK: Values of Foundation

  @Test func structuresAreBoxedAndUnboxed() {
    final class Frame: KeyValueObject {
      @Observed var range = NSRange()
      @Observed var rect = CGRect()
      @Observed var point: CGPoint?
      @Observed var size = CGSize()
      @Observed var value: NSValue?
      @Observed var ranges: [NSRange] = []
    }
    let frame = Frame()
    let range = NSRange(location: 1, length: 2)
    frame.setValue(NSValue(range: range), forKey: "range")
    frame.setValue(NSArray(array: [NSValue(range: range)]), forKey: "ranges")
    #expect(frame.range == range && frame.ranges == [range])
    frame.setValue(range, forKey: "value")
    #expect(frame.value?.rangeValue == range)
    #if !canImport(ObjectiveC)
    frame.setValue(NSValue(rect: CGRect(x: 1, y: 2, width: 3, height: 4)), forKey: "rect")
    frame.setValue(NSValue(point: CGPoint(x: 1, y: 2)), forKey: "point")
    frame.setValue(NSValue(size: CGSize(width: 1, height: 2)), forKey: "size")
    #expect(frame.rect == CGRect(x: 1, y: 2, width: 3, height: 4))
    #expect(frame.point == CGPoint(x: 1, y: 2) && frame.size == CGSize(width: 1, height: 2))
    frame.setValue(CGPoint(x: 1, y: 2), forKey: "value")
    #expect(frame.value == NSValue(point: CGPoint(x: 1, y: 2)))
    frame.setValue(CGSize(width: 1, height: 2), forKey: "value")
    #expect(frame.value?.sizeValue == CGSize(width: 1, height: 2))
    frame.setValue(frame.rect, forKey: "value")
    #expect(frame.value?.rectValue == frame.rect)
    #endif
  }

  @Test func nullIsNilForAnOptionalThatCannotContainIt() {
    let (node, box) = (Node("a", child: Node()), Box<Any?>(1))
    node.optional = 1
    node.setValue(NSNull(), forKey: "optional")
    node.setValue(NSNull(), forKey: "child")
    #expect(node.optional == nil && node.child == nil)
    box.setValue(NSNull(), forKey: "value")
    #expect(box.value is NSNull)
  }
}
