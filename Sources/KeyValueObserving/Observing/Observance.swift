#if !canImport(ObjectiveC)
import Synchronization

/// One registration: an observer that is to hear of one key path of one object.
///
/// Nothing here retains the observer, the object or an object on the path.
final class Observance: Sendable {
  /// The observance's place in the order of all registrations of the process.
  let sequence: UInt64
  let path: ObservedPath
  let options: NSKeyValueObservingOptions
  // A number to hand back, never followed.
  nonisolated(unsafe) let context: UnsafeMutableRawPointer?
  let observerIdentifier: ObjectIdentifier
  let rootInfo: ObservationInfo

  /// Who registered; nil if it is dead, or a receiver takes the changes in its place.
  // A weak reference may be read on any thread, and this one is never written.
  nonisolated(unsafe) weak let observer: KeyValueObject?
  private let weakRoot: WeakReference

  // Answers for its own safety on several threads.
  nonisolated(unsafe) private let receiver: AnyObject?
  nonisolated(unsafe) private let receiverType: (any KeyValueChangeReceiver.Type)?
  /// The first key of the path; nil if the path is found by reading. Keys live as long as the process.
  private unowned(unsafe) let key: Key?
  /// Nil if the observance is of one key without dependencies: then its one link is that of the key.
  private let route: Route?
  private let active = Atomic(true)

  private static let count = Atomic<UInt64>(0)

  /// - Parameter receiver: What takes the changes in the place of the observer, which then needn't be alive.
  init(
    _ observer: KeyValueObject, of root: KeyValueObject, _ rootInfo: ObservationInfo, _ path: ObservedPath,
    options: NSKeyValueObservingOptions, context: UnsafeMutableRawPointer?, receiver: (any KeyValueChangeReceiver)?
  ) {
    sequence = Self.count.wrappingAdd(1, ordering: .relaxed).newValue
    self.path = path
    self.options = options
    self.context = context
    self.rootInfo = rootInfo
    self.receiver = receiver
    receiverType = receiver.map { type(of: $0) }
    observerIdentifier = ObjectIdentifier(observer)
    self.observer = receiver == nil ? observer : nil

    if let read = path.read {
      key = nil
      route = Route(.reads(read))
    } else {
      let key = path.firstKey(in: rootInfo.keys)
      self.key = key
      route =
        path.isOneKey && key.isIndependent
        ? nil : Route(.components(SplitKeyPath(path.name).all.map(KeyName.init)))
    }
    weakRoot = WeakReference(route == nil ? nil : root)
  }

  var keyPath: String { path.name }

  private var root: KeyValueObject? { weakRoot.object.map { unsafeDowncast($0, to: KeyValueObject.self) } }

  /// Whether the observance is of more than one key of one object.
  var hasRoute: Bool { route != nil }

  /// The one key that the observance is of; nil if it is of more, or of what has no key.
  var onlyKey: Key? { route == nil ? key : nil }

  /// Whether the observance may still call its observer.
  var isActive: Bool { active.load(ordering: .acquiring) }

  /// Ties the observance to all keys that it is to hear of, unless it is of one key only, to which it is tied already.
  func begin(at root: KeyValueObject) {
    route?.follow(from: root, for: self)
  }

  /// Silences the observance and unties it from everything; the second time it does nothing.
  func end() {
    guard active.exchange(false, ordering: .acquiringAndReleasing) else { return }
    if let route {
      route.leave(for: self)
    } else if let key {
      _ = rootInfo.removeLink(sequence, key)
    }
  }

  /// Ends the observance because its root has died.
  func rootDied() {
    guard isActive else { return }
    end()
    (receiver as? any KeyValueChangeReceiver)?.observedObjectDied()
  }

  /// Ties the observance to the objects that are on its path now.
  func reroute() {
    guard isActive, let route, let root else { return }
    route.follow(from: root, for: self)
  }

  /// The object that was registered with, when `object`, which has `info`, changes; nil if it is dead.
  @inline(__always)
  func root(at object: KeyValueObject, _ info: ObservationInfo) -> KeyValueObject? {
    info === rootInfo ? object : root
  }

  /// Whether the value at the end of the path is now that of `key` of the object with `info`.
  func ends(at key: Key, _ info: ObservationInfo) -> Bool {
    route?.ends(at: key, info) ?? true
  }

  /// The value at the end of the key path.
  func value(from root: KeyValueObject) -> Any? {
    if let route { return route.value(from: root) }
    return key?.value(of: root)
  }

  func send(_ change: borrowing KeyValueChange) {
    if let receiverType, let receiver = receiver.map(Unmanaged.passUnretained) {
      receiverType.receive(change, for: receiver)
    } else if let observer {
      observer.receive(change, context: context)
    } else {
      // The registration stays, for an observer may remove it in its deinit; but it costs nothing more.
      end()
    }
  }

  /// Tells the observer that a property was replaced, which is of `object`, with `info`.
  @inline(__always)
  func receive(
    _ old: ChangedValue, _ new: ChangedValue, of object: KeyValueObject, _ info: Unmanaged<ObservationInfo>
  ) {
    guard isActive else { return }
    let old = options.contains(.old) ? old : .unasked
    let new = options.contains(.new) ? new : .unasked
    if route == nil {
      send(KeyValueChange(of: .passUnretained(path), of: .passUnretained(object), old: old, new: new))
    } else if let root {
      send(KeyValueChange(of: .passUnretained(path), of: .passUnretained(root), old: old, new: new))
      withExtendedLifetime(root) {}
    }
  }
}
#endif
