import KVOController
import Testing
import _KVOTestSupport

/// What proxies are views of, and which observers their changes notify.
@Suite struct ToManyProxyTests {
  let library = Library()
  let recorder = Recorder()

  @Test func proxiesAreLive() {
    let array = library.mutableArrayValue(forKey: "numbers")
    let ordered = library.mutableOrderedSetValue(forKey: "numbers")
    let set = library.mutableSetValue(forKey: "numberSet")
    library.numbers = [1, 2]
    library.numberSet = [1, 2]
    #expect(array as? [Int] == [1, 2])
    #expect(array.map { $0 as? Int } == [1, 2])
    #expect((array.count, array.firstObject as? Int, array.lastObject as? Int) == (2, 1, 2))
    #expect(ordered.count == 2 && ordered.contains(2) && !ordered.contains(3) && ordered.index(of: 2) == 1)
    #expect(ordered.array as? [Int] == [1, 2])
    #expect(set.count == 2 && set.contains(2) && !set.contains(3))
    array.add(3)
    set.add(3)
    #expect(library.numbers == [1, 2, 3])
    #expect(ordered.object(at: 2) as? Int == 3)
    #expect(library.numberSet == [1, 2, 3])
    #expect(Set(set.map { $0 as? Int }) == [1, 2, 3])
    #expect(set.isEqual(NSSet(array: [1, 2, 3])) && set.isEqual(to: [3, 2, 1]) && set.isSubset(of: [1, 2, 3, 4]))
    #expect(set.description.contains("3") && ordered.description.contains("3") && array.description.contains("3"))
    #expect(array.isEqual(to: [1, 2, 3]) && array.contains(3) && array.index(of: NSNumber(value: 3)) == 2)
    #expect(array.index(of: 1.5) == NSNotFound)
  }

  /// A value whose hashes are counted.
  private struct Page: Hashable {
    static let hashes = Locked(0)
    let number: Int

    func hash(into hasher: inout Hasher) {
      Self.hashes.add()
      hasher.combine(number)
    }
  }

  private final class Book: KeyValueObject, @unchecked Sendable {
    @Observed var pages: [Page] = []
  }

  /// Foundation's Ordered sets have storage of their own on other platforms than Apple's.
  @Test func addingToAnOrderedSetDoesNotHashWhatIsThere() {
    let book = Book()
    let pages = book.mutableOrderedSetValue(forKey: "pages")
    for number in 0..<200 { pages.add(Page(number: number)) }
    pages.add(Page(number: 7))
    pages.removeObject(at: 0)
    pages.insert(Page(number: 0), at: 100)
    #expect(Page.hashes.current < 200 * 10)
    #expect(book.pages.map(\.number) == Array(1...100) + [0] + Array(101..<200))
    #expect(pages.array.map { ($0 as? Page)?.number } == book.pages.map(\.number))
    #expect(pages.contains(Page(number: 7)) && !pages.contains(Page(number: 200)))
  }

  /// An array can contain an object twice, of which an ordered set has one.
  @Test func anOrderedSetOfAnArrayWithEqualObjects() {
    library.numbers = [1, 1, 2]
    let ordered = library.mutableOrderedSetValue(forKey: "numbers")
    ordered.add(3)
    library.numbers.append(3)
    ordered.add(4)
    #expect(library.numbers == [1, 1, 2, 3, 3, 4])
    library.numbers = [4, 3]
    ordered.insert(5, at: 1)
    #expect(library.numbers == [4, 5, 3] && ordered.array as? [Int] == [4, 5, 3])
    recorder.whenCalled = { [library] recorder, call in
      recorder.whenCalled = nil
      library.numbers.removeFirst()
    }
    recorder.observe(library, "numbers")
    ordered.add(6)
    #expect(library.numbers == [5, 3, 6] && ordered.array as? [Int] == [5, 3, 6] && ordered.count == 3)
    recorder.whenCalled = nil
  }

  /// A property whose readings are counted.
  private final class Ledger: KeyValueObject, @unchecked Sendable {
    private var stored = [1, 2, 3]
    private var readings = 0

