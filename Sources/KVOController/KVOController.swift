@_exported import Foundation

/// An object that observes key paths on behalf of one observer and removes its observations automatically.
///
/// Most code never names a controller: an observer observes with its own, `kvoController`, by the methods of
/// ``/KVOController/KVOObserver``. A controller observes for an observer of any class, and has asynchronous sequences,
/// blocks, actions, and contexts:
///
///     controller.observe(clock, \.date) { (view: ClockView, clock, change) in
///       view.date = change.newValue
///     }
///
/// Observation stops when the observer, the controller, or the observed object is deallocated. A handler that captures
/// the observer or the controller strongly creates a retain cycle: use the observer that is passed to it instead.
///
/// You can call every method on any thread, and from inside a handler. No lock is held while your code runs. A
/// controller isn't `Sendable`, because it leads to its observer and releases what its handlers capture.
///
/// In Objective-C the class is called `FBKVOController`.
#if canImport(ObjectiveC)
@objc(FBKVOController)
#endif
open class KVOController: NSObject {
  /// The observations. An object of the engine notifies their `KVOInfo`s itself; `KVOSharedController` notifies them of Foundation's.
  let store: ObservationStore

  /// Creates a controller for an observer.
  ///
  /// - Parameters:
  ///   - observer: The object that observes, held weakly. It can be of any class, unless you observe with a context.
  ///   - retainObserved: Whether the controller retains the objects that it observes. Pass `false` if one of them
  ///     retains the observer.
  public init(observer: AnyObject?, retainObserved: Bool) {
    store = ObservationStore(observer: observer, retainsObserved: retainObserved)
    super.init()
  }

  /// Creates a controller that retains the objects that it observes, but not the observer.
  public convenience init(observer: AnyObject?) {
    self.init(observer: observer, retainObserved: true)
  }

  /// Creates a controller for an observer whose type isn't known to be a class, such as the value of a protocol.
  @_disfavoredOverload
  public convenience init(observer: Any?, retainObserved: Bool = true) {
    self.init(observer: observer.map { $0 as AnyObject }, retainObserved: retainObserved)
  }

  deinit {
    requireNoLock("a controller is released")
    // Not `unobserveAll()`: a subclass that overrides it has been torn down already.
    store.close()
  }

  /// The observer, or nil once it is deallocated.
  #if canImport(ObjectiveC)
  @objc
  #endif
  public var observer: AnyObject? { store.observer.object }

  /// Calls `body` with the store. In the observer's `deinit` nothing else retains the controller, which ends everything when it is
  /// deallocated: at once after `body`, and not before.
  func whileRetained<Result>(_ body: (ObservationStore) -> Result) -> Result {
    withExtendedLifetime(self) { body(store) }
  }

  // MARK: Observing

  // The forms for an explicit `isolation: nil` stand beside their twins. What the compiler has checked as isolated to an actor isn't
  // `@Sendable`, so it isn't accepted there. No value is of the type `Never`: only nil selects these forms.

  /// Calls a block for each change of the value at a key path of `object`.
  ///
  /// Does nothing if the key path is observed already with that identifier.
  ///
  /// - Parameters:
  ///   - object: The object to observe: a `KeyValueObject`, or on Apple platforms any `NSObject`. nil is ignored; any
  ///     other value traps.
  ///   - keyPath: A key, or keys joined by dots. An empty key path asserts in debug builds and is ignored in release
  ///     builds. A key that the object doesn't have traps if the options request values.
  ///   - options: Options that determine what the change contains, and when the block is called.
  ///   - identifier: Distinguishes several observations of the key path.
  ///   - isolation: The actor on which the block runs. Defaults to the caller's; pass nil to run on the thread that
  ///     makes the change.
  ///   - block: A closure that takes the observer, the object, and the change, which also contains the key path, under
  ///     `NSKeyValueChangeKey.keyPathKey`. A nil value in the change is `NSNull`.
  /// - Complexity: Amortized constant time for a key, however many others observe it; linear in the number of keys of a
  ///   path.
  @_disfavoredOverload
  open func observe(
    _ object: Any?, keyPath: String, options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
    isolation: isolated (any Actor)? = #isolation, block: @escaping FBKVONotificationBlock
  ) {
    observe(object, [keyPath], options, identifier, isolation, block)
  }

