#if !canImport(ObjectiveC)
/// The engine's data of one object: the observances of its keys, and the registrations with it. The name is
/// Foundation's.
///
/// The object owns its info. Observances retain the infos of all objects on their paths, so an info may outlive its
/// object. It is then empty, and stays empty.
///
/// - Thread safety: The tables are changed under the lock of the gate, and read under it or while storing. Neither runs
///   foreign code: objects that are removed from the tables are released after the lock.
@usableFromInline
class ObservationInfo: @unchecked Sendable {
  /// The keys of the object's class, which are never deallocated.
  final let borrowedKeys: Unmanaged<ObservedKeys>

  final var keys: ObservedKeys { borrowedKeys.takeUnretainedValue() }

  // The object, for its slot. It is accessed only under the lock, and not once it is deallocated. It is never retained
  // under the lock, because releasing the last reference takes the same lock.
  private let object: Unmanaged<KeyValueObject>

  final let gate = StorageGate()

  // The gate ensures the exclusive access that the compiler would otherwise check at run time.
  @exclusivity(unchecked) private var lists = ObserverLists()
  @exclusivity(unchecked) private var registrations = RegistrationTable()
  @exclusivity(unchecked) private var retired: RetiredEntries?
  @exclusivity(unchecked) private var extras: Extras?
  @exclusivity(unchecked) private var trackerCount: Int32 = 0
  @exclusivity(unchecked) private var isDead = false

  /// Data that few objects need.
  private final class Extras {
    var manualTransactions: [ManualTransaction] = []
    var associatedObjects: [AssociationKey: AnyObject] = [:]
  }

  init(_ object: KeyValueObject, _ keys: ObservedKeys) {
    self.object = .passUnretained(object)
    borrowedKeys = .passUnretained(keys)
  }

  deinit {
    var removed: [Unmanaged<Observance>] = []
    lists.removeAll(into: &removed)
    for observance in removed { observance.release() }
  }

  private func withLock<Result>(sweeps: Bool = true, _ body: () -> Result) -> Result {
    gate.lock()
    defer { if _slowPath(gate.unlock()), sweeps { sweep() } }
    return body()
  }

  private func madeExtras() -> Extras {
    if let extras { return extras }
    let made = Extras()
    extras = made
    return made
  }

  /// Makes setters notify the engine.
  private func markObserved() {
    object._withUnsafeGuaranteedRef { $0.slot.markObserved() }
  }
}

// MARK: Changes

extension ObservationInfo {
  /// The list of the key at `index`. The caller must be storing or have the lock; the list stays valid while it
  /// delivers.
  @inline(__always)
  func list(at index: Int) -> Unmanaged<ObserverList>? {
    lists[index]
  }

  /// Ends a delivery.
  @inline(__always)
  func leave() {
    if _slowPath(gate.leave()) { sweep() }
  }

  /// Leaves the gate, if there are no observances to notify.
  @inline(__always)
  func leaveWithoutDelivery() {
    if _slowPath(gate.leaveWithoutDelivery()) { sweep() }
  }

  /// Sweeps if that is due, after calls that must not.
  func sweepIfDue() {
    if _slowPath(gate.state.needsSweep) { withLock {} }
  }

  /// Releases data that deliveries may have read, unless there are new deliveries. Then the last of those does.
  @inline(never)
  private func sweep() {
    var removed: [Unmanaged<Observance>] = []
    var arrays: RetiredEntries?
    repeat {
      gate.lock()
      guard !gate.isDelivering else { continue }
      lists.sweep(into: &removed)
      if arrays == nil { swap(&arrays, &retired) }
      gate.didSweep()
    } while gate.unlock()
    for observance in removed { observance.release() }
    withExtendedLifetime(arrays) {}
  }

  /// Updates all observances whose path leads through the key at `index`.
  func reroute(at index: Int) {
    gate.enter()
    guard let list = lists[index]?.takeUnretainedValue(), list.requirements.waypoints > 0 else {
      return leaveWithoutDelivery()
    }
    let entries = list.entries
    gate.endStoring()
    for index in 0..<entries.count where entries.first[index].role.contains(.waypoint) {
      guard !entries.first[index].isRemoved else { continue }
      entries.first[index].observance?._withUnsafeGuaranteedRef { $0.reroute() }
    }
    leave()
  }

