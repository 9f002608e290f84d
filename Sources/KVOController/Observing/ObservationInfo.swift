import CKeyValueObserving

/// The engine's data of one object: the observances of its keys, and the registrations with it. The name is
/// Foundation's. The object owns its info, from the first observance on. Path trackers retain it too, so it may outlive
/// its object; it is then empty, and stays empty.
///
/// - Thread safety: The lock guards the tables, the flag by which setters find out that the object is observed, and the
///   storage of the object's `@Observed` properties while it is. The counter is changed under the lock, and read without.
@usableFromInline
class ObservationInfo: LockedObject, @unchecked Sendable {
  override class var lockRank: Rank { .object }

  final let properties: ClassProperties

  // The lock excludes what the compiler would otherwise check at run time.

  /// The object; nil once its `deinit` has begun. It is used under the lock only, and never retained there, because
  /// releasing the last reference takes the lock.
  @exclusivity(unchecked) private final var object: Unmanaged<KeyValueObject>?
  /// The list of each observed key, by its slot.
  @exclusivity(unchecked) private final var lists = SmallDictionary<UInt, ObserverList>()
  /// The registrations that follow paths, in no particular order. All others are in the list of their key.
  @exclusivity(unchecked) private final var pathRegistrations: [Observance] = []
  @exclusivity(unchecked) private final var storedExtras: Extras?

  /// State that few objects need.
  final class Extras {
    var mutations: [InPlaceMutation] = []
    var manualChanges: [ChangeTransaction] = []
    var associatedObjects: [ObjectIdentifier: AnyObject] = [:]
  }

  required init(_ object: KeyValueObject, _ properties: ClassProperties) {
    self.object = .passUnretained(object)
    self.properties = properties
  }

  final override func checkInvariants() {
    lists.checkInvariants { $0.key.slot }
    for list in lists.values {
      precondition(!list.isEmpty, "A list is empty.")
      if list.entries.count < 100 { list.checkInvariants() }
    }
    for (index, observance) in pathRegistrations.enumerated().prefix(100) {
      precondition(observance.tracker?.registrationIndex == index, "A registration has another index.")
    }
  }

  // MARK: Overridden for a class that conforms to Observable

  /// Ends all observation of the object, whose `deinit` has begun, and which isn't accessed afterwards.
  func objectDies() {
    let (registered, affected, released) = withLock {
      let removed = (pathRegistrations, lists.values, storedExtras)
      (object, pathRegistrations, lists, storedExtras) = (nil, [], SmallDictionary(), nil)
      counter &+= 1
      return removed
    }
    for observance in registered { observance.rootDied() }
    for entry in affected.flatMap(\.entries) {
      guard let observance = entry.observance else { continue }
      if observance.home === self {
        observance.rootDied()
      } else {
        observance.objectOnPathDied(self, traversal: entry.traversal)
      }
    }
    withExtendedLifetime(released) {}
  }

  /// Reports a read of the property at an index to Observation. If its key is independent, nothing else is to be reported.
  func reportRead(ofPropertyAt index: Int, isIndependent: Bool) {}

  /// Reports a read of the property at an offset to Observation, if its key is known to depend on no other. Returns whether
  /// it was reported.
  func reportRead(ofIndependentAt offset: Int) -> Bool { false }

  /// Reports a read of a key that isn't a stored property, or that depends on other keys.
  func reportRead(ofDependent name: String, of object: KeyValueObject) {}

  func reportChange(_ edge: KeyValueObject.Edge, ofPropertyAt index: Int) {}

  // MARK: State

  /// Counts, under the lock, everything that happens to an observed property: stores, and insertions, removals, and changes of roles
  /// of observances.
  @inline(__always)
  final var counter: UInt32 {
    get { sharedNumber }
    set {
      kvo_require_lock(lockAddress)
      sharedNumber = newValue
    }
  }

  /// Whether the object's `deinit` has begun, under the lock.
  private final var isDead: Bool { object == nil }

  /// Calls `body` with the lock and the state that few objects need; nil if the object's `deinit` has begun.
  final func withExtras<Result>(_ body: (Extras?) -> Result) -> Result {
    withLock {
      if storedExtras == nil, !isDead { storedExtras = Extras() }
      return body(storedExtras)
    }
  }

  /// The same if there is one, under the lock.
  final var extras: Extras? {
    kvo_require_lock(lockAddress)
    return storedExtras
  }

  /// Reads a property under the lock, with which setters store while the object is observed. The observance on behalf of which it
  /// is read is in a list of the object. If the object isn't observed any longer, that has ended.
  final func read(_ field: ObservedField) -> Reading {
    guard let storage = storage(of: field) else { return .ended }
    if let mutation = extras?.mutations.first(where: { $0.field === field }) { return .deferred(mutation) }
    // A mutation that began when the object wasn't observed.
    kvo_check_access(storage, false)
    return .value(field.readStorage(storage))
  }

  /// The address of a property, under the lock, if the object is observed.
  @inline(__always)
  final func storage(of field: ObservedField) -> UnsafeRawPointer? {
    guard isObserved, let object else { return nil }
    return UnsafeRawPointer(object.toOpaque()) + field.offset
  }
}

// MARK: Observances

extension ObservationInfo {
  /// The list of the key in a slot, under the lock: see ``ObservedKey/slot``. That of a property is its offset in the object.
  @inline(__always)
  final func list(at slot: UInt) -> ObserverList? {
    kvo_require_lock(lockAddress)
    return lists[slot]
  }

  /// The receivers of a replacement of a property; the key is nil if nobody observes it.
  typealias Receivers = (key: Unmanaged<ObservedKey>?, entries: [ObserverList.Entry])

