#if !canImport(ObjectiveC)
import Synchronization

/// One registration: an observer that is to hear of one key path of one object.
///
/// Nothing here retains the observer, the object or an object on the path.
final class Observance: Sendable {
  /// The observance's place in the order of all registrations of the process.
  let sequence: UInt64
  let keyPath: String
  let options: NSKeyValueObservingOptions
  // A number to hand back, never followed.
  nonisolated(unsafe) let context: UnsafeMutableRawPointer?
  let observerIdentifier: ObjectIdentifier
  let rootInfo: ObservationInfo

  // Weak references may be read on any thread, and these are never written.
  nonisolated(unsafe) weak let observer: KeyValueObject?
  nonisolated(unsafe) private weak let root: KeyValueObject?

  private let receiver: (any KeyValueChangeReceiver.Type)?
  /// The first key of the path; nil if the path is found by reading.
  private let key: Key?
  /// Nil if the observance is of one key without dependencies: then its one link is that of the key.
  private let route: Route?
  private let active = Atomic(true)

  private static let count = Atomic<UInt64>(0)

  init(
    _ observer: KeyValueObject, of root: KeyValueObject, _ rootInfo: ObservationInfo, _ path: ObservedPath,
    options: NSKeyValueObservingOptions, context: UnsafeMutableRawPointer?
  ) {
    sequence = Self.count.wrappingAdd(1, ordering: .relaxed).newValue
    keyPath = path.name
    self.options = options
    self.context = context
    self.rootInfo = rootInfo
    observerIdentifier = ObjectIdentifier(observer)
    receiver = type(of: observer) as? any KeyValueChangeReceiver.Type
    self.observer = receiver == nil ? observer : nil

    if let read = path.read {
      key = nil
      route = Route(.reads(read))
    } else {
      let components = KeyPathComponents(path.name)
      let key = rootInfo.keys.key(components.first)
      self.key = key
      route = components.rest.isEmpty && key.isIndependent ? nil : Route(.components(components.all))
    }
    self.root = route == nil ? nil : root
  }

  /// Whether the observance is of more than one key of one object.
  var hasRoute: Bool { route != nil }

  /// Whether the observance may still call its observer.
  var isActive: Bool { active.load(ordering: .acquiring) }

  /// Ties the observance to all keys that it is to hear of.
  func begin(at root: KeyValueObject) {
    if let route {
      route.follow(from: root, for: self)
    } else if let key {
      rootInfo.insert(Link(self, .value), key)
      if !isActive { _ = rootInfo.removeLink(sequence, key) }
    }
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
    receiver?.observedObjectDied(context: context)
  }

  /// Ties the observance to the objects that are on its path now.
  func reroute() {
    guard isActive, let route, let root else { return }
    route.follow(from: root, for: self)
  }

  /// The object that was registered with, when `object`, which has `info`, changes; nil if it is dead.
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

  func send(_ change: KeyValueChange) {
    if let receiver {
      receiver.receive(change, context: context)
    } else if let observer {
      observer.receive(change, context: context)
    } else {
      // The registration stays, for an observer may remove it in its deinit; but it costs nothing more.
      end()
    }
  }
}
#endif
