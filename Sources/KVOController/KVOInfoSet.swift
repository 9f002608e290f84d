/// The observations of one object by one controller: each key path, and each identifier of it, once.
///
/// Nothing here runs the identifiers' own code, so a set may be used under its controller's lock, which guards it.
final class KVOInfoSet {
  private var infos: [String: [KVOInfo]] = [:]
  private var incompleteCount = 0

  var isEmpty: Bool { infos.isEmpty }

  var all: [KVOInfo] { infos.values.flatMap { $0 } }

  /// The observations of the key path, also those that were made before its keys could be told.
  subscript(keyPath: String) -> [KVOInfo] {
    let named = infos[keyPath] ?? []
    guard incompleteCount > 0 else { return named }
    return named + all.filter { $0.keyPath != keyPath && $0.isIncomplete && $0.path.currentName == keyPath }
  }

  func contains(_ info: KVOInfo) -> Bool {
    infos[info.keyPath]?.contains { $0 === info } == true
  }

  func insert(_ info: KVOInfo) {
    infos[info.keyPath, default: []].append(info)
    if info.isIncomplete { incompleteCount += 1 }
  }

  func removeAll() -> [KVOInfo] {
    defer {
      infos = [:]
      incompleteCount = 0
    }
    return all
  }

  /// Takes the observation out, if it is there.
  func remove(_ info: KVOInfo) {
    guard contains(info) else { return }
    infos[info.keyPath]?.removeAll { $0 === info }
    if info.isIncomplete { incompleteCount -= 1 }
    if infos[info.keyPath]?.isEmpty == true { infos[info.keyPath] = nil }
  }
}
