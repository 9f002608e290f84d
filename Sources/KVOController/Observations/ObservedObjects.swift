#if !canImport(ObjectiveC)
/// The objects that a controller observes, by identity, each with its observations.
///
/// An object that isn't retained leaves with its last observation, which ends before the object's memory is freed. So
/// an address that is found here is always that of the object that was put in, be it in its `deinit`.
struct ObservedObjects {
  private final class Entry {
    private let retained: KeyValueObservable?
    private weak let unretained: KeyValueObservable?
    let infos: KVOInfoSet

    init(_ object: KeyValueObservable, _ infos: KVOInfoSet, isRetained: Bool) {
      retained = isRetained ? object : nil
      unretained = isRetained ? nil : object
      self.infos = infos
    }

    /// The object; nil if it is in its `deinit`.
    var object: KeyValueObservable? { retained ?? unretained }
  }

  /// An object by its address, which is hash enough.
  private struct Identity: Hashable {
    let identifier: ObjectIdentifier

    func _rawHashValue(seed: Int) -> Int {
      let address = Int(bitPattern: identifier)
      return (address >> 4 ^ address >> 12) &+ seed
    }
  }

  private var entries: [Identity: Entry] = [:]

  /// Every object with its observations; nil for an object that is in its `deinit`.
  var all: [(object: KeyValueObservable?, infos: KVOInfoSet)] {
    entries.values.map { ($0.object, $0.infos) }
  }

  func infos(of object: KeyValueObservable) -> KVOInfoSet? {
    entries[Identity(identifier: ObjectIdentifier(object))]?.infos
  }

  mutating func insert(
    _ infos: KVOInfoSet, of object: KeyValueObservable, for controller: KVOController, retained: Bool
  ) {
    entries[Identity(identifier: ObjectIdentifier(object))] = Entry(object, infos, isRetained: retained)
  }

  mutating func remove(_ object: KeyValueObservable) {
    entries[Identity(identifier: ObjectIdentifier(object))] = nil
  }

  mutating func removeAll() {
    entries = [:]
  }

  /// Takes out an observation.
  ///
  /// - Returns: What was taken out; nil if the observation wasn't there.
  mutating func remove(_ info: KVOInfo) -> Removal? {
    let identity = Identity(identifier: info.object)
    guard let entry = entries[identity], entry.infos.contains(info) else { return nil }
    entry.infos.remove(info)
    if entry.infos.isEmpty { entries[identity] = nil }
    return Removal(object: entry.object)
  }
}
#endif
