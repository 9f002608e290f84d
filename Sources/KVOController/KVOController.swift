/// Observes key paths of objects for one observer: simpler and safer than Key-Value Observing by hand.
///
/// The controller holds its observer weakly and stops by itself when either of the two dies; ending what isn't observed
/// does nothing. Most code never makes a controller, but uses the one that each object has:
///
///     kvoController.observe(clock, keyPath: "date", options: [.initial, .new]) { view, clock, change in
///       (view as? ClockView)?.date = change[.newKey] as? Date
///     }
///
/// What a controller observes is an object, by identity, with a key path and perhaps an identifier. Observing that
/// again, in whatever form, does nothing, the initial call included: the first one wins.
///
/// ## Threads
/// Every method may be called on any thread, and also from inside a handler. No lock is held while handlers, getters or
/// the identifiers' `hash` and `==` run. An observation that ends on one thread may finish a call that is under way on
/// another.
///
/// ## Lifetimes
/// A retaining controller, which is the default, keeps the objects that it observes alive, except its own observer; a
/// non-retaining one never does. An observed object that dies takes its observations along in silence. While a handler
/// runs, the observer is alive. A handler that refers to the observer strongly, or to the controller, makes a cycle: it
/// gets the observer as an argument instead.
///
/// The counterpart of FBKVOController, under which name it is known to Objective-C.
#if canImport(ObjectiveC)
@objc(FBKVOController)
#endif
open class KVOController: NSObject, @unchecked Sendable {
  let store: ObservationStore

  /// Creates a controller for an observer.
  ///
  /// - Parameters:
  ///   - observer: What is told of changes, held weakly. Objects of any class may observe by closures.
  ///   - retainObserved: Whether the objects observed are kept alive: pass `false` where one of them holds the
  ///     observer.
  public init(observer: AnyObject?, retainObserved: Bool) {
    store = ObservationStore(observer: observer, retainsObserved: retainObserved)
    super.init()
  }

  /// Creates a controller that keeps the objects alive that it observes.
  public convenience init(observer: AnyObject?) {
    self.init(observer: observer, retainObserved: true)
  }

  deinit {
    // A subclass's override must not be called: the subclass has been torn down already.
    store.endAll()
  }

  /// What is told of changes; nil once it is gone.
  public var observer: AnyObject? { store.observer }

  // MARK: Observing

  /// Calls a block for each change of the value at a key path of `object`.
  ///
  /// Nothing happens if `object` is nil, or if the key path is observed already with that identifier.
  ///
  /// - Parameters:
  ///   - object: What to observe: a `KeyValueObject`, or on Apple platforms any `NSObject`.
  ///   - keyPath: A key, or keys joined by dots. An empty one is a mistake that only debug builds stop at.
  ///   - options: What the change holds, and when the block is called.
  ///   - identifier: Tells several observations of the key path apart.
  ///   - isolation: Where the block runs: the isolation of the caller.
  ///   - block: Gets the observer, the object, and the change with the key path under
  ///     `NSKeyValueChangeKey.keyPathKey`.
  /// - Complexity: Constant time, however many others observe the key.
  open func observe(
    _ object: Any?, keyPath: String, options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
    isolation: isolated (any Actor)? = #isolation, block: @escaping FBKVONotificationBlock
  ) {
    observe(object, keyPath, options, identifier, isolation) { observer, change in
      var dictionary = change.dictionary
      dictionary[.keyPathKey] = change.keyPath
      block(observer, change.object, dictionary)
    }
  }

  /// Calls a block for each change of the values at several key paths of `object`, which the change tells apart.
  open func observe(
    _ object: Any?, keyPaths: [String], options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
    isolation: isolated (any Actor)? = #isolation, block: @escaping FBKVONotificationBlock
  ) {
    requireKeyPaths(keyPaths, of: object)
    for keyPath in keyPaths {
      observe(object, keyPath: keyPath, options: options, identifier: identifier, isolation: isolation, block: block)
    }
  }

  /// Calls the observer's `observeValue(forKeyPath:of:change:context:)` for each change of the value at a key path.
  ///
  /// It is called on the thread that makes the change, with the change as Foundation gives it. The observer's class
  /// must have that method: it descends from `KeyValueObject`, or on Apple platforms from `NSObject`.
  open func observe(
    _ object: Any?, keyPath: String, options: NSKeyValueObservingOptions = [], context: UnsafeMutableRawPointer?
  ) {
    if let observer, !(observer is KeyValueObservable) {
      misuse(
        "Cannot tell <\(name(observer))> of \"\(keyPath)\" with a context",
        because: "its class has no observeValue(forKeyPath:of:change:context:)",
        remedy: "Let the class descend from \(KeyValueObservable.self), or observe with a block.")
    }
    observe(object, keyPath, options, nil, nil) { observer, change in
      (observer as? KeyValueObservable)?
        .observeValue(forKeyPath: change.keyPath, of: change.object, change: change.dictionary, context: context)
    }
  }

