#if !canImport(ObjectiveC)
import KVOController

/// One registration of Foundation's manner: with a ``ForeignNode``, or with an object of the engine.
final class ForeignRegistration: @unchecked Sendable {
  /// The registration for the rest of a dotted path, with the object that is the value of the first key.
  private struct Nested {
    let firstKey: String
    let rest: String
    /// Whether it is a path on which the key depends, not the registered path itself.
    let isDependency: Bool
    var next: (object: KeyValueObservable, relay: RestRelay)?
  }

  private unowned(unsafe) let unsafeObserver: KeyValueObservable
  private weak var weakObserver: KeyValueObservable?
  private let observerAddress: ObjectIdentifier
  let keyPath: String
  let options: NSKeyValueObservingOptions
  let context: UnsafeMutableRawPointer?
  /// The keys whose changes are changes of the value.
  private(set) var keys: Set<String> = []
  private var nested: [Nested] = []

  init(
    _ observer: KeyValueObservable, _ keyPath: String, _ options: NSKeyValueObservingOptions,
    _ context: UnsafeMutableRawPointer?, of object: KeyValueObservable
  ) {
    unsafeObserver = observer
    weakObserver = observer
    observerAddress = ObjectIdentifier(observer)
    self.keyPath = keyPath
    self.options = options
    self.context = context
    add(keyPath, isDependency: false, of: type(of: object))
  }

  /// Adds a key path and all that its first key depends on.
  private func add(_ keyPath: String, isDependency: Bool, of type: KeyValueObservable.Type) {
    let parts = keyPath.split(separator: ".", maxSplits: 1).map(String.init)
    if parts.count > 1 { nested.append(Nested(firstKey: parts[0], rest: parts[1], isDependency: isDependency)) }
    guard keys.insert(parts[0]).inserted else { return }
    for affecting in type.keyPathsForValuesAffectingValue(forKey: parts[0]).sorted() {
      add(affecting, isDependency: true, of: type)
    }
  }

  /// The observer, which Foundation retains, so that it must not have been deallocated.
  var observer: KeyValueObservable {
    guard weakObserver != nil else {
      fatalError("A deallocated observer is still registered with Foundation for the key path \"\(keyPath)\".")
    }
    return unsafeObserver
  }

  func isOf(_ observer: KeyValueObservable) -> Bool { ObjectIdentifier(observer) == observerAddress }

  /// Whether the first key of a dotted path is read when this is removed.
  var isRead: Bool { !nested.isEmpty }

