import CKeyValueObserving

/// One registration: an observer of one key path of one object. The name is Foundation's.
///
/// It doesn't retain the observer, the object, or objects on the path. The object's info retains it until it ends, which it
/// does at the latest when the object is deallocated.
///
/// - Thread safety: The state is atomic, and the tracker guards its own. Everything else is written once, before the state
///   says that the observance is registered.
@usableFromInline
class Observance: LockedObject, @unchecked Sendable {
  final let path: ObservedPath
  final let options: NSKeyValueObservingOptions
  final let form: ObservationForm

  /// The info of the object with which the observance is registered.
  @exclusivity(unchecked) private final var info: ObservationInfo?
  /// The key, if only its changes affect the observance, which has been in one list since it was registered.
  @exclusivity(unchecked) private final var key: ObservedKey?
  /// Follows the path, if there are several keys.
  @exclusivity(unchecked) private(set) final var tracker: PathTracker?
  /// The observance's number in the order of all registrations of the process.
  @exclusivity(unchecked) private(set) final var sequence: UInt64 = 0
  /// The thread that has registered it.
  @exclusivity(unchecked) private(set) final var thread = ThreadIdentity.none

  init(_ path: ObservedPath, options: NSKeyValueObservingOptions, _ form: ObservationForm) {
    self.path = path
    self.options = options
    self.form = form
  }

  // MARK: Overridden by subclasses

  /// What the observance has in common with others of one list: a change notifies only one of them.
  var list: AnyObject? { nil }

  /// Whether the receiver is going to read the new value of a setting, or the initial one, itself.
  var readsNewValue: Bool { false }

  /// Notifies the observer. Only ``send(_:)`` calls it.
  func deliver(_ change: borrowing KeyValueChange) {}

  /// Called when the observed object is deallocated, which has ended the observance.
  func observedObjectDied() {}

  /// The observer in words.
  var observerName: String { "a closure" }

  /// The key path, its options, and the form in words.
  var details: String { "\(path.currentName) (\(options.text)), \(form.text)" }
}

// MARK: State

extension Observance {
  /// The bits of the object's ``LockedObject/number``.
  private enum State {
    static let registered: UInt32 = 1
    static let ended: UInt32 = 2
    /// A change during an in-place mutation affects the path, which is followed when the mutation ends.
    static let stale: UInt32 = 4
    /// There is a queue: see ``ReceivingObservance``.
    static let queued: UInt32 = 8
    /// Its user has ended it, or has tried to after the observed object was deallocated.
    static let dismissed: UInt32 = 16
    /// One in-place mutation of which the observance is notified when it ends.
    static let deferred: UInt32 = 32
  }

  /// Whether the observance has ended, perhaps before it was registered.
  @inline(__always)
  final var hasEnded: Bool { number & State.ended != 0 }

  /// Whether its user has ended the observance, and not the death of the observed object alone.
  final var isDismissed: Bool { number & State.dismissed != 0 }

  /// Whether changes are to be sent: the observance is registered, and not to be notified later anyway.
  @inline(__always)
  final var isReceptive: Bool { number & ~(State.stale | State.queued) == State.registered }

  /// Whether the subclass has a queue. A thread that sees it also sees the queue.
  @inline(__always)
  final var hasQueue: Bool { number & State.queued != 0 }

  /// Whether only changes of one key affect the observance.
  final var hasOneKey: Bool { tracker == nil }

  final func noteQueue() { _ = kvo_set_bits_of_number(lockAddress, State.queued) }

  /// Whether the observance is registered and hasn't ended, even if it is to be notified later.
  final var isActive: Bool { number & (State.registered | State.ended) == State.registered }

  /// Whether a change that was stored is to be sent now. If not, the observance has ended, or an in-place mutation has yet
  /// to follow its path, and then notifies it in any case.
  final var takesStoredChange: Bool { isReceptive || (isActive && !leaveToDeferral()) }

