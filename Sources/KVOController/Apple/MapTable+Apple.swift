#if canImport(ObjectiveC)
extension ObservedObject {
  typealias Table = NSMapTable<NSObject, ObservedObject>

  /// Creates a table whose keys are addresses. With weak keys, Foundation would autorelease the objects that it
  /// returns, and abort for an object in its `deinit`.
  static func table() -> Table {
    Table(keyOptions: [.opaqueMemory, .objectPointerPersonality], valueOptions: .strongMemory)
  }

  /// All objects of a table, in no particular order. None remains in an autorelease pool.
  static func all(in table: Table) -> [ObservedObject] {
    autoreleasepool {
      var all: [ObservedObject] = []
      let enumerator = table.objectEnumerator()
      while let observed = enumerator?.nextObject() as? ObservedObject { all.append(observed) }
      return all
    }
  }
}
#endif
