#if !canImport(ObjectiveC)
import Synchronization

/// The observances that a change of one key of one object affects, in the order of registration.
///
/// It is changed only under the lock of the object's ``StorageGate``. Deliveries read it without the lock: each has a
/// snapshot, which is an array of entries and their count. So during deliveries, entries are appended after the
/// existing ones or to another array, and removed by marking them. ``sweep(into:)`` cleans up afterwards.
///
/// - Complexity: Appending takes amortized constant time. Removing takes logarithmic time to find the entry, and
///   amortized constant time to take it out.
final class ObserverList {
  /// One observance of the list.
  struct Entry: ~Copyable {
    /// Owned by the list; nil once it was released, when no delivery can see it.
    fileprivate(set) var observance: Unmanaged<Observance>?
    /// The observance's number in the order of registration, and in the lowest three bits the role.
    private let tag: Atomic<UInt64>

    /// The role of the key for the observance.
    struct Role: OptionSet {
      let rawValue: UInt8
      /// The last key of the path. Unless it is also an earlier key, its value is that of the path.
      static let endpoint = Role(rawValue: 1)
      /// A key before the last one: its change may put another object on the path.
      static let waypoint = Role(rawValue: 2)
    }

    private static let removed: UInt64 = 4

    fileprivate init(_ observance: Unmanaged<Observance>, sequence: UInt64, _ role: Role) {
      self.observance = observance
      tag = Atomic(sequence << 3 | UInt64(role.rawValue))
    }

    fileprivate init(copying other: borrowing Entry) {
      observance = other.observance
      tag = Atomic(other.tag.load(ordering: .relaxed))
    }

    var sequence: UInt64 { tag.load(ordering: .relaxed) >> 3 }
    var role: Role { Role(rawValue: UInt8(tag.load(ordering: .relaxed) & 3)) }
    var isRemoved: Bool { tag.load(ordering: .relaxed) & Self.removed != 0 }

    fileprivate func mark(_ role: Role) {
      tag.store(sequence << 3 | UInt64(role.rawValue), ordering: .relaxed)
    }

    fileprivate func markRemoved() {
      tag.bitwiseOr(Self.removed, ordering: .relaxed)
    }
  }

  /// The numbers of entries with each requirement, so that a change does nothing that no entry needs.
  struct Requirements {
    private(set) var observances: Int32 = 0
    private(set) var old: Int32 = 0
    private(set) var new: Int32 = 0
    private(set) var prior: Int32 = 0
    /// Entries whose path continues after the key.
    private(set) var waypoints: Int32 = 0
    /// Entries whose observers receive another value than the key's own.
    private(set) var others: Int32 = 0

    /// Whether a change of the key only calls each observer once, with the key's own values.
    var isDirect: Bool { prior | waypoints | others == 0 }

    fileprivate mutating func count(_ observance: Observance, _ role: Entry.Role, _ difference: Int32) {
      observances += difference
      if observance.options.contains(.old) { old += difference }
      if observance.options.contains(.new) { new += difference }
      if observance.options.contains(.prior) { prior += difference }
      if role.contains(.waypoint) { waypoints += difference }
      if role != .endpoint { others += difference }
    }
  }

  /// The entries that are affected by a change.
  struct Entries {
    let first: UnsafeMutablePointer<Entry>
    let count: Int
  }

  /// The key, which is never deallocated.
  let borrowedKey: Unmanaged<ObservedKey>
  /// The field of the key's property, if observers receive only the property's own values. It is never deallocated.
  let plainField: Unmanaged<ObservedField>?
  let index: Int
  // The gate excludes what the compiler would otherwise check at run time, which took a quarter of a notification.
  @exclusivity(unchecked) private(set) var requirements = Requirements()
  @exclusivity(unchecked) private var array: UnsafeMutablePointer<Entry>
  @exclusivity(unchecked) private var count: Int32 = 0
  @exclusivity(unchecked) private var capacity: Int32 = 1
  @exclusivity(unchecked) private var needsSweep = false
  /// Counts events that a change in progress must notice: replacements of the property, and insertions and removals of
  /// observances.
  private let version = Atomic<UInt32>(0)

  init(_ key: ObservedKey) {
    borrowedKey = .passUnretained(key)
    index = key.index
    plainField = key.isPlain ? key.field.map(Unmanaged.passUnretained) : nil
    array = .allocate(capacity: 1)
  }

  deinit {
    array.deallocate()
  }

  var key: ObservedKey { borrowedKey.takeUnretainedValue() }

  var isEmpty: Bool { requirements.observances == 0 }

  /// Whether the list contains nothing, not even entries for the next sweep.
  var isReleasable: Bool { isEmpty && !needsSweep }

  /// Whether a change of the key only calls the observer of each entry once, with the values of the key's property.
  var isDirect: Bool { requirements.isDirect && plainField != nil && !needsSweep }

  var entries: Entries { Entries(first: array, count: Int(count)) }

  @inline(__always)
  var currentVersion: UInt32 { version.load(ordering: .relaxed) }