  /// As ``observe(_:keyPath:options:identifier:isolation:block:)-6p52i``, on the thread of the change.
  public func observe(
    _ object: Any?, keyPath: String, options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
    isolation: Never?,
    block: @escaping @Sendable (_ observer: Any?, _ object: Any, _ change: [NSKeyValueChangeKey: Any]) -> Void
  ) {
    observe(object, keyPath: keyPath, options: options, identifier: identifier, block: block)
  }

  /// Calls a block for each change of the values at several key paths of `object`, which the change distinguishes.
  ///
  /// Key paths that are observed already with that identifier are skipped. An empty list asserts in debug builds and is
  /// ignored in release builds. In all else it is like
  /// ``observe(_:keyPath:options:identifier:isolation:block:)-6p52i``.
  @_disfavoredOverload
  open func observe(
    _ object: Any?, keyPaths: [String], options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
    isolation: isolated (any Actor)? = #isolation, block: @escaping FBKVONotificationBlock
  ) {
    observe(object, keyPaths, options, identifier, isolation, block)
  }

  private func observe(
    _ object: Any?, _ keyPaths: [String], _ options: NSKeyValueObservingOptions, _ identifier: AnyHashable?,
    _ isolation: (any Actor)?, _ block: @escaping FBKVONotificationBlock
  ) {
    let (identity, destination) = (Identity(identifier, .strings), Destination(isolation))
    observe(object, keyPaths) {
      Request(
        path: $0, options: options, identity: identity, destination: destination, form: .block, handler: { _, _ in },
        block: block)
    }
  }

  /// As ``observe(_:keyPaths:options:identifier:isolation:block:)-9qcij``, on the thread of the change.
  public func observe(
    _ object: Any?, keyPaths: [String], options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
    isolation: Never?,
    block: @escaping @Sendable (_ observer: Any?, _ object: Any, _ change: [NSKeyValueChangeKey: Any]) -> Void
  ) {
    observe(object, keyPaths: keyPaths, options: options, identifier: identifier, block: block)
  }

  /// Calls the observer's `observeValue(forKeyPath:of:change:context:)` for each change of the value at a key path.
  ///
  /// The method is called on the thread that makes the change, before the setter returns, with the change as Foundation
  /// passes it, and with `context` as it is. An observer whose class inherits neither from `KeyValueObject` nor, on
  /// Apple platforms, from `NSObject` traps. In all else it is like
  /// ``observe(_:keyPath:options:identifier:isolation:block:)-6p52i``.
  #if canImport(ObjectiveC)
  @objc(observe:keyPath:options:context:)
  #endif
  open func observe(
    _ object: Any?, keyPath: String, options: NSKeyValueObservingOptions = [], context: UnsafeMutableRawPointer?
  ) {
    observe(object, [keyPath], options, context)
  }

  /// As ``observe(_:keyPath:options:context:)``, for several key paths. An empty list asserts in debug builds.
  #if canImport(ObjectiveC)
  @objc(observe:keyPaths:options:context:)
  #endif
  open func observe(
    _ object: Any?, keyPaths: [String], options: NSKeyValueObservingOptions = [], context: UnsafeMutableRawPointer?
  ) {
    observe(object, keyPaths, options, context)
  }

