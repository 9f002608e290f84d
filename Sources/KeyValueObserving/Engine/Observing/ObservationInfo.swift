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

  // The object, for its slot; nil once it is deallocated. It is accessed only under the lock, and never retained there,
  // because releasing the last reference takes the same lock.
  @exclusivity(unchecked) private var object: Unmanaged<KeyValueObject>?

  final let gate = StorageGate()

  // The gate ensures the exclusive access that the compiler would otherwise check at run time.
  @exclusivity(unchecked) private var memory = ObserverList.Memory()
  @exclusivity(unchecked) private var trackerCount: Int32 = 0
  /// The list in ``memory``, once the info is initialized.
  @exclusivity(unchecked) private var listInMemory: ObserverList?
  @exclusivity(unchecked) private var registrations = RegistrationList()
  @exclusivity(unchecked) private var extras: Extras?

  /// Data that few objects need.
  private final class Extras {
    /// The lists of other keys than the first one.
    var lists = ObserverLists()
    var retired: RetiredEntries?
    var manualRegistrations = ManualRegistrations()
    var manualTransactions: [ManualTransaction] = []
    var associatedObjects: [AssociationKey: AnyObject] = [:]

    /// Whether there is nothing to keep.
    var isEmpty: Bool {
      lists.isEmpty && retired == nil && manualRegistrations.isEmpty && !manualRegistrations.wasSwept
        && manualTransactions.isEmpty && associatedObjects.isEmpty
    }
  }

  init(_ object: KeyValueObject, _ keys: ObservedKeys) {
    self.object = .passUnretained(object)
    borrowedKeys = .passUnretained(keys)
    // The address is valid as long as the info, because that of a stored property of an object doesn't change.
    listInMemory = ObserverList(withUnsafeMutablePointer(to: &memory) { $0 })
  }

  deinit {
    var removed: [Unmanaged<Observance>] = []
    removeLists(into: &removed)
    for observance in removed { observance.release() }
  }

  private var isDead: Bool { object == nil }

  private func lock() {
    let wasIdle = gate.lock()
    if _slowPath(firstList.isStoring) { waitForSetter() }
    guard _slowPath(wasIdle), let object else { return }
    // Before waiting, so that no setter marks its thread with the object afterwards.
    object._withUnsafeGuaranteedRef { _ = $0.slot.setIdle(false) }
    IdleMark.wait(for: object.toOpaque())
  }

  @inline(never)
  private func waitForSetter() {
    StorageGate.wait { !firstList.isStoring }
  }

  private func withLock<Result>(sweeps: Bool = true, _ body: () -> Result) -> Result {
    lock()
    defer { if _slowPath(gate.unlock()), sweeps { sweep() } }
    return body()
  }

  private func madeExtras() -> Extras {
    if let extras { return extras }
    let made = Extras()
    extras = made
    return made
  }
}

// MARK: Lists

extension ObservationInfo {
  /// The list that is stored in the info itself. Most objects need only one.
  @inline(__always)
  final var firstList: ObserverList { listInMemory.unsafelyUnwrapped }

  /// The list of the key at `index`. The caller must be storing or have the lock; the list stays valid while it
  /// delivers.
  @inline(__always)
  final func list(at index: Int) -> ObserverList? {
    firstList.isOfKey(at: index) ? firstList : otherList(at: index)
  }

  @inline(never)
  private func otherList(at index: Int) -> ObserverList? {
    extras?.lists[index]
  }

  /// The list of the key of the property at an offset in the object. The same holds as for ``list(at:)``.
  @inline(never)
  final func list(ofPropertyAt offset: Int) -> ObserverList? {
    borrowedKeys._withUnsafeGuaranteedRef { $0.fieldIndex(atOffset: offset) }.flatMap { list(at: $0) }
  }

  /// The list of a key, created if necessary.
  private func madeList(of key: ObservedKey) -> ObserverList {
    if firstList.isOfKey(at: key.index) { return firstList }
    if let list = extras?.lists[key.index] { return list }
    guard firstList.borrowedKey == nil else { return madeExtras().lists.add(key) }
    firstList.begin(key)
    return firstList
  }

  /// Ends the empty list of the key at `index`, when there are no deliveries.
  private func removeList(at index: Int) {
    if firstList.isOfKey(at: index) { firstList.end() } else { extras?.lists.remove(at: index) }
  }

  private var usedLists: [ObserverList] {
    (firstList.borrowedKey == nil ? [] : [firstList]) + (extras?.lists.all ?? [])
  }

  /// Removes all observances, when the object is deallocated.
  private func removeLists(into removed: inout [Unmanaged<Observance>]) {
    for list in usedLists {
      list.removeAll(into: &removed)
      removeList(at: list.key.index)
    }
  }
}

// MARK: Changes

extension ObservationInfo {
  /// Ends a delivery.
  @inline(__always)
  func leave() {
    if _slowPath(gate.leave()) { sweep() }
  }

