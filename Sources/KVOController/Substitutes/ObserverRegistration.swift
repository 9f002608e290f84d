#if !canImport(ObjectiveC)
/// A registration that was made with `addObserver`. The observer may be deallocated without removing it.
private final class ObserverObservance: Observance, @unchecked Sendable {
  override var context: UnsafeMutableRawPointer? { passedContext }
  private let passedContext: UnsafeMutableRawPointer?
  private let weakObserver: WeakReference

  init(
    _ observer: KeyValueObject, _ path: ObservedPath, options: NSKeyValueObservingOptions,
    context: UnsafeMutableRawPointer?
  ) {
    passedContext = context
    weakObserver = WeakReference(observer)
    super.init(path, options: options, .addObserver)
  }

  /// The observer; nil if it is deallocated, or in its `deinit`.
  override var observer: AnyObject? { weakObserver.object }

  override func deliver(_ change: borrowing KeyValueChange) {
    // A registration whose observer is deallocated stays, because the observer may remove it in its deinit.
    (observer as? KeyValueObject)?
      .observeValue(forKeyPath: path.name, of: change.object, change: change.dictionary, context: context)
  }
}

/// The registrations with one object by observer and key path, which removing one requires. A removal is linear in the
/// number of later registrations of the same. A sweep is done when the number of those has doubled.
private struct ObserverTable {
  struct Key: Hashable {
    let observer: ObjectIdentifier
    let keyPath: String

    init(_ observer: KeyValueObject, _ keyPath: String) {
      (self.observer, self.keyPath) = (ObjectIdentifier(observer), keyPath)
    }
  }

  private var registrations: [Key: [ObserverObservance]] = [:]
  private var sweepLimit = 16
  /// Whether registrations were removed because their observers were deallocated.
  private(set) var wasSwept = false

  mutating func insert(_ observance: ObserverObservance, of observer: KeyValueObject) {
    registrations[Key(observer, observance.path.name), default: []].append(observance)
  }

  /// Removes the latest registration with exactly this context, or with any context if it is nil.
  mutating func remove(
    _ observer: KeyValueObject, _ keyPath: String, context: UnsafeMutableRawPointer??
  ) -> ObserverObservance? {
    guard let index = registrations.index(forKey: Key(observer, keyPath)),
      let place = registrations.values[index].lastIndex(where: { context == nil || context == $0.context })
    else { return nil }
    let removed = registrations.values[index].remove(at: place)
    if registrations.values[index].isEmpty { registrations.remove(at: index) }
    return removed
  }

  /// All registrations, if there may be as many deallocated observers as others.
  var candidatesOfSweep: [Key: [ObserverObservance]]? {
    registrations.count >= sweepLimit ? registrations : nil
  }

  /// Removes the registrations of deallocated observers, and returns them. The caller retains them, and with their weak
  /// references the memory of the observers, so that no other object has one's address.
  mutating func sweep(_ abandoned: some Sequence<Key>) -> [ObserverObservance] {
    let swept = abandoned.flatMap { registrations.removeValue(forKey: $0) ?? [] }
    if !swept.isEmpty { wasSwept = true }
    sweepLimit = max(16, 2 * registrations.count)
    return swept
  }
}

extension KeyValueObject {
  private static let registrations = AssociationKey()

  /// The registrations with the object, guarded by the lock; nil if there are none.
  private final var registrations: LockedState<ObserverTable>? {
    associatedObject(Self.registrations) as? LockedState<ObserverTable>
  }

  final func register(
    _ observer: KeyValueObject, forKeyPath keyPath: String, options: NSKeyValueObservingOptions,
    context: UnsafeMutableRawPointer?
  ) {
    let observance = ObserverObservance(observer, .named(keyPath, of: self), options: options, context: context)
    let made = registrations ?? associate(LockedState(ObserverTable()), Self.registrations, replacing: false)
    if let table = made as? LockedState<ObserverTable> {
      table.withLock { $0.insert(observance, of: observer) }
      Self.sweep(table)
    }
    observance.begin(at: self)
  }

  /// Removes the registrations of observers that were deallocated without removing them, once there are many. Whether
  /// an observer is deallocated is checked outside the lock, because the check retains it, and may release the last
  /// reference.
  private static func sweep(_ table: LockedState<ObserverTable>) {
    guard let candidates = table.withLock({ $0.candidatesOfSweep }) else { return }
    let abandoned = candidates.filter { $0.value.contains { $0.observer == nil } }
    for observance in table.withLock({ $0.sweep(abandoned.keys) }) { observance.end() }
  }

  /// - Parameter context: nil for any context.
  final func unregister(_ observer: KeyValueObject, forKeyPath keyPath: String, context: UnsafeMutableRawPointer??) {
    let table = registrations
    if let removed = table?.withLock({ $0.remove(observer, keyPath, context: context) }) {
      removed.end()
      return
    }
    // The object was deallocated, or swept the registration of an observer that is in its deinit.
    if isObservationOver || (table?.withLock { $0.wasSwept } == true && isInDeinit(observer)) { return }
    misuse(
      apple: """
        Cannot remove an observer <\(debugName(of: observer))> for the key path "\(keyPath)" from <\(debugName(of: self))> because \
        it is not registered as an observer.
        """,
      remedy: "Remove each registration once, with the context that it was made with.")
  }
}
#endif
