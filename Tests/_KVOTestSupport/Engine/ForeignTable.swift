#if !canImport(ObjectiveC)
import KVOController

/// One registration with a ``ForeignNode``.
final class ForeignRegistration: @unchecked Sendable {
  /// The registration for the rest of a dotted path, with the object that is the value of the first key.
  private struct Nested {
    let firstKey: String
    let rest: String
    /// Whether it is a path on which the key depends, not the registered path itself.
    let isDependency: Bool
    var next: (object: KeyValueObservable, relay: RestRelay)?
  }

  unowned(unsafe) let observer: KeyValueObservable
  let keyPath: String
  let options: NSKeyValueObservingOptions
  let context: UnsafeMutableRawPointer?
  /// The keys whose changes are changes of the value.
  private(set) var keys: Set<String> = []
  private var nested: [Nested] = []

  init(
    _ observer: KeyValueObservable, _ keyPath: String, _ options: NSKeyValueObservingOptions,
    _ context: UnsafeMutableRawPointer?, of object: ForeignNode
  ) {
    self.observer = observer
    self.keyPath = keyPath
    self.options = options
    self.context = context
    add(keyPath, isDependency: false, of: type(of: object))
  }

  /// Adds a key path and all that its first key depends on.
  private func add(_ keyPath: String, isDependency: Bool, of type: ForeignNode.Type) {
    let parts = keyPath.split(separator: ".", maxSplits: 1).map(String.init)
    if parts.count > 1 { nested.append(Nested(firstKey: parts[0], rest: parts[1], isDependency: isDependency)) }
    guard keys.insert(parts[0]).inserted else { return }
    for affecting in type.keyPathsForValuesAffectingValue(forKey: parts[0]).sorted() {
      add(affecting, isDependency: true, of: type)
    }
  }

  /// Whether the first key of a dotted path is read when this is removed.
  var isRead: Bool { !nested.isEmpty }

  func follow(from object: ForeignNode, _ key: String? = nil) {
    for index in nested.indices where key == nil || nested[index].firstKey == key {
      guard let next = object.value(forKey: nested[index].firstKey) as? KeyValueObservable else { continue }
      let relay = RestRelay(self, of: object, isDependency: nested[index].isDependency)
      let options = nested[index].isDependency ? .prior : options.subtracting(.initial)
      next.addObserver(relay, forKeyPath: nested[index].rest, options: options, context: nil)
      nested[index].next = (next, relay)
    }
  }

  func unfollow(_ key: String? = nil) {
    for index in nested.indices where key == nil || nested[index].firstKey == key {
      guard let (object, relay) = nested[index].next else { continue }
      nested[index].next = nil
      object.removeObserver(relay, forKeyPath: nested[index].rest, context: nil)
    }
  }

  // MARK: Notifying

  func send(_ change: [NSKeyValueChangeKey: Any], of object: ForeignNode) {
    observer.observeValue(forKeyPath: keyPath, of: object, change: change, context: context)
  }

  /// The value before a change, if it was requested.
  func oldValue(of object: ForeignNode) -> Any {
    options.contains(.old) ? object.value(forKeyPath: keyPath) ?? NSNull() : NSNull()
  }

  func sendPrior(old: Any, of object: ForeignNode) {
    guard options.contains(.prior) else { return }
    var change: [NSKeyValueChangeKey: Any] = [
      .kindKey: NSKeyValueChange.setting.rawValue, .notificationIsPriorKey: true,
    ]
    if options.contains(.old) { change[.oldKey] = old }
    send(change, of: object)
  }

  func send(old: Any, of object: ForeignNode) {
    var change: [NSKeyValueChangeKey: Any] = [.kindKey: NSKeyValueChange.setting.rawValue]
    if options.contains(.old) { change[.oldKey] = old }
    if options.contains(.new) { change[.newKey] = object.value(forKeyPath: keyPath) ?? NSNull() }
    send(change, of: object)
  }
}

/// Passes on changes of the rest of a dotted path.
private final class RestRelay: KeyValueObject, @unchecked Sendable {
  private let registration: ForeignRegistration
  private weak var object: ForeignNode?
  private let isDependency: Bool
  /// The old values of the changes that are under way.
  private let pending = Locked<[(thread: ObjectIdentifier, old: Any)]>([])

  init(_ registration: ForeignRegistration, of object: ForeignNode, isDependency: Bool) {
    self.registration = registration
    self.object = object
    self.isDependency = isDependency
    super.init()
  }

