#if canImport(ObjectiveC)
extension ObservedObject {
  typealias Table = NSMapTable<NSObject, ObservedObject>

  /// A table whose keys are addresses. With weak keys, Foundation would autorelease what it hands out, and abort for an
  /// object in its `deinit`.
  static func table() -> Table {
    Table(keyOptions: [.opaqueMemory, .objectPointerPersonality], valueOptions: .strongMemory)
  }

  /// Every object of a table, in no particular order. None stays behind in an autorelease pool.
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