  /// Leaves the gate, if there are no observances to notify.
  @inline(__always)
  func leaveWithoutDelivery() {
    let state = gate.leaveWithoutDelivery()
    if _slowPath(state.leavesSweep) { sweep() }
    if _slowPath(state.isLongQuiet) { becomeIdle() }
  }

  @inline(never)
  private func becomeIdle() {
    withLock {
      guard firstList.borrowedKey == nil, extras?.lists.isEmpty != false, IdleMark.prepare(),
        object?._withUnsafeGuaranteedRef({ $0.slot.setIdle(true) }) == true
      else { return }
      gate.becomeIdle()
    }
  }

  /// Sweeps if that is due, after calls that must not.
  func sweepIfDue() {
    if _slowPath(isSweepDue) { withLock {} }
  }

  var isSweepDue: Bool { gate.state.needsSweep }

  /// Releases data that deliveries may have read, unless there are new deliveries. Then the last of those does.
  @inline(never)
  private func sweep() {
    var removed: [Unmanaged<Observance>] = []
    var retired: RetiredEntries?
    repeat {
      lock()
      guard !gate.isDelivering else { continue }
      for list in usedLists {
        list.sweep(into: &removed)
        if list.isEmpty { removeList(at: list.key.index) }
      }
      if retired == nil, let extras { swap(&retired, &extras.retired) }
      gate.didSweep()
    } while gate.unlock()
    for observance in removed { observance.release() }
    withExtendedLifetime(retired) {}
  }

