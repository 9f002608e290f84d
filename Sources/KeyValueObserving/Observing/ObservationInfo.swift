#if !canImport(ObjectiveC)
/// All that the engine keeps of one object: who is to hear of its keys, and who registered with it.
///
/// The object owns its info. Observances hold on to the infos of all objects on their paths, so an info may outlive its
/// object; from then on it is empty and stays so.
///
/// - Thread safety: The state stands under a lock, which is never held while foreign code runs. What is taken out of
///   the state is handed to the caller, so that it is released after the lock.
@usableFromInline
class ObservationInfo: @unchecked Sendable {
  /// The keys of the object's class, which live as long as the process.
  let lentKeys: Unmanaged<ClassKeys>

  var keys: ClassKeys { lentKeys.takeUnretainedValue() }

  fileprivate struct State {
    var isDead = false
    /// The links of each key, by its index.
    var links: [LinkTable] = []
    var trackerCount = 0
    var registrations = RegistrationTable()
    var pendingChanges: [PendingChange] = []
    var associatedObjects: [AssociationKey: AnyObject] = [:]
  }

  private let state = Guarded(State())
  // The object, for its slot. It is touched only under the lock, and not once it has died. It is never retained there:
  // if that were its last reference, its end would want the same lock.
  private let object: Unmanaged<KeyValueObject>

  init(_ object: KeyValueObject, _ keys: ClassKeys) {
    self.object = .passUnretained(object)
    lentKeys = .passUnretained(keys)
  }
}

// MARK: Links

extension ObservationInfo {
  /// Those whom a change of the key at `index` concerns now; nil if there are none.
  func links(at index: Int) -> LinkTable? {
    state.withLock { $0.links(at: index) }
  }

  /// Has all those whose path leads through the key at `index` follow it anew.
  func reroute(at index: Int) {
    let table = state.withLock { state in
      index < state.links.count && state.links[index].demand.routes > 0 ? state.links[index] : nil
    }
    guard let table else { return }
    for link in table.places where link.role.contains(.route) { link.observance?.reroute() }
    endReading()
  }

  /// Says that links which were taken from here are not read any more.
  @inline(__always)
  func endReading() {
    state.endReading()
  }

  func insert(_ link: Link, _ key: Key) {
    state.withLock { state in
      guard !state.isDead else { return }
      state.insert(link, key)
      object._withUnsafeGuaranteedRef { $0.slot.attend() }
    }
  }

  /// - Returns: The observance whose link was taken out: the caller releases it.
  func removeLink(_ sequence: UInt64, _ key: Key) -> Observance? {
    state.withLock { $0.removeLink(sequence, key) }
  }
}

extension ObservationInfo.State {
  func links(at index: Int) -> LinkTable? {
    index < links.count && !links[index].isEmpty ? links[index] : nil
  }

  mutating func insert(_ link: Link, _ key: Key) {
    while links.count <= key.index { links.append(LinkTable()) }
    links[key.index].insert(link, key)
  }

  mutating func removeLink(_ sequence: UInt64, _ key: Key) -> Observance? {
    key.index < links.count ? links[key.index].remove(sequence) : nil
  }
}

// MARK: Storage

extension ObservationInfo {
  /// Keeps the engine from reading a property's storage on another thread, while it is read or replaced.
  ///
  /// What runs until ``unlockStorage()`` copies or moves a value, and nothing else.
  func lockStorage() {
    state.lock()
  }

  func unlockStorage() {
    state.unlock()
  }

  /// Locks the storage, and finds who is to hear that the property at `index` is replaced.
  ///
  /// - Returns: Nil, and nothing is locked, if they are to hear more than just that.
  func lockReceivers(at index: Int) -> Receivers? {
    state.lock()
    return state.whileLocked { state in
      state.links.withUnsafeBufferPointer { tables in
        guard index < tables.count, !tables[index].isEmpty else { return Receivers([], of: nil, self) }
        if tables[index].isPlain, !Covers.areThere {
          return Receivers(tables[index].places, of: tables[index].plainField, self)
        }
        self.state.unlock()
        return nil
      }
    }
  }
}

// MARK: Tracking

extension ObservationInfo {
  /// Counts those that track reads of the object; while there are any, getters tell of what they read.
  func changeTrackerCount(by difference: Int) {
    state.withLock { state in
      guard !state.isDead else { return }
      state.trackerCount += difference
      object._withUnsafeGuaranteedRef { $0.slot.setTracked(state.trackerCount > 0) }
    }
  }
}