    var entries: [Int] {
      get {
        readings += 1
        return stored
      }
      set { stored = newValue }
    }

    override class var keyPaths: [String: AnyKeyPath] { ["entries": \Ledger.entries] }

    func takeReadings() -> Int {
      defer { readings = 0 }
      return readings
    }
  }

  @Test func aCallThatReadsReadsThePropertyOnce() {
    let ledger = Ledger()
    let array = ledger.mutableArrayValue(forKey: "entries")
    _ = (array.object(at: 1), ledger.takeReadings())
    for read in [{ _ = array.object(at: 1) }, { _ = array.contains(3) }, { _ = array.index(of: 9) }] {
      read()
      #expect(ledger.takeReadings() == 1)
    }
  }

  @Test func orderedSetsOwnMutationsReachWhatCannotBeOverridden() {
    library.numbers = [3, 1, 2]
    let ordered = library.mutableOrderedSetValue(forKey: "numbers")
    #expect(ordered.firstObject as? Int == 3)
    ordered.insert(4, at: 0)
    ordered.exchangeObject(at: 1, withObjectAt: 3)
    #expect(ordered.map { $0 as? Int } == [4, 2, 1, 3])
    #expect((ordered.firstObject as? Int, ordered.lastObject as? Int) == (4, 3))
    #expect(ordered.reversed.map { $0 as? Int } == [3, 1, 2, 4])
    #expect(ordered.set.count == 4)
    let copy = ordered.mutableCopy() as? NSMutableOrderedSet
    copy?.removeAllObjects()
    #expect(library.numbers == [4, 2, 1, 3])
  }

  @Test func anObserverMayMutateThroughTheSameOrderedSet() {
    let ordered = library.mutableOrderedSetValue(forKey: "numbers")
    recorder.whenCalled = { _, _ in if ordered.count < 3 { ordered.insert(ordered.count + 10, at: 0) } }
    recorder.observe(library, "numbers")
    ordered.add(1)
    #expect(library.numbers == [12, 11, 1])
    #expect(ordered.map { $0 as? Int } == [12, 11, 1])
  }

  @Test func elementsAreConverted() {
    library.mutableArrayValue(forKey: "numbers").addObjects(from: [NSNumber(value: 1), Int8(2), 3.0, true])
    #expect(library.numbers == [1, 2, 3, 1])
    library.mutableArrayValue(forKey: "colors").addObjects(from: ["red", Color.blue, NSString("green")])
    #expect(library.colors == [.red, .blue, .green])
    library.mutableSetValue(forKey: "colorSet").union(["red", Color.blue])
    #expect(library.colorSet == [.red, .blue])
    library.mutableSetValue(forKey: "colorSet").remove("red")
    #expect(library.colorSet == [.blue])
    library.mutableArrayValue(forKey: "anything").addObjects(from: [1, "a", NSNull()])
    #expect(library.anything.count == 3 && library.anything[2] is NSNull)
  }