  /// Adds an observance to a key.
  ///
  /// - Parameter sweeps: Whether to sweep if that is due. That may run foreign code, so under another lock pass false, and
  ///   call ``sweepIfDue()`` after it.
  /// - Returns: Whether it wasn't there before.
  @discardableResult
  func insert(
    _ observance: Observance, _ role: ObserverList.Entry.Role, _ key: ObservedKey, sweeps: Bool = true
  ) -> Bool {
    withLock(sweeps: sweeps) {
      guard !isDead else { return false }
      return insertLocked(observance, role, key)
    }
  }

  @discardableResult
  private func insertLocked(
    _ observance: Observance, _ role: ObserverList.Entry.Role, _ key: ObservedKey
  ) -> Bool {
    let isNew = lists.made(for: key)._withUnsafeGuaranteedRef {
      $0.insert(observance, role, isDelivering: gate.isDelivering, &retired)
    }
    if retired != nil { gate.askForSweep() }
    markObserved()
    return isNew
  }

  /// Removes an observance, which the caller retains, from the key.
  ///
  /// - Parameter sweeps: Whether to sweep if that is due, as for ``insert(_:_:_:sweeps:)``.
  func removeObservance(_ sequence: UInt64, _ key: ObservedKey, sweeps: Bool = true) {
    let removed = withLock(sweeps: sweeps) { removeLocked(sequence, key) }
    removed?.release()
  }

  private func removeLocked(_ sequence: UInt64, _ key: ObservedKey) -> Unmanaged<Observance>? {
    guard let list = lists[key.index] else { return nil }
    // New deliveries can't begin before the lock is released.
    let isDelivering = gate.isDelivering
    let removed = list._withUnsafeGuaranteedRef { $0.remove(sequence, isDelivering: isDelivering) }
    if isDelivering {
      gate.askForSweep()
    } else if list._withUnsafeGuaranteedRef({ $0.isReleasable }) {
      lists.remove(at: key.index)
    }
    return removed
  }
}

// MARK: Storage

extension ObservationInfo {
  /// Prevents setters on other threads from replacing a property while the engine reads it.
  ///
  /// The code that runs until ``unlockStorage()`` only copies a value.
  func lockStorage() {
    gate.lock()
  }

  func unlockStorage() {
    if _slowPath(gate.unlock()) { sweep() }
  }
}

// MARK: Tracking

extension ObservationInfo {
  /// Adds to the number of trackers of the object. While it isn't 0, getters report their reads.
  func changeTrackerCount(by difference: Int) {
    withLock {
      guard !isDead else { return }
      trackerCount += Int32(difference)
      object._withUnsafeGuaranteedRef { $0.slot.setTracked(trackerCount > 0) }
    }
  }
}

// MARK: Registrations

extension ObservationInfo {
  var hasRegistrations: Bool { withLock { !registrations.isEmpty } }

  var registrationCount: Int { withLock { registrations.all.count } }

  /// Whether registrations were removed because their observers were deallocated.
  var hasSweptRegistrations: Bool { withLock { registrations.wasSwept } }

  /// Inserts a registration, and adds it to its key if it has only one.
  ///
  /// - Returns: Whether it was inserted, which isn't possible once the base class's `deinit` has begun.
  func insert(_ observance: Observance) -> Bool {
    withLock {
      guard !isDead else { return false }
      registrations.insert(observance)
      if let key = observance.onlyKey { insertLocked(observance, .endpoint, key) }
      return true
    }
  }

  /// Removes the latest registration, also from its key if it has only one.
  ///
  /// - Parameter context: nil for any context.
  func removeRegistration(
    _ observer: KeyValueObject, _ keyPath: String, context: UnsafeMutableRawPointer??
  ) -> Observance? {
    let (observance, removed) = withLock {
      let observance = registrations.remove(observer, keyPath, context: context)
      return (observance, observance.flatMap(removeEntryLocked))
    }
    removed?.release()
    return observance
  }

