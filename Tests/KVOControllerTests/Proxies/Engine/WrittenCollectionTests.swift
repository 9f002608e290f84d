#if !canImport(ObjectiveC)
import KVOController
import Testing

/// KVC reads collections of classes that clients have written with their methods. Casts of Foundation wouldn't.
@Suite struct WrittenCollectionTests {
  private final class Shelf: KeyValueObject {
    @Observed var numbers: [Int] = []
    @Observed var wideNumbers: [Int64?] = []
    @Observed var mutableArray = NSMutableArray()
    @Observed var tags: Set<String> = []
    @Observed var maybeTags: Set<String>?
    @Observed var mutableSet = NSMutableSet()
    @Observed var info: [String: Any] = [:]
    @Observed var counts: [String: Int8]?
    @Observed var table: [AnyHashable: Any] = [:]
    @Observed var mutableDictionary = NSMutableDictionary()
  }

  @Test func arraysLoseNothing() {
    let shelf = Shelf()
    for key in ["numbers", "wideNumbers", "mutableArray"] {
      shelf.setValue(WrittenArray(of: [1, 2]), forKey: key)
      #expect(shelf.mutableArrayValue(forKey: key).map { ($0 as? NSNumber)?.intValue } == [1, 2], "\(key)")
    }
  }

  @Test func setsLoseNothing() {
    let shelf = Shelf()
    for key in ["tags", "maybeTags", "mutableSet"] {
      shelf.setValue(WrittenSet(of: ["a", "b"]), forKey: key)
      #expect(
        shelf.mutableSetValue(forKey: key).allObjects.compactMap { $0 as? String }.sorted() == ["a", "b"], "\(key)")
    }
  }

  @Test func dictionariesLoseNothing() {
    let shelf = Shelf()
    for key in ["info", "counts", "table", "mutableDictionary"] {
      shelf.setValue(WrittenDictionary(of: ["a": 1, "b": 2]), forKey: key)
      #expect((shelf.value(forKeyPath: "\(key).b") as? NSNumber)?.intValue == 2, "\(key)")
    }
    #expect(shelf.table["a"] as? Int == 1)
  }
}
#endif