  @Test func nilElementsAreNull() {
    recorder.observe(library, "optionals")
    let proxy = library.mutableArrayValue(forKey: "optionals")
    proxy.addObjects(from: [1, NSNull(), Int?.none as Any])
    #expect(library.optionals == [1, nil, nil])
    #expect(proxy.object(at: 1) is NSNull)
    #expect(proxy.object(at: 0) as? Int == 1)
    proxy.remove(NSNull())
    #expect(library.optionals == [1])
    #expect(
      recorder.takeToMany() == [.insertion([1, null, null], at: [0, 1, 2]), .removal([null, null], at: [1, 2])])
  }

  @Test func objectsAreFoundByIdentityAndEquality() {
    let (first, second) = (Node("a"), Node("b"))
    recorder.observe(library, "nodes")
    let proxy = library.mutableArrayValue(forKey: "nodes")
    proxy.addObjects(from: [first, second, first])
    #expect(proxy.indexOfObjectIdentical(to: second) == 1 && proxy.index(of: first) == 0)
    proxy.removeObject(identicalTo: first)
    #expect(library.nodes == [second])
    #expect(
      recorder.takeToMany() == [
        .insertion([first, second, first], at: [0, 1, 2]), .removal([first, first], at: [0, 2]),
      ])
  }

  @Test(arguments: ["maybe", "maybeArray", "maybeMutableArray", "plain"])
  func aNilArrayReadsAsEmptyUntilObjectsAreInserted(_ key: String) {
    recorder.observe(library, key)
    let proxy = library.mutableArrayValue(forKey: key)
    #expect(proxy.count == 0 && proxy.firstObject == nil)
    proxy.removeAllObjects()
    #expect(library.value(forKey: key) == nil)
    proxy.add(key == "plain" ? "red" : 7)
    #expect(proxy.count == 1)
    #expect(recorder.takeToMany() == [.insertion([key == "plain" ? AnyHashable(Color.red) : 7], at: [0])])
  }

  @Test(arguments: ["maybeSet", "maybeMutableSet"]) func aNilSetIsCreated(_ key: String) {
    recorder.observe(library, key)
    let proxy = library.mutableSetValue(forKey: key)
    #expect(proxy.count == 0 && proxy.anyObject() == nil)
    proxy.add(7)
    #expect(recorder.takeToMany() == [.set(.insertion, new: [7])])
    #expect(proxy.contains(7) && library.value(forKey: key) != nil)
  }

  @Test func aComputedKeyIsReadAndSetThroughItsAccessors() {
    library.numbers = [1, 2]
    recorder.observe(library, "doubles")
    let numbers = Recorder()
    numbers.observe(library, "numbers")
    let proxy = library.mutableArrayValue(forKey: "doubles")
    proxy.insert(10, at: 1)
    #expect(library.numbers == [1, 5, 2])
    #expect(recorder.takeToMany() == [.insertion([10], at: [1])])
    #expect(numbers.takeToMany() == [.setting([1, 2], with: [1, 5, 2])])
  }

  #if !canImport(ObjectiveC)
  // On Apple platforms the key and its proxy are Foundation's.
  @Test func aKeyThatOnlyOverridesKnow() {
    let shelf = Shelf()
    recorder.observe(shelf, "secrets")
    let proxy = shelf.mutableArrayValue(forKey: "secrets")
    proxy.addObjects(from: ["a", "b"])
    proxy.removeObject(at: 0)
    #expect(shelf.secrets as? [String] == ["b"])
    #expect(recorder.takeToMany() == [.insertion(["a", "b"], at: [0, 1]), .removal(["a"], at: [0])])
  }
  #endif

  @Test func anArrayProxyOverAnOrderedSetKeepsItUnique() {
    library.ordered = NSOrderedSet(array: [1, 2])
    recorder.observe(library, "ordered")
    library.mutableArrayValue(forKey: "ordered").addObjects(from: [2, 3])
    #expect(library.ordered.compactMap { $0 as? Int } == [1, 2, 3])
    #expect(recorder.takeToMany() == [.insertion([3], at: [2])])
  }

  @Test func foundationsCollectionsAreReplacedAndNotMutated() {
    let before = library.mutableArray
    library.mutableArrayValue(forKey: "mutableArray").add(1)
    #expect(before.count == 0 && library.mutableArray.count == 1)
    library.mutableArray.add(2)
    library.mutableArrayValue(forKey: "array").add(1)
    #expect(!(library.array is NSMutableArray))
  }

  @Test func keyWithoutAutomaticNotificationIsMutatedWithoutNotification() {
    recorder.observe(library, "manual", [.new, .old, .prior])
    let proxy = library.mutableArrayValue(forKey: "manual")
    proxy.add(1)
    proxy.setArray([1, 2])
    #expect(library.manual == [1, 2])
    #expect(recorder.takeToMany() == [])
    library.willChange(.insertion, valuesAt: [0], forKey: "manual")
    proxy.insert(0, at: 0)
    library.didChange(.insertion, valuesAt: [0], forKey: "manual")
    #expect(recorder.takeToMany() == [Change(.insertion, indexes: [0], isPrior: true), .insertion([0], at: [0])])
  }

  @Test(arguments: ["numbers", "heads", "maybe", "array", "mutableArray", "maybeMutableArray", "ordered"])
  func observerAddedDuringTheChangeIsNotNotifiedOfIt(_ key: String) {
    let late = Recorder()
    recorder.observe(library, key, .prior)
    recorder.whenCalled = { [library] recorder, _ in
      recorder.whenCalled = nil
      late.observe(library, key)
    }
    library.mutableArrayValue(forKey: key).add(1)
    #expect(late.take() == [])
    library.mutableArrayValue(forKey: key).add(2)
    #expect(late.takeToMany() == [.insertion([2], at: [1])])
  }

  @Test func aProxyHoldsItsObject() {
    weak var object: Library?
    draining {
      let library = Library()
      object = library
      let proxy = library.mutableArrayValue(forKey: "numbers")
      let set = library.mutableSetValue(forKey: "numberSet")
      withExtendedLifetime((proxy, set)) { #expect(object != nil) }
    }
    #expect(object == nil)
    func make() -> NSMutableArray { Library().mutableArrayValue(forKey: "numbers") }
    let proxy = make()
    proxy.add(1)
    #expect(proxy.count == 1)
  }

  @Test func removedObjectsAreReleasedWhenThePropertyIsInUseNoLonger() {
    final class Keeper: KeyValueObject {
      @Observed var items: [Item] = []
    }
    final class Item: KeyValueObject {
      unowned let keeper: Keeper
      let log: Locked<[String]>
      init(_ keeper: Keeper, _ log: Locked<[String]>) { (self.keeper, self.log) = (keeper, log) }
      deinit { log.append("\(keeper.items.count)") }
    }
    let (keeper, log) = (Keeper(), Locked<[String]>([]))
    for _ in 0..<4 { keeper.items.append(Item(keeper, log)) }
    let proxy = keeper.mutableArrayValue(forKey: "items")
    proxy.removeObject(at: 1)
    proxy.replaceObject(at: 0, with: Item(keeper, log))
    proxy.removeAllObjects()
    #expect(log.take() == ["3", "3", "0", "0", "0"])
  }

  @Test func anObservedArrayIsMutatedWhereItLies() {
    library.numbers = Array(0..<100)
    library.numbers.reserveCapacity(200)
    recorder.observe(library, "numbers", [.new, .old, .prior])
    let proxy = library.mutableArrayValue(forKey: "numbers")
    let address = library.numbers.withUnsafeBufferPointer(\.baseAddress)
    proxy.add(1)
    proxy.insert([2, 3], at: [0, 1])
    proxy.removeObjects(at: [0, 50])
    proxy.replaceObjects(at: [3, 30], with: [4, 5])
    proxy.exchangeObject(at: 0, withObjectAt: 90)
    #expect(recorder.calls.count == 10)
    #expect(library.numbers.withUnsafeBufferPointer(\.baseAddress) == address)
  }

  // How often Foundation's own method notifies isn't documented on Apple platforms.
  @Test func aSetIsFilteredWithOneNotificationByIntersecting() {
    library.numberSet = [1, 2, 3]
    let proxy = library.mutableSetValue(forKey: "numberSet")
    recorder.observe(library, "numberSet")
    proxy.intersect(proxy.filtered(using: NSPredicate { value, _ in value as? Int == 2 }))
    #expect(recorder.takeToMany() == [.set(.removal, old: [1, 3])])
  }

  @Test(arguments: ["set", "mutableSet", "numberSet"])
  func removedObjectsAreEqualToThoseThatWereInserted(key: String) throws {
    let (library, recorder) = (Library(), Recorder())
    recorder.observe(library, key)
    let proxy = library.mutableSetValue(forKey: key)
    proxy.add(1)
    proxy.remove(1)
    proxy.union([2])
    proxy.minus([2])
    let dictionaries = recorder.calls.map(\.dictionary)
    for (insertion, removal) in [(0, 1), (2, 3)] {
      let inserted = try #require(dictionaries[insertion][.newKey] as? Set<AnyHashable>)
      let removed = try #require(dictionaries[removal][.oldKey] as? Set<AnyHashable>)
      #expect(inserted == removed && inserted.count == 1)
      #expect(inserted.first?.base as? Int == removed.first?.base as? Int)
    }
    recorder.unobserve(library, key)
  }
}
