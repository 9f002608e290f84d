import CKeyValueObserving

/// One registration: an observer of one key path of one object. The name is Foundation's.
///
/// 1. ``begin(at:)`` draws its number, and takes a place in the list of its key, or follows the path if there are several keys.
/// 2. ``send(_:)`` is called for each change, on the thread that makes it.
/// 3. ``end()`` or ``rootDied()``, whichever comes first, takes it out of all lists. No call begins afterwards.
///
/// It doesn't retain the observer, the object, or objects on the path. The object's info retains it until it ends, which it
/// does at the latest when the object is deallocated.
///
/// - Thread safety: The state is atomic, and the tracker guards its own. Everything else is written once, before the state
///   says that the observance is registered.
@usableFromInline
class Observance: LockedObject, @unchecked Sendable {
  // MARK: Configuration: never changes

  final let path: ObservedPath
  final let options: NSKeyValueObservingOptions
  final let form: ObservationForm

  // MARK: Registration: written once, by begin(at:)

  /// The info of the object with which the observance is registered.
  @exclusivity(unchecked) private(set) final var home: ObservationInfo?
  /// Follows the path, unless its keys are fixed: the observance is in their lists all the time.
  @exclusivity(unchecked) private(set) final var tracker: PathTracker?
  /// The order of calls: prior calls ascend, calls after a change descend. Elements have the greatest ranks, so they come first after
  /// a change. Below that bit it is the number of the registration.
  @exclusivity(unchecked) private(set) final var rank: UInt64 = 0
  final var number: UInt64 { rank & ~Self.calledFirst }
  private static var calledFirst: UInt64 { 1 << 63 }
  /// The identity of the thread that has registered it; 0 before, and for a binding, which joins changes of its own thread as well.
  @exclusivity(unchecked) private(set) final var thread: UInt = 0

  // Read for each change.

  final var wantsOld: Bool { options.rawValue & NSKeyValueObservingOptions.old.rawValue != 0 }
  final var wantsNew: Bool { options.rawValue & NSKeyValueObservingOptions.new.rawValue != 0 }
  final var wantsPrior: Bool { options.rawValue & NSKeyValueObservingOptions.prior.rawValue != 0 }

  init(_ path: ObservedPath, options: NSKeyValueObservingOptions, _ form: ObservationForm) {
    self.path = path
    self.options = options
    self.form = form
  }

  deinit { requireNoLock("an observance is released") }

  // MARK: Overridden by subclasses

  /// Registers the observance with `root`, once, unless it has ended already, and calls the observer if the options say
  /// so. `didRegister` is called in any case, before the observer.
  func begin(at root: KeyValueObservable, _ didRegister: () -> Void = {}) {
    let isRegistered = register(with: root)
    didRegister()
    if isRegistered, sendsInitial, isReceptive { sendInitial(of: root) }
  }

  /// Notifies the observer. Only ``send(_:)`` calls it.
  func deliver(_ change: borrowing KeyValueChange) {}

  /// Called when the observed object is deallocated, which has ended the observance.
  func observedObjectDied() {}

  /// Called when an object on a path of known keys is deallocated, so that the path leads nowhere.
  func pathWasCut() {}

  /// The options that the user has passed.
  var requestedOptions: NSKeyValueObservingOptions { options }

  /// Whether there is an initial call.
  var sendsInitial: Bool { options.contains(.initial) }

  /// Whether it is called before the other observers after a change.
  var isNotifiedFirst: Bool { false }

  /// Whether the receiver is going to read the new value of a setting, or the initial one, itself.
  var readsNewValue: Bool { false }

  /// The observer; nil if it is deallocated, or a closure.
  var observer: AnyObject? { nil }

  /// The pointer that was passed to `addObserver`, if it was.
  var context: UnsafeMutableRawPointer? { nil }
}

/// The form of observing that has made a registration.
enum ObservationForm: String {
  case addObserver = "with addObserver"
  case closure = "with a closure"
  case publisher = "with a publisher"
  case tracking = "with withObservationTracking"
  case block = "with a block"
  case action = "with an action"
  case context = "with a context"
  case handler = "with a typed handler"
  /// A typed handler that takes the whole new value of each change, even if only some objects of a collection have changed.
  case valueHandler = "with a typed handler of values"
  /// A binding, which takes whole values too, and of which changes under way on its own thread are notified.
  case binding = "by a binding"
  /// A typed handler that takes the key of each change. The observance is in the lists of all of the object's own keys, and reads
  /// nothing.
  case allKeys = "with a typed handler of all keys"