  /// Removes the manual registrations whose observers were deallocated without removing them, once there may be as many
  /// of them as of others.
  ///
  /// Whether an observer is deallocated is checked outside the lock, because the check retains it, and may release the
  /// last reference.
  func sweepRegistrations() {
    guard let candidates = withLock({ registrations.candidatesOfSweep() }) else { return }
    let dead = candidates.filter(\.isAbandoned)
    for observance in dead {
      let removed = withLock {
        registrations.remove(observance)
        return removeEntryLocked(of: observance)
      }
      removed?.release()
      observance.end()
    }
    withLock { registrations.didSweep(of: dead.count) }
  }

  private func removeEntryLocked(of observance: Observance) -> Unmanaged<Observance>? {
    observance.onlyKey.flatMap { removeLocked(observance.sequence, $0) }
  }
}

// MARK: Manual changes

extension ObservationInfo {
  /// A limit that nested changes don't reach, because their calls must fit on a thread's stack.
  private static let mostManualTransactions = 1024

  /// Stores a change until its end. If too many changes never end, the oldest are dropped.
  func push(_ transaction: ChangeTransaction, of key: String) {
    let transaction = ManualTransaction(thread: .current, key: key, transaction: transaction)
    let forgotten: ManualTransaction? = withLock {
      guard !isDead else { return nil }
      let extras = madeExtras()
      extras.manualTransactions.append(transaction)
      guard extras.manualTransactions.count > Self.mostManualTransactions else { return nil }
      let earlier = extras.manualTransactions.dropLast()
      let oldest =
        earlier.firstIndex { $0.thread == transaction.thread && $0.key == key } ?? earlier.startIndex
      return extras.manualTransactions.remove(at: oldest)
    }
    withExtendedLifetime(forgotten) {}
  }

  /// Whether a change of the key has begun on any thread and not ended.
  func hasManualTransaction(of key: String) -> Bool {
    withLock { extras?.manualTransactions.contains { $0.key == key } ?? false }
  }

  /// The latest change of the key that this thread has begun.
  func popManualTransaction(of key: String) -> ChangeTransaction? {
    let thread = ThreadIdentity.current
    return withLock {
      guard let extras else { return nil }
      return extras.manualTransactions.lastIndex { $0.thread == thread && $0.key == key }
        .map { extras.manualTransactions.remove(at: $0).transaction }
    }
  }
}

// MARK: Associated objects

extension ObservationInfo {
  func associatedObject(_ key: AssociationKey) -> AnyObject? {
    withLock { extras?.associatedObjects[key] }
  }

  /// - Returns: The associated object, and the object that it replaced, which the caller releases.
  func associate(_ value: AnyObject, _ key: AssociationKey, replacing: Bool) -> (AnyObject, replaced: AnyObject?) {
    withLock {
      let present = extras?.associatedObjects[key]
      if let present, !replacing { return (present, nil) }
      guard !isDead else { return (value, nil) }
      madeExtras().associatedObjects[key] = value
      return (value, present)
    }
  }
}

// MARK: Deallocation

extension ObservationInfo {
  /// Ends all observation of the object. `die` is called under the lock; the object isn't accessed after it.
  func objectDies(_ die: () -> Void) {
    var lastRegistrations = RegistrationTable()
    var lastExtras: Extras?
    var removed: [Unmanaged<Observance>] = []
    withLock {
      die()
      isDead = true
      swap(&lastRegistrations, &registrations)
      swap(&lastExtras, &extras)
      // A delivery would retain the object, so there is none.
      lists.removeAll(into: &removed)
    }
    for observance in lastRegistrations.all { observance.rootDied() }
    for observance in removed {
      observance._withUnsafeGuaranteedRef { $0.objectOnPathDied(self) }
      observance.release()
    }
    withExtendedLifetime(lastExtras) {}
  }
}
#endif
