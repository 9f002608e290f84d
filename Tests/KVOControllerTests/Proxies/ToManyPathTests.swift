import KVOController
import Testing
import _KVOTestSupport

/// To-many changes seen from other places than the property itself.
@Suite struct ToManyPathTests {
  private final class Root: KeyValueObject {
    @Observed var library: Library? = Library()
    var numbers: [Int] { library?.numbers ?? [] }
    override class var keyPaths: [String: AnyKeyPath] { ["numbers": \Root.numbers] }
    override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
      key == "numbers" ? ["library.numbers"] : []
    }
  }

  private let root = Root()
  private let recorder = Recorder()

  @Test func theEndOfAPathKeepsKindAndIndexes() {
    recorder.observe(root, "library.numbers", [.new, .old, .prior])
    let proxy = root.mutableArrayValue(forKeyPath: "library.numbers")
    proxy.addObjects(from: [1, 2])
    proxy.removeObject(at: 0)
    #expect(
      recorder.takeToMany() == [
        Change(.insertion, indexes: [0, 1], isPrior: true), .insertion([1, 2], at: [0, 1]),
        Change(.removal, old: Change.list([1]), indexes: [0], isPrior: true), .removal([1], at: [0]),
      ])
  }

  @Test func theEndOfAPathKeepsTheKindOfASetsChange() {
    recorder.observe(root, "library.numberSet")
    root.mutableSetValue(forKeyPath: "library.numberSet").union([1, 2])
    root.mutableSetValue(forKeyPath: "library.numberSet").remove(1)
    #expect(recorder.takeToMany() == [.set(.insertion, new: [1, 2]), .set(.removal, old: [1])])
  }

  @Test func theEndOfAPathKeepsTheKindForOrderedSets() {
    recorder.observe(root, "library.ordered")
    root.mutableOrderedSetValue(forKeyPath: "library.ordered").add("a")
    #expect(recorder.takeToMany() == [.insertion(["a"], at: [0])])
  }

  @Test func whatLiesBehindAnObjectThatIsGoneIsSilent() {
    let (root, leaf) = (Node("root"), Node("leaf"))
    leaf.items = [1, 2]
    do {
      let friend = Node("friend", child: leaf)
      root.setValue(friend, forKey: "friend")
      recorder.observe(root, "friend.child.items", [.new, .old, .prior])
      withExtendedLifetime(friend) {}
    }
    #expect(root.friend == nil)
    let proxy = leaf.mutableArrayValue(forKey: "items")
    proxy.removeObject(at: 0)
    proxy.add(3)
    #expect(recorder.takeToMany() == [])
  }

  @Test func throughADependencyItIsASetting() {
    recorder.observe(root, "numbers")
    root.mutableArrayValue(forKeyPath: "library.numbers").add(1)
    #expect(recorder.takeToMany() == [.setting([], with: [1])])
  }

  @Test func aReplacedHeadIsASetting() {
    recorder.observe(root, "library.numbers")
    let (old, new) = (root.library, Library())
    new.numbers = [5]
    root.library = new
    #expect(recorder.takeToMany() == [.setting([], with: [5])])
    old?.mutableArrayValue(forKey: "numbers").add(1)
    #expect(recorder.takeToMany() == [])
    root.mutableArrayValue(forKeyPath: "library.numbers").add(6)
    #expect(recorder.takeToMany() == [.insertion([6], at: [1])])
  }

  @Test func theFirstChangeBehindAPathThatWasNilIsAnInsertion() {
    for _ in 0..<2 {
      let root = Root()
      root.library = nil
      recorder.observe(root, "library.numbers")
      // All calls are made on this thread.
      nonisolated(unsafe) var received: [NSKeyValueChange] = []
      let token = root.observe(\.library?.numbers, options: .new) { _, change in received.append(change.kind) }
      root.library = Library()
      #expect(recorder.calls.last?.change == Change(.setting, new: [Int](), old: null))
      _ = recorder.takeToMany()
      root.mutableArrayValue(forKeyPath: "library.numbers").add(1)
      root.mutableArrayValue(forKeyPath: "library.numbers").add(2)
      #expect(recorder.takeToMany() == [.insertion([1], at: [0]), .insertion([2], at: [1])])
      #expect(received == [.setting, .insertion, .insertion])
      recorder.unobserve(root, "library.numbers")
      token.invalidate()
    }
  }

  @Test func aProxyBehindAPathStaysWithItsObject() {
    let proxy = root.mutableArrayValue(forKeyPath: "library.numbers")
    let old = root.library
    root.library = Library()
    proxy.add(1)
    #expect(old?.numbers == [1] && root.library?.numbers == [])
  }

  @Test func pathThatIsNilReturnsAnEmptyDetachedCollection() {
    root.library = nil
    #expect(root.mutableArrayValue(forKeyPath: "library.numbers").count == 0)
    #expect(root.mutableSetValue(forKeyPath: "library.numberSet").count == 0)
    let ordered = root.mutableOrderedSetValue(forKeyPath: "library.numbers")
    ordered.add(1)
    root.library = Library()
    #expect(root.library?.numbers == [])
  }

  @Test func observersOfTheKeyAndOfItsDependentAreNotifiedOnceEach() throws {
    let library = try #require(root.library)
    let own = Recorder()
    own.observe(library, "numbers")
    recorder.observe(library, "doubles")
    library.mutableArrayValue(forKey: "numbers").add(1)
    #expect(own.takeToMany() == [.insertion([1], at: [0])])
    #expect(recorder.takeToMany() == [.setting([], with: [2])])
  }

  @Test func proxiesWorkWheneverTheyWereMade() throws {
    let library = try #require(root.library)
    let before = library.mutableArrayValue(forKey: "numbers")
    recorder.observe(library, "numbers", .new)
    library.mutableArrayValue(forKey: "numbers").add(1)
    before.add(2)
    #expect(recorder.takeToMany() == [.insertion([1], at: [0]), .insertion([2], at: [1])])
    recorder.unobserve(library, "numbers")
    before.add(3)
    #expect(recorder.takeToMany() == [] && library.numbers == [1, 2, 3])
  }

  @Test func aSubclassMayGiveItsOwnProxy() {
    final class Own: KeyValueObject {
      let ghosts = NSMutableArray(array: [1])
      override func mutableArrayValue(forKey key: String) -> NSMutableArray {
        key == "ghosts" ? ghosts : super.mutableArrayValue(forKey: key)
      }
    }
    final class Holder: KeyValueObject {
      @Observed var own = Own()
    }
    let holder = Holder()
    holder.mutableArrayValue(forKeyPath: "own.ghosts").add(2)
    #expect(holder.own.ghosts.count == 2)
  }

  @Test func manualSetPairs() throws {
    let library = try #require(root.library)
    library.set = NSSet(array: ["a", 1])
    recorder.observe(library, "set", [.new, .old])
    library.willChangeValue(forKey: "set", withSetMutation: .union, using: ["a", "b", 1])
    library.didChangeValue(forKey: "set", withSetMutation: .union, using: ["a", "b", 1])
    library.willChangeValue(forKey: "set", withSetMutation: .minus, using: [1, "c"])
    library.didChangeValue(forKey: "set", withSetMutation: .minus, using: [1, "c"])
    library.willChangeValue(forKey: "set", withSetMutation: .set, using: [1, "c"])
    library.didChangeValue(forKey: "set", withSetMutation: .set, using: [1, "c"])
    let all = recorder.calls.map { Change(inSwiftTypes: $0.dictionary) }
    #expect(all.contains(.set(.insertion, new: ["b"])))
    #expect(all.contains(.set(.removal, old: [1])))
    #expect(all.contains(.set(.replacement, old: ["a"], new: ["c"])))
  }
}