  var isTyped: Bool {
    switch self {
    case .handler, .valueHandler, .binding, .allKeys: true
    default: false
    }
  }
}

// MARK: State

extension Observance {
  /// Bits, and above them the number of in-place mutations of which the observance is notified when they end.
  @inline(__always)
  private final var state: UInt32 { sharedNumber }

  private enum State {
    static let registered: UInt32 = 1
    static let ended: UInt32 = 2
    /// A change during an in-place mutation affects the path, which is followed when the mutation ends.
    static let stale: UInt32 = 4
    /// The subclass has a lane.
    static let lane: UInt32 = 8
    /// Its user has ended it, or has tried to after the observed object was deallocated.
    static let dismissed: UInt32 = 16
    /// One in-place mutation.
    static let deferred: UInt32 = 32
  }

  /// Whether the observance has ended, perhaps before it was registered.
  @inline(__always)
  final var hasEnded: Bool { state & State.ended != 0 }

  final var isDismissed: Bool { state & State.dismissed != 0 }

  /// Whether the observance is registered and hasn't ended, even if it is to be notified later.
  final var isActive: Bool { state & (State.registered | State.ended) == State.registered }

  /// Whether changes are to be sent: the observance is registered, and not to be notified later anyway.
  @inline(__always)
  final var isReceptive: Bool { state & ~(State.stale | State.lane) == State.registered }

  /// Whether a change that was stored is to be sent now. If not, the observance has ended, or an in-place mutation has yet
  /// to follow its path, and then notifies it in any case.
  @inline(__always)
  final var takesStoredChange: Bool { isReceptive || (isActive && !leaveToDeferral()) }

  /// Whether the subclass has a lane. A thread that sees it also sees the lane.
  @inline(__always)
  final var hasLane: Bool { state & State.lane != 0 }

  final func noteLane() { _ = kvo_set_bits_of_number(lockAddress, State.lane) }

  /// Leaves the observance to an in-place mutation, which calls ``endDeferral()`` when it ends, and then follows a stale path.
  final func `defer`(isStale: Bool = false) {
    // It reads nothing, and is notified of changes of other keys meanwhile.
    guard !path.isOfAllKeys else { return }
    _ = kvo_add_to_number(lockAddress, State.deferred)
    if isStale { _ = kvo_set_bits_of_number(lockAddress, State.stale) }
  }

  /// - Returns: Whether the path must be followed again.
  final func endDeferral() -> Bool {
    guard !path.isOfAllKeys else { return false }
    let left = kvo_add_to_number(lockAddress, 0 &- State.deferred) - State.deferred
    guard left & State.stale != 0, left < State.deferred else { return false }
    kvo_clear_bits_of_number(lockAddress, State.stale)
    return true
  }

  /// Whether an in-place mutation has yet to notify it.
  final var isDeferred: Bool { state >= State.deferred }

  /// Leaves it to an in-place mutation to follow the path again, if one is under way.
  final func leaveToDeferral() -> Bool {
    guard state >= State.deferred else { return false }
    // Unless it has just ended on another thread.
    return kvo_set_bits_of_number(lockAddress, State.stale) >= State.deferred
  }

  // MARK: Beginning and ending

  /// Returns whether it is registered. A foreign object doesn't know the observance, which has a waypoint there for each key.
  private final func register(with root: KeyValueObservable) -> Bool {
    if let object = root.own {
      guard let info = object.madeObservationInfo else { return false }
      home = info
    }
    if path.fixedKeys.isEmpty { tracker = PathTracker(path, from: root) }
    rank = kvo_next_number() | (isNotifiedFirst ? Self.calledFirst : 0)
    thread = if case .binding = form { 0 } else { CurrentThread.identity }
    // A thread that finds the bit sees everything that is written above.
    let former = kvo_set_bits_of_number(lockAddress, State.registered)
    guard former & State.ended == 0 else { return false }
    let isInserted =
      tracker == nil
      ? path.fixedKeys.allSatisfy { home?.insert(self, .endpoint, $0, traversal: 0) == true }
      : home?.register(self) != false
    guard isInserted else { return false }
    if let tracker {
      // A key of a class without reflection metadata is probably that of a property which isn't known.
      let isUnsure = path.keys?.count == 1 && home?.properties.isComplete == false
      tracker.follow(from: root, for: self, requiresKeys: needsValues || isUnsure)
    }
    return true
  }

