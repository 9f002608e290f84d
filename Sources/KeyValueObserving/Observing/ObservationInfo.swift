#if !canImport(ObjectiveC)
/// All that the engine keeps of one object: who observes its keys, and who registered with it. Named as in Foundation.
///
/// The object owns its info. Observances retain the infos of all objects on their paths, so an info may outlive its
/// object; from then on it is empty and stays so.
///
/// - Thread safety: The tables are changed under the lock of the gate, and read by those who have it or who store. Neither
///   runs foreign code: what is taken out of the tables is released after the lock is given back.
@usableFromInline
class ObservationInfo: @unchecked Sendable {
  /// The keys of the object's class, which live as long as the process.
  final let lentKeys: Unmanaged<ClassKeys>

  final var keys: ClassKeys { lentKeys.takeUnretainedValue() }

  // The object, for its slot. It is touched only under the lock, and not once it is deallocated. It is never retained
  // there: if that were its last reference, its end would want the same lock.
  private let object: Unmanaged<KeyValueObject>

  final let gate = StorageGate()

  // The gate excludes what the compiler would otherwise check at run time.
  @exclusivity(unchecked) private var lists = ObserverLists()
  @exclusivity(unchecked) private var registrations = RegistrationTable()
  @exclusivity(unchecked) private var retired: RetiredEntries?
  @exclusivity(unchecked) private var extras: Extras?
  @exclusivity(unchecked) private var trackerCount: Int32 = 0
  @exclusivity(unchecked) private var isDead = false

  /// What few objects need.
  private final class Extras {
    var manualTransactions: [ManualTransaction] = []
    var associatedObjects: [AssociationKey: AnyObject] = [:]
  }

  init(_ object: KeyValueObject, _ keys: ClassKeys) {
    self.object = .passUnretained(object)
    lentKeys = .passUnretained(keys)
  }

  deinit {
    var removed: [Unmanaged<Observance>] = []
    lists.removeAll(into: &removed)
    for observance in removed { observance.release() }
  }

  private func withLock<Result>(_ body: () -> Result) -> Result {
    gate.lock()
    defer { unlock() }
    return body()
  }

  private func unlock() {
    if _slowPath(gate.unlock()) { sweep() }
  }

  private func madeExtras() -> Extras {
    if let extras { return extras }
    let made = Extras()
    extras = made
    return made
  }

  /// Has setters tell the engine of what they do.
  private func markObserved() {
    object._withUnsafeGuaranteedRef { $0.slot.markObserved() }
  }
}

// MARK: Changes

extension ObservationInfo {
  /// The list of the key at `index`, for whoever stores or has the lock, or has found it so and delivers still.
  @inline(__always)
  func list(at index: Int) -> Unmanaged<ObserverList>? {
    lists[index]
  }

  /// Ends a delivery.
  @inline(__always)
  func leave() {
    if _slowPath(gate.leave()) { sweep() }
  }

  /// Ends what was begun by entering the gate, when there is nobody to notify.
  @inline(__always)
  func leaveWithoutDelivery() {
    if _slowPath(gate.leaveWithoutDelivery()) { sweep() }
  }

  /// Releases what deliveries might have read, unless there are others by now: then the last of those does.
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

  /// Has all those whose path leads through the key at `index` follow it again.
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

  /// Has a change of the key at `index` concern an observance.
  func insert(_ observance: Observance, _ role: ObserverList.Entry.Role, _ key: Key) {
    withLock {
      guard !isDead else { return }
      insertLocked(observance, role, key)
    }
  }

  private func insertLocked(_ observance: Observance, _ role: ObserverList.Entry.Role, _ key: Key) {
    lists.made(for: key)._withUnsafeGuaranteedRef {
      $0.insert(observance, role, isDelivering: gate.isDelivering, &retired)
    }
    if retired != nil { gate.askForSweep() }
    markObserved()
  }

  /// Has changes of the key no longer concern an observance, which the caller retains.
  func removeObservance(_ sequence: UInt64, _ key: Key) {
    let removed = withLock { removeLocked(sequence, key) }
    removed?.release()
  }

  private func removeLocked(_ sequence: UInt64, _ key: Key) -> Unmanaged<Observance>? {
    guard let list = lists[key.index] else { return nil }
    // Who begins to deliver from now on doesn't begin before the lock is given back.
    let isDelivering = gate.isDelivering
    let removed = list._withUnsafeGuaranteedRef { $0.remove(sequence, isDelivering: isDelivering) }
    if isDelivering {
      gate.askForSweep()
    } else if list._withUnsafeGuaranteedRef(\.isReleasable) {
      lists.remove(at: key.index)
    }
    return removed
  }
}

// MARK: Storage

extension ObservationInfo {
  /// Keeps setters from replacing a property on another thread while the engine reads it.
  ///
  /// What runs until ``unlockStorage()`` copies a value, and nothing else.
  func lockStorage() {
    gate.lock()
  }

  func unlockStorage() {
    unlock()
  }
}

// MARK: Tracking

extension ObservationInfo {
  /// Counts those that track reads of the object; while there are any, getters tell of what they read.
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

  /// Whether registrations were taken out whose observers were deallocated.
  var hasSweptRegistrations: Bool { withLock { registrations.wasSwept } }

  /// Takes the registration in, and has its key concern it if it is of one only.
  ///
  /// - Returns: Whether the object takes registrations: it doesn't once its base class's `deinit` has begun.
  func insert(_ observance: Observance) -> Bool {
    withLock {
      guard !isDead else { return false }
      registrations.insert(observance)
      if let key = observance.onlyKey { insertLocked(observance, .endpoint, key) }
      return true
    }
  }

  /// Takes the latest registration out, and has its key no longer concern it if it is of one only.
  ///
  /// - Parameter context: Nil for whatever context.
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

  /// Takes out those registrations made by hand whose observers were deallocated without removing them, once there may
  /// be as many of them as there are others.
  ///
  /// Whether an observer is deallocated is asked outside the lock: who asks retains it meanwhile, perhaps as the last.
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
  /// More than anybody nests, whose calls must all fit onto a thread's stack.
  private static let mostManualTransactions = 1024

  /// Keeps a change until its end. Of those whose end never comes, the oldest are forgotten.
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

  /// Whether a change of the key, begun on any thread, awaits its end.
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

  /// - Returns: The object that is associated now, and the one it replaced, which the caller releases.
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

// MARK: The object's end

extension ObservationInfo {
  /// Ends what the object took part in. `die` runs under the lock; after it the object isn't touched any more.
  func objectDies(_ die: () -> Void) {
    var lastRegistrations = RegistrationTable()
    var lastExtras: Extras?
    var removed: [Unmanaged<Observance>] = []
    withLock {
      die()
      isDead = true
      swap(&lastRegistrations, &registrations)
      swap(&lastExtras, &extras)
      // Whoever delivers a change of the object retains it, so nobody does.
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
