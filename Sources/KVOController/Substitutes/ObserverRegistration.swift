#if !canImport(ObjectiveC)
/// A registration that was made with `addObserver`, whose observer's
/// ``KeyValueCodingObject/observeValue(forKeyPath:of:change:context:)`` is called.
///
/// The observer may be deallocated without removing it.
private final class ObserverObservance: Observance, @unchecked Sendable {
  let context: UnsafeMutableRawPointer?
  private let weakObserver: WeakReference

  init(
    _ observer: KeyValueObject, _ path: ObservedPath, options: NSKeyValueObservingOptions,
    context: UnsafeMutableRawPointer?
  ) {
    self.context = context
    weakObserver = WeakReference(observer)
    super.init(path, options: options, .addObserver)
  }

  /// The observer; nil if it is deallocated, or in its `deinit`.
  var observer: KeyValueObject? { weakObserver.object as? KeyValueObject }

  override var observerName: String {
    guard let represented else { return debugReference(to: observer, else: "a deallocated observer") }
    return represented.observerName
  }

  override var details: String {
    represented?.details ?? super.details + (context.map { ", context \($0)" } ?? "")
  }

  /// The observance on behalf of which the observer is registered.
  private var represented: Observance? {
    (observer as? any ObserverRepresentative)?.representedObservance(context: context)
  }

  override func deliver(_ change: borrowing KeyValueChange) {
    // A registration whose observer is deallocated stays, because the observer may remove it in its deinit.
    observer?
      .observeValue(forKeyPath: path.name, of: change.object, change: change.dictionary, context: context)
  }
}

/// An observer that registers on behalf of others.
protocol ObserverRepresentative: KeyValueObject {
  /// The observance that a context represents.
  func representedObservance(context: UnsafeMutableRawPointer?) -> Observance?
}

/// The registrations with one object by observer, which removing one requires.
///
/// - Complexity: Amortized constant time for insertions. A removal is linear in the number of later registrations of the same
///   observer. A sweep is linear, and done when the number of registrations has doubled.
private struct ObserverTable {
  private var registrations: [ObjectIdentifier: [ObserverObservance]] = [:]
  private var count = 0
  private var sweepLimit = 16
  /// Whether registrations were removed because their observers were deallocated.
  private(set) var wasSwept = false

  mutating func insert(_ observance: ObserverObservance, of observer: KeyValueObject) {
    count += 1
    registrations[ObjectIdentifier(observer), default: []].append(observance)
  }

  /// Removes the latest registration with exactly this context, or with any context if it is nil.
  mutating func remove(
    _ observer: KeyValueObject, _ keyPath: String, context: UnsafeMutableRawPointer??
  ) -> ObserverObservance? {
    guard let index = registrations.index(forKey: ObjectIdentifier(observer)),
      let place = registrations.values[index]
        .lastIndex(where: { $0.path.name == keyPath && (context == nil || context == $0.context) })
    else { return nil }
    let removed = registrations.values[index].remove(at: place)
    if registrations.values[index].isEmpty { registrations.remove(at: index) }
    count -= 1
    return removed
  }

  /// All registrations, if there may be as many of deallocated observers as of others.
  var candidatesOfSweep: [ObjectIdentifier: [ObserverObservance]]? { count >= sweepLimit ? registrations : nil }

  /// Removes the registrations of deallocated observers, and returns them. The caller retains them, and with their weak
  /// references the memory of the observers, so that no other object has one's address.
  mutating func sweep(_ observers: some Sequence<ObjectIdentifier>) -> [ObserverObservance] {
    let swept = observers.flatMap { registrations.removeValue(forKey: $0) ?? [] }
    count -= swept.count
    if !swept.isEmpty { wasSwept = true }
    sweepLimit = max(16, 2 * count)
    return swept
  }
}

extension KeyValueObject {
  private static let observers = AssociationKey()

  /// The registrations that were made with `addObserver`, guarded by the lock.
  private func observerTable(creating: Bool) -> LockedState<ObserverTable>? {
    if let table = associatedObject(Self.observers) { return table as? LockedState<ObserverTable> }
    guard creating else { return nil }
    return associate(LockedState(ObserverTable()), Self.observers, replacing: false) as? LockedState<ObserverTable>
  }

  /// The implementation of ``KeyValueCodingObject/addObserver(_:forKeyPath:options:context:)``.
  final func register(
    _ observer: KeyValueObject, forKeyPath keyPath: String, options: NSKeyValueObservingOptions,
    context: UnsafeMutableRawPointer?
  ) {
    let observance = ObserverObservance(observer, .named(keyPath, of: self), options: options, context: context)
    if let table = observerTable(creating: true) {
      table.withLock { $0.insert(observance, of: observer) }
      sweep(table)
    }
    observance.begin(at: self)
  }

  /// Removes the registrations of observers that were deallocated without removing them, once there are many.
  ///
  /// Whether an observer is deallocated is checked outside the lock, because the check retains it, and may release the
  /// last reference.
  private func sweep(_ table: LockedState<ObserverTable>) {
    guard let candidates = table.withLock({ $0.candidatesOfSweep }) else { return }
    let abandoned = candidates.filter { $0.value.contains { $0.observer == nil } }
    for observance in table.withLock({ $0.sweep(abandoned.keys) }) { observance.end() }
  }

  /// The implementation of ``KeyValueCodingObject/removeObserver(_:forKeyPath:)``, and with a context.
  ///
  /// - Parameter context: nil for any context.
  final func unregister(
    _ observer: KeyValueObject, forKeyPath keyPath: String, context: UnsafeMutableRawPointer??
  ) {
    let table = observerTable(creating: false)
    if let removed = table?.withLock({ $0.remove(observer, keyPath, context: context) }) {
      removed.end()
      return
    }
    // The object was deallocated, or swept the registration of an observer that is in its deinit.
    if isObservationOver || (table?.withLock { $0.wasSwept } == true && isInDeinit(observer)) { return }
    misuse(
      apple: """
        Cannot remove an observer <\(debugName(of: observer))> for the key path "\(keyPath)" from <\(debugName(of: self))> because it \
        is not registered as an observer.
        """,
      remedy: "Remove each registration once, with the context that it was made with.")
  }
}

/// Registers observers in the engine's place. Only tests have one, which has the manners of Foundation: on Apple platforms
/// it registers observers that call `addObserver`.
package protocol ObserverRegistrar: AnyObject, Sendable {
  static func add(
    _ observer: KeyValueObject, to object: KeyValueObject, forKeyPath keyPath: String,
    options: NSKeyValueObservingOptions, context: UnsafeMutableRawPointer?)

  /// - Parameter context: nil for any context.
  static func remove(
    _ observer: KeyValueObject, from object: KeyValueObject, forKeyPath keyPath: String,
    context: UnsafeMutableRawPointer??)

  static func observationInfo(of object: KeyValueObject) -> UnsafeMutableRawPointer?
}

extension FoundationWay {
  /// The registrar of the tests, in debug builds if the environment variable `KVO_FOUNDATION_REGISTERS` is set.
  #if DEBUG
  static let registrar = ProcessInfo.processInfo.environment["KVO_FOUNDATION_REGISTERS"].flatMap { _ in
    NSClassFromString("_KVOTestSupport.FoundationRegistrar") as? any ObserverRegistrar.Type
  }
  #else
  static var registrar: (any ObserverRegistrar.Type)? { nil }
  #endif
}
#endif