// MARK: Registrations

extension ObservationInfo {
  var hasRegistrations: Bool {
    state.withLock { !$0.registrations.isEmpty }
  }

  /// Takes the registration in, and ties it to its key if it is of one only.
  ///
  /// - Returns: Whether the object takes registrations: it doesn't once its base class's `deinit` has begun.
  func insert(_ observance: Observance) -> Bool {
    state.withLock { state in
      guard !state.isDead else { return false }
      state.registrations.insert(observance)
      if let key = observance.onlyKey {
        state.insert(Link(observance, .value), key)
        object._withUnsafeGuaranteedRef { $0.slot.attend() }
      }
      return true
    }
  }

  /// Takes the latest registration out, and unties it from its key if it is of one only.
  func removeRegistration(
    _ observer: KeyValueObject, _ keyPath: String, context: UnsafeMutableRawPointer?
  ) -> Observance? {
    state.withLock { state in
      let observance = state.registrations.remove(observer, keyPath, context: context)
      if let observance, let key = observance.onlyKey { _ = state.removeLink(observance.sequence, key) }
      return observance
    }
  }

  func removeRegistration(_ observer: KeyValueObject, _ keyPath: String) -> Observance? {
    state.withLock { state in
      let observance = state.registrations.remove(observer, keyPath)
      if let observance, let key = observance.onlyKey { _ = state.removeLink(observance.sequence, key) }
      return observance
    }
  }
}

// MARK: Manual changes

extension ObservationInfo {
  /// A change that was begun by hand and awaits its end on the same thread.
  struct PendingChange {
    let thread: ThreadIdentity
    let key: String
    let change: Change
  }

  /// More than anybody nests, whose calls must all fit onto a thread's stack.
  private static let mostPendingChanges = 1024

  /// Keeps a change until its end. Of those whose end never comes, the oldest are forgotten.
  func push(_ change: Change, of key: String) {
    let pending = PendingChange(thread: .current, key: key, change: change)
    let forgotten: PendingChange? = state.withLock { state in
      guard !state.isDead else { return nil }
      state.pendingChanges.append(pending)
      guard state.pendingChanges.count > Self.mostPendingChanges else { return nil }
      let earlier = state.pendingChanges.dropLast()
      let oldest = earlier.firstIndex { $0.thread == pending.thread && $0.key == key } ?? earlier.startIndex
      return state.pendingChanges.remove(at: oldest)
    }
    withExtendedLifetime(forgotten) {}
  }

  /// Whether a change of the key, begun on any thread, awaits its end.
  func hasPendingChange(of key: String) -> Bool {
    state.withLock { $0.pendingChanges.contains { pending in pending.key == key } }
  }

  /// The latest change of the key that this thread has begun.
  func popChange(of key: String) -> Change? {
    let thread = ThreadIdentity.current
    return state.withLock { state in
      state.pendingChanges.lastIndex { $0.thread == thread && $0.key == key }
        .map { state.pendingChanges.remove(at: $0).change }
    }
  }
}

// MARK: Associated objects

extension ObservationInfo {
  func associatedObject(_ key: AssociationKey) -> AnyObject? {
    state.withLock { $0.associatedObjects[key] }
  }

  /// - Returns: The object that is associated now, and the one it replaced, which the caller releases.
  func associate(_ value: AnyObject, _ key: AssociationKey, replacing: Bool) -> (AnyObject, replaced: AnyObject?) {
    state.withLock { state in
      let present = state.associatedObjects[key]
      if let present, !replacing { return (present, nil) }
      guard !state.isDead else { return (value, nil) }
      state.associatedObjects[key] = value
      return (value, present)
    }
  }
}

extension ObservationInfo {
  /// - Returns: The object that was associated, which the caller releases.
  func dissociate(_ key: AssociationKey) -> AnyObject? {
    state.withLock { $0.associatedObjects.removeValue(forKey: key) }
  }
}

// MARK: The object's end

extension ObservationInfo {
  /// Ends what the object took part in. `die` runs under the lock; after it the object isn't touched any more.
  func objectDies(_ die: () -> Void) {
    var last = State()
    last.isDead = true
    state.withLock { state in
      die()
      swap(&last, &state)
    }
    for observance in last.registrations.all { observance.rootDied() }
  }
}
#endif
