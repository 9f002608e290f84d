/// The observations of one object by one controller. Each key path and identifier occurs once.
///
/// Nothing here runs the identifiers' own code, so a set can be used under its controller's lock, which guards it.
///
/// - Complexity: Constant time for each observation, unless identifiers have equal hashes.
struct KVOInfoSet {
  /// The observation, if there is only one, which is the usual case.
  private var only: KVOInfo?
  /// Several observations, or one whose path has no name yet.
  private var index: KVOInfoIndex?

  var isEmpty: Bool { only == nil && index == nil }

  var all: [KVOInfo] { only.map { [$0] } ?? index?.all ?? [] }

  /// The observations whose paths had no name when they were inserted, and may have one now.
  var unnamed: [KVOInfo] { index?.unnamed ?? [] }

  /// The observations of the key path.
  subscript(keyPath: String) -> [KVOInfo] {
    if let only { return only.keyPath == keyPath ? [only] : [] }
    return index?[keyPath]?.all ?? []
  }

  /// The observations of the key path whose identifier has that hash, or that have none.
  func infos(_ keyPath: String, identifierHash: Int?) -> [KVOInfo] {
    if let only { return only.identifier?.hash == identifierHash && only.keyPath == keyPath ? [only] : [] }
    return index?[keyPath]?.infos(identifierHash) ?? []
  }

  mutating func insert(_ info: KVOInfo) {
    if isEmpty, !info.path.isIncomplete {
      only = info
      return
    }
    let index = index ?? KVOInfoIndex()
    self.index = index
    if let only { index.insert(only) }
    only = nil
    index.insert(info)
  }

  /// Removes an observation that is there.
  mutating func remove(_ info: KVOInfo) {
    if only === info { only = nil }
    index?.remove(info)
    if index?.isEmpty == true { index = nil }
  }

  /// Renames an observation whose path has got a name.
  func rename(_ info: KVOInfo, to name: String) {
    index?.rename(info, to: name)
  }
}

/// Several observations of one object, by key path.
private final class KVOInfoIndex {
  private var infos: [String: KeyPathInfos] = [:]
  /// Observations whose paths have no name yet.
  private var nameless: [ObjectIdentifier: KVOInfo] = [:]
  /// The names of observations that got one later.
  private var names: [ObjectIdentifier: String] = [:]

  var isEmpty: Bool { infos.isEmpty }

  var all: [KVOInfo] { infos.values.flatMap(\.all) }

  var unnamed: [KVOInfo] { nameless.isEmpty ? [] : Array(nameless.values) }

  subscript(keyPath: String) -> KeyPathInfos? { infos[keyPath] }

  func insert(_ info: KVOInfo) {
    if info.path.isIncomplete { nameless[ObjectIdentifier(info)] = info }
    infos[info.keyPath, default: KeyPathInfos()].insert(info)
  }

  func remove(_ info: KVOInfo) {
    var name = info.keyPath
    if info.path.isIncomplete {
      nameless[ObjectIdentifier(info)] = nil
      name = names.removeValue(forKey: ObjectIdentifier(info)) ?? name
    }
    remove(info, name)
  }

  func rename(_ info: KVOInfo, to name: String) {
    guard nameless.removeValue(forKey: ObjectIdentifier(info)) != nil else { return }
    remove(info, info.keyPath)
    names[ObjectIdentifier(info)] = name
    infos[name, default: KeyPathInfos()].insert(info)
  }

  private func remove(_ info: KVOInfo, _ name: String) {
    infos[name]?.remove(info)
    if infos[name]?.isEmpty == true { infos[name] = nil }
  }
}

/// The observations of one key path, by the hashes of their identifiers.
private struct KeyPathInfos {
  /// The observation, if there is only one.
  private var only: KVOInfo?
  private var several: [Int?: [KVOInfo]] = [:]

  var isEmpty: Bool { only == nil && several.isEmpty }

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