  /// Updates all observances whose path leads through the key at `index`.
  final func reroute(at index: Int) {
    gate.enter()
    guard let list = list(at: index), list.requirements.waypoints > 0 else { return leaveWithoutDelivery() }
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
  final func insert(
    _ observance: Observance, _ role: ObserverList.Entry.Role, _ key: ObservedKey, sweeps: Bool = true
  ) -> Bool {
    withLock(sweeps: sweeps) {
      guard !isDead else { return false }
      return insertLocked(observance, role, key)
    }
  }

  /// Adds an observance to a key, as the end of its path, and calls `body` before others change the object. Doesn't
  /// sweep, as ``insert(_:_:_:sweeps:)``.
  ///
  /// - Parameter isRetained: Whether the observance, which the caller retains, is retained once more for this.
  final func insert(_ observance: Observance, isRetained: Bool, _ key: ObservedKey, _ body: () -> Void) {
    withLock(sweeps: false) {
      guard !isDead else {
        if isRetained { Unmanaged.passUnretained(observance).release() }
        return
      }
      insertLocked(observance, isRetained: isRetained, .endpoint, key)
      body()
    }
  }

  @discardableResult
  private func insertLocked(
    _ observance: Observance, isRetained: Bool = false, _ role: ObserverList.Entry.Role, _ key: ObservedKey
  ) -> Bool {
    let (isNew, retired) = madeList(of: key)
      .insert(observance, isRetained: isRetained, role, isDelivering: gate.isDelivering)
    if let retired {
      let extras = madeExtras()
      retired.next = extras.retired
      extras.retired = retired
      gate.askForSweep()
    }
    // Makes setters notify the engine.
    object?._withUnsafeGuaranteedRef { $0.slot.markObserved() }
    return isNew
  }

  /// Removes an observance, which the caller retains, from the key.
  ///
  /// - Parameter sweeps: Whether to sweep if that is due, as for ``insert(_:_:_:sweeps:)``.
  final func removeObservance(_ sequence: UInt64, _ key: ObservedKey, sweeps: Bool = true) {
    let removed = withLock(sweeps: sweeps) { removeLocked(sequence, key) }
    removed?.release()
  }

  /// Removes an observance, which the caller retains, from the key, if `body` returns true. It is called before others
  /// change the object. Doesn't sweep, as ``removeObservance(_:_:sweeps:)``.
  ///
  /// - Returns: What `body` has returned, and the observance, which the caller releases, unless it was retained for a
  ///   delivery.
  final func removeObservance(
    _ sequence: UInt64, _ key: ObservedKey, if body: () -> Bool
  ) -> (Bool, removed: Unmanaged<Observance>?) {
    withLock(sweeps: false) { body() ? (true, removeLocked(sequence, key)) : (false, nil) }
  }

  private func removeLocked(_ sequence: UInt64, _ key: ObservedKey) -> Unmanaged<Observance>? {
    guard let list = list(at: key.index) else { return nil }
    // New deliveries can't begin before the lock is released.
    let isDelivering = gate.isDelivering
    let removed = list.remove(sequence, isDelivering: isDelivering)
    if isDelivering {
      gate.askForSweep()
    } else if list.isReleasable {
      removeList(at: key.index)
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
    lock()
  }

  func unlockStorage() {
    if _slowPath(gate.unlock()) { sweep() }
  }

  /// Calls `body`, which only copies and moves values, while no setter replaces a property. Doesn't sweep, so call
  /// ``sweepIfDue()`` afterwards.
  func locked(_ body: () -> Bool) -> Bool {
    withLock(sweeps: false, body)
  }
}

// MARK: Tracking

extension ObservationInfo {
  /// Adds to the number of trackers of the object. While it isn't 0, getters report their reads.
  func changeTrackerCount(by difference: Int) {
    withLock {
      guard !isDead else { return }
      trackerCount += Int32(difference)
      object?._withUnsafeGuaranteedRef { $0.slot.setTracked(trackerCount > 0) }
    }
  }
}

// MARK: Registrations

extension ObservationInfo {
  final var hasRegistrations: Bool {
    withLock { !registrations.isEmpty || extras?.manualRegistrations.isEmpty == false }
  }

  final var registrationCount: Int {
    withLock { registrations.all.count + Int(extras?.manualRegistrations.count ?? 0) }
  }

  /// Whether registrations were removed because their observers were deallocated.
  final var hasSweptRegistrations: Bool { withLock { extras?.manualRegistrations.wasSwept ?? false } }

  /// Inserts a registration, and adds it to its key if it has only one.
  ///
  /// - Returns: Whether it was inserted, which isn't possible once the base class's `deinit` has begun.
  final func insert(_ observance: Observance) -> Bool {
    withLock {
      guard !isDead else { return false }
      if observance.isManual {
        madeExtras().manualRegistrations.insert(unsafeDowncast(observance, to: ObserverObservance.self))
      } else {
        registrations.insert(observance)
      }
      _ = observance.onlyKey?._withUnsafeGuaranteedRef { insertLocked(observance, .endpoint, $0) }
      return true
    }
  }

  /// Removes a registration, also from its key if it has only one.
  ///
  /// - Parameters:
  ///   - pending: The registration, if it is known; otherwise the latest one of `observer` is removed.
  ///   - context: nil for any context.
  /// - Returns: The registration, which the caller releases; nil if there is none.
  final func removeRegistration(
    _ pending: Unmanaged<Observance>?, _ observer: KeyValueObject, _ keyPath: String,
    context: UnsafeMutableRawPointer??
  ) -> Unmanaged<Observance>? {
    let (registration, entry) = withLock { () -> (Unmanaged<Observance>?, entry: Unmanaged<Observance>?) in
      if let listed = listed(pending, observer, keyPath, context) {
        return listed._withUnsafeGuaranteedRef { (registrations.remove($0), removeEntryLocked(of: $0)) }
      }
      guard let extras, let manual = extras.manualRegistrations.remove(observer, keyPath, context: context) else {
        return (nil, nil)
      }
      let entry = removeEntryLocked(of: manual)
      if extras.isEmpty { self.extras = nil }
      return (.passRetained(manual), entry)
    }
    entry?.release()
    return registration
  }

  /// The registration that a controller made, which the list retains.
  private func listed(
    _ pending: Unmanaged<Observance>?, _ observer: KeyValueObject, _ keyPath: String,
    _ context: UnsafeMutableRawPointer??
  ) -> Unmanaged<Observance>? {
    if let pending {
      if pending._withUnsafeGuaranteedRef({ $0.isListed(in: self) }) { return pending }
      let original = pending.takeUnretainedValue()
      return registrations.all.first { ($0 as? SubstituteObservance)?.original === original }
        .map(Unmanaged.passUnretained)
    }
    // An override of `removeObserver` has called the base class's method later.
    guard SharedObserver.is(observer), let context else { return nil }
    return registrations.all.first { $0.context == context && $0.keyPath == keyPath }.map(Unmanaged.passUnretained)
  }

  /// Removes the manual registrations whose observers were deallocated without removing them, once there may be as many
  /// of them as of others.
  ///
  /// Whether an observer is deallocated is checked outside the lock, because the check retains it, and may release the
  /// last reference.
  final func sweepRegistrations() {
    guard let candidates = withLock({ extras?.manualRegistrations.candidatesOfSweep() }) else { return }
    let dead = candidates.filter(\.isAbandoned)
    for observance in dead {
      let removed = withLock {
        extras?.manualRegistrations.remove(observance)
        return removeEntryLocked(of: observance)
      }
      removed?.release()
      observance.end()
    }
    withLock { extras?.manualRegistrations.didSweep(of: dead.count) }
  }

  private func removeEntryLocked(of observance: Observance) -> Unmanaged<Observance>? {
    observance.onlyKey.flatMap { $0._withUnsafeGuaranteedRef { removeLocked(observance.sequence, $0) } }
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
    var lastRegistrations: [Observance] = []
    var lastExtras: Extras?
    var removed: [Unmanaged<Observance>] = []
    withLock {
      die()
      object = nil
      lastRegistrations = registrations.removeAll()
      // A delivery would retain the object, so there is none.
      removeLists(into: &removed)
      swap(&lastExtras, &extras)
    }
    for observance in lastRegistrations { observance.rootDied() }
    for observance in lastExtras?.manualRegistrations.all ?? [] { observance.rootDied() }
    for observance in removed {
      observance._withUnsafeGuaranteedRef { $0.objectOnPathDied(self) }
      observance.release()
    }
    withExtendedLifetime(lastExtras) {}
  }
}
#endif
