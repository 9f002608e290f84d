#if !canImport(ObjectiveC)
import Synchronization

/// The observances that a change of one key of one object concerns, in the order of registration.
///
/// It is changed under the lock of the object's ``StorageGate`` only. Deliveries read it without: each has fixed an array
/// of entries and their count. So while there are deliveries, entries are added behind those that are there, or to
/// another array, and taken out by marking them. ``sweep(into:)`` makes up for it.
///
/// - Complexity: Appending takes amortized constant time. Removing takes logarithmic time to find the entry, and amortized
///   constant time to take it out.
final class ObserverList {
  /// One observance that the list concerns.
  struct Entry: ~Copyable {
    /// Owned by the list. Nil once it was released: then nobody delivers who could see it.
    fileprivate(set) var observance: Unmanaged<Observance>?
    /// The place of the observance in the order of registration, and in the lowest three bits the role.
    private let tag: Atomic<UInt64>

    /// What the key is to the observance.
    struct Role: OptionSet {
      let rawValue: UInt8
      /// The last key of the path: unless it is also on the way there, its value is the path's.
      static let endpoint = Role(rawValue: 1)
      /// A change of the key may put another object on the path.
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

  /// How many entries need what, so that a change does nothing that none of them needs.
  struct Requirements {
    private(set) var observances: Int32 = 0
    private(set) var old: Int32 = 0
    private(set) var new: Int32 = 0
    private(set) var prior: Int32 = 0
    /// Those whose path leads on through the key.
    private(set) var waypoints: Int32 = 0
    /// Those that see another value than the key's own.
    private(set) var others: Int32 = 0

    /// Whether a change of the key is nothing but a call for each of them, with the key's own values.
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

  /// What a change has fixed of a list.
  struct Entries {
    let first: UnsafeMutablePointer<Entry>
    let count: Int
  }

  /// The key, which lives as long as the process.
  let lentKey: Unmanaged<Key>
  /// The field of the key's property, if a change of that is all that its observers see. It lives as long as the process.
  let plainField: Unmanaged<ObservedField>?
  let index: Int
  private(set) var requirements = Requirements()
  private var array: UnsafeMutablePointer<Entry>
  private var count: Int32 = 0
  private var capacity: Int32 = 1
  private var needsSweep = false
  /// Counts what a change that is under way must know of: that the property was replaced, or that an observance was taken
  /// out or put in.
  private let version = Atomic<UInt32>(0)

  init(_ key: Key) {
    lentKey = .passUnretained(key)
    index = key.index
    plainField = key.isPlain ? key.field.map(Unmanaged.passUnretained) : nil
    array = .allocate(capacity: 1)
  }

  deinit {
    array.deallocate()
  }

  var key: Key { lentKey.takeUnretainedValue() }

  var isEmpty: Bool { requirements.observances == 0 }

  /// Whether the list holds nothing, not even what awaits the sweep.
  var isReleasable: Bool { isEmpty && !needsSweep }

  /// Whether a change of the key is nothing but a call for each entry, with the values of the key's property.
  var isDirect: Bool { requirements.isDirect && plainField != nil && !needsSweep }

  var entries: Entries { Entries(first: array, count: Int(count)) }

  @inline(__always)
  var currentVersion: UInt32 { version.load(ordering: .relaxed) }

  /// Says that the key's property is replaced: by its setter, which nobody calls on two threads at once.
  @inline(__always)
  func bumpVersion() {
    version.store(version.load(ordering: .relaxed) &+ 1, ordering: .relaxed)
  }
}

// MARK: Changing it, under the gate's lock

extension ObserverList {
  /// Adds an observance, or gives its role to the entry that it has.
  func insert(_ observance: Observance, _ role: Entry.Role, isDelivering: Bool, _ retired: inout RetiredEntries?) {
    bumpVersion()
    let index = firstIndex(from: observance.sequence)
    if index < count, array[index].sequence == observance.sequence {
      let (former, wasRemoved) = (array[index].role, array[index].isRemoved)
      if !wasRemoved { requirements.count(observance, former, -1) }
      if array[index].observance == nil { array[index].observance = .passRetained(observance) }
      array[index].mark(role)
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
    }
    requirements.count(observance, role, 1)
  }

  /// Takes out the observance with that place in the order of registration.
  ///
  /// - Returns: The observance: the caller releases it, after the lock is given back. Nil if it isn't there, or has to
  ///   stay until the sweep.
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

  /// Takes out what was marked, when nobody delivers.
  func sweep(into removed: inout [Unmanaged<Observance>]) {
    guard needsSweep else { return }
    needsSweep = false
    for index in 0..<Int(count) where array[index].isRemoved {
      if let observance = array[index].observance { removed.append(observance) }
      array[index].observance = nil
    }
    compact()
  }

  /// Takes out everything, when the object is deallocated.
  func removeAll(into removed: inout [Unmanaged<Observance>]) {
    for index in 0..<Int(count) {
      if let observance = array[index].observance { removed.append(observance) }
    }
    count = 0
    requirements = Requirements()
  }

  /// Takes out the places that are left empty, if they are most of many.
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

  /// Puts another array in the place of one that deliveries read, and leaves that to the sweep.
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

/// An array of entries that was replaced while deliveries read it. It goes when the last of them has left.
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