  /// Records that the key's property is replaced by its setter, which isn't called on several threads concurrently.
  @inline(__always)
  func bumpVersion() {
    version.store(version.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
  }
}

// MARK: Changing the list under the gate's lock

extension ObserverList {
  /// Adds an observance, or sets the role of its existing entry.
  ///
  /// - Returns: Whether it has no other entry.
  func insert(
    _ observance: Observance, _ role: Entry.Role, isDelivering: Bool, _ retired: inout RetiredEntries?
  ) -> Bool {
    bumpVersion()
    defer { requirements.count(observance, role, 1) }
    let index = firstIndex(from: observance.sequence)
    if index < count, array[index].sequence == observance.sequence {
      let (former, wasRemoved) = (array[index].role, array[index].isRemoved)
      if !wasRemoved { requirements.count(observance, former, -1) }
      if array[index].observance == nil { array[index].observance = .passRetained(observance) }
      array[index].mark(role)
      return wasRemoved
    } else {
      let entry = Entry(.passRetained(observance), sequence: observance.sequence, role)
      if index == count, count < capacity {
        (array + index).initialize(to: entry)
        count += 1
      } else if isDelivering {
        replaceArray(inserting: entry, at: index, &retired)
      } else {
        if count == capacity { grow() }
        (array + index + 1).moveInitialize(from: array + index, count: Int(count) - index)
        (array + index).initialize(to: entry)
        count += 1
      }
      return true
    }
  }

  /// Removes the observance with that number in the order of registration.
  ///
  /// - Returns: The observance, which the caller releases after the lock; nil if it isn't in the list, or if it must
  ///   stay until the next sweep.
  func remove(_ sequence: UInt64, isDelivering: Bool) -> Unmanaged<Observance>? {
    let index = firstIndex(from: sequence)
    guard index < count, array[index].sequence == sequence, !array[index].isRemoved,
      let observance = array[index].observance
    else { return nil }
    bumpVersion()
    observance._withUnsafeGuaranteedRef { requirements.count($0, array[index].role, -1) }
    array[index].markRemoved()
    guard !isDelivering else {
      needsSweep = true
      return nil
    }
    array[index].observance = nil
    compact()
    return observance
  }

  /// Removes the marked entries, when there are no deliveries.
  func sweep(into removed: inout [Unmanaged<Observance>]) {
    guard needsSweep else { return }
    needsSweep = false
    for index in 0..<Int(count) where array[index].isRemoved {
      if let observance = array[index].observance { removed.append(observance) }
      array[index].observance = nil
    }
    compact()
  }

  /// Removes everything, when the object is deallocated.
  func removeAll(into removed: inout [Unmanaged<Observance>]) {
    for index in 0..<Int(count) {
      if let observance = array[index].observance { removed.append(observance) }
    }
    count = 0
    requirements = Requirements()
  }

  /// Removes empty places, if there are many and most places are empty.
  private func compact() {
    guard count <= 8 || requirements.observances < count / 2 else { return }
    var end = 0
    for index in 0..<Int(count) where array[index].observance != nil {
      if end < index { (array + end).moveInitialize(from: array + index, count: 1) }
      end += 1
    }
    count = Int32(end)
    if capacity > 8, count < capacity / 4 { resize(to: max(count * 2, 1)) }
  }

  private func grow() {
    resize(to: capacity < 4 ? 4 : capacity * 2)
  }

  private func resize(to capacity: Int32) {
    let larger = UnsafeMutablePointer<Entry>.allocate(capacity: Int(capacity))
    larger.moveInitialize(from: array, count: Int(count))
    array.deallocate()
    (array, self.capacity) = (larger, capacity)
  }

  /// Replaces an array that deliveries may be reading. The next sweep releases it.
  private func replaceArray(inserting entry: consuming Entry, at place: Int, _ retired: inout RetiredEntries?) {
    let capacity = max(4, requirements.observances * 2)
    let other = UnsafeMutablePointer<Entry>.allocate(capacity: Int(capacity))
    var end = 0
    for index in 0..<place { end = copy(index, to: other, end) }
    (other + end).initialize(to: entry)
    end += 1
    for index in place..<Int(count) { end = copy(index, to: other, end) }
    retired = RetiredEntries(array, count: Int(count), next: retired)
    (array, self.capacity, count, needsSweep) = (other, capacity, Int32(end), false)
  }

  private func copy(_ index: Int, to other: UnsafeMutablePointer<Entry>, _ end: Int) -> Int {
    guard !array[index].isRemoved, let observance = array[index].observance else { return end }
    _ = observance.retain()
    (other + end).initialize(to: Entry(copying: array[index]))
    return end + 1
  }

  private func firstIndex(from sequence: UInt64) -> Int {
    var low = 0
    var high = Int(count)
    if high > 0, array[high - 1].sequence < sequence { return high }
    while low < high {
      let middle = (low + high) / 2
      if array[middle].sequence < sequence { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// An array of entries that was replaced while deliveries were reading it. It is released after the last one.
final class RetiredEntries {
  private let array: UnsafeMutablePointer<ObserverList.Entry>
  private let count: Int
  private let next: RetiredEntries?

  init(_ array: UnsafeMutablePointer<ObserverList.Entry>, count: Int, next: RetiredEntries?) {
    self.array = array
    self.count = count
    self.next = next
  }

  deinit {
    for index in 0..<count { array[index].observance?.release() }
    array.deallocate()
  }
}
#endif
