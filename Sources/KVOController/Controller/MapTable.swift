/// Observed objects, by identity, each with its observations by one controller. `NSMapTable` would abort for an object
/// in its `deinit`.
///
/// Each object is retained, or referred to weakly. One that isn't retained is removed, with its last observation,
/// before its memory is freed. Nothing here runs foreign code: what may lose its last reference is returned, to be
/// released after the lock that guards this.
struct MapTable {
  typealias Entry = (key: Key, infos: KVOInfoSet)

  enum Key {
    case retained(KeyValueObservable)
    case unretained(Weak<KeyValueObservable>)

    /// The object, unless its `deinit` has begun.
    var object: KeyValueObservable? {
      switch self {
      case .retained(let object): object
      case .unretained(let weak): weak.object
      }
    }

    /// Whether it is that of an object, which the caller retains, or which is in its `deinit`: not that of one at its address before.
    fileprivate func refers(to object: KeyValueObservable) -> Bool {
      if case .unretained(let weak) = self { weak.reference.refers(to: object) } else { true }
    }
  }

  private var entries = SmallDictionary<ObjectIdentifier, Entry>()

  var all: [KVOInfo] { entries.values.flatMap(\.infos.all) }

  /// The key of an observation's object; nil if the observation isn't here.
  func key(of info: KVOInfo) -> Key? { info.objectAddress.flatMap { entries[$0]?.key } }

  /// The observations of an object, which may be in its `deinit`, on this thread; nil if there are none.
  subscript(object: KeyValueObservable) -> KVOInfoSet? {
    guard let entry = entries[ObjectIdentifier(object)], entry.key.refers(to: object) else { return nil }
    return entry.infos
  }

  /// Inserts an observation, which isn't compared with others. Returns those of another object, which had the same
  /// address and was deallocated without a notification: they are removed, and to be ended. Usually nil.
  mutating func insert(_ info: KVOInfo, of object: KeyValueObservable, _ key: Key) -> [KVOInfo]? {
    let address = ObjectIdentifier(object)
    info.objectAddress = address
    return entries.update(address) { entry in
      if entry?.key.refers(to: object) == true {
        entry?.infos.insert(info)
        return nil
      }
      let displaced = entry?.infos.all
      entry = (key, .one(info))
      for info in displaced ?? [] { info.objectAddress = nil }
      return displaced
    }
  }

  /// - Returns: The key of the object, which may lose its last reference; nil if the observation isn't here.
  mutating func remove(_ info: KVOInfo) -> Key? {
    guard let address = info.objectAddress else { return nil }
    info.objectAddress = nil
    return entries.update(address) { entry in
      let key = entry?.key
      if entry?.infos.remove(info) == true { entry = nil }
      return key
    }
  }
}

/// The observations of one object. No two of them are equal: of the same key path, with equal identities. Comparing
/// these runs foreign code, so this finds candidates by buckets and hashes alone, and `ObservationStore` compares them
/// outside of the lock that guards this.
enum KVOInfoSet {
  /// The usual case, which takes no memory of its own.
  case one(KVOInfo)
  case several(Table)

  /// Several observations, by the buckets of their paths, and by the hashes of their identities.
  final class Table {
    fileprivate var infos: [ObservedPath.Bucket: [Int?: [KVOInfo]]] = [:]
    /// The buckets of Swift key paths whose names aren't known.
    fileprivate var followed: Set<ObservedPath.Bucket> = []
  }

  var all: [KVOInfo] {
    switch self {
    case .one(let info): [info]
    case .several(let table): table.infos.values.flatMap(\.values).flatMap { $0 }
    }
  }

  /// The observations to which one may be equal.
  func candidates(for info: KVOInfo) -> [KVOInfo] {
    switch self {
    case .one(let other): return other.identityHash == info.identityHash ? [other] : []
    case .several(let table):
      let path = info.path
      let candidates = table.infos[path.bucket]?[info.identityHash] ?? []
      guard let bucket = path.bucketOfFollowed, let followed = table.infos[bucket]?[info.identityHash] else {
        return candidates
      }
      // Those of the same Swift key path first.
      return followed + candidates
    }
  }

  /// The observations that may be selected, with an identifier of that hash, or with any.
  func infos(
    for selection: PathSelection, identifierHash hash: Int?, atMost limit: Int = .max
  ) -> [KVOInfo] {
    guard case .several(let table) = self else { return all }
    return switch selection {
    case .path(let path):
      table.infos(at: path.bucket, hash, limit)
        + (path.bucketOfFollowed.map { table.infos(at: $0, hash, limit) } ?? [])
    // Also those of paths whose names weren't known when they began.
    case .name(let name):
      table.infos(at: .name(name), hash, limit) + table.followed.flatMap { table.infos(at: $0, hash, limit) }
    }
  }

  /// The lists with an identifier of that hash, or with any.
  subscript(listsWithIdentifierHash hash: Int?) -> [KVOInfo] {
    switch self {
    case .one(let info): info.path.list == nil ? [] : [info]
    case .several(let table): table.infos(at: .list, hash)
    }
  }

  /// Inserts an observation that is unequal to the others.
  mutating func insert(_ info: KVOInfo) {
    switch self {
    case .one(let other):
      let table = Table()
      table.insert(other)
      table.insert(info)
      self = .several(table)
    case .several(let table): table.insert(info)
    }
  }

  /// Removes an observation, if it is there. Returns whether it was the last.
  func remove(_ info: KVOInfo) -> Bool {
    switch self {
    case .one(let other): other === info
    case .several(let table): table.remove(info)
    }
  }
}

extension KVOInfoSet.Table {
  fileprivate func infos(at bucket: ObservedPath.Bucket, _ hash: Int?, _ limit: Int = .max) -> [KVOInfo] {
    guard let infos = infos[bucket] else { return [] }
    return hash.map { infos[$0] ?? [] } ?? Array(infos.values.joined().prefix(limit))
  }

  fileprivate func insert(_ info: KVOInfo) {
    let bucket = info.path.bucket
    infos[bucket, default: [:]][info.identityHash, default: []].append(info)
    if bucket.isOfFollowed { followed.insert(bucket) }
  }

  fileprivate func remove(_ info: KVOInfo) -> Bool {
    let (bucket, hash) = (info.path.bucket, info.identityHash)
    infos[bucket]?[hash]?.removeAll { $0 === info }
    if infos[bucket]?[hash]?.isEmpty == true { infos[bucket]?[hash] = nil }
    if infos[bucket]?.isEmpty == true {
      infos[bucket] = nil
      followed.remove(bucket)
    }
    return infos.isEmpty
  }
}

extension MapTable {
  func checkInvariants() {
    guard entries.others.count < 100 else { return }
    entries.checkInvariants { $0.infos.all[0].objectAddress! }
    for entry in entries.values { entry.infos.checkInvariants() }
  }
}

extension KVOInfoSet {
  fileprivate func checkInvariants() {
    guard case .several(let table) = self else { return }
    let address = all.first?.objectAddress
    precondition(!table.infos.isEmpty && table.infos.values.allSatisfy { !$0.isEmpty }, "A part of the table is empty.")
    guard table.infos.count < 100 else { return }
    for (bucket, hashes) in table.infos where hashes.count < 100 {
      for (hash, infos) in hashes where infos.count < 100 {
        precondition(
          !infos.isEmpty
            && infos.allSatisfy { ($0.objectAddress, $0.path.bucket, $0.identityHash) == (address, bucket, hash) },
          "It is elsewhere.")
      }
    }
  }
}
