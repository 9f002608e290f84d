/// A registration with a foreign object on a path, for one key or for the rest of the path, which ``KVOSharedController``
/// makes and removes. It is removed once, wherever and whenever it ends: the object's lifelines and the registration
/// itself retain it until then.
///
/// - Thread safety: The variables are guarded by the lock, which a tracker takes under its own.
final class ForeignWaypoint: LockedObject, @unchecked Sendable {
  override class var lockRank: Rank { .object }

  private let key: String
  /// Whether the key's value is certainly the path's.
  let isEnd: Bool
  private let isRoot: Bool
  private let observance: Observance
  private let weakObject: WeakReference
  /// The number of the registration, from when it is made until a caller begins to remove it.
  private var number: UInt?
  /// The object, if it must not be deallocated before.
  private var retained: KeyValueObservable?
  /// While a thread removes the registration of an object in its `deinit`: what the last lifeline waits for.
  private var removal: DispatchSemaphore?
  /// The latest traversal that has come here.
  private var latestTraversal: UInt64
  /// The changes that are under way, with the values at the end of the path.
  private var changes = OpenChanges()

  init(
    _ key: String, of object: KeyValueObservable, isEnd: Bool, isRoot: Bool, traversal: UInt64,
    for observance: Observance
  ) {
    self.key = key
    self.isEnd = isEnd
    self.isRoot = isRoot
    self.observance = observance
    weakObject = WeakReference(object)
    latestTraversal = traversal
  }

  /// Whether it is the one for a key of an object, which the caller retains.
  func isFor(_ key: String, of object: KeyValueObservable) -> Bool {
    self.key == key && weakObject.refers(to: object)
  }

  var traversal: UInt64 { withLock { latestTraversal } }

  func note(_ traversal: UInt64) { withLock { latestTraversal = max(latestTraversal, traversal) } }

  private var object: KeyValueObservable? { weakObject.object.map { unsafeDowncast($0, to: KeyValueObservable.self) } }

  // MARK: Beginning and ending

  /// Registers with the object. Called once, by the traversal that has made the waypoint, before others know of it. At
  /// the end of the path it asks for what the user wants, but for the initial notification, which the observance sends;
  /// elsewhere for prior notifications, to read the old value.
  func begin() {
    guard let object else { return }
    // The root may own the observance, and the observer is never retained.
    let isObserver = object === observance.observer
    if !isRoot, !isObserver, object.foreign?.mustOutliveRegistration(forKey: key) == true {
      withLock { retained = object }
    }
    #if DEBUG
    if isObserver { noticeObserver(object) }
    #endif
    ObjectLifelines.insert(self, of: object)
    let options = isEnd ? observance.options.subtracting(.initial) : .prior
    let number = KVOSharedController.shared.register(self, with: object, key, options)
    withLock { self.number = number }
  }

  /// Ends the registration, on any thread. Returns whether changes were under way, whose ends the observance may have
  /// reported.
  ///
  /// - Parameter dying: The object that has asked for it, which may be in its `deinit`.
  @discardableResult
  func end(of dying: DyingObject? = nil) -> Bool {
    if let object {
      guard let number = takeNumber() else { return false }
      KVOSharedController.shared.remove(number, from: object, key)
      ObjectLifelines.remove(self, of: object)
    } else {
      // An object in its deinit on another thread removes the registration there.
      guard let dying, weakObject.identity == dying.identity, remove(from: dying) else { return false }
    }
    let (retained, changes) = withLock { (self.retained.takeOut(), self.changes.endAll()) }
    // The partner of a prior call is always sent.
    if observance.wantsPrior, let root = observance.tracker?.root {
      for old in changes { observance.sendSetting(old: old, nil, of: root) }
    }
    return withExtendedLifetime(retained) { !changes.isEmpty }
  }

  /// - Returns: The number, if the caller must remove the registration.
  private func takeNumber() -> UInt? { withLock { number.takeOut() } }

  /// Removes the registration of an object in its `deinit`, whose memory remains at least until its lifeline has waited for that.
  /// Returns false if it isn't registered any longer.
  private func remove(from dying: DyingObject) -> Bool {
    let end = DispatchSemaphore(value: 0)
    let number = withLock {
      if self.number != nil { removal = end }
      return self.number.takeOut()
    }
    guard let number else { return false }
    dying.borrowed { KVOSharedController.shared.remove(number, from: $0, key) }
    withLock { removal = nil }
    end.signal()
    return true
  }

  #if DEBUG
  /// Tells the developer to end what an object observes of itself, if its class raises an exception otherwise.
  private func noticeObserver(_ object: KeyValueObservable) {
    guard object.foreign?.overrides("observationInfo") == true else { return }
    let site = DebugNotice.site.get().map { " (\($0.fileID):\($0.line))" } ?? ""
    DebugNotice.send(about: "\(type(of: object)) observes itself") {
      "<\(debugName(of: object))> observes \"\(key)\" of itself\(site), and an object of its class must not be observed any longer "
        + "when it is deallocated. Call unobserveAll() of the controller in its deinit."
    }
  }
  #endif

  // MARK: Changes

  /// Receives a change of the key in Foundation's dictionary.
  func receive(_ change: [NSKeyValueChangeKey: Any]) {
    guard !observance.hasEnded, let root = observance.tracker?.root else { return }
    let isPrior = change[.notificationIsPriorKey] as? Bool == true
    if isEnd {
      passOn(change, isPrior: isPrior, root)
    } else if isPrior {
      beginChange(root)
    } else {
      // Without a prior call the old value isn't known.
      let old = endChange() ?? (object?.foreign?.mayOmitPriorCalls == true ? .notRequested : nil)
      let reading = observance.reroute(readsEnd: observance.wantsNew)
      if let old, !observance.noteChangeWhileReading() { observance.sendSetting(old: old, reading, of: root) }
    }
  }

  private func passOn(_ change: [NSKeyValueChangeKey: Any], isPrior: Bool, _ root: KeyValueObservable) {
    guard observance.isReceptive, !observance.noteChangeWhileReading() else { return }
    if isPrior {
      beginChange(old: ChangedValue(in: change, .oldKey))
    } else if observance.wantsPrior {
      _ = endChange()
    }
    observance.lend(change, of: root) { observance.send($0) }
  }

  private func beginChange(_ root: KeyValueObservable) {
    guard observance.isReceptive, !observance.noteChangeWhileReading() else { return }
    var old = ChangedValue.notRequested
    if observance.wantsOld, case .value(let value) = observance.read(from: root) {
      old = ChangedValue(value)
    }
    beginChange(old: old)
    guard observance.wantsPrior else { return }
    KeyValueChange.lend(to: observance, of: root, ChangeAttributes(kind: .setting, isPrior: true), old: old) {
      observance.send($0)
    }
  }

  /// Stores the old value at the end of the path until the change ends on this thread.
  private func beginChange(old: ChangedValue) { withLock { changes.begin(old: old) } }

  private func endChange() -> ChangedValue? { withLock { changes.end() } }
}

extension ForeignWaypoint: ObjectLifeline {
  func objectIsDeallocated(_ object: DyingObject) {
    let (number, removal) = withLock { (self.number.takeOut(), self.removal) }
    removal?.wait()
    if let number {
      object.borrowed { object in
        if object.foreign?.cannotRemoveInDeinit(forKey: key) == true {
          KVOSharedController.shared.forget(number)
        } else {
          KVOSharedController.shared.remove(number, from: object, key)
        }
      }
    }
    if isRoot { observance.rootDied() } else { observance.objectOnPathDied(nil) }
  }
}