  private func observe(
    _ object: Any?, _ keyPaths: [String], _ options: NSKeyValueObservingOptions, _ context: UnsafeMutableRawPointer?
  ) {
    if let observer, !(observer is KeyValueObservable) {
      misuse(
        "Cannot notify <\(debugName(of: observer))> of \"\(keyPaths.joined(separator: ", "))\" with a context",
        because: "its class has no observeValue(forKeyPath:of:change:context:)",
        remedy: "Inherit from \(KeyValueObservable.self), or observe with a block.")
    }
    observe(object, keyPaths) {
      Request(path: $0, options: options, identity: .none, destination: .threadOfChange, form: .context) {
        observer, change in
        (observer as? KeyValueObservable)?
          .observeValue(forKeyPath: change.keyPath, of: change.object, change: change.dictionary, context: context)
      }
    }
  }

  // MARK: Unobserving

  /// Stops everything that is observed of a key path of `object`, whatever the identifiers: bindings from it, and observations
  /// of its elements too. Takes it out of lists. Does nothing if it isn't observed, or is nil. Observations of all
  /// properties go on.
  ///
  /// - Complexity: Linear in the number of observations of the key path by this controller, and of those of its typed key paths of
  ///   the object without names.
  #if canImport(ObjectiveC)
  @objc(unobserve:keyPath:)
  #endif
  open func unobserve(_ object: Any?, keyPath: String) {
    if let object = Self.observed(object) { store.end(.name(keyPath), of: object) }
  }

  /// Stops observing a key path of `object` with the identifier that was passed to `observe`. Does nothing if it isn't
  /// observed with that one, or is nil.
  open func unobserve(_ object: Any?, keyPath: String, identifier: AnyHashable) {
    if let object = Self.observed(object) { store.end(.name(keyPath), of: object, identifier) }
  }

  /// Stops observing all key paths of `object`. Does nothing if none is observed, or if it is nil.
  ///
  /// - Complexity: Linear in the number of observations of the object by this controller.
  #if canImport(ObjectiveC)
  @objc(unobserve:)
  #endif
  open func unobserve(_ object: Any?) {
    if let object = Self.observed(object) { store.end(object) }
  }

  /// Stops all observations of the controller, as its `deinit` does.
  ///
  /// - Complexity: Linear in the number of the controller's observations.
  #if canImport(ObjectiveC)
  @objc
  #endif
  open func unobserveAll() {
    store.endAll(isAsked: true)
  }

  /// A description that names the class, the observer, and each observation, one line each.
  open override var debugDescription: String {
    let name = debugName(of: self) + (type(of: self) == KVOController.self ? " (FBKVOController)" : "")
    let lines = observations.map { "\n  \($0)" }.sorted().joined()
    return "<\(name) observer: \(debugReference(to: observer, else: "nil"))\(lines)>"
  }
}

// MARK: The core

extension KVOController {
  /// Observes key paths by their names, without those that are already observed with the identity that `request` makes for each.
  func observe(_ object: Any?, _ keyPaths: [String], _ request: (ObservedPath) -> Request) {
    var keyPaths = keyPaths
    if keyPaths.isEmpty { misuseInDebugBuilds(ofEmpty: "the list of key paths", of: object) }
    if keyPaths.contains("") {
      misuseInDebugBuilds(ofEmpty: "the key path", of: object)
      keyPaths.removeAll(where: \.isEmpty)
    }
    guard let first = keyPaths.first, let object = Self.observable(object, first) else { return }
    for keyPath in keyPaths where keyPath.utf8.contains(UInt8(ascii: ".")) { requireKeys(keyPath, of: object) }
    if keyPaths.count > 1 {
      var known: Set<String> = []
      keyPaths.removeAll { !known.insert($0).inserted }
    }
    // An actor gets the changes of several in order.
    let lane = keyPaths.count > 1 ? store.sharedLane(for: request(.named(first, of: object)).destination) : nil
    func makeInfo(_ keyPath: String) -> KVOInfo {
      var request = request(.named(keyPath, of: object))
      request.lane = lane
      return KVOInfo(request, in: store)
    }
    // A literal takes no memory on the heap.
    if keyPaths.count == 1 {
      store.observe(object, [makeInfo(first)])
    } else {
      store.observe(object, keyPaths.map(makeInfo))
    }
  }

