#if !canImport(ObjectiveC)
import KVOController

/// An object with the manners of Foundation's Key-Value Observing, for paths that lead from the engine's objects to others
/// and back.
///
/// - The initial notification is sent before the registration is made.
/// - Removing a registration that doesn't exist is an error: see ``violations``. So is a registration that is left when the
///   object has been deallocated.
/// - A change that is about to happen retains the observers until it has happened, and calls only those that are still
///   registered then. Changes that are under way belong to threads.
/// - A dotted path is a registration for its first key, and one for the rest with the object that is its value. To remove it
///   the first key is read.
/// - Registrations are kept by the object's address, and can be removed after the object's properties are gone.
package final class ForeignNode: KeyValueObject, ForeignObject, @unchecked Sendable {
  /// What mustn't happen.
  package static let violations = Locked<[String]>([])
  private static let tables = Locked<[ObjectIdentifier: Table]>([:])

  /// The number of objects that have registrations, or exist.
  package static var count: Int { tables.withLock { $0.count } }

  package let registersPaths: Bool
  /// Runs before a registration is made.
  package var whenAboutToRegister: (() -> Void)?
  private let mustOutlive: Bool
  private let readsWhenRemoved: Bool
  private var table: Table? { Self.tables.withLock { $0[ObjectIdentifier(self)] } }

  /// - Parameter readsWhenRemoved: Whether all keys depend on a dotted path, whose first key is read when a registration is
  ///   removed. What is registered when the object is deallocated is removed by itself.
  package init(
    registersPaths: Bool = false, mustOutliveRegistrations: Bool = false, readsWhenRemoved: Bool = false
  ) {
    self.readsWhenRemoved = readsWhenRemoved
    self.registersPaths = registersPaths
    mustOutlive = mustOutliveRegistrations
    super.init()
    let identifier = ObjectIdentifier(self)
    Self.tables.withLock { tables in
      if let former = tables[identifier] { Self.report("\(former.count) registrations are left of a former object") }
      tables[identifier] = Table()
    }
  }

  deinit {
    let identifier = ObjectIdentifier(self)
    let values = Self.tables.withLock { tables -> [String: Any] in
      guard let table = tables[identifier] else { return [:] }
      if table.die() || readsWhenRemoved { tables[identifier] = nil }
      return table.takeValues()
    }
    withExtendedLifetime(values) {}
  }

  fileprivate static func report(_ violation: String) { violations.withLock { $0.append(violation) } }

  package var registeredKeyPaths: [String] { table?.keyPaths ?? [] }

  // MARK: As the engine sees it

  package var isValue: Bool { false }

  package func mustOutliveRegistration(forKey key: String) -> Bool { mustOutlive || isReadByRemoval(ofKey: key) }

  package func isReadByRemoval(ofKey key: String) -> Bool { readsWhenRemoved || key.contains(".") }

  // MARK: Key-Value Coding

  package subscript(key: String) -> Any? {
    get { table?.value(key) }
    set {
      willChangeValue(forKey: key)
      let former = table?.exchange(key, newValue)
      withExtendedLifetime(former) {}
      didChangeValue(forKey: key)
    }
  }

  package override func value(forKey key: String) -> Any? {
    if table?.isDead != false { Self.report("\(key) is read from an object that is deallocated") }
    return self[key]
  }

  package override func setValue(_ value: Any?, forKey key: String) { self[key] = value }

  // MARK: Key-Value Observing

  package override func addObserver(
    _ observer: KeyValueObservable, forKeyPath keyPath: String, options: NSKeyValueObservingOptions = [],
    context: UnsafeMutableRawPointer?
  ) {
    if options.contains(.initial) {
      var change: [NSKeyValueChangeKey: Any] = [.kindKey: NSKeyValueChange.setting.rawValue]
      if options.contains(.new) { change[.newKey] = value(forKeyPath: keyPath) ?? NSNull() }
      observer.observeValue(forKeyPath: keyPath, of: self, change: change, context: context)
    }
    whenAboutToRegister?()
    let registration = Registration(observer, keyPath, options, context)
    registration.follow(from: self)
    table?.insert(registration)
  }

  package override func removeObserver(
    _ observer: KeyValueObservable, forKeyPath keyPath: String, context: UnsafeMutableRawPointer?
  ) {
    guard let table, let removed = table.remove(observer, keyPath, context) else {
      return Self.report("\(keyPath) isn't registered")
    }
    if readsWhenRemoved, isInDeinit(self) { Self.report("\(keyPath) is removed from an object that is deallocated") }
    if removed.isDotted {
      if table.isDead { Self.report("the first key of \(keyPath) is read from an object that is deallocated") }
      removed.unfollow()
    }
    if table.isDead, table.count == 0 { Self.tables.withLock { $0[ObjectIdentifier(self)] = nil } }
  }

  package override func willChangeValue(forKey key: String) { table?.begin(key, self) }
  package override func didChangeValue(forKey key: String) { table?.end(key, self) }
}

