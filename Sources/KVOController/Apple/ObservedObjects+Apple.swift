#if canImport(ObjectiveC)
/// The objects that a controller observes, by identity, each with its observations.
struct ObservedObjects {
  private let retained = NSMapTable<NSObject, KVOInfoSet>(
    keyOptions: [.strongMemory, .objectPointerPersonality], valueOptions: .strongMemory)
  private let unretained = NSMapTable<NSObject, KVOInfoSet>(
    keyOptions: [.weakMemory, .objectPointerPersonality], valueOptions: .strongMemory)

  /// Every object with its observations. One that is in its `deinit` is missing: its lifeline ends them.
  var all: [(object: NSObject?, infos: KVOInfoSet)] {
    entries(retained) + entries(unretained)
  }

  func infos(of object: NSObject) -> KVOInfoSet? {
    retained.object(forKey: object) ?? unretained.object(forKey: object)
  }

  mutating func insert(
    _ infos: KVOInfoSet, of object: NSObject, for controller: KVOController, retained isRetained: Bool
  ) {
    if isRetained {
      retained.setObject(infos, forKey: object)
    } else {
      unretained.setObject(infos, forKey: object)
      ObjectLifeline.attach(infos, of: controller, to: object)
    }
  }

  mutating func remove(_ object: NSObject) {
    retained.removeObject(forKey: object)
    if let infos = unretained.object(forKey: object) { ObjectLifeline.detach(infos, from: object) }
    unretained.removeObject(forKey: object)
  }

  /// Takes out an observation.
  ///
  /// - Returns: What was taken out; nil if the observation wasn't there, or its object is in its `deinit`.
  mutating func remove(_ info: KVOInfo) -> Removal? {
    guard let (object, infos) = all.first(where: { $0.infos.contains(info) }) else { return nil }
    infos.remove(info)
    if infos.isEmpty, let object { remove(object) }
    return Removal(object: object)
  }

  mutating func removeAll() {
    for (object, infos) in entries(unretained) {
      if let object { ObjectLifeline.detach(infos, from: object) }
    }
    retained.removeAllObjects()
    unretained.removeAllObjects()
  }

  private func entries(_ table: NSMapTable<NSObject, KVOInfoSet>) -> [(object: NSObject?, infos: KVOInfoSet)] {
    table.keyEnumerator().compactMap { key in
      guard let object = key as? NSObject, let infos = table.object(forKey: object) else { return nil }
      return (object, infos)
    }
  }
}
#endif
