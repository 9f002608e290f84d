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

/// The observations of one object. No two of them are equal: of the same key path, with equal identifiers.
///
/// Comparing key paths and identifiers runs foreign code. So this finds candidates by names and hashes alone, and
/// `ObservationStore` compares them outside of the lock that guards this.
///
/// - Complexity: Constant time for each observation, unless there are observations whose paths are nil at some step.
enum KVOInfoSet {
  /// The usual case.
  case one(KVOInfo)
  case several(Tables)

  /// Several observations.
  final class Tables {
    /// By path, and by the hash of the identifier.
    fileprivate var infos: [PathName: [Int?: [KVOInfo]]] = [:]
    /// Those whose paths may get names, by the hash of the identifier, and by that of the path. A search for a name
    /// asks all of these, or all with the identifier.
    fileprivate var incomplete: [Int?: [Int?: [KVOInfo]]] = [:]
  }

  /// A path as far as it can be known without foreign code: its name; and its hash, if it is followed by reading.
  struct PathName: Hashable {
    let name: String
    let hash: Int?
  }

  /// The observation, if there is only one.
  var only: KVOInfo? { if case .one(let info) = self { info } else { nil } }

  var all: [KVOInfo] {
    switch self {
    case .one(let info): [info]
    case .several(let tables):
      tables.infos.values.flatMap(\.values).flatMap { $0 }
        + tables.incomplete.values.flatMap(\.values).flatMap { $0 }
    }
  }

  /// The observations that may be of a path.
  func infos(_ path: PathName) -> [KVOInfo] {
    switch self {
    case .one(let info): [info]
    case .several(let tables):
      (tables.infos[path]?.values.flatMap { $0 } ?? [])
        + tables.incomplete.values.flatMap { Tables.infos(path, among: $0) }
    }
  }

  /// The observations that may be of a path, and whose identifiers have that hash, or that have none.
  func infos(_ path: PathName, identifierHash hash: Int?) -> [KVOInfo] {
    switch self {
    case .one(let info): info.identityHash == hash && info.mayBe(of: path) ? [info] : []
    case .several(let tables):
      (tables.infos[path]?[hash] ?? []) + (tables.incomplete[hash].map { Tables.infos(path, among: $0) } ?? [])
    }
  }

  /// Inserts an observation that is unequal to the others.
  mutating func insert(_ info: KVOInfo) {
    switch self {
    case .one(let other):
      let tables = Tables()
      tables.insert(other)
      tables.insert(info)
      self = .several(tables)
    case .several(let tables): tables.insert(info)
    }
  }

  /// Removes an observation that is there.
  ///
  /// - Returns: Whether it was the last.
  func remove(_ info: KVOInfo) -> Bool {
    switch self {
    case .one: true
    case .several(let tables): tables.remove(info)
    }
  }
}

extension KVOInfoSet.Tables {
  fileprivate static func infos(_ path: KVOInfoSet.PathName, among incomplete: [Int?: [KVOInfo]]) -> [KVOInfo] {
    path.hash == nil ? incomplete.values.flatMap { $0 } : incomplete[path.hash] ?? []
  }

  fileprivate func insert(_ info: KVOInfo) {
    let hash = info.identityHash
    if info.path.isIncomplete {
      incomplete[hash, default: [:]][info.path.hash, default: []].append(info)
    } else {
      infos[info.pathName, default: [:]][hash, default: []].append(info)
    }
  }

  fileprivate func remove(_ info: KVOInfo) -> Bool {
    let hash = info.identityHash
    if info.path.isIncomplete {
      incomplete.remove(info, hash, info.path.hash)
    } else {
      infos.remove(info, info.pathName, hash)
    }
    return infos.isEmpty && incomplete.isEmpty
  }
}

extension Dictionary {
  /// Removes an observation, and what is empty without it.
  fileprivate mutating func remove<Inner: Hashable>(_ info: KVOInfo, _ key: Key, _ inner: Inner)
  where Value == [Inner: [KVOInfo]] {
    self[key]?[inner]?.removeAll { $0 === info }
    if self[key]?[inner]?.isEmpty == true { self[key]?[inner] = nil }
    if self[key]?.isEmpty == true { self[key] = nil }
  }
}

extension KVOInfo {
  fileprivate var pathName: KVOInfoSet.PathName { .init(name: path.name, hash: path.hash) }

  /// Whether the observation may be of a path. One whose path is nil at some step may be of any name.
  fileprivate func mayBe(of path: KVOInfoSet.PathName) -> Bool {
    self.path.isIncomplete ? path.hash == nil || path.hash == self.path.hash : pathName == path
  }
}

extension ObservedPath {
  /// The name by which observations of the path are found. Runs foreign code.
  var currentPathName: KVOInfoSet.PathName { .init(name: currentName, hash: isNamed ? nil : hash) }
}