/// One registration with a ``ForeignNode``.
private final class Registration: @unchecked Sendable {
  unowned(unsafe) let observer: KeyValueObservable
  let keyPath: String
  let options: NSKeyValueObservingOptions
  let context: UnsafeMutableRawPointer?
  let firstKey: String
  private let rest: String
  /// The registration for the rest of a dotted path, with the object that is the value of the first key.
  private var next: (object: KeyValueObservable, relay: RestRelay)?

  init(
    _ observer: KeyValueObservable, _ keyPath: String, _ options: NSKeyValueObservingOptions,
    _ context: UnsafeMutableRawPointer?
  ) {
    self.observer = observer
    self.keyPath = keyPath
    self.options = options
    self.context = context
    let parts = keyPath.split(separator: ".", maxSplits: 1).map(String.init)
    firstKey = parts[0]
    rest = parts.count > 1 ? parts[1] : ""
  }

  var isDotted: Bool { !rest.isEmpty }

  func follow(from object: ForeignNode) {
    guard isDotted, let next = object[firstKey] as? KeyValueObservable else { return }
    let relay = RestRelay(self, of: object)
    next.addObserver(relay, forKeyPath: rest, options: options.subtracting(.initial), context: nil)
    self.next = (next, relay)
  }

  func unfollow() {
    guard let (object, relay) = next else { return }
    next = nil
    object.removeObserver(relay, forKeyPath: rest, context: nil)
  }

  func send(_ change: [NSKeyValueChangeKey: Any], of object: ForeignNode) {
    observer.observeValue(forKeyPath: keyPath, of: object, change: change, context: context)
  }
}

/// Passes on changes of the rest of a dotted path.
private final class RestRelay: KeyValueObject, @unchecked Sendable {
  private let registration: Registration
  private weak var object: ForeignNode?

  init(_ registration: Registration, of object: ForeignNode) {
    self.registration = registration
    self.object = object
    super.init()
  }

  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    if let object = self.object { registration.send(change ?? [:], of: object) }
  }
}

/// The values and registrations of a ``ForeignNode``.
private final class Table: @unchecked Sendable {
  /// A change that is under way.
  private struct Pending {
    let thread = ThreadNumber.current
    let key: String
    let registrations: [(Registration, observer: KeyValueObservable, old: Any)]
  }

  private struct State {
    var values: [String: Any] = [:]
    var registrations: [Registration] = []
    var pending: [Pending] = []
    var isDead = false
  }

  private let state = Locked(State())

  var isDead: Bool { state.withLock { $0.isDead } }
  var keyPaths: [String] { state.withLock { $0.registrations.map(\.keyPath) } }
  var count: Int { state.withLock { $0.registrations.count } }
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

  /// - Returns: Whether nothing is registered.
  func die() -> Bool {
    state.withLock { state in
      state.isDead = true
      return state.registrations.isEmpty
    }
  }

  func insert(_ registration: Registration) { state.withLock { $0.registrations.append(registration) } }

  func remove(
    _ observer: KeyValueObservable, _ keyPath: String, _ context: UnsafeMutableRawPointer?
  ) -> Registration? {
    state.withLock { state in
      let index = state.registrations.lastIndex {
        $0.observer === observer && $0.keyPath == keyPath && $0.context == context
      }
      return index.map { state.registrations.remove(at: $0) }
    }
  }

  private func contains(_ registration: Registration) -> Bool {
    state.withLock { $0.registrations.contains { $0 === registration } }
  }

  func begin(_ key: String, _ object: ForeignNode) {
    let affected = state.withLock { $0.registrations.filter { $0.firstKey == key }.map { ($0, $0.observer) } }
    var pending: [(Registration, observer: KeyValueObservable, old: Any)] = []
    for (registration, observer) in affected where contains(registration) {
      let old = registration.options.contains(.old) ? object.value(forKeyPath: registration.keyPath) : nil
      registration.unfollow()
      pending.append((registration, observer, old ?? NSNull()))
      guard registration.options.contains(.prior) else { continue }
      var change: [NSKeyValueChangeKey: Any] = [
        .kindKey: NSKeyValueChange.setting.rawValue, .notificationIsPriorKey: true,
      ]
      if registration.options.contains(.old) { change[.oldKey] = old ?? NSNull() }
      registration.send(change, of: object)
    }
    state.withLock { $0.pending.append(Pending(key: key, registrations: pending)) }
  }

  func end(_ key: String, _ object: ForeignNode) {
    let pending = state.withLock { state -> Pending? in
      let thread = ThreadNumber.current
      let index = state.pending.lastIndex { $0.key == key && $0.thread == thread }
      return index.map { state.pending.remove(at: $0) }
    }
    guard let pending else { return }
    for (registration, _, old) in pending.registrations.reversed() where contains(registration) {
      registration.follow(from: object)
      var change: [NSKeyValueChangeKey: Any] = [.kindKey: NSKeyValueChange.setting.rawValue]
      if registration.options.contains(.old) { change[.oldKey] = old }
      if registration.options.contains(.new) {
        change[.newKey] = object.value(forKeyPath: registration.keyPath) ?? NSNull()
      }
      registration.send(change, of: object)
    }
  }
}

/// A number that distinguishes threads.
private enum ThreadNumber {
  static var current: ObjectIdentifier { ObjectIdentifier(Thread.current) }
}
#endif
