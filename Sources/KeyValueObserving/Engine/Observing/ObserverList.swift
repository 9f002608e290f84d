#if !canImport(ObjectiveC)
import Synchronization

/// The observances that a change of one key of one object affects, in the order of registration.
///
/// It is changed only under the lock of the object's ``StorageGate``. Deliveries read it without the lock: each has a
/// snapshot, which is an array of entries and their count. So during deliveries, entries are appended after the
/// existing ones or to another array, and removed by marking them. ``sweep(into:)`` cleans up afterwards.
///
/// This is a reference to memory that ``ObserverLists`` owns, because the first list of an object is stored in the
/// object's ``ObservationInfo``, and the first entry of a list in the list. The memory isn't reused or deallocated
/// while there are deliveries.
///
/// - Complexity: Appending takes amortized constant time. Removing takes logarithmic time to find the entry, and
///   amortized constant time to take it out.
struct ObserverList {
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

    /// An empty place.
    fileprivate init() {
      tag = Atomic(0)
    }

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
      tag.store(tag.load(ordering: .relaxed) | Self.removed, ordering: .relaxed)
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

    fileprivate mutating func count(_ observance: Observance, _ role: Entry.Role, _ difference: Int32) {
      observances &+= difference
      if observance.options.contains(.old) { old &+= difference }
      if observance.options.contains(.new) { new &+= difference }
      if observance.options.contains(.prior) { prior &+= difference }
      if role.contains(.waypoint) { waypoints &+= difference }
      if role != .endpoint { others &+= difference }
    }
  }

  /// The entries that are affected by a change.
  struct Entries {
    let first: UnsafeMutablePointer<Entry>
    let count: Int
  }

  /// What to notify of a replacement of the key's property. With three words, it is passed in registers.
  struct Snapshot {
    let list: ObserverList
    let first: UnsafeMutablePointer<Entry>
    let count: Int32
    let version: UInt32

    /// Records that the setter of the property to which the list is bound has replaced the property.
    @inline(__always)
    func endStoring() { list.endStoring(version: version) }
  }

  /// The state of a list.
  ///
  /// Its parts are read and assigned one by one, and never passed `inout`, because deliveries read some of them while
  /// others are changed.
  struct Memory: ~Copyable {
    /// A place for one entry. It is the first part, so its address is that of the memory.
    fileprivate var only = Entry()
    /// The key, which is never deallocated; nil if the memory isn't used.
    fileprivate(set) var key: Unmanaged<ObservedKey>?
    /// The entries: `only`, or an array that was allocated.
    fileprivate var array: UnsafeMutablePointer<Entry>?
    fileprivate var requirements = Requirements()
    /// Counts events that a change in progress must notice: replacements of the property, and insertions and removals
    /// of observances.
    fileprivate let version = Atomic<UInt32>(0)
    fileprivate var count: Int32 = 0
    /// The binary logarithm of the array's capacity, and in the highest bit whether the list needs a sweep.
    fileprivate var capacityAndSweep: UInt8 = 0
    /// Whether the setter of the property to which the list is bound may be storing. Only that setter writes it.
    fileprivate let isStoring = Atomic<Bool>(false)
    /// A ``Binding``.
    fileprivate let binding = Atomic<UInt16>(0)
  }

  /// The property of the first key whose list the memory was, and whether the list is used for that now.
  ///
  /// The property's setter reads this before it enters the gate. It is the only one that records in the list that it
  /// stores, and doesn't run on several threads concurrently. So the property never changes.
  struct Binding: Equatable {
    enum Use: UInt16 {
      /// The memory isn't used, or for another key.
      case none
      /// A replacement only calls the observer of each entry once, with the values of the property.
      case direct
      /// A replacement needs a ``ChangeTransaction``.
      case transaction
    }

    fileprivate let bits: UInt16

    /// - Parameter offset: An ``ObservedKey/plainOffset``.
    fileprivate init(offset: UInt16, _ use: Use) {
      bits = offset << 2 | use.rawValue
    }

    fileprivate init(bits: UInt16) {
      self.bits = bits
    }

    fileprivate var offset: UInt16 { bits >> 2 }

    @inline(__always)
    func isUse(_ use: Use, ofPropertyAt offset: Int) -> Bool { Int(bits) == offset << 2 | Int(use.rawValue) }

    fileprivate var isUsed: Bool { bits & 3 != 0 }

    fileprivate func with(_ use: Use) -> Binding { Binding(bits: bits & ~3 | use.rawValue) }
  }

  private let memory: UnsafeMutablePointer<Memory>

  /// The list in memory that is or isn't used yet.
  init(_ memory: UnsafeMutablePointer<Memory>) {
    self.memory = memory
  }

  /// Allocates memory for a list.
  static func allocate() -> ObserverList {
    let memory = UnsafeMutablePointer<Memory>.allocate(capacity: 1)
    memory.initialize(to: Memory())
    return ObserverList(memory)
  }

  /// Deallocates what ``allocate()`` allocated.
  func deallocate() {
    memory.deinitialize(count: 1)
    memory.deallocate()
  }

  /// Makes the memory the empty list of a key.
  func begin(_ key: ObservedKey) {
    memory.pointee.array = inlineArray
    memory.pointee.key = .passUnretained(key)
    let offset = key.plainOffset
    if offset > 0, binding.offset == 0 || binding.offset == offset {
      binding = Binding(offset: offset, .direct)
    }
  }

  /// Ends the use of the memory of an empty list, when there are no deliveries.
  func end() {
    if array != inlineArray { array.deallocate() }
    memory.pointee.array = nil
    capacityExponent = 0
    memory.pointee.count = 0
    memory.pointee.key = nil
    binding = binding.with(.none)
  }

  /// The key with whose list the memory is used.
  @inline(__always)
  var borrowedKey: Unmanaged<ObservedKey>? { memory.pointee.key }

  var key: ObservedKey { memory.pointee.key.unsafelyUnwrapped.takeUnretainedValue() }

  @inline(__always)
  func isOfKey(at index: Int) -> Bool { borrowedKey?._withUnsafeGuaranteedRef { $0.index } == index }

  /// The field of the key's property, if observers receive only the property's own values. It is never deallocated.
  @inline(__always)
  var plainField: Unmanaged<ObservedField>? {
    memory.pointee.key.unsafelyUnwrapped._withUnsafeGuaranteedRef { $0.plainField }
  }

  @inline(__always)
  var requirements: Requirements { memory.pointee.requirements }

  var isEmpty: Bool { memory.pointee.requirements.observances == 0 }

  /// Whether the list contains nothing, not even entries for the next sweep.
  var isReleasable: Bool { isEmpty && !needsSweep }

  /// The observance of the only entry, if a change of the key only puts another object on its path. The list owns it.
  var onlyWaypoint: Unmanaged<Observance>? {
    let requirements = requirements
    guard requirements.observances == 1, requirements.waypoints == 1, requirements.prior == 0,
      plainField?._withUnsafeGuaranteedRef({ $0.isObject }) == true
    else { return nil }
    let entries = entries
    for index in 0..<entries.count where !entries.first[index].isRemoved {
      if let observance = entries.first[index].observance {
        return entries.first[index].role == .waypoint ? observance : nil
      }
    }
    return nil
  }

  @inline(__always)
  var entries: Entries { Entries(first: array, count: Int(memory.pointee.count)) }

  @inline(__always)
  var currentVersion: UInt32 { memory.pointee.version.load(ordering: .relaxed) }

  /// Records an event that a change in progress must notice.
  @inline(__always)
  func bumpVersion() {
    memory.pointee.version.store(currentVersion &+ 1, ordering: .relaxed)
  }

  @inline(__always)
  private var array: UnsafeMutablePointer<Entry> { memory.pointee.array.unsafelyUnwrapped }

  /// The place for one entry in the list's own memory.
  private var inlineArray: UnsafeMutablePointer<Entry> {
    UnsafeMutableRawPointer(memory).assumingMemoryBound(to: Entry.self)
  }
}