  override func observeValue(
    forKeyPath keyPath: String?, of _: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    guard let object else { return }
    guard isDependency else { return registration.send(change ?? [:], of: object) }
    let thread = ForeignTable.thread
    if change?[.notificationIsPriorKey] != nil {
      let old = registration.oldValue(of: object)
      pending.withLock { $0.append((thread, old)) }
      registration.sendPrior(old: old, of: object)
    } else {
      let old = pending.withLock { pending in
        pending.lastIndex { $0.thread == thread }.map { pending.remove(at: $0).old }
      }
      if let old { registration.send(old: old, of: object) }
    }
  }
}

/// The values and registrations of a ``ForeignNode``.
final class ForeignTable: @unchecked Sendable {
  /// A change that is under way. It retains the observers.
  private struct Pending {
    let thread = ForeignTable.thread
    let key: String
    let registrations: [(ForeignRegistration, observer: KeyValueObservable, old: Any)]
  }

  private struct State {
    var values: [String: Any] = [:]
    var registrations: [ForeignRegistration] = []
    var pending: [Pending] = []
    var isDead = false
  }

  /// What distinguishes threads while they run.
  static var thread: ObjectIdentifier { ObjectIdentifier(Thread.current) }

  let ledger: ForeignLedger?
  private let state = Locked(State())

  init(_ ledger: ForeignLedger?) {
    self.ledger = ledger
  }

  func report(_ violation: String) { ForeignLedger.report(violation, in: ledger) }

  var isDead: Bool { state.withLock { $0.isDead } }
  var keyPaths: [String] { state.withLock { $0.registrations.map(\.keyPath) } }
  var isEmpty: Bool { state.withLock { $0.registrations.isEmpty } }
  func value(_ key: String) -> Any? { state.withLock { $0.values[key] } }

  func exchange(_ key: String, _ value: Any?) -> Any? {
    state.withLock { state in
      defer { state.values[key] = value }
      return state.values[key]
    }
  }

  func takeValues() -> [String: Any] {
    state.withLock { state in
      defer { state.values = [:] }
      return state.values
    }
  }

  /// Removes what Foundation removes when an object is deallocated: what it can't remove without reading the object, if its
  /// class notifies automatically. A class with storage of its own releases that with all registrations.
  ///
  /// - Returns: Whether nothing is registered.
  func die(_ type: ForeignNode.Type, keepsFoundationStorage: Bool) -> Bool {
    let removed = state.withLock { state -> [ForeignRegistration] in
      state.isDead = true
      let removed = state.registrations.filter {
        !keepsFoundationStorage || $0.isRead && type.automaticallyNotifiesObservers(forKey: $0.keyPath)
      }
      state.registrations.removeAll { registration in removed.contains { $0 === registration } }
      return removed
    }
    for registration in removed { registration.unfollow() }
    return isEmpty
  }

  func insert(_ registration: ForeignRegistration) { state.withLock { $0.registrations.append(registration) } }

  func remove(
    _ observer: KeyValueObservable, _ keyPath: String, _ context: UnsafeMutableRawPointer?
  ) -> ForeignRegistration? {
    state.withLock { state in
      let index = state.registrations.lastIndex {
        $0.observer === observer && $0.keyPath == keyPath && $0.context == context
      }
      return index.map { state.registrations.remove(at: $0) }
    }
  }

  private func contains(_ registration: ForeignRegistration) -> Bool {
    state.withLock { $0.registrations.contains { $0 === registration } }
  }

  func begin(_ key: String, _ object: ForeignNode) {
    let affected = state.withLock { $0.registrations.filter { $0.keys.contains(key) }.map { ($0, $0.observer) } }
    var pending: [(ForeignRegistration, observer: KeyValueObservable, old: Any)] = []
    for (registration, observer) in affected where contains(registration) {
      object.whenAboutToNotify?()
      let old = registration.oldValue(of: object)
      registration.unfollow(key)
      pending.append((registration, observer, old))
      registration.sendPrior(old: old, of: object)
    }
    state.withLock { $0.pending.append(Pending(key: key, registrations: pending)) }
  }

  func end(_ key: String, _ object: ForeignNode) {
    let pending = state.withLock { state -> Pending? in
      let thread = Self.thread
      let index = state.pending.lastIndex { $0.key == key && $0.thread == thread }
      return index.map { state.pending.remove(at: $0) }
    }
    guard let pending else { return }
    for (registration, _, old) in pending.registrations.reversed() where contains(registration) {
      registration.follow(from: object, key)
      object.whenAboutToNotify?()
      registration.send(old: old, of: object)
    }
  }
}
#endif
