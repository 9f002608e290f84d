#if canImport(ObjectiveC)
/// The objects that a controller observes, by identity, each with its observations.
struct ObservedObjects {
  private let retained = NSMapTable<NSObject, KVOInfoSet>(
    keyOptions: [.strongMemory, .objectPointerPersonality], valueOptions: .strongMemory)
  private let unretained = NSMapTable<NSObject, KVOInfoSet>(
    keyOptions: [.weakMemory, .objectPointerPersonality], valueOptions: .strongMemory)

  /// Every object with its observations.
  var all: [(object: NSObject?, infos: KVOInfoSet)] {
    [retained, unretained].flatMap { table in
      table.keyEnumerator().compactMap { key in
        (key as? NSObject).flatMap { object in table.object(forKey: object).map { (object, $0) } }
      }
    }
  }

  func infos(of object: NSObject) -> KVOInfoSet? {
    retained.object(forKey: object) ?? unretained.object(forKey: object)
  }

  mutating func insert(_ infos: KVOInfoSet, of object: NSObject, retained isRetained: Bool) {
    (isRetained ? retained : unretained).setObject(infos, forKey: object)
  }

  mutating func remove(_ object: NSObject) {
    retained.removeObject(forKey: object)
    unretained.removeObject(forKey: object)
  }

  mutating func removeAll() {
    retained.removeAllObjects()
    unretained.removeAllObjects()
  }

  /// Takes out an observation whose object has died: the table has lost the key already.
  mutating func forget(_ info: KVOInfo) {
    let infos = unretained.objectEnumerator()
    while let infos = infos?.nextObject() as? KVOInfoSet {
      infos.remove(info)
    }
  }
}
#endif