// MARK: Replacing the property

extension ObserverList {
  /// To which property the list is bound. It can change until the setter has entered the gate.
  private(set) var binding: Binding {
    @inline(__always)
    get { Binding(bits: memory.pointee.binding.load(ordering: .relaxed)) }
    nonmutating set { memory.pointee.binding.store(newValue.bits, ordering: .relaxed) }
  }

  /// Records that the setter of the property to which the list is bound stores from now on, if the gate lets it.
  @inline(__always)
  func beginStoring() {
    memory.pointee.isStoring.store(true, ordering: .relaxed)
  }

  /// Records that the setter doesn't store, or not anymore.
  @inline(__always)
  func endStoring() {
    memory.pointee.isStoring.store(false, ordering: .releasing)
  }

  /// The same, once the property is replaced, which makes that the version.
  @inline(__always)
  func endStoring(version: UInt32) {
    memory.pointee.version.store(version, ordering: .relaxed)
    endStoring()
  }

  /// Whether the setter of the property to which the list is bound may be storing.
  var isStoring: Bool { memory.pointee.isStoring.load(ordering: .acquiring) }

  /// Whether a replacement of the property does more than to call the observer of each entry once, with the values of
  /// the property.
  var needsTransaction: Bool {
    let requirements = memory.pointee.requirements
    return requirements.prior | requirements.waypoints | requirements.others != 0 || needsSweep
      || plainField == nil
  }

