/// The observations of one object by one controller: each key path, and each identifier of it, once.
///
/// Nothing here runs the identifiers' own code, so a set may be used under its controller's lock, which guards it.
final class KVOInfoSet {
  /// The observation, as long as there is only one, as there mostly is.
  private var only: KVOInfo?
  /// Several observations, by their key paths.
  private var several: [String: [KVOInfo]] = [:]
  private var incompleteCount = 0

  var isEmpty: Bool { only == nil && several.isEmpty }

  var all: [KVOInfo] { only.map { [$0] } ?? several.values.flatMap { $0 } }

  /// The observations of the key path, also those that were made before its keys could be told.
  subscript(keyPath: String) -> [KVOInfo] {
    let named = only.map { $0.keyPath == keyPath ? [$0] : [] } ?? several[keyPath] ?? []
    guard incompleteCount > 0 else { return named }
    return named + all.filter { $0.keyPath != keyPath && $0.isIncomplete && $0.path.currentName == keyPath }
  }

  func contains(_ info: KVOInfo) -> Bool {
    only === info || several[info.keyPath]?.contains { $0 === info } == true
  }

  func insert(_ info: KVOInfo) {
    if info.isIncomplete { incompleteCount += 1 }
    if isEmpty {
      only = info
    } else {
      if let only { several[only.keyPath] = [only] }
      only = nil
      several[info.keyPath, default: []].append(info)
    }
  }

  /// Takes the observation out, if it is there.
  func remove(_ info: KVOInfo) {
    guard contains(info) else { return }
    if info.isIncomplete { incompleteCount -= 1 }
    if only != nil {
      only = nil
    } else {
      several[info.keyPath]?.removeAll { $0 === info }
      if several[info.keyPath]?.isEmpty == true { several[info.keyPath] = nil }
    }
  }
}
