import KVOController

/// An observer that does to a copy of a collection what the notifications say.
final class Replay: KeyValueObject {
  var list: [Int]
  var set: Set<Int>
  private(set) var count = 0
  private(set) var problem: String?

  init(_ list: [Int]) {
    self.list = list
    set = Set(list)
  }

  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    count += 1
    let change = change ?? [:]
    let kind = (change[.kindKey] as? UInt).flatMap(NSKeyValueChange.init) ?? .setting
    if let indexes = change[.indexesKey] as? IndexSet {
      applyOrdered(kind, Array(indexes), change[.oldKey] as? [Int], change[.newKey] as? [Int])
    } else if kind == .setting, let new = change[.newKey] {
      list = (new as? [Int]) ?? (new as? NSOrderedSet)?.compactMap { $0 as? Int } ?? []
    } else {
      applyUnordered(change[.oldKey] as? Set<Int> ?? [], change[.newKey] as? Set<Int> ?? [])
    }
  }

  private func applyOrdered(_ kind: NSKeyValueChange, _ indexes: [Int], _ old: [Int]?, _ new: [Int]?) {
    if kind != .insertion, indexes.map({ list[$0] }) != old { problem = "old is \(old ?? []) at \(indexes) of \(list)" }
    switch kind {
    case .insertion: for (index, object) in zip(indexes, new ?? []) { list.insert(object, at: index) }
    case .removal: for index in indexes.reversed() { list.remove(at: index) }
    case .replacement: for (index, object) in zip(indexes, new ?? []) { list[index] = object }
    default: problem = "a setting with indexes"
    }
  }

  private func applyUnordered(_ old: Set<Int>, _ new: Set<Int>) {
    if !set.isSuperset(of: old) || !set.isDisjoint(with: new) { problem = "old is \(old), new is \(new) of \(set)" }
    set = set.subtracting(old).union(new)
  }
}