  /// The receivers of a replacement of the property at an offset in the object, under the lock; nil if it takes a
  /// ``ChangeTransaction``, or if the property isn't known.
  @inline(__always)
  final func receivers(atOffset offset: Int) -> Receivers? {
    kvo_require_lock(lockAddress)
    let slot = UInt(bitPattern: offset)
    if lists.firstKey == slot { return lists.first?.receivers }
    if var list = lists[slot] { return list.receivers }
    return properties[offset: offset] == nil ? nil : (nil, [])
  }

  /// A snapshot of the observances of a key.
  final func entries(of key: ObservedKey) -> [ObserverList.Entry] {
    withLock { list(at: key.slot)?.snapshot ?? [] }
  }

  final func entry(of observance: Observance, _ key: ObservedKey) -> ObserverList.Entry? {
    withLock { list(at: key.slot)?[observance] }
  }

  /// Whether the object is observed, and its properties are guarded by the lock, under which this is called.
  final var isObserved: Bool {
    kvo_require_lock(lockAddress)
    guard let object else { return false }
    return kvo_flags(object.toOpaque()) & UInt(KVO_OBSERVED) != 0
  }

  /// Inserts an observance into the list of a key: see ``ObserverList/insert(_:_:traversal:position:)``. Does nothing once it has ended, or the
  /// base class's `deinit` has begun.
  @discardableResult
  final func insert(
    _ observance: Observance, _ role: ObserverList.Role, _ key: ObservedKey, traversal: UInt64, position: Int = 0
  ) -> Bool {
    withLock {
      guard let object, !observance.hasEnded else { return false }
      let (isFirst, slot) = (lists.isEmpty, key.slot)
      let isNew = lists.update(slot) { list in
        if list == nil { list = ObserverList(of: key) }
        return list?.insert(observance, role, traversal: traversal, position: position) == true
      }
      if isNew { counter &+= 1 }
      if isFirst { kvo_set_flags(object.toOpaque(), UInt(KVO_OBSERVED)) }
      return isNew
    }
  }

  /// Removes an observance from a key's list: see ``ObserverList/remove(_:before:)``. Release the result after all locks.
  final func remove(
    _ observance: Observance, _ key: ObservedKey, before traversal: UInt64 = .max
  ) -> ObserverList.Removal? {
    withLock {
      let removed = lists.update(key.slot) { list -> ObserverList.Removal? in
        guard var removal = list?.remove(observance, before: traversal) else { return nil }
        if list?.isEmpty == true { swap(&list, &removal.list) }
        return removal
      }
      guard let removal = removed else { return nil }
      counter &+= 1
      // The object is as before its first observation: setters on other threads need not see this at once.
      if lists.isEmpty, let object { kvo_clear_flags(object.toOpaque(), UInt(KVO_OBSERVED)) }
      return removal
    }
  }

  // MARK: Registrations

  /// The observances that a change of the object may notify, in the order of their registration.
  final var allObservances: [Observance] {
    let present = withLock { pathRegistrations + lists.values.flatMap(\.entries).compactMap(\.observance) }
    var known: Set<ObjectIdentifier> = []
    return present.filter { known.insert(ObjectIdentifier($0)).inserted && !$0.hasEnded }
      .sorted { $0.rank < $1.rank }
  }

  final var registrationCount: Int { allObservances.filter { $0.home === self }.count }

  /// Adds the registration of an observance that follows a path. Returns false if it can't be added, because it has ended, or
  /// the base class's `deinit` has begun.
  final func register(_ observance: Observance) -> Bool {
    withLock {
      guard !isDead, !observance.hasEnded else { return false }
      observance.tracker?.registrationIndex = pathRegistrations.count
      pathRegistrations.append(observance)
      return true
    }
  }

  final func unregister(_ observance: Observance) {
    let removed = withLock { () -> Observance? in
      guard let index = observance.tracker?.registrationIndex, index < pathRegistrations.count,
        pathRegistrations[index] === observance
      else { return nil }
      pathRegistrations.swapAt(index, pathRegistrations.count - 1)
      pathRegistrations[index].tracker?.registrationIndex = index
      return pathRegistrations.removeLast()
    }
    withExtendedLifetime(removed) {}
  }

  // MARK: Manual changes

  /// A limit that nested changes don't reach, because their calls must fit on a thread's stack.
  private static let mostManualChanges = 1024

  /// Stores a change until it is ended on this thread. If too many changes never end, the oldest are dropped.
  final func append(_ change: ChangeTransaction) {
    let dropped = withExtras { extras -> ChangeTransaction? in
      guard let extras else { return nil }
      extras.manualChanges.append(change)
      guard extras.manualChanges.count > Self.mostManualChanges else { return nil }
      let oldest = extras.manualChanges.dropLast().firstIndex { $0.isOf(change.key, change.thread) }
      return extras.manualChanges.remove(at: oldest ?? 0)
    }
    withExtendedLifetime(dropped) {}
  }

  /// Whether this thread has begun a change of a key, of which the observance, if one is given, is notified when it ends.
  final func hasManualChange(of key: ObservedKey, for observance: Observance? = nil) -> Bool {
    let thread = CurrentThread.identity
    return withLock { extras?.manualChanges.contains { $0.isOf(key, thread) && $0.hasReceiver(observance) } == true }
  }

  /// The latest change of a key that this thread has begun. It is removed.
  final func takeManualChange(of key: ObservedKey) -> ChangeTransaction? {
    let thread = CurrentThread.identity
    return withLock {
      guard let extras, let index = extras.manualChanges.lastIndex(where: { $0.isOf(key, thread) }) else { return nil }
      return extras.manualChanges.remove(at: index)
    }
  }
}
