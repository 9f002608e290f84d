#if !canImport(ObjectiveC)
/// The objects that a controller observes, by identity, each with its observations.
///
/// An object that isn't retained leaves with its last observation, which ends before the object's memory is freed. So
/// an address that is found here is always that of the object that was put in, be it in its `deinit`.
struct ObservedObjects {
  private struct Entry {
    let retained: KeyValueObservable?
    weak let unretained: KeyValueObservable?
    let infos: KVOInfoSet
  }

  private var entries: [ObjectIdentifier: Entry] = [:]

  /// Every object with its observations; nil for an object that is in its `deinit`.
  var all: [(object: KeyValueObservable?, infos: KVOInfoSet)] {
    entries.values.map { ($0.retained ?? $0.unretained, $0.infos) }
  }

  func infos(of object: KeyValueObservable) -> KVOInfoSet? {
    entries[ObjectIdentifier(object)]?.infos
  }

  mutating func insert(
    _ infos: KVOInfoSet, of object: KeyValueObservable, for controller: KVOController, retained: Bool
  ) {
    entries[ObjectIdentifier(object)] = Entry(
      retained: retained ? object : nil, unretained: retained ? nil : object, infos: infos)
  }

  mutating func remove(_ object: KeyValueObservable) {
    entries[ObjectIdentifier(object)] = nil
  }

  mutating func removeAll() {
    entries = [:]
  }

  /// Takes out an observation.
  ///
  /// - Returns: What was taken out; nil if the observation wasn't there.
  mutating func remove(_ info: KVOInfo) -> Removal? {
    guard let entry = entries[info.object], entry.infos.contains(info) else { return nil }
    entry.infos.remove(info)
    if entry.infos.isEmpty { entries[info.object] = nil }
    return Removal(object: entry.retained ?? entry.unretained)
  }
}
#endif