  /// Ends the observance, so that no call begins after this returns. Returns whether it hadn't ended before.
  ///
  /// - Parameter dying: The object that has asked for it, which may be in its `deinit`.
  @discardableResult
  final func end(of dying: DyingObject? = nil) -> Bool {
    let former = kvo_set_bits_of_number(lockAddress, State.ended | State.dismissed)
    guard former & State.ended == 0 else { return false }
    if former & State.registered != 0 {
      for key in path.fixedKeys { _ = home?.remove(self, key) }
      if let tracker {
        home?.unregister(self)
        tracker.end(for: self, of: dying)
      }
    }
    return true
  }

  /// Ends the observance because the observed object is deallocated, whose info has removed it.
  final func rootDied() {
    guard kvo_set_bits_of_number(lockAddress, State.ended) & State.ended == 0 else { return }
    tracker?.end(for: self)
    observedObjectDied()
  }

  // MARK: Registration

  /// Whether it follows a path, so that a change may make other keys affect it.
  final var followsPath: Bool { tracker != nil }

  /// The property of the observed object whose value it receives, if it is one: any thread can read it with the lock of the info.
  final var property: (home: ObservationInfo, field: ObservedField)? {
    if let home, let field = path.onlyKey?.field { (home, field) } else { nil }
  }

  /// What a change of a key means for it.
  final func receiver(of key: ObservedKey) -> ThreadFrame.CodedReceiver {
    ThreadFrame.CodedReceiver(
      observance: ObjectIdentifier(self), key: path.isOfAllKeys ? ObjectIdentifier(key) : nil)
  }

  /// The observed object, when `object` changes; nil if the observed object is deallocated.
  @inline(__always)
  final func root(at object: KeyValueObject, _ info: ObservationInfo) -> KeyValueObservable? {
    home === info ? object : tracker?.root
  }

  /// Makes the observance follow the objects that are on its path now. Returns the value at the end, if it was read, and
  /// hasn't changed since.
  @discardableResult
  final func reroute(readsEnd: Bool = false) -> Reading? {
    guard !hasEnded, let tracker, !ThreadFrame.areThere || !noteChangeWhileReading(),
      !leaveToDeferral(), let root = tracker.root
    else { return nil }
    let (reading, isOutdated) = tracker.follow(from: root, for: self, readsEnd: readsEnd)
    return isOutdated ? nil : reading
  }

  /// The same, if an object on the path was deallocated, so that it may not lead to `key` of the object with `info` any longer.
  final func rerouteIfStale(_ key: ObservedKey, of info: ObservationInfo) {
    if tracker != nil, info.entry(of: self, key)?.role.contains(.stale) == true { reroute() }
  }

  /// Whether a thread has brought the observance where it is: by registering it, or by following its path last.
  final func wasBrought(by thread: UInt) -> Bool {
    tracker?.wasFollowed(by: thread) ?? (self.thread == thread)
  }

  /// Whether the path is being read on this thread, by a getter that fills a cache for instance. The change is part of the read then,
  /// and the path is read once more afterwards.
  final func noteChangeWhileReading() -> Bool {
    ThreadFrame.first { frame in
      guard case .reading(ObjectIdentifier(self)) = frame.purpose else { return nil }
      frame.isStale = true
      return true
    } ?? false
  }

  /// Whether the value at the end of the path is currently that for `key` of the object with `info`.
  final func isEndpoint(_ key: ObservedKey, of info: ObservationInfo) -> Bool {
    guard tracker != nil else { return true }
    return info.entry(of: self, key).map { $0.role.isEnd && !$0.role.contains(.stale) } ?? false
  }

  /// Whether a change of `key` of the object with `info` affects the observance, or may be sent.
  final func passes(_ key: ObservedKey, _ info: ObservationInfo, sending: Bool = false) -> Bool {
    guard let tracker else { return !hasEnded }
    return tracker.withLock {
      guard let entry = info.entry(of: self, key) else { return false }
      return entry.traversal >= tracker.state.latestTraversal && !(sending && tracker.isWithinPair(key, info, of: self))
    }
  }

  /// See ``PathTracker/objectOnPathDied(_:for:traversal:)``.
  final func objectOnPathDied(_ info: ObservationInfo?, traversal: UInt64 = .max) {
    tracker?.objectOnPathDied(info, for: self, traversal: traversal)
  }
}

// MARK: Values

/// The result of reading a value on behalf of an observance.
enum Reading {
  /// The value, unwrapped; nil for nil, or if a step is nil.
  case value(Any?)
  /// Nothing, because the observance has ended.
  case ended
  /// Nothing, because a property that has to be read is being mutated in place. The observance is notified when that ends.
  case deferred(InPlaceMutation)

