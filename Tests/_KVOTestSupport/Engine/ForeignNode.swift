#if !canImport(ObjectiveC)
import KVOController

/// An object with the manners of Foundation's Key-Value Observing, for paths that lead from the engine's objects to others
/// and back. ``ForeignTable`` has its registrations.
///
/// - The initial notification is sent before the registration is made.
/// - Removing a registration that doesn't exist is an error, which the ``ForeignLedger`` records. So is a registration that
///   is left when the object has been deallocated.
/// - A change that is about to happen retains the observers until it has happened, and calls only those that are still
///   registered then. Changes that are under way belong to threads.
/// - A dotted path is a registration for its first key, and one for the rest with the object that is its value, which must not be a
///   structure. To remove it
///   the first key is read. It is the same for a key that depends on a dotted path.
/// - Registrations are kept by the object's address, and can be removed after the object's properties are gone, unless the
///   class has storage of its own, which is gone then, or removes them in its own way, which reads its properties. In the latter case
///   Foundation removes those of keys that notify automatically.
///
/// Subclasses declare dependencies, and whether they notify automatically, by the class methods of Foundation.
open class ForeignNode: KeyValueObject, ForeignObject, @unchecked Sendable {
  private static let tables = Locked<[ObjectIdentifier: ForeignTable]>([:])

  private let overridden: Set<String>
  /// Runs before a registration is made.
  package var whenAboutToRegister: (() -> Void)?
  /// Runs when it is certain that a registration is notified of a change, and before it is.
  package var whenAboutToNotify: (() -> Void)? {
    get { table?.whenAboutToNotify }
    set { table?.whenAboutToNotify = newValue }
  }
  let ledger: ForeignLedger?
  private var table: ForeignTable? { Self.tables.withLock { $0[ObjectIdentifier(self)] } }

  /// - Parameters:
  ///   - overridden: More methods of `NSObject` that it overrides.
  package init(overriding overridden: Set<String> = [], in ledger: ForeignLedger? = .current) {
    self.overridden = overridden
    self.ledger = ledger
    super.init()
    let identifier = ObjectIdentifier(self)
    ledger?.count(1)
    Self.tables.withLock { tables in
      if let former = tables[identifier] {
        former.report("\(former.keyPaths) are still registered with a former object")
      }
      tables[identifier] = ForeignTable(ledger)
    }
  }

  deinit {
    let identifier = ObjectIdentifier(self)
    guard let table else { return }
    let isEmpty = table.die(
      type(of: self), hasOwnStorage: overrides("observationInfo"), keepsFoundationStorage: keepsFoundationStorage)
    if isEmpty { Self.tables.withLock { Self.forget(identifier, &$0) } }
    let values = table.takeValues()
    withExtendedLifetime(values) {}
  }

  private static func forget(_ identifier: ObjectIdentifier, _ tables: inout [ObjectIdentifier: ForeignTable]) {
    guard let table = tables.removeValue(forKey: identifier) else { return }
    table.ledger?.count(-1)
  }

  package var registeredKeyPaths: [String] { table?.keyPaths ?? [] }

  // MARK: As the engine sees it

  package var isValue: Bool { false }
  open var hasKeysWithDots: Bool { false }
  open var omitsValues: Bool { false }
  package func overrides(_ method: String) -> Bool {
    overridden.contains(method) || type(of: self).overriddenMethods.contains(method)
  }

  /// The methods of `NSObject` that the class overrides.
  open class var overriddenMethods: Set<String> { [] }

  /// The names in Objective-C of the class and its superclasses, if they matter.
  open class var classNames: [String] { [] }

  /// What the runtime of Objective-C has of the class; nil if its properties are in `keyPaths`.
  open class var runtime: ImitatedClass? { nil }
  package static func key(of property: PropertyIdentity) -> String? { runtime?.key(of: property) }

  // MARK: Key-Value Coding

  package subscript(key: String) -> Any? {
    get { table?.value(key) }
    set {
      guard type(of: self).automaticallyNotifiesObservers(forKey: key) else { return exchange(key, newValue) }
      beginChange(of: key)
      exchange(key, newValue)
      endChange(of: key)
    }
  }

  private func exchange(_ key: String, _ value: Any?) {
    let former = table?.exchange(key, value)
    withExtendedLifetime(former) {}
  }

  open override func value(forKey key: String) -> Any? {
    if table?.isDead != false { report("\(key) is read from an object that is deallocated") }
    return self[key]
  }

  open override func setValue(_ value: Any?, forKey key: String) { self[key] = value }

  // MARK: Key-Value Observing

  open override func addObserver(
    _ observer: KeyValueObservable, forKeyPath keyPath: String, options: NSKeyValueObservingOptions = [],
    context: UnsafeMutableRawPointer?
  ) {
    let registration = ForeignRegistration(observer, keyPath, options, context, of: self)
    registration.sendInitial(of: self)
    whenAboutToRegister?()
    registration.follow(from: self)
    table?.insert(registration)
  }

  open override func removeObserver(
    _ observer: KeyValueObservable, forKeyPath keyPath: String, context: UnsafeMutableRawPointer?
  ) {
    guard let table, let removed = table.remove(observer, keyPath, context) else {
      return report("\(keyPath) isn't registered")
    }
    if removed.isRead {
      if table.isDead { report("an object that is deallocated is read to remove \(keyPath)") }
      removed.unfollow()
    }
    guard table.isDead, table.isEmpty else { return }
    Self.tables.withLock { Self.forget(ObjectIdentifier(self), &$0) }
  }

  /// What Foundation calls `willChangeValue(forKey:)`, which the engine's objects have as a method of their own.
  package func beginChange(of key: String) { table?.begin(key, self) }
  package func endChange(of key: String) { table?.end(key, self) }

  private func report(_ violation: String) { ForeignLedger.report(violation, in: ledger) }
}

/// Whether the engine doesn't observe an object itself.
func isForeign(_ object: KeyValueObservable) -> Bool { object is ForeignNode }
#endif
