/// The observations of one object by one controller: each key path, and each identifier of it, once.
///
/// Nothing here runs the identifiers' own code, so a set may be used under its controller's lock, which guards it.
final class KVOInfoSet {
  private var infos: [String: [KVOInfo]] = [:]

  var isEmpty: Bool { infos.isEmpty }

  var all: [KVOInfo] { infos.values.flatMap { $0 } }

  subscript(keyPath: String) -> [KVOInfo] { infos[keyPath] ?? [] }

  func contains(_ info: KVOInfo) -> Bool {
    self[info.keyPath].contains { $0 === info }
  }

  func insert(_ info: KVOInfo) {
    infos[info.keyPath, default: []].append(info)
  }

  func removeAll() -> [KVOInfo] {
    defer { infos = [:] }
    return all
  }

  /// Takes the observation out, if it is there.
  func remove(_ info: KVOInfo) {
    infos[info.keyPath]?.removeAll { $0 === info }
    if infos[info.keyPath]?.isEmpty == true { infos[info.keyPath] = nil }
  }
}