  /// The value, if it isn't nil.
  var value: Any? { if case .value(let value) = self { value } else { nil } }
}

extension Observance {
  final var needsValues: Bool { wantsOld || wantsNew }

  /// The value at the end of the path; of a list, the values of these paths, or of all.
  final func read(from root: KeyValueObservable, paths: [ObservedPath]? = nil) -> Reading {
    if let tracker { return tracker.read(from: root, for: self, paths: paths) }
    guard let key = path.onlyKey, let object = root.own else { return .value(nil) }
    return object.read(key)
  }

  /// The value at the end of the path at this moment; nil if the observance has ended, or if a property that has to be read
  /// is being mutated in place, of whose end the observance is notified.
  final func currentValue(at root: KeyValueObservable) -> ChangedValue? {
    hasEnded || isDeferred ? nil : value(read(from: root), old: .notRequested)
  }

  /// Reads the new value of a change once more, because another thread may have made a change since it was read.
  /// Returns nil if the change doesn't affect the observance any longer: it is notified of the other one, or when an
  /// in-place mutation ends.
  final func newValue(of change: borrowing KeyValueChange) -> ChangedValue? {
    guard change.isPassed, !hasEnded, let object = change.object else { return nil }
    let paths = tracker?.listedPaths(affectedBy: change.key, change.source)
    return value(read(from: object, paths: paths), old: change.attributes.isInitial ? nil : change.old.kept)
  }

  /// The value that was read for a change; nil if the observance isn't to be notified now, because it has ended, or
  /// because another thread mutates the value in place, and notifies when it is there. `old` is nil if the initial
  /// value was read.
  final func value(_ reading: Reading, old: @autoclosure () -> ChangedValue?) -> ChangedValue? {
    switch reading {
    case .value(let value): return ChangedValue(value)
    case .deferred(let mutation):
      if let old = old() { mutation.join(self, old: old) } else { mutation.checkRead() }
      return nil
    case .ended: return nil
    }
  }

  // MARK: Notifying

  /// Notifies the observer, unless the observance has ended.
  @inline(__always)
  final func send(_ change: borrowing KeyValueChange) {
    requireNoLock("an observer is notified")
    guard !hasEnded else { return }
    if ThreadFrame.areThere { _ = ThreadFrame.run(.shield) { deliver(change) } } else { deliver(change) }
  }

  final func sendInitial(of root: KeyValueObservable) {
    var new = ChangedValue.notRequested
    if wantsNew, !readsNewValue {
      guard let value = value(read(from: root), old: nil) else { return }
      new = value
    }
    KeyValueChange.lend(to: self, of: root, .initial, new: new) { send($0) }
  }

  /// Notifies the observer that the value at the end of the path was set. Without `reading`, a requested new value is read now.
  final func sendSetting(
    old: ChangedValue, _ reading: Reading?, of root: KeyValueObservable, key: ObservedKey? = nil,
    source: ObservationInfo? = nil
  ) {
    guard takesStoredChange else { return }
    var new = ChangedValue.notRequested
    if wantsNew, !readsNewValue {
      guard let value = value(reading ?? read(from: root), old: old) else { return }
      new = value
    }
    KeyValueChange.lend(to: self, of: root, .setting, old: old, new: new, key: key, source: source) { send($0) }
  }

  // MARK: What foreign objects notify

  /// Calls `body` with the notification that a change dictionary of Foundation's describes.
  final func lend(
    _ dictionary: [NSKeyValueChangeKey: Any], of object: KeyValueObservable,
    to body: (borrowing KeyValueChange) -> Void
  ) {
    let kind = (dictionary[.kindKey] as? UInt).flatMap(NSKeyValueChange.init) ?? .setting
    let isPrior = dictionary[.notificationIsPriorKey] as? Bool == true
    KeyValueChange.lend(
      to: self, of: object, ChangeAttributes(kind: kind, isPrior: isPrior), old: ChangedValue(in: dictionary, .oldKey),
      new: ChangedValue(in: dictionary, .newKey),
      indexes: (dictionary[.indexesKey] as? IndexSet).map { Box($0) }, body)
  }
}

// MARK: A closure

final class ClosureObservance: Observance, @unchecked Sendable {
  private let handler: (borrowing KeyValueChange) -> Void

  init(
    _ path: ObservedPath, options: NSKeyValueObservingOptions, _ form: ObservationForm = .closure,
    _ handler: @escaping (borrowing KeyValueChange) -> Void
  ) {
    self.handler = handler
    super.init(path, options: options, form)
  }

  override func deliver(_ change: borrowing KeyValueChange) { handler(change) }
}