  /// What to notify of a replacement, which is the next one to be counted.
  @inline(__always)
  var snapshot: Snapshot {
    Snapshot(
      list: self, first: memory.pointee.array.unsafelyUnwrapped, count: memory.pointee.count,
      version: currentVersion &+ 1)
  }

  @inline(__always)
  private func updateBinding() {
    guard binding.isUsed else { return }
    binding = binding.with(needsTransaction ? .transaction : .direct)
  }
}

// MARK: Changing the list under the gate's lock

extension ObserverList {
  private var count: Int {
    get { Int(memory.pointee.count) }
    nonmutating set { memory.pointee.count = Int32(newValue) }
  }

  private var capacityExponent: UInt8 {
    get { memory.pointee.capacityAndSweep & 0x7F }
    nonmutating set { memory.pointee.capacityAndSweep = memory.pointee.capacityAndSweep & 0x80 | newValue }
  }

  private var needsSweep: Bool {
    get { memory.pointee.capacityAndSweep & 0x80 != 0 }
    nonmutating set {
      memory.pointee.capacityAndSweep = memory.pointee.capacityAndSweep & 0x7F | (newValue ? 0x80 : 0)
    }
  }

  private var capacity: Int { 1 << Int(capacityExponent) }

  /// Adds an observance, or sets the role of its existing entry.
  ///
  /// - Parameter isRetained: Whether it is retained already for the list.
  /// - Returns: Whether it has no other entry, and the entries that were replaced if deliveries may be reading them.
  func insert(
    _ observance: Observance, isRetained: Bool = false, _ role: Entry.Role, isDelivering: Bool
  ) -> (isNew: Bool, retired: RetiredEntries?) {
    bumpVersion()
    let index = firstIndex(from: observance.sequence)
    var isNew = true
    var retired: RetiredEntries?
    if index < count, array[index].sequence == observance.sequence, array[index].observance != nil {
      let (former, wasRemoved) = (array[index].role, array[index].isRemoved)
      if !wasRemoved { count(observance, former, -1) }
      array[index].mark(role)
      isNew = wasRemoved
      // The caller retains it too.
      if isRetained { Unmanaged.passUnretained(observance).release() }
    } else {
      let owned = isRetained ? Unmanaged.passUnretained(observance) : .passRetained(observance)
      let entry = Entry(owned, sequence: observance.sequence, role)
      if index == count, count < capacity {
        (array + index).initialize(to: entry)
        count += 1
      } else if isDelivering {
        // Also if there is an empty place for it, because a delivery would then find an observance that has come later.
        retired = replaceArray(inserting: entry, at: index)
      } else if index < count, array[index].sequence == observance.sequence {
        array[index] = entry
      } else {
        if count == capacity { resize(to: capacity < 4 ? 4 : capacity * 2) }
        (array + index + 1).moveInitialize(from: array + index, count: count - index)
        (array + index).initialize(to: entry)
        count += 1
      }
    }
    count(observance, role, 1)
    updateBinding()
    return (isNew, retired)
  }

