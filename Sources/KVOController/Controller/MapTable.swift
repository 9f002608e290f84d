/// Observed objects, by identity, each with its observations by one controller.
///
/// `NSMapTable` doesn't suffice: with weak keys it autoreleases the objects that it returns, and aborts for an object in its
/// `deinit`; and Foundation doesn't have it on every platform.
///
/// Each object is retained, or referred to weakly. One that isn't retained is removed, with its last observation, before its
/// memory is freed. Objects are found by address alone, and what may lose its last reference is returned, to be released after
/// the lock that guards this. Nothing here runs foreign code.
struct MapTable {
  enum Key {
    case retained(KeyValueObservable)
    case unretained(WeakObject)
  }

  final class WeakObject {
    fileprivate private(set) weak var object: KeyValueObservable?

    fileprivate init(_ object: KeyValueObservable) { self.object = object }
  }

  /// An object with its observations.
  struct Entry {
    fileprivate let key: Key
    fileprivate(set) var infos: KVOInfoSet

    /// The object, unless its `deinit` has begun. Don't release it under a lock.
    var object: KeyValueObservable? {
      switch key {
      case .retained(let object): object
      case .unretained(let reference): reference.object
      }
    }
  }

  /// The first object, which most controllers have no other than.
  private var first: (address: ObjectIdentifier, entry: Entry)?
  private var others: [ObjectIdentifier: Entry] = [:]
  /// How often all observations were ended.
  var endings = 0
  /// Whether all observations end with the observer.
  var endsWithObserver = false

  private subscript(address: ObjectIdentifier) -> Entry? {
    get { first?.address == address ? first?.entry : others.isEmpty ? nil : others[address] }
    set {
      if first?.address == address || (first == nil && (others.isEmpty || others[address] == nil)) {
        first = newValue.map { (address, $0) }
      } else {
        others[address] = newValue
      }
    }
  }

  /// All observations.
  var all: [KVOInfo] { (first?.entry.infos.all ?? []) + others.values.flatMap(\.infos.all) }

  /// The entry that has an observation.
  func entry(of info: KVOInfo) -> Entry? { info.place.flatMap { self[$0] } }

  /// The observations of an object, which may be in its `deinit`, on this thread; nil if there are none.
  subscript(object: KeyValueObservable) -> KVOInfoSet? {
    guard let entry = self[ObjectIdentifier(object)], entry.object != nil || isInDeinit(object) else { return nil }
    return entry.infos
  }

  /// Inserts an observation, which isn't compared with others.
  ///
  /// - Returns: Observations of another object, which was deallocated without a notification, and whose address this one has.
  ///   They are removed, and to be ended.
  mutating func insert(_ info: KVOInfo, of object: KeyValueObservable, isRetained: Bool) -> [KVOInfo] {
    let address = ObjectIdentifier(object)
    info.place = address
    let present = self[address]
    if var entry = present, entry.object != nil {
      entry.infos.insert(info)
      self[address] = entry
      return []
    }
    let displaced = present?.infos.all ?? []
    for info in displaced { info.place = nil }
    self[address] = Entry(key: isRetained ? .retained(object) : .unretained(WeakObject(object)), infos: .one(info))
    return displaced
  }

  /// Removes an observation.
  ///
  /// - Parameter object: Its object, if the caller has it, which may be in its `deinit`, on this thread.
  /// - Returns: The object, unless its `deinit` has begun on another thread, and what may lose its last reference. nil if the
  ///   observation isn't here, or if ending it requires its object, which is in its `deinit` on another thread. That thread
  ///   then removes it.
  mutating func remove(
    _ info: KVOInfo, of object: KeyValueObservable? = nil
  ) -> (object: KeyValueObservable?, released: Key)? {
    guard let address = info.place, let entry = self[address] else { return nil }
    let object = object ?? entry.object
    guard object != nil || !info.usesContext else { return nil }
    self[address] = entry.infos.remove(info) ? nil : entry
    info.place = nil
    return (object, entry.key)
  }
}