  func follow(from object: KeyValueObservable, _ key: String? = nil) {
    for index in nested.indices where key == nil || nested[index].firstKey == key {
      let value = object.value(forKey: nested[index].firstKey)
      guard let next = value as? KeyValueObservable else {
        guard value is CGPoint || value is CGRect else { continue }
        fatalError("An observer for \"\(nested[index].rest)\" can't be added to a structure in an NSValue.")
      }
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

  func send(_ change: [NSKeyValueChangeKey: Any], of object: KeyValueObservable) {
    observer.observeValue(forKeyPath: keyPath, of: object, change: change, context: context)
  }

  func sendInitial(of object: KeyValueObservable) {
    guard options.contains(.initial) else { return }
    var change: [NSKeyValueChangeKey: Any] = [.kindKey: NSKeyValueChange.setting.rawValue]
    if options.contains(.new) { change[.newKey] = object.value(forKeyPath: keyPath) ?? NSNull() }
    send(change, of: object)
  }

  /// The change of this registration's value that a change of `key` is, before it happens.
  func change(_ mutation: Mutation, of key: String, _ object: KeyValueObservable) -> ForeignChange {
    ForeignChange(keyPath == key ? mutation : .setting, of: object, keyPath, options)
  }

  func sendPrior(_ change: ForeignChange, of object: KeyValueObservable) {
    if options.contains(.prior) { send(change.before, of: object) }
  }

  func send(_ change: ForeignChange, of object: KeyValueObservable) {
    send(change.after(of: object, keyPath, options), of: object)
  }
}

/// A change that is about to happen, with what has to be known before.
struct ForeignChange {
  private let mutation: Mutation
  private let old: Any?
  private let newBefore: Any?

  init(_ mutation: Mutation, of object: KeyValueObservable, _ keyPath: String, _ options: NSKeyValueObservingOptions) {
    self.mutation = mutation
    let value = options.isDisjoint(with: [.old, .new]) ? nil : object.value(forKeyPath: keyPath)
    old = options.contains(.old) && mutation.kind != .insertion ? mutation.old(in: value) ?? NSNull() : nil
    let isKnown = mutation.kind != .removal && mutation.knowsNewBefore
    newBefore = options.contains(.new) && isKnown ? mutation.new(in: value) : nil
  }

  private var common: [NSKeyValueChangeKey: Any] {
    var change: [NSKeyValueChangeKey: Any] = [.kindKey: mutation.kind.rawValue]
    change[.indexesKey] = mutation.indexes
    change[.oldKey] = old
    return change
  }

  var before: [NSKeyValueChangeKey: Any] { common.merging([.notificationIsPriorKey: true]) { $1 } }

  func after(
    of object: KeyValueObservable, _ keyPath: String, _ options: NSKeyValueObservingOptions
  ) -> [NSKeyValueChangeKey: Any] {
    guard options.contains(.new), mutation.kind != .removal else { return common }
    let new = newBefore ?? mutation.new(in: object.value(forKeyPath: keyPath)) ?? NSNull()
    return common.merging([.newKey: new]) { $1 }
  }
}

/// Passes on changes of the rest of a dotted path.
private final class RestRelay: KeyValueObject, @unchecked Sendable {
  private let registration: ForeignRegistration
  private weak var object: KeyValueObservable?
  private let isDependency: Bool
  /// The changes that are under way.
  private let pending = Locked<[(thread: ObjectIdentifier, change: ForeignChange)]>([])

  init(_ registration: ForeignRegistration, of object: KeyValueObservable, isDependency: Bool) {
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
      let change = registration.change(.setting, of: registration.keyPath, object)
      pending.withLock { $0.append((thread, change)) }
      registration.sendPrior(change, of: object)
    } else {
      let change = pending.withLock { pending in
        pending.lastIndex { $0.thread == thread }.map { pending.remove(at: $0).change }
      }
      if let change { registration.send(change, of: object) }
    }
  }
}

/// The registrations with an object, and the values of a ``ForeignNode``.
final class ForeignTable: @unchecked Sendable {
  /// A change that is under way. It retains the observers.
  private struct Pending {
    let thread = ForeignTable.thread
    let key: String
    let registrations: [(ForeignRegistration, observer: KeyValueObservable, ForeignChange)]
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
  /// Runs when it is certain that a registration is notified of a change, and before it is.
  var whenAboutToNotify: (() -> Void)?
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
  func die(_ type: KeyValueObservable.Type, hasOwnStorage: Bool, keepsFoundationStorage: Bool) -> Bool {
    let removed = state.withLock { state -> [ForeignRegistration] in
      state.isDead = true
      let removed = state.registrations.filter {
        hasOwnStorage
          || (!keepsFoundationStorage || $0.isRead) && type.automaticallyNotifiesObservers(forKey: $0.keyPath)
      }
      state.registrations.removeAll { registration in removed.contains { $0 === registration } }
      return removed
    }
    for registration in removed { registration.unfollow() }
    return isEmpty
  }

  func insert(_ registration: ForeignRegistration) { state.withLock { $0.registrations.append(registration) } }

  func remove(
    _ observer: KeyValueObservable, _ keyPath: String, _ context: UnsafeMutableRawPointer??
  ) -> ForeignRegistration? {
    state.withLock { state in
      let index = state.registrations.lastIndex {
        $0.isOf(observer) && $0.keyPath == keyPath && (context == nil || context == .some($0.context))
      }
      return index.map { state.registrations.remove(at: $0) }
    }
  }

  private func contains(_ registration: ForeignRegistration) -> Bool {
    state.withLock { $0.registrations.contains { $0 === registration } }
  }

  func begin(_ key: String, _ object: KeyValueObservable, _ mutation: Mutation = .setting) {
    // The observers are retained with the lock, so that a removal that returns on another thread comes before or after.
    let affected = state.withLock { state in
      state.registrations.filter { $0.keys.contains(key) }.map { ($0, $0.observer) }
    }
    var pending: [(ForeignRegistration, observer: KeyValueObservable, ForeignChange)] = []
    for (registration, observer) in affected where contains(registration) {
      whenAboutToNotify?()
      let change = registration.change(mutation, of: key, object)
      registration.unfollow(key)
      pending.append((registration, observer, change))
      registration.sendPrior(change, of: object)
    }
    state.withLock { $0.pending.append(Pending(key: key, registrations: pending)) }
  }

  func end(_ key: String, _ object: KeyValueObservable) {
    let pending = state.withLock { state -> Pending? in
      let thread = Self.thread
      let index = state.pending.lastIndex { $0.key == key && $0.thread == thread }
      return index.map { state.pending.remove(at: $0) }
    }
    guard let pending else { return }
    for (registration, _, change) in pending.registrations.reversed() where contains(registration) {
      registration.follow(from: object, key)
      whenAboutToNotify?()
      registration.send(change, of: object)
    }
  }
}
#endif