  private func count(_ observance: Observance, _ role: Entry.Role, _ difference: Int32) {
    var requirements = memory.pointee.requirements
    requirements.count(observance, role, difference)
    memory.pointee.requirements = requirements
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
    observance._withUnsafeGuaranteedRef { count($0, array[index].role, -1) }
    array[index].markRemoved()
    guard !isDelivering else {
      needsSweep = true
      updateBinding()
      return nil
    }
    updateBinding()
    array[index].observance = nil
    if count == 1 { count = 0 } else { compact() }
    return observance
  }

  /// Removes the marked entries, when there are no deliveries.
  func sweep(into removed: inout [Unmanaged<Observance>]) {
    guard needsSweep else { return }
    needsSweep = false
    updateBinding()
    for index in 0..<count where array[index].isRemoved {
      if let observance = array[index].observance { removed.append(observance) }
      array[index].observance = nil
    }
    compact()
  }

  /// Removes everything, when the object is deallocated.
  func removeAll(into removed: inout [Unmanaged<Observance>]) {
    for index in 0..<count {
      if let observance = array[index].observance { removed.append(observance) }
    }
    count = 0
    memory.pointee.requirements = Requirements()
  }

  /// Removes empty places, if there are many and most places are empty.
  private func compact() {
    let observances = Int(memory.pointee.requirements.observances)
    guard count <= 8 || observances < count / 2 else { return }
    var end = 0
    for index in 0..<count where array[index].observance != nil {
      if end < index { (array + end).moveInitialize(from: array + index, count: 1) }
      end += 1
    }
    count = end
    if capacity > 8, count < capacity / 4 { resize(to: max(count * 2, 1)) }
  }

  private func resize(to leastCapacity: Int) {
    let (larger, exponent) = Self.allocateArray(leastCapacity)
    larger.moveInitialize(from: array, count: count)
    if array != inlineArray { array.deallocate() }
    memory.pointee.array = larger
    capacityExponent = exponent
  }

  private static func allocateArray(
    _ leastCapacity: Int
  ) -> (array: UnsafeMutablePointer<Entry>, capacityExponent: UInt8) {
    var exponent: UInt8 = 0
    while 1 << Int(exponent) < leastCapacity { exponent += 1 }
    return (.allocate(capacity: 1 << Int(exponent)), exponent)
  }

  /// Replaces an array that deliveries may be reading. The next sweep releases it.
  private func replaceArray(inserting entry: consuming Entry, at place: Int) -> RetiredEntries {
    let observances = Int(memory.pointee.requirements.observances)
    let (other, exponent) = Self.allocateArray(max(4, observances * 2))
    var end = 0
    for index in 0..<place { end = copy(index, to: other, end) }
    (other + end).initialize(to: entry)
    end += 1
    for index in place..<count { end = copy(index, to: other, end) }
    let retired = RetiredEntries(array, count: count, isOwned: array != inlineArray)
    memory.pointee.array = other
    capacityExponent = exponent
    needsSweep = false
    count = end
    return retired
  }

  private func copy(_ index: Int, to other: UnsafeMutablePointer<Entry>, _ end: Int) -> Int {
    guard !array[index].isRemoved, let observance = array[index].observance else { return end }
    _ = observance.retain()
    (other + end).initialize(to: Entry(copying: array[index]))
    return end + 1
  }

  private func firstIndex(from sequence: UInt64) -> Int {
    var low = 0
    var high = count
    if high > 0, array[high - 1].sequence < sequence { return high }
    while low < high {
      let middle = (low + high) / 2
      if array[middle].sequence < sequence { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// Entries that were replaced while deliveries were reading them. They are released after the last one.
final class RetiredEntries {
  private let observances: [Unmanaged<Observance>]
  /// The array, unless it is part of the list's own memory, which may be in use again.
  private let array: UnsafeMutablePointer<ObserverList.Entry>?
  /// Entries that were replaced before.
  var next: RetiredEntries?

  init(_ array: UnsafeMutablePointer<ObserverList.Entry>, count: Int, isOwned: Bool) {
    observances = (0..<count).compactMap { array[$0].observance }
    self.array = isOwned ? array : nil
  }

  deinit {
    for observance in observances { observance.release() }
    array?.deallocate()
  }
}
#endif
