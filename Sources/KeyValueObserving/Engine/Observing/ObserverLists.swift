#if !canImport(ObjectiveC)
/// The lists of an object's keys but for the first one, with a place for each key of the class.
struct ObserverLists {
  private var table: [ObserverList?] = []
  private var count: Int32 = 0

  var isEmpty: Bool { table.isEmpty }

  /// The list of the key with that index.
  subscript(index: Int) -> ObserverList? {
    index < table.count ? table[index] : nil
  }

  /// Adds an empty list for a key that has none.
  mutating func add(_ key: ObservedKey) -> ObserverList {
    while table.count <= key.index { table.append(nil) }
    let list = ObserverList.allocate()
    list.begin(key)
    table[key.index] = list
    count += 1
    return list
  }

  /// Deallocates the empty list of the key with that index, when there are no deliveries.
  mutating func remove(at index: Int) {
    guard let list = self[index] else { return }
    table[index] = nil
    count -= 1
    if count == 0 { table = [] }
    list.end()
    list.deallocate()
  }

  var all: [ObserverList] { table.compactMap { $0 } }
}
#endif
