#if !canImport(ObjectiveC)
import Synchronization

/// One registration: an observer of one key path of one object. The name is Foundation's.
///
/// It doesn't retain the observer, the object, or objects on the path.
///
/// - Thread safety: Whether it is active is atomic, and the tracker guards its own state. Everything else is immutable
///   once the observance is registered.
package class Observance: @unchecked Sendable {
  /// The observance's number in the order of all registrations of the process.
  final let sequence: UInt64
  package final let path: ObservedPath
  package final let options: NSKeyValueObservingOptions
  /// The context, which is passed on and never dereferenced.
  final let context: UnsafeMutableRawPointer?
  final let observerIdentifier: ObjectIdentifier
  final let rootInfo: ObservationInfo

  /// The first key of the path; nil if the path is followed by reading. Keys are never deallocated.
  private final unowned(unsafe) let key: ObservedKey?
  /// Follows the path; nil if the observance is of one key without dependencies, so that only changes of the key affect
  /// it.
  private final let route: PathTracker?
  private final let active = Atomic(true)

  private static let count = Atomic<UInt64>(0)

  init(
    _ observer: KeyValueObject, of root: KeyValueObject, _ rootInfo: ObservationInfo, _ path: ObservedPath,
    options: NSKeyValueObservingOptions, context: UnsafeMutableRawPointer?
  ) {
    sequence = Self.count.wrappingAdd(1, ordering: .relaxed).newValue
    self.path = path
    self.options = options
    self.context = context
    self.rootInfo = rootInfo
    observerIdentifier = ObjectIdentifier(observer)

    key = path.read == nil ? path.firstKey(in: rootInfo.keys) : nil
    route = path.isOneKey && key?.isIndependent == true ? nil : PathTracker(path, from: root)
  }

  // MARK: Overridden by subclasses

  /// Whether the registration was made manually, so that its observer may be deallocated without removing it.
  var isManual: Bool { false }

  /// Whether the observer is deallocated, or in its `deinit`.
  var isAbandoned: Bool { false }

  /// Whether the registration is of exactly this observer.
  func isRegistered(by observer: KeyValueObject) -> Bool { true }

  /// Notifies the observer. Called by ``send(_:)`` only.
  func deliver(_ change: borrowing KeyValueChange) {}

  /// Called when the observed object is deallocated, which has ended the registration.
  func observedObjectDied() {}
}

// MARK: State

extension Observance {
  final var keyPath: String { path.name }

  /// Whether the observance follows more than one key of one object.
  final var hasRoute: Bool { route != nil }

  /// The observance's only key; nil if it follows several keys, or a path without a name.
  final var onlyKey: ObservedKey? { route == nil ? key : nil }

  /// Whether the observance may still notify its observer.
  final var isActive: Bool { active.load(ordering: .acquiring) }

  /// Adds the observance to all keys on which it depends, unless it has only one key, to which it is added already.
  final func begin(at root: KeyValueObject) {
    let requiresKeys = !options.isDisjoint(with: [.new, .old])
    if let route {
      route.follow(from: root, for: self, requiresKeys: requiresKeys)
    } else if let key, !key.isDefined, requiresKeys {
      // Reports a misspelled key at its registration, unless the class handles undefined keys itself.
      _ = key.value(of: root)
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
    info === rootInfo ? object : route?.root
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

  /// Notifies the observer.
  @inline(__always)
  final func send(_ change: borrowing KeyValueChange) {
    guard _slowPath(SuppressedObservances.areThere) else { return deliver(change) }
    SuppressedObservances.withoutSuppression { deliver(change) }
  }
}

/// A manual registration, whose observer's `observeValue(forKeyPath:of:change:context:)` is called.
final class ObserverObservance: Observance, @unchecked Sendable {
  // A weak reference can be read on any thread, and this one is never written.
  nonisolated(unsafe) private weak let observer: KeyValueObject?

  override init(
    _ observer: KeyValueObject, of root: KeyValueObject, _ rootInfo: ObservationInfo, _ path: ObservedPath,
    options: NSKeyValueObservingOptions, context: UnsafeMutableRawPointer?
  ) {
    self.observer = observer
    super.init(observer, of: root, rootInfo, path, options: options, context: context)
  }

  override var isManual: Bool { true }

  override var isAbandoned: Bool { observer == nil }

  override func isRegistered(by observer: KeyValueObject) -> Bool { self.observer === observer }

  override func deliver(_ change: borrowing KeyValueChange) {
    if let observer {
      observer.receive(change, context: context)
    } else {
      // The registration stays until the next sweep, because the observer may remove it in its deinit.
      end()
    }
  }
}

/// A registration whose changes a receiver gets instead of the observer.
final class ReceiverObservance: Observance, @unchecked Sendable {
  // The receiver is responsible for its own thread safety.
  private let receiver: any KeyValueChangeReceiver
  private let receiverType: any KeyValueChangeReceiver.Type

  init(
    _ receiver: any KeyValueChangeReceiver, _ observer: KeyValueObject, of root: KeyValueObject,
    _ rootInfo: ObservationInfo, _ path: ObservedPath, options: NSKeyValueObservingOptions,
    context: UnsafeMutableRawPointer?
  ) {
    self.receiver = receiver
    receiverType = type(of: receiver)
    super.init(observer, of: root, rootInfo, path, options: options, context: context)
  }

  override func deliver(_ change: borrowing KeyValueChange) {
    receiverType.receive(change, for: .passUnretained(receiver))
  }

  override func observedObjectDied() {
    receiver.observedObjectDied()
  }
}
#endif
