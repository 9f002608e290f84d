/// The observations of one object by one controller. Each key path and identifier occurs once.
///
/// Nothing here runs the identifiers' own code, so a set can be used under its controller's lock, which guards it.
///
/// - Complexity: Constant time for each observation, unless identifiers have equal hashes.
enum KVOInfoSet {
  case none
  /// The usual case.
  case one(KVOInfo)
  /// Several observations, or one whose path has no name yet.
  case several(KVOInfoIndex)

  /// The set of one observation.
  init(_ info: KVOInfo) {
    self = info.path.isIncomplete ? .several(KVOInfoIndex([info])) : .one(info)
  }

  var isEmpty: Bool { if case .none = self { true } else { false } }

  /// The observation, if there is only one, which has a name.
  var only: KVOInfo? { if case .one(let info) = self { info } else { nil } }

  /// One of the observations.
  var any: KVOInfo? {
    switch self {
    case .none: nil
    case .one(let info): info
    case .several(let index): index.any
    }
  }

  var all: [KVOInfo] {
    switch self {
    case .none: []
    case .one(let info): [info]
    case .several(let index): index.all
    }
  }

  /// The observations whose paths had no name when they were inserted, and may have one now; nil if there are none.
  var unnamed: Unnamed? { if case .several(let index) = self { index.unnamed } else { nil } }

  /// The observations of the key path of that name.
  subscript(keyPath: String) -> [KVOInfo] {
    switch self {
    case .none: []
    case .one(let info): info.keyPath == keyPath ? [info] : []
    case .several(let index): index[keyPath]?.all.flatMap(\.all) ?? []
    }
  }

  /// The observations of the key path of that name whose identifier has that hash, or that have none.
  func infos(_ keyPath: String, identifierHash: Int?) -> [KVOInfo] {
    switch self {
    case .none: []
    case .one(let info): info.identifier?.hash == identifierHash && info.keyPath == keyPath ? [info] : []
    case .several(let index): index[keyPath]?.all.flatMap { $0.infos(identifierHash) } ?? []
    }
  }

  /// The observations of paths that may be the same as `path`, if those that have got a name were renamed.
  func infos(_ path: ObservedPath) -> [KVOInfo] {
    if case .several(let index) = self { index[path]?.all ?? [] } else { self[path.currentName] }
  }

  /// Those whose identifier has that hash, or that have none.
  func infos(_ path: ObservedPath, identifierHash: Int?) -> [KVOInfo] {
    guard case .several(let index) = self else { return infos(path.currentName, identifierHash: identifierHash) }
    return index[path]?.infos(identifierHash) ?? []
  }

  mutating func insert(_ info: KVOInfo) {
    switch self {
    case .none:
      self = KVOInfoSet(info)
    case .one(let other):
      self = .several(KVOInfoIndex([other, info]))
    case .several(let index):
      index.insert(info)
    }
  }

  /// Removes an observation that is there.
  mutating func remove(_ info: KVOInfo) {
    switch self {
    case .none: break
    case .one(let only): if only === info { self = .none }
    case .several(let index):
      index.remove(info)
      if index.isEmpty { self = .none }
    }
  }

  /// Renames an observation whose path has got a name.
  func rename(_ info: KVOInfo, to name: String) {
    if case .several(let index) = self { index.rename(info, to: name) }
  }

  /// Notes that those observations have been asked for their names.
  func note(asked unnamed: Unnamed) {
    if case .several(let index) = self { index.note(asked: unnamed) }
  }

  /// Observations to ask for their names, outside the lock.
  struct Unnamed {
    let infos: [KVOInfo]
    /// The number of properties that were known before.
    let knownProperties: Int
  }
}

/// Observations in no particular order. Usually there is one, which takes no array.
enum KVOInfos {
  case one(KVOInfo)
  case several([KVOInfo])

  func forEach(_ body: (KVOInfo) -> Void) {
    switch self {
    case .one(let info): body(info)
    case .several(let infos): infos.forEach(body)
    }
  }
}

/// Several observations of one object, by key path.
final class KVOInfoIndex {
  private var infos: [String: Namesakes] = [:]
  /// Observations whose paths have no name yet. They may get one when another property becomes known.
  private var nameless: [ObjectIdentifier: KVOInfo] = [:]
  /// Those of them that haven't been asked for their names.
  private var unasked: [ObjectIdentifier: KVOInfo] = [:]
  /// The number of properties that were known when the others were asked.
  private var knownProperties = 0
  /// The names of observations that got one later.
  private var names: [ObjectIdentifier: String] = [:]

