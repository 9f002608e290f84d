/// A registration with a foreign object on a path, for one key.
///
/// It is removed once, if it was made, wherever and whenever it ends: the object's lifelines and the registration itself
/// retain it until then.
///
/// - Thread safety: The state is guarded by its lock, and the number of the traversal by the tracker's. Everything else is
///   written once.
final class ForeignWaypoint: KeyValueObservable, @unchecked Sendable {
  private struct State {
    /// Whether the registration is made, and no caller has begun to remove it.
    var isMade = false
    /// The object, if it must not be deallocated before.
    var retained: KeyValueObservable?
    /// The changes that are under way, with the values at the end of the path.
    var changes = OpenChanges()
  }

  private let key: String
  /// Whether the key's value is certainly the path's.
  let isEnd: Bool
  private let delegate: Observance
  private let identity: ObjectIdentifier
  private weak var object: KeyValueObservable?
  /// The latest traversal that has come here.
  var traversal: UInt64
  private let state = LockedState(State())

  init(
    _ key: String, of object: KeyValueObservable, isEnd: Bool, traversal: UInt64,
    for delegate: Observance
  ) {
    self.key = key
    self.isEnd = isEnd
    self.delegate = delegate
    self.object = object
    self.traversal = traversal
    identity = ObjectIdentifier(object)
    super.init()
  }

  /// Whether it is the one for a key of an object, which exists.
  func isFor(_ key: String, of object: KeyValueObservable) -> Bool {
    identity == ObjectIdentifier(object) && self.key == key && self.object != nil
  }

  // MARK: Beginning and ending

  /// Registers with the object. Called once, by the traversal that has made the waypoint, before others know of it.
  ///
  /// - Parameters:
  ///   - options: The values that the last key's changes must contain.
  ///   - isRoot: Whether the path begins at the object, which may own the observance, and so isn't retained.
  func begin(_ options: NSKeyValueObservingOptions, isRoot: Bool) {
    guard let object else { return }
    if !isRoot, object.foreign?.mustOutliveRegistration(forKey: key) == true {
      state.withLock { $0.retained = object }
    }
    ObjectLifelines.insert(self, of: object)
    object.addObserver(self, forKeyPath: key, options: options.union(.prior), context: nil)
    state.withLock { $0.isMade = true }
  }

  /// Ends the registration, on any thread.
  ///
  /// - Returns: Whether changes were under way, whose ends the delegate may have reported.
  @discardableResult
  func end() -> Bool {
    // An object in its deinit on another thread removes the registration there.
    let object = object
    guard let object, beginRemoval() else { return false }
    object.removeObserver(self, forKeyPath: key, context: nil)
    ObjectLifelines.remove(self, of: object)
    let (retained, changes) = state.withLock { state in
      defer { state.retained = nil }
      return (state.retained, state.changes.endAll())
    }
    for old in changes { delegate.waypoint(self, leavesChangeWith: old) }
    return withExtendedLifetime(retained) { !changes.isEmpty }
  }

  /// - Returns: Whether the caller must remove the registration.
  private func beginRemoval() -> Bool {
    state.withLock { state in
      defer { state.isMade = false }
      return state.isMade
    }
  }

  // MARK: Changes

  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    delegate.waypoint(self, notifies: change ?? [:])
  }

  /// Stores the old value at the end of the path until the change ends on this thread.
  func beginChange(old: ChangedValue) { state.withLock { $0.changes.begin(old: old) } }

  /// - Returns: The old value of the change that this thread has begun last; nil if there is none.
  func endChange() -> ChangedValue? { state.withLock { $0.changes.end() } }
}

extension ForeignWaypoint: ObjectLifeline {
  func objectIsDeallocated(_ object: Unmanaged<KeyValueObservable>) {
    object._withUnsafeGuaranteedRef { object in
      guard beginRemoval(), object.foreign?.cannotRemoveInDeinit(forKey: key) != true else { return }
      object.removeObserver(self, forKeyPath: key, context: nil)
    }
    delegate.waypointObjectDied()
  }
}
