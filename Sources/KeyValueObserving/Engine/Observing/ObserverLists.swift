#if !canImport(ObjectiveC)
/// The lists of an object's observed keys: usually one, otherwise a table with a place for each key of the class.
struct ObserverLists: ~Copyable {
  /// The list, if there is only one. Lists are owned here.
  private var only: Unmanaged<ObserverList>?
  /// All lists, by the indexes of their keys, if there are several.
  private var table: UnsafeMutablePointer<Unmanaged<ObserverList>?>?
  private var capacity: Int32 = 0
  private var count: Int32 = 0

  /// The list of the key with that index.
  subscript(index: Int) -> Unmanaged<ObserverList>? {
    @inline(__always)
    get {
      if let only { return only._withUnsafeGuaranteedRef { $0.index } == index ? only : nil }
      guard let table, index < Int(capacity) else { return nil }
      return table[index]
    }
  }

  /// The list of a key, created if necessary.
  mutating func made(for key: ObservedKey) -> Unmanaged<ObserverList> {
    if let list = self[key.index] { return list }
    let list = Unmanaged.passRetained(ObserverList(key))
    count += 1
    if count == 1, table == nil {
      only = list
    } else {
      if let only { put(only, at: only._withUnsafeGuaranteedRef { $0.index }) }
      only = nil
      put(list, at: key.index)
    }
    return list
  }

  /// Releases the empty list of the key with that index, when there are no deliveries.
  mutating func remove(at index: Int) {
    guard let list = self[index] else { return }
    if only != nil {
      only = nil
    } else {
      table?[index] = nil
    }
    count -= 1
    if count == 0 { releaseTable() }
    list.release()
  }

  /// Removes marked entries, and the lists that are then empty, when there are no deliveries.
  mutating func sweep(into removed: inout [Unmanaged<Observance>]) {
    if let only {
      if Self.sweep(only, into: &removed) { remove(at: only._withUnsafeGuaranteedRef { $0.index }) }
    } else {
      for index in 0..<Int(capacity) {
        if let list = table?[index], Self.sweep(list, into: &removed) { remove(at: index) }
      }
    }
  }

  /// Removes everything, when the object is deallocated.
  mutating func removeAll(into removed: inout [Unmanaged<Observance>]) {
    if let only {
      only._withUnsafeGuaranteedRef { $0.removeAll(into: &removed) }
      remove(at: only._withUnsafeGuaranteedRef { $0.index })
    } else {
      for index in 0..<Int(capacity) {
        table?[index]?._withUnsafeGuaranteedRef { $0.removeAll(into: &removed) }
        remove(at: index)
      }
    }
  }

  private static func sweep(_ list: Unmanaged<ObserverList>, into removed: inout [Unmanaged<Observance>]) -> Bool {
    list._withUnsafeGuaranteedRef { list in
      list.sweep(into: &removed)
      return list.isEmpty
    }
  }

  private mutating func put(_ list: Unmanaged<ObserverList>, at index: Int) {
    if index >= Int(capacity) {
      let larger = UnsafeMutablePointer<Unmanaged<ObserverList>?>.allocate(capacity: index + 1)
      larger.initialize(repeating: nil, count: index + 1)
      if let table { larger.update(from: table, count: Int(capacity)) }
      table?.deallocate()
      (table, capacity) = (larger, Int32(index + 1))
    }
    table?[index] = list
  }

  private mutating func releaseTable() {
    table?.deallocate()
    (table, capacity) = (nil, 0)
  }
}
#endif
