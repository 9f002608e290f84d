import CKeyValueObserving

/// The observances of one key of an object, in the order of their registration. A change takes a snapshot of the
/// entries, which is a reference to the array, and delivers without the object's lock. An observance that ends is taken
/// out of its entry; empty entries are removed when half of them are empty.
struct ObserverList {
  /// The meaning of a change of the key for an observance. In any case its value may change.
  struct Role: OptionSet {
    let rawValue: UInt8

    /// The key's value is the observance's.
    static let endpoint = Role(rawValue: 1)
    /// The key's value leads to the observance's, so that other objects may affect it afterwards.
    static let waypoint = Role(rawValue: 2)
    /// The key is also affected by whatever its getter reads, which may be something else after the change.
    static let reading = Role(rawValue: 4)
    /// An object on the path was deallocated, so that the path may lead to another one already.
    static let stale = Role(rawValue: 8)

    /// Whether the key's value is certainly the observance's.
    var isEnd: Bool { isDisjoint(with: .waypoint) && contains(.endpoint) }
    /// Whether the path has to be traversed again after a change.
    var reroutes: Bool { !isDisjoint(with: [.waypoint, .reading, .stale]) }
  }

  struct Entry {
    let rank: UInt64
    /// The number of the traversal that has found the key on the observance's path; 0 if there is only one key.
    fileprivate(set) var traversal: UInt64
    fileprivate(set) var role: Role
    /// The number of keys that the traversal had found before it gave the role.
    fileprivate(set) var position: UInt32
    /// nil if the observance has left the list.
    fileprivate(set) var observance: Observance?

    /// Whether a change of the key can't be delivered directly: the observance receives another value, or a call before
    /// the change.
    fileprivate var needsTransaction: Bool { role != .endpoint || observance?.wantsPrior == true }
  }

  /// What was removed from a list, for the caller to release after the lock.
  typealias Removal = (observance: Observance?, list: ObserverList?)

  let key: ObservedKey
  private(set) var entries: [Entry] = []
  private var emptyCount = 0
  private var transactionCount = 0

  init(of key: ObservedKey) {
    self.key = key
  }

  var isEmpty: Bool { emptyCount == entries.count }

  /// The receivers of a value that is set, if each receives it in one call after the change; nil if that takes a
  /// ``ChangeTransaction``.
  ///
  /// It is mutating, so that the list isn't copied, which would count references to what threads that set different objects share.
  @inline(__always)
  var receivers: ObservationInfo.Receivers? {
    mutating get { transactionCount == 0 && key.isPlain ? (.passUnretained(key), snapshot) : nil }
  }

  /// The entries, for readers without the lock. The Thread Sanitizer doesn't see that a reference count orders the last
  /// read of an array before its next change, so the array isn't shared when it is at work.
  @inline(__always)
  var snapshot: [Entry] { kvo_is_sanitizing_threads ? entries.map { $0 } : entries }

  subscript(observance: Observance) -> Entry? {
    let (position, isThere) = find(observance)
    return isThere ? entries[position] : nil
  }

  /// The position of an observance's entry, or of the one before which it belongs; and whether it has one that isn't empty.
  private func find(_ observance: Observance) -> (position: Int, isThere: Bool) {
    let rank = observance.rank
    var (low, high) = (0, entries.count)
    // Observances usually begin and end in order.
    if let last = entries.last, last.rank <= rank { low = last.rank == rank ? high - 1 : high }
    while low < high, entries[low].rank != rank {
      let middle = (low + high) / 2
      if entries[middle].rank < rank { low = middle + 1 } else { high = middle }
    }
    return (low, low < entries.count && entries[low].rank == rank && entries[low].observance != nil)
  }

  /// Inserts an observance, or gives it another role. The role that a traversal with a greater number has given it
  /// stays; those that one traversal gives are united. Returns whether this one hasn't given it that role before.
  mutating func insert(_ observance: Observance, _ role: Role, traversal: UInt64, position: Int) -> Bool {
    let (index, isThere) = find(observance)
    guard isThere else {
      let entry = Entry(
        rank: observance.rank, traversal: traversal, role: role, position: UInt32(truncatingIfNeeded: position),
        observance: observance)
      if entry.needsTransaction { transactionCount += 1 }
      if index < entries.count, entries[index].rank == entry.rank {
        entries[index] = entry
        emptyCount -= 1
      } else if index == entries.count {
        entries.append(entry)
      } else {
        entries.insert(entry, at: index)
      }
      return true
    }
    let former = entries[index]
    guard former.traversal <= traversal else { return false }
    let united = former.traversal == traversal ? former.role.union(role) : role
    guard (former.traversal, former.role) != (traversal, united) else { return false }
    if former.needsTransaction { transactionCount -= 1 }
    entries[index].traversal = traversal
    entries[index].role = united
    let latest = UInt32(truncatingIfNeeded: position)
    entries[index].position = former.traversal == traversal ? max(former.position, latest) : latest
    if entries[index].needsTransaction { transactionCount += 1 }
    return true
  }

  /// Removes an observance, unless a traversal with at least that number has found the key.
  mutating func remove(_ observance: Observance, before traversal: UInt64) -> Removal? {
    let (position, isThere) = find(observance)
    guard isThere, entries[position].traversal < traversal else { return nil }
    if entries[position].needsTransaction { transactionCount -= 1 }
    var removal: Removal = (nil, nil)
    swap(&removal.observance, &entries[position].observance)
    emptyCount += 1
    if emptyCount < entries.count, 2 * emptyCount > entries.count {
      removal.list = self
      entries.removeAll { $0.observance == nil }
      emptyCount = 0
    }
    return removal
  }

  func checkInvariants() {
    precondition(zip(entries, entries.dropFirst()).allSatisfy { $0.rank < $1.rank }, "The list isn't sorted.")
    let present = entries.filter { $0.observance != nil }
    precondition(emptyCount == entries.count - present.count, "The list has another number of empty entries.")
    precondition(2 * emptyCount <= entries.count || emptyCount == entries.count, "The list has too many empty entries.")
    precondition(transactionCount == present.filter(\.needsTransaction).count, "Another number needs a transaction.")
  }
}