  /// Calls the observer's `observeValue(forKeyPath:of:change:context:)` for each change of the values at several key
  /// paths.
  open func observe(
    _ object: Any?, keyPaths: [String], options: NSKeyValueObservingOptions = [], context: UnsafeMutableRawPointer?
  ) {
    requireKeyPaths(keyPaths, of: object)
    for keyPath in keyPaths {
      observe(object, keyPath: keyPath, options: options, context: context)
    }
  }

  // MARK: Ending

  /// Ends the observations of a key path of `object`, with any identifier. Does nothing if there are none.
  open func unobserve(_ object: Any?, keyPath: String) {
    guard let object = Self.observed(object) else { return }
    store.end(object, keyPath)
  }

  /// Ends the observation of a key path of `object` with just this identifier. Does nothing if there is none.
  open func unobserve(_ object: Any?, keyPath: String, identifier: AnyHashable) {
    guard let object = Self.observed(object) else { return }
    store.end(object, keyPath, HashedIdentifier(identifier))
  }

  /// Ends all observations of `object`. Does nothing if there are none.
  open func unobserve(_ object: Any?) {
    guard let object = Self.observed(object) else { return }
    store.end(object)
  }

  /// Ends all observations of the controller, as its `deinit` does.
  open func unobserveAll() {
    store.endAll()
  }

  /// Names the class, the observer, and for each object each key path with its options.
  open override var debugDescription: String {
    let lines = store.all.map { object, infos in
      let object = object.map { "<\(name($0))>" } ?? "an object in its deinit"
      return "\n  \(object) -> [\(infos.map(\.debugDescription).sorted().joined(separator: ", "))]"
    }
    return "<\(name(self)) observer: \(observer.map { "<\(name($0))>" } ?? "nil")\(lines.sorted().joined())>"
  }
}

// MARK: The core

extension KVOController {
  /// Observes a key path by its name, unless it is observed with that identifier already.
  func observe(
    _ object: Any?, _ keyPath: String, _ options: NSKeyValueObservingOptions, _ identifier: AnyHashable?,
    _ isolation: (any Actor)?, handler: @escaping KVOInfo.Handler
  ) {
    requireKeyPaths(keyPath.isEmpty ? [] : [keyPath], of: object)
    guard let object = Self.observable(object, keyPath), !keyPath.isEmpty else { return }
    ObservationRequest(
      object: object, path: .named(keyPath, of: object), options: options,
      identifier: identifier.map { HashedIdentifier($0) }, isolation: isolation, handler: handler
    )
    .start(in: store)
  }

  /// Stops debug builds if there is nothing to observe; in release builds nothing is observed then.
  func requireKeyPaths(_ keyPaths: [String], of object: Any?) {
    guard keyPaths.isEmpty else { return }
    misuseInDebugBuilds(
      "Cannot observe \(object.flatMap(flattened).map { "<\(name($0 as AnyObject))>" } ?? "nil")",
      because: "the key path is empty", remedy: "Name a key.")
  }

  private static func observable(_ object: Any?, _ keyPath: String) -> KeyValueObservable? {
    guard let object else { return nil }
    if let observable = observableObject(object) { return observable }
    guard let object = flattened(object) else { return nil }
    guard let observable = observableObject(object) else {
      #if !canImport(ObjectiveC)
      if object is Progress || object is Operation || object is UserDefaults {
        misuse(
          "Cannot observe the key path \"\(keyPath)\" of a value of type \(type(of: object))",
          because: "it is not observable on this platform, where Foundation has no Key-Value Observing",
          remedy: "Observe an @Observed property of a KeyValueObject that you set when the value changes.")
      }
      #endif
      misuse(
        "Cannot observe the key path \"\(keyPath)\" of a value of type \(type(of: object))",
        because: "it is not observable on this platform",
        remedy: "Let its class descend from KeyValueObject, and mark the property @Observed.")
    }
    return observable
  }

  /// What may have been observed as `object`.
  private static func observed(_ object: Any?) -> KeyValueObservable? {
    guard let object else { return nil }
    return observableObject(object) ?? flattened(object).flatMap(observableObject)
  }
}