  fileprivate init(_ infos: [KVOInfo]) {
    for info in infos { insert(info) }
  }

  fileprivate var isEmpty: Bool { infos.isEmpty }

  fileprivate var any: KVOInfo? { infos.values.first?.any }

  fileprivate var all: [KVOInfo] { infos.values.flatMap(\.all).flatMap(\.all) }

  fileprivate var unnamed: KVOInfoSet.Unnamed? {
    guard !nameless.isEmpty else { return nil }
    let count = KnownProperties.count
    let infos = count == knownProperties ? unasked : nameless
    return infos.isEmpty ? nil : KVOInfoSet.Unnamed(infos: Array(infos.values), knownProperties: count)
  }

  fileprivate subscript(keyPath: String) -> Namesakes? { infos[keyPath] }

  fileprivate subscript(path: ObservedPath) -> KeyPathInfos? {
    infos[path.currentName]?[path.isNamed ? nil : path.hash]
  }

  fileprivate func insert(_ info: KVOInfo) {
    if info.path.isIncomplete {
      nameless[ObjectIdentifier(info)] = info
      unasked[ObjectIdentifier(info)] = info
    }
    infos[info.keyPath, default: Namesakes()][info.path.hash].insert(info)
  }

  fileprivate func remove(_ info: KVOInfo) {
    if info.path.isIncomplete {
      nameless[ObjectIdentifier(info)] = nil
      unasked[ObjectIdentifier(info)] = nil
      if let name = names.removeValue(forKey: ObjectIdentifier(info)) { return remove(info, name, nil) }
    }
    remove(info, info.keyPath, info.path.hash)
  }

  fileprivate func rename(_ info: KVOInfo, to name: String) {
    guard nameless.removeValue(forKey: ObjectIdentifier(info)) != nil else { return }
    unasked[ObjectIdentifier(info)] = nil
    remove(info, info.keyPath, info.path.hash)
    names[ObjectIdentifier(info)] = name
    infos[name, default: Namesakes()][nil].insert(info)
  }

  fileprivate func note(asked unnamed: KVOInfoSet.Unnamed) {
    guard unnamed.knownProperties >= knownProperties else { return }
    knownProperties = unnamed.knownProperties
    for info in unnamed.infos { unasked[ObjectIdentifier(info)] = nil }
  }

  private func remove(_ info: KVOInfo, _ name: String, _ hash: Int?) {
    infos[name]?[hash].remove(info)
    if infos[name]?.isEmpty == true { infos[name] = nil }
  }
}

/// The observations of the key paths of one name.
private struct Namesakes {
  /// Those of the path whose keys have that name.
  private var named = KeyPathInfos()
  /// Those of paths that are read, by their hashes.
  private var others: [Int: KeyPathInfos] = [:]

  var isEmpty: Bool { named.isEmpty && others.isEmpty }

  var any: KVOInfo? { named.any ?? others.values.first?.any }

  var all: [KeyPathInfos] { others.isEmpty ? [named] : [named] + others.values }

  /// The observations of the paths with that hash; those of the path whose keys have the name if it is nil.
  subscript(hash: Int?) -> KeyPathInfos {
    get { hash.map { others[$0] ?? KeyPathInfos() } ?? named }
    // In place, so that the tables aren't copied.
    _modify {
      guard let hash else {
        yield &named
        return
      }
      yield &others[hash, default: KeyPathInfos()]
      if others[hash]?.isEmpty == true { others[hash] = nil }
    }
  }
}

/// The observations of one key path, by the hashes of their identifiers.
private struct KeyPathInfos {
  /// The observation, if there is only one.
  private var only: KVOInfo?
  private var several: [Int?: [KVOInfo]] = [:]

  var isEmpty: Bool { only == nil && several.isEmpty }

  var any: KVOInfo? { only ?? several.values.first?.first }

  var all: [KVOInfo] { only.map { [$0] } ?? several.values.flatMap { $0 } }

  func infos(_ identifierHash: Int?) -> [KVOInfo] {
    if let only { return only.identifier?.hash == identifierHash ? [only] : [] }
    return several[identifierHash] ?? []
  }

  mutating func insert(_ info: KVOInfo) {
    if isEmpty {
      only = info
      return
    }
    if let only { several[only.identifier?.hash, default: []].append(only) }
    only = nil
    several[info.identifier?.hash, default: []].append(info)
  }

  mutating func remove(_ info: KVOInfo) {
    if only === info {
      only = nil
      return
    }
    let hash = info.identifier?.hash
    several[hash]?.removeAll { $0 === info }
    if several[hash]?.isEmpty == true { several[hash] = nil }
  }
}
