#if !canImport(ObjectiveC)
import Synchronization

/// One registration: an observer of one key path of one object. Named as in Foundation.
///
/// Nothing here retains the observer, the object or an object on the path.
///
/// - Thread safety: Whether it is active is atomic, and what its route passes is guarded there; all else never changes once
///   it is registered.
package class Observance: @unchecked Sendable {
  /// The observance's place in the order of all registrations of the process.
  final let sequence: UInt64
  package final let path: ObservedPath
  package final let options: NSKeyValueObservingOptions
  /// A number to hand back, never followed.
  final let context: UnsafeMutableRawPointer?
  final let observerIdentifier: ObjectIdentifier
  final let rootInfo: ObservationInfo

  /// The first key of the path; nil if the path is found by reading. Keys live as long as the process.
  private final unowned(unsafe) let key: Key?
  /// Nil if the observance is of one key without dependencies: then only changes of the key concern it.
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

  // MARK: What differs by who takes the changes

  /// Whether the registration was made by hand: then its observer may be deallocated without removing it.
  var isManual: Bool { false }

  /// Whether its observer was deallocated, or is in its `deinit`.
  var isAbandoned: Bool { false }

  /// Whether it is a registration of just this object.
  func isRegistered(by observer: KeyValueObject) -> Bool { true }

  /// Notifies the observer. Called by ``send(_:)`` only.
  func deliver(_ change: borrowing KeyValueChange) {}

  /// Says that the observed object was deallocated, and the registration has ended with it.
  func observedObjectDied() {}
}

// MARK: State

extension Observance {
  final var keyPath: String { path.name }

  /// Whether the observance is of more than one key of one object.
  final var hasRoute: Bool { route != nil }

  /// The one key that the observance is of; nil if it is of more, or of what has no key.
  final var onlyKey: Key? { route == nil ? key : nil }

  /// Whether the observance may still notify its observer.
  final var isActive: Bool { active.load(ordering: .acquiring) }

  /// Has all keys concern the observance that it depends on, unless it is of one key only, which does so already.
  final func begin(at root: KeyValueObject) {
    let requiresKeys = !options.isDisjoint(with: [.new, .old])
    if let route {
      route.follow(from: root, for: self, requiresKeys: requiresKeys)
    } else if let key, !key.isDefined, requiresKeys {
      // Reports a misspelt key where it stands, unless the class serves it in its own way.
      _ = key.value(of: root)
    }
  }

  /// Silences the observance, and has nothing concern it any more; the second time it does nothing.
  final func end() {
    guard silence() else { return }
    if let route {
      route.end(for: self)
    } else if let key {
      rootInfo.removeObservance(sequence, key)
    }
  }

  /// Ends an observance whose registration was taken out.
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

  /// Has the observance follow the objects that are on its path now.
  final func reroute() {
    guard isActive, let route, !Evaluation.noteChange(for: self), let root = route.root else { return }
    route.follow(from: root, for: self)
  }

  /// Has the observance find out where its path leads before it is called again, because an object on it was deallocated.
  final func objectOnPathDied(_ info: ObservationInfo) {
    guard isActive, info !== rootInfo else { return }
    route?.objectDied(for: self)
  }

  /// The object that was registered with, when `object`, which has `info`, changes; nil if it was deallocated.
  @inline(__always)
  final func root(at object: KeyValueObject, _ info: ObservationInfo) -> KeyValueObject? {
    info === rootInfo ? object : route?.root
  }

  /// Whether the value at the end of the path is now that of `key` of the object with `info`.
  final func ends(at key: Key, _ info: ObservationInfo) -> Bool {
    route?.ends(at: key, info) ?? true
  }

  /// Whether a change of `key` of the object with `info` concerns the observance now.
  final func passes(_ key: Key, _ info: ObservationInfo) -> Bool {
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

/// A registration made by hand, whose observer's `observeValue(forKeyPath:of:change:context:)` is called.
final class ObserverObservance: Observance, @unchecked Sendable {
  // A weak reference may be read on any thread, and this one is never written.
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
      // The registration stays, for an observer may remove it in its deinit, until such ones are swept.
      end()
    }
  }
}

/// A registration whose changes a receiver takes in the place of the observer.
final class ReceiverObservance: Observance, @unchecked Sendable {
  // Answers for its own safety on several threads.
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