  /// Leaves the observance to an in-place mutation, which calls ``endDeferral()`` when it ends.
  ///
  /// - Parameter isStale: Whether the path must be followed again then.
  final func `defer`(isStale: Bool = false) {
    _ = kvo_add_to_number(lockAddress, State.deferred)
    if isStale { _ = kvo_set_bits_of_number(lockAddress, State.stale) }
  }

  /// - Returns: Whether the path must be followed again.
  final func endDeferral() -> Bool {
    let number = kvo_add_to_number(lockAddress, 0 &- State.deferred) - State.deferred
    guard number & State.stale != 0, number < State.deferred else { return false }
    kvo_clear_bits_of_number(lockAddress, State.stale)
    return true
  }

  /// Leaves it to an in-place mutation to follow the path again, if one is under way.
  final func leaveToDeferral() -> Bool {
    guard number >= State.deferred else { return false }
    // Unless it has just ended on another thread.
    return kvo_set_bits_of_number(lockAddress, State.stale) >= State.deferred
  }
}

// MARK: Beginning and ending

extension Observance {
  /// Registers the observance with `root`, unless it has ended already, and calls the observer if the options say so. Called
  /// once.
  ///
  /// A foreign object doesn't know the observance. Its user ends the observance when the object is deallocated.
  final func begin(at root: KeyValueObservable) {
    let object = ownObject(root)
    if let object {
      guard let info = object.madeObservationInfo else { return }
      self.info = info
      key = path.onlyKey(in: info.properties).flatMap { $0.isIndependent && !$0.isOfFoundation ? $0 : nil }
    }
    if key == nil { tracker = PathTracker(path, from: root) }
    sequence = kvo_next_number()
    thread = .current
    // A thread that finds the bit sees everything that is written above.
    let former = kvo_set_bits_of_number(lockAddress, State.registered)
    guard former & State.ended == 0, info?.register(self, key) ?? true else { return }
    if let tracker {
      tracker.follow(from: root, for: self, requiresKeys: needsValues)
    } else if let object, let key, !key.isDefined, needsValues || info?.properties.isComplete == false {
      // Reports a misspelled key at its registration, unless the class handles undefined keys itself. A key of a class without
      // reflection metadata is probably that of a property which isn't known.
      _ = object.read(key)
    }
    guard options.contains(.initial), isReceptive else { return }
    sendInitial(of: root)
  }

  /// Ends the observance, so that no call begins after this returns.
  ///
  /// - Returns: Whether it hadn't ended before.
  @discardableResult
  final func end() -> Bool {
    let former = kvo_set_bits_of_number(lockAddress, State.ended | State.dismissed)
    guard former & State.ended == 0 else { return false }
    if former & State.registered != 0 {
      info?.unregister(self, key)
      tracker?.end(for: self)
    }
    return true
  }

  /// Ends the observance because the observed object is deallocated, whose info has removed it.
  final func rootDied() {
    guard kvo_set_bits_of_number(lockAddress, State.ended) & State.ended == 0 else { return }
    tracker?.end(for: self)
    observedObjectDied()
  }

  /// Whether the observance is registered with the object that has an info.
  @inline(__always)
  final func isRegistered(with info: ObservationInfo) -> Bool { self.info === info }

  /// The value at the end of the path.
  final func read(from root: KeyValueObservable) -> Reading {
    if let tracker { return tracker.read(from: root, for: self) }
    guard let key, let object = keyValueObject(root) else { return .value(nil) }
    return object.read(key)
  }
}

/// The result of reading a value on behalf of an observance.
enum Reading {
  /// The value, unwrapped; nil for nil, or if a step is nil.
  case value(Any?)
  /// Nothing, because the observance has ended.
  case ended
  /// Nothing, because a property that has to be read is being mutated in place. The observance is notified when that ends.
  case deferred(InPlaceMutation)
}

// MARK: Notifying

extension Observance {
  /// Notifies the observer, unless the observance has ended.
  @inline(__always)
  final func send(_ change: borrowing KeyValueChange) {
    if !hasEnded { ThreadFrame.shielded { deliver(change) } }
  }
}
