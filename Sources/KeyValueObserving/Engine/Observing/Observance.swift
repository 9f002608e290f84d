#if !canImport(ObjectiveC)
import Synchronization

/// One registration: an observer of one key path of one object. The name is Foundation's.
///
/// It doesn't retain the observer, the object, or objects on the path.
///
/// - Thread safety: Whether it is active is atomic, the tracker guards its own state, and the lock of the object's info
///   guards the neighbors. Everything else is immutable once the observance is registered.
@usableFromInline
package class Observance: @unchecked Sendable {
  package final let path: ObservedPath

  // Set when the observance is registered, before another thread can find it.
  @exclusivity(unchecked) private final var info: ObservationInfo?
  /// Follows the path; nil if the observance is of one key without dependencies, so that only changes of the key affect
  /// it. The observance owns it.
  @exclusivity(unchecked) private(set) final var borrowedRoute: Unmanaged<PathTracker>?
  /// The context, which is passed on and never dereferenced.
  @exclusivity(unchecked) final var context: UnsafeMutableRawPointer?
  /// The observance's number in the order of all registrations of the process.
  @exclusivity(unchecked) private(set) final var sequence: UInt64 = 0

  /// The neighbors in the object's ``RegistrationList``.
  @exclusivity(unchecked) final var next: Unmanaged<Observance>?
  @exclusivity(unchecked) final var previous: Unmanaged<Observance>?

  /// Whether it is in that list.
  @exclusivity(unchecked) final var isListed = false

  package final let options: NSKeyValueObservingOptions
  private final let active = Atomic(true)

  private static let count = Atomic<UInt64>(0)

  init(_ path: ObservedPath, options: NSKeyValueObservingOptions) {
    self.path = path
    self.options = options
  }

  /// Prepares the registration with `root`. Called once.
  final func prepare(for root: KeyValueObject, _ rootInfo: ObservationInfo, context: UnsafeMutableRawPointer?) {
    // The context of an observation that may end already is set before.
    if self.context != context { self.context = context }
    info = rootInfo
    sequence = Self.count.wrappingAdd(1, ordering: .relaxed).newValue
    let isOfOneKey =
      path.isOneKey && path.firstKey(in: rootInfo.keys)._withUnsafeGuaranteedRef { $0.isIndependent }
    if !isOfOneKey { borrowedRoute = .passRetained(PathTracker(path, from: root)) }
  }

  deinit {
    borrowedRoute?.release()
  }

  // MARK: Overridden by subclasses

  /// Whether the registration was made manually, so that its observer may be deallocated without removing it.
  var isManual: Bool { false }

  /// Notifies the observer. Called by ``send(_:)`` only.
  func deliver(_ change: borrowing KeyValueChange) {}

  /// Called when the observed object is deallocated, which has ended the registration.
  func observedObjectDied() {}
}

// MARK: State

extension Observance {
  final var keyPath: String { path.name }

  /// The info of the object with which the observance is registered.
  @inline(__always)
  final var rootInfo: ObservationInfo { info.unsafelyUnwrapped }

  /// Whether the observance is in the list of registrations of the object with that info, whose lock the caller has.
  final func isListed(in info: ObservationInfo) -> Bool {
    self.info === info && isListed
  }

  /// The first key of the path; nil if the path is followed by reading. Keys are never deallocated.
  private final var borrowedKey: Unmanaged<ObservedKey>? {
    path.isNamed ? path.firstKey(in: rootInfo.keys) : nil
  }

  private final var key: ObservedKey? { borrowedKey?.takeUnretainedValue() }

  private final var route: PathTracker? { borrowedRoute?.takeUnretainedValue() }

  /// The observance's only key; nil if it follows several keys, or a path without a name.
  final var onlyKey: Unmanaged<ObservedKey>? { borrowedRoute == nil ? borrowedKey : nil }

  /// Whether the observance may still notify its observer.
  final var isActive: Bool { active.load(ordering: .acquiring) }

  /// Adds the observance to all keys on which it depends, unless it has only one key, to which it is added already.
  final func begin(at root: KeyValueObject) {
    let requiresKeys = !options.isDisjoint(with: [.new, .old])
    if let route {
      route.follow(from: root, for: self, requiresKeys: requiresKeys)
    } else if requiresKeys {
      // Reports a misspelled key at its registration, unless the class handles undefined keys itself.
      borrowedKey?._withUnsafeGuaranteedRef { if !$0.isDefined { _ = $0.value(of: root) } }
    }
  }

  /// Deactivates the observance, and removes it from all keys. Does nothing the second time.
  final func end() {
    guard silence() else { return }
    if let route {
      route.end(for: self)
    } else if let key {
      rootInfo.removeObservance(sequence, key)
    }
  }

  /// Ends an observance whose registration was removed.
  final func didUnregister() {
    if silence() { route?.end(for: self) }
  }

  private final func silence() -> Bool {
    active.exchange(false, ordering: .acquiringAndReleasing)
  }

