#if !canImport(ObjectiveC)
/// All that the engine keeps of one object: who is to hear of its keys, and who registered with it.
///
/// The object owns its info. Observances hold on to the infos of all objects on their paths, so an info may outlive its
/// object; from then on it is empty and stays so.
///
/// - Thread safety: The state stands under a lock, which is never held while foreign code runs. What is taken out of
///   the state is handed to the caller, so that it is released after the lock.
@usableFromInline
final class ObservationInfo: @unchecked Sendable {
  /// The keys of the object's class, which live as long as the process.
  unowned(unsafe) let keys: ClassKeys

  private struct State {
    var isDead = false
    var links: [LinkTable?] = []
    var trackerCount = 0
    var registrations = RegistrationTable()
    var pendingChanges: [PendingChange] = []
    var associatedObjects: [AssociationKey: AnyObject] = [:]
  }

  private let lock = UnfairLock()
  private var state = State()
  // The object, for its slot. It is touched only under the lock, and not once it has died. It is never retained there:
  // if that were its last reference, its end would want the same lock.
  private let object: Unmanaged<KeyValueObject>

  init(_ object: KeyValueObject, _ keys: ClassKeys) {
    self.object = .passUnretained(object)
    self.keys = keys
  }
}

// MARK: Links

extension ObservationInfo {
  /// Those whom a change of the key at `index` concerns now; nil if there are none.
  func links(at index: Int) -> LinkTable? {
    lock.withLock { index < state.links.count ? state.links[index] : nil }
  }

  /// Has all those whose path leads through the key at `index` follow it anew.
  func reroute(at index: Int) {
    let table = lock.withLock {
      index < state.links.count && state.links[index]?.demand.routes ?? 0 > 0 ? state.links[index] : nil
    }
    guard let table else { return }
    for link in table.places where link.role.contains(.route) { link.observance?.reroute() }
  }

  func insert(_ link: Link, _ key: Key) {
    lock.withLock {
      guard !state.isDead else { return }
      while state.links.count <= key.index { state.links.append(nil) }
      var table = state.links[key.index].take() ?? LinkTable(key)
      table.insert(link)
      state.links[key.index] = table
      object._withUnsafeGuaranteedRef { $0.slot.attend() }
    }
  }

  /// - Returns: The observance whose link was taken out: the caller releases it.
  func removeLink(_ sequence: UInt64, _ key: Key) -> Observance? {
    lock.withLock {
      guard key.index < state.links.count, var table = state.links[key.index].take() else { return nil }
      let observance = table.remove(sequence)
      if !table.isEmpty { state.links[key.index] = table }
      return observance
    }
  }
}

// MARK: Storage

extension ObservationInfo {
  /// Keeps the engine from reading a property's storage on another thread, while it is read or replaced.
  ///
  /// What runs until ``unlockStorage()`` copies or moves a value, and nothing else.
  func lockStorage() {
    lock.lock()
  }

  func unlockStorage() {
    lock.unlock()
  }
}

// MARK: Tracking

extension ObservationInfo {
  /// Counts those that track reads of the object; while there are any, getters tell of what they read.
  func changeTrackerCount(by difference: Int) {
    lock.withLock {
      guard !state.isDead else { return }
      state.trackerCount += difference
      object._withUnsafeGuaranteedRef { $0.slot.setTracked(state.trackerCount > 0) }
    }
  }
}

// MARK: Registrations

extension ObservationInfo {
  var hasRegistrations: Bool {
    lock.withLock { !state.registrations.isEmpty }
  }

  /// Whether the object takes registrations: it doesn't once its base class's `deinit` has begun.
  func insert(_ observance: Observance) -> Bool {
    lock.withLock {
      guard !state.isDead else { return false }
      state.registrations.insert(observance)
      return true
    }
  }

  func removeRegistration(
    _ observer: KeyValueObject, _ keyPath: String, context: UnsafeMutableRawPointer?
  ) -> Observance? {
    lock.withLock { state.registrations.remove(observer, keyPath, context: context) }
  }

  func removeRegistration(_ observer: KeyValueObject, _ keyPath: String) -> Observance? {
    lock.withLock { state.registrations.remove(observer, keyPath) }
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

  func push(_ change: Change, of key: String) {
    let pending = PendingChange(thread: .current, key: key, change: change)
    lock.withLock { if !state.isDead { state.pendingChanges.append(pending) } }
  }

  /// The latest change of the key that this thread has begun.
  func popChange(of key: String) -> Change? {
    let thread = ThreadIdentity.current
    return lock.withLock {
      state.pendingChanges.lastIndex { $0.thread == thread && $0.key == key }
        .map { state.pendingChanges.remove(at: $0).change }
    }
  }
}

// MARK: Associated objects

extension ObservationInfo {
  func associatedObject(_ key: AssociationKey) -> AnyObject? {
    lock.withLock { state.associatedObjects[key] }
  }

  /// - Returns: The object that is associated now, and the one it replaced, which the caller releases.
  func associate(_ value: AnyObject, _ key: AssociationKey, replacing: Bool) -> (AnyObject, replaced: AnyObject?) {
    lock.withLock {
      let present = state.associatedObjects[key]
      if let present, !replacing { return (present, nil) }
      guard !state.isDead else { return (value, nil) }
      state.associatedObjects[key] = value
      return (value, present)
    }
  }
}

// MARK: The object's end

extension ObservationInfo {
  /// Ends what the object took part in. `die` runs under the lock; after it the object isn't touched any more.
  func objectDies(_ die: () -> Void) {
    var last = State()
    last.isDead = true
    lock.withLock {
      die()
      swap(&last, &state)
    }
    for observance in last.registrations.all { observance.rootDied() }
  }
}
#endif