  private static func observable(_ object: Any?, _ keyPath: String) -> KeyValueObservable? {
    if let observable = observed(object) { return observable }
    guard let object = object.flatMap(unwrapped) else { return nil }
    var reason = "it is not observable on this platform"
    var remedy = "Inherit from KeyValueObject, and mark the property @Observed."
    #if canImport(ObjectiveC)
    if object is NSProxy {
      reason = "a proxy doesn't inherit from NSObject"
      remedy = "Observe the object that it stands for."
    }
    #else
    if object is Progress || object is Operation || object is UserDefaults {
      reason += ", where Foundation has no Key-Value Observing"
      remedy = "Observe an @Observed property of a KeyValueObject that you set when the value changes."
    }
    #endif
    misuse(
      "Cannot observe the key path \"\(keyPath)\" of a value of type \(type(of: object))", because: reason,
      remedy: remedy)
  }

  /// The object that `observe` would observe for `object`; nil if it can't be observed.
  private static func observed(_ object: Any?) -> KeyValueObservable? {
    guard let object else { return nil }
    return observableObject(object) ?? unwrapped(object).flatMap(observableObject)
  }

  /// Delivers what waits for the caller's actor in the observations of the controller: coalesced calls, and changes
  /// that other threads have made. Those of elements and bindings count too.
  ///
  ///     chart.points = points
  ///     screen.kvoController.deliverNow()
  ///     precondition(screen.isDrawn)
  ///
  /// What handlers change meanwhile is delivered later. Does nothing in code that isn't isolated to an actor, and
  /// within a handler that it calls.
  public func deliverNow(isolation: isolated (any Actor)? = #isolation) {
    if let isolation { store.deliverNow(on: isolation) }
  }

  /// The observations of the controller, in no particular order: a snapshot, of which an observation may end at any
  /// time.
  ///
  /// It includes those of a controller without an observer, which aren't valid.
  public var observations: [KVOObservation] { store.all.map { KVOObservation($0) } }

  /// Whether each observation that begins, replaces another, ends, or is ignored prints a line to the standard error
  /// stream, for debugging.
  ///
  /// It is true at the start of the process if the environment variable `KVO_LOG` is 1. A line names the observer, the
  /// object, the key path with its options, where changes are delivered, and the file and line of the call of a typed
  /// form.
  public static var logsObservations: Bool {
    get { ObservationLog.isOn }
    set { ObservationLog.turn(on: newValue) }
  }
}

extension KeyValueObservable {
  /// The controller of this object under a key, created on first use.
  subscript(controller key: AssociationKey, retainObserved retainObserved: Bool) -> KVOController {
    if let controller = associatedObject(key) as? KVOController { return controller }
    guard !isInDeinit(self) else { return KVOController(observer: nil, retainObserved: retainObserved) }
    let made = KVOController(observer: self, retainObserved: retainObserved)
    return associate(made, key, replacing: false) as? KVOController ?? made
  }
}

extension AssociationKey {
  static let controller = AssociationKey()
  static let nonRetainingController = AssociationKey()
}

#if !canImport(ObjectiveC)
extension KeyValueObject {
  /// A controller that observes on behalf of this object, created on first use and released with the object.
  ///
  /// It retains the objects that it observes, except this one. You can read it on any thread. Setting another
  /// controller ends the observations of this one, unless something else retains it.
  public var kvoController: KVOController {
    get { self[controller: .controller, retainObserved: true] }
    set { associate(newValue, .controller, replacing: true) }
  }

  /// A controller like ``kvoController`` that doesn't retain what it observes.
  ///
  /// Use it when the observed object retains this one, so that the two don't form a retain cycle.
  public var kvoControllerNonRetaining: KVOController {
    get { self[controller: .nonRetainingController, retainObserved: false] }
    set { associate(newValue, .nonRetainingController, replacing: true) }
  }
}
#endif
