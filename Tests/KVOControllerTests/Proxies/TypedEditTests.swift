import KVOController
import Testing

/// A typed change of a proxy's edit has the objects of the edit as a collection of the property's type.
@Suite struct TypedEditTests {
  private final class Shelf: KeyValueObject {
    @Observed var array = NSArray()
    @Observed var mutableArray = NSMutableArray()
    @Observed var maybeArray: NSMutableArray?
    @Observed var ordered = NSOrderedSet()
    @Observed var mutableOrdered = NSMutableOrderedSet()
    @Observed var maybeOrdered: NSOrderedSet?
    @Observed var set = NSSet()
    @Observed var mutableSet = NSMutableSet()
    @Observed var maybeSet: NSMutableSet?
    @Observed var numbers: [Int?] = []
    @Observed var tags: Set<String> = []
  }

  private let shelf = Shelf()
  private let reader = Shelf()

  /// The new objects of an insertion of 1, and the old ones of its removal.
  private func edits<Value>(_ keyPath: KeyPath<Shelf, Value>, _ edit: () -> Void) -> [Value?] {
    // The handler runs on this thread.
    nonisolated(unsafe) var values: [Value?] = []
    // Foundation's own form has settings in place of the mutations of a set on Apple platforms.
    let observation = reader.observe(shelf, keyPath, options: [.new, .old], isolation: nil) { _, _, change in
      values.append(change.kind == .insertion ? change.newValue : change.oldValue)
    }
    edit()
    observation.invalidate()
    return values
  }

  private func editArray<Value>(_ keyPath: KeyPath<Shelf, Value>, _ key: String) -> [Value?] {
    edits(keyPath) {
      shelf.mutableArrayValue(forKey: key).add(1)
      shelf.mutableArrayValue(forKey: key).removeLastObject()
    }
  }

  private func editOrderedSet<Value>(_ keyPath: KeyPath<Shelf, Value>, _ key: String) -> [Value?] {
    edits(keyPath) {
      shelf.mutableOrderedSetValue(forKey: key).add(1)
      shelf.mutableOrderedSetValue(forKey: key).remove(1)
    }
  }

  private func editSet<Value>(_ keyPath: KeyPath<Shelf, Value>, _ key: String) -> [Value?] {
    edits(keyPath) {
      shelf.mutableSetValue(forKey: key).add(1)
      shelf.mutableSetValue(forKey: key).remove(1)
    }
  }

  @Test func ofArrays() {
    #expect(editArray(\.array, "array").map { $0 as? [Int] } == [[1], [1]])
    #expect(editArray(\.mutableArray, "mutableArray").map { $0 as? [Int] } == [[1], [1]])
    #expect(editArray(\.maybeArray, "maybeArray").map { $0 as? NSMutableArray as? [Int] } == [[1], [1]])
    #expect(editArray(\.numbers, "numbers") == [[1], [1]])
  }

  @Test func ofOrderedSets() {
    #expect(editOrderedSet(\.ordered, "ordered").map { $0?.array as? [Int] } == [[1], [1]])
    #expect(editOrderedSet(\.mutableOrdered, "mutableOrdered").map { $0?.array as? [Int] } == [[1], [1]])
    #expect(editOrderedSet(\.maybeOrdered, "maybeOrdered").map { $0??.array as? [Int] } == [[1], [1]])
  }

  @Test func ofSets() {
    #expect(editSet(\.set, "set").map { $0?.allObjects as? [Int] } == [[1], [1]])
    #expect(editSet(\.mutableSet, "mutableSet").map { $0?.allObjects as? [Int] } == [[1], [1]])
    #expect(editSet(\.maybeSet, "maybeSet").map { $0??.allObjects as? [Int] } == [[1], [1]])
    shelf.tags = ["a"]
    let tags = edits(\.tags) { shelf.mutableSetValue(forKey: "tags").add("b") }
    #expect(tags == [["b"]])
  }
}