  /// Ends the observance because its root was deallocated.
  final func rootDied() {
    guard isActive else { return }
    end()
    observedObjectDied()
  }

  /// Makes the observance follow the objects that are on its path now.
  final func reroute() {
    guard isActive, let route, !Evaluation.noteChange(for: self), let root = route.root else { return }
    route.follow(from: root, for: self)
  }

  /// Makes the observance traverse its path again before its next call, because an object on the path was deallocated.
  final func objectOnPathDied(_ info: ObservationInfo) {
    guard isActive, info !== rootInfo else { return }
    route?.objectDied(for: self)
  }

  /// The observed object, when `object`, which has `info`, changes; nil if the observed object is deallocated.
  @inline(__always)
  final func root(at object: KeyValueObject, _ info: ObservationInfo) -> KeyValueObject? {
    info === rootInfo ? object : borrowedRoute.flatMap { $0._withUnsafeGuaranteedRef { $0.root } }
  }

  /// Whether the value at the end of the path is currently that for `key` of the object with `info`.
  final func ends(at key: ObservedKey, _ info: ObservationInfo) -> Bool {
    route?.ends(at: key, info) ?? true
  }

  /// Whether a change of `key` of the object with `info` currently affects the observance.
  final func passes(_ key: ObservedKey, _ info: ObservationInfo) -> Bool {
    route?.passes(key, info) ?? true
  }

  /// The value at the end of the key path.
  final func value(from root: KeyValueObject) -> Any? {
    if let route { return route.value(from: root, for: self) }
    return key?.value(of: root)
  }

  /// Notifies the observer that a key of `object`, which has `info`, was set, unless the observed object is deallocated.
  @inline(__always)
  final func send(
    _ old: BorrowedValue, _ new: BorrowedValue, of object: KeyValueObject, _ info: Unmanaged<ObservationInfo>
  ) {
    let old = options.contains(.old) ? old : .notRequested
    let new = options.contains(.new) ? new : .notRequested
    guard _fastPath(borrowedRoute == nil) else { return sendOnPath(old, new, of: object, info) }
    send(old, new, asOf: .passUnretained(object))
  }

  @inline(never)
  private final func sendOnPath(
    _ old: BorrowedValue, _ new: BorrowedValue, of object: KeyValueObject, _ info: Unmanaged<ObservationInfo>
  ) {
    guard info.toOpaque() != Unmanaged.passUnretained(rootInfo).toOpaque() else {
      return send(old, new, asOf: .passUnretained(object))
    }
    guard let root = borrowedRoute?._withUnsafeGuaranteedRef({ $0.root }) else { return }
    send(old, new, asOf: .passUnretained(root))
    withExtendedLifetime(root) {}
  }

  /// Notifies the observer of a change of the observed object, which the caller retains.
  @inline(__always)
  private final func send(_ old: BorrowedValue, _ new: BorrowedValue, asOf root: Unmanaged<KeyValueObject>) {
    send(KeyValueChange(borrowedObject: root, borrowedPath: .passUnretained(path), old: old, new: new))
  }

  /// Notifies the observer, unless the observance has ended.
  @inline(__always)
  final func send(_ change: borrowing KeyValueChange) {
    guard isActive else { return }
    guard _slowPath(SuppressedObservances.areThere) else { return deliver(change) }
    SuppressedObservances.withoutSuppression { deliver(change) }
  }
}

/// A manual registration, whose observer's `observeValue(forKeyPath:of:change:context:)` is called.
///
/// The observer may be deallocated without removing it.
final class ObserverObservance: Observance, @unchecked Sendable {
  let observerIdentifier: ObjectIdentifier
  // A weak reference can be read on any thread, and this one is never written.
  nonisolated(unsafe) private weak let observer: KeyValueObject?

  init(_ observer: KeyValueObject, _ path: ObservedPath, options: NSKeyValueObservingOptions) {
    self.observer = observer
    observerIdentifier = ObjectIdentifier(observer)
    super.init(path, options: options)
  }

  override var isManual: Bool { true }

  /// Whether the observer is deallocated, or in its `deinit`.
  var isAbandoned: Bool { observer == nil }

  /// Whether the registration is of exactly this observer.
  func isRegistered(by observer: KeyValueObject) -> Bool { self.observer === observer }

  override func deliver(_ change: borrowing KeyValueChange) {
    if let observer {
      observer.receive(change, context: context)
    } else {
      // The registration stays until the next sweep, because the observer may remove it in its deinit.
      end()
    }
  }
}

/// A registration for another observance, which asked for it, but for which an override of
/// `addObserver(_:forKeyPath:options:context:)` passed on another key path or other options.
final class SubstituteObservance: Observance, @unchecked Sendable {
  let original: Observance

  init(for original: Observance, _ path: ObservedPath, options: NSKeyValueObservingOptions) {
    self.original = original
    super.init(path, options: options)
  }

  override func deliver(_ change: borrowing KeyValueChange) { original.deliver(change) }

  override func observedObjectDied() { original.observedObjectDied() }
}
#endif
