/// An object that observes others by methods of its own, whose handlers receive it as their first argument.
///
///     screen.observe(player, \.rate) { screen, player, change in … }
///
/// All objects that can be observed conform: each `KeyValueObject`, and on Apple platforms each `NSObject`. These methods
/// use the object's `kvoController`, and follow its rules.
public protocol KVOObserver: AnyObject {}

extension KeyValueObservable: KVOObserver {}

extension KVOObserver where Self: KeyValueObservable {
  /// Calls a handler for each change of the value at a key path of `object`, with this object first.
  ///
  ///     screen.observe(player, \.rate) { screen, player, change in … }
  ///
  /// Each call is an observation of its own, and all are called. With an `identifier` it replaces the former one with
  /// an equal identifier, initial call included. The observation ends with this object or with `object`. It retains
  /// `object`, unless that is this object.
  ///
  /// - Parameters:
  ///   - object: The object to observe.
  ///   - keyPath: The key path to observe. Traps if it can't be observed.
  ///   - options: Options that determine what the change contains, and when the handler is called.
  ///   - identifier: With one, the observation replaces that of the key path with an equal one.
  ///   - isolation: The actor on which the handler runs. Defaults to the caller's; pass nil to run on the thread that
  ///     makes the change, with a handler that is `@Sendable`. A change made on the actor is delivered before the
  ///     setter returns. Changes from other threads are queued for the actor, in order; a queued `.prior` call runs
  ///     after the value has changed.
  ///   - delivery: When the handler is called: for each change, or only when it matters.
  ///   - changeHandler: A closure that takes this object, the observed object, and the change.
  ///   - fileID: The file that a message about misuse names.
  ///   - line: The line that a message about misuse names.
  /// - Returns: A token that ends this observation. Releasing it stops nothing.
  /// - Complexity: Amortized constant time for a key, linear in the number of keys of a path.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func observe<Object: KeyValueObservable, Value>(
    _ object: Object, _ keyPath: KeyPath<Object, Value>, options: NSKeyValueObservingOptions = [.old, .new],
    identifier: AnyHashable? = nil, isolation: isolated (any Actor)? = #isolation, delivery: KVODelivery = .each,
    changeHandler: @escaping (Self, Object, KVOChange<Value>) -> Void,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> KVOObservation {
    let site = (fileID, line)
    return controllerForHandlers(at: site).observation(
      of: object,
      Request(
        .resolved(keyPath, of: object, site), options, identifier, isolation, delivery, site,
        KVOController.typed(changeHandler)))
  }

  /// The form for `isolation: nil`: the handler runs on the thread that makes the change.
  @inlinable
  @discardableResult
  public func observe<Object: KeyValueObservable, Value>(
    _ object: Object, _ keyPath: KeyPath<Object, Value>, options: NSKeyValueObservingOptions = [.old, .new],
    identifier: AnyHashable? = nil, isolation: Never?,
    changeHandler: @escaping @Sendable (Self, Object, KVOChange<Value>) -> Void,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> KVOObservation {
    observe(
      object, keyPath, options: options, identifier: identifier, changeHandler: changeHandler, fileID: fileID,
      line: line)
  }

  /// Calls a handler for each change of a value at one of several key paths of `object`.
  ///
  ///     screen.observe(song, [\.title, \.artist], options: .initial) { screen, song in screen.redraw() }
  ///
  /// The handler is called once for each change, however many of the key paths it touches; with `.initial` also once,
  /// before this method returns. This is an observation of its own. `unobserve` of one of the key paths takes that one
  /// out. With an `identifier`, it replaces the former one of the same key paths, in any order, with an equal
  /// identifier. Traps if a key path can't be observed; an empty list asserts in debug builds and is ignored in release
  /// builds. In all else it is like the form for one key path.
  ///
  /// - Returns: A token that ends this observation. Releasing it stops nothing.
  @_disfavoredOverload
  @discardableResult
  public func observe<Object: KeyValueObservable>(
    _ object: Object, _ keyPaths: [PartialKeyPath<Object>], options: NSKeyValueObservingOptions = [],
    identifier: AnyHashable? = nil, isolation: isolated (any Actor)? = #isolation, delivery: KVODelivery = .each,
    changeHandler: @escaping (Self, Object) -> Void, fileID: StaticString = #fileID, line: UInt = #line
  ) -> KVOObservation {
    let site = (fileID, line)
    let path = ObservedPath.list(keyPaths, of: object, site)
    let request = Request(path, options, identifier, isolation, delivery, site) { observer, change in
      guard let object = change.object else { return }
      changeHandler(unsafeDowncast(observer, to: Self.self), unsafeDowncast(object, to: Object.self))
    }
    return controllerForHandlers(at: site).observation(of: object, request)
  }

  /// The form for `isolation: nil`: the handler runs on the thread that makes the change.
  @discardableResult
  public func observe<Object: KeyValueObservable>(
    _ object: Object, _ keyPaths: [PartialKeyPath<Object>], options: NSKeyValueObservingOptions = [],
    identifier: AnyHashable? = nil, isolation: Never?, changeHandler: @escaping @Sendable (Self, Object) -> Void,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> KVOObservation {
    observe(
      object, keyPaths, options: options, identifier: identifier, changeHandler: changeHandler, fileID: fileID,
      line: line)
  }

  /// Stops everything that this object observes of a key path of `object`, whatever the identifiers: bindings from it,
  /// and observations of its elements too. Takes it out of lists. Does nothing if it isn't observed. Observations of
  /// all properties go on: their tokens end them, and `unobserve(_:)`.
  public func unobserve<Object: KeyValueObservable, Value>(_ object: Object, _ keyPath: KeyPath<Object, Value>) {
    kvoController.unobserve(object, keyPath)
  }

  /// Stops observing a key path of `object` with the identifier that was passed to `observe`. Does nothing if it isn't
  /// observed with that one.
  public func unobserve<Object: KeyValueObservable, Value>(
    _ object: Object, _ keyPath: KeyPath<Object, Value>, identifier: AnyHashable
  ) {
    kvoController.unobserve(object, keyPath, identifier: identifier)
  }

  /// Stops observing each of the key paths of `object`, and lists of just these, in any order. Takes none of them out
  /// of other lists.
  public func unobserve<Object: KeyValueObservable>(_ object: Object, _ keyPaths: [PartialKeyPath<Object>]) {
    kvoController.unobserve(object, keyPaths)
  }

  /// Stops observing all key paths of `object`. Does nothing if none is observed.
  public func unobserve(_ object: KeyValueObservable) {
    kvoController.unobserve(object)
  }
}

extension KVOObserver where Self: KeyValueObservable {
  /// The controller with which this object observes. Traps if its observer, which handlers receive, is of another class. A
  /// controller is an `NSObject` on Apple platforms, but doesn't observe for itself: its handler should take the observer.
  @usableFromInline
  func controllerForHandlers(at site: CallSite) -> KVOController {
    let controller = controllerForBindings(at: site)
    if let observer = controller.store.observer.object, observer !== self, !(observer is Self) {
      misuse(
        "Cannot notify <\(debugName(of: observer))>",
        because:
          "it has the controller of <\(debugName(of: self))>, whose handler expects an observer of type \(Self.self)",
        remedy: "Use the observer's own class, or give each object a controller of its own.", site: site)
    }
    return controller
  }

  /// The same for bindings, which have no handler: they assign to this object, whatever the controller's observer is.
  func controllerForBindings(at site: CallSite) -> KVOController {
    #if canImport(ObjectiveC)
    if self is KVOController {
      misuse(
        "Cannot observe on behalf of <\(debugName(of: self))>", because: "it is a controller",
        remedy: "Spell out the type of the handler's first argument: { (observer: Screen, object, change) in … }",
        site: site)
    }
    #endif
    return kvoController
  }
}

extension KVOObserver where Self: KeyValueObservable {
  /// Calls a handler for each change of any property of `object`, with the key of the property.
  ///
  ///     store.observe(allOf: song) { store, song, key in store.unsavedSongs.insert(song) }
  ///
  /// The handler is called once for each change of an `@Observed` property, inherited ones included, and of a key that
  /// the class lists in `keyPaths` and that isn't computed from others. It is one observation, which ends with this
  /// object or with `object`, and not when you unobserve a key path. It retains `object`, unless that is this object.
  /// With an `identifier`, it replaces the former one of all of the object with an equal identifier. In all else it is
  /// like the form for one key path.
  ///
  /// - Returns: A token that ends this observation. Releasing it stops nothing.
  @_disfavoredOverload
  @discardableResult
  public func observe<Object: KeyValueObject>(
    allOf object: Object, identifier: AnyHashable? = nil, isolation: isolated (any Actor)? = #isolation,
    changeHandler: @escaping (Self, Object, String) -> Void, fileID: StaticString = #fileID, line: UInt = #line
  ) -> KVOObservation {
    let handler: KVOInfo.Handler = { observer, change in
      guard let object = change.object, let key = change.key else { return }
      changeHandler(unsafeDowncast(observer, to: Self.self), unsafeDowncast(object, to: Object.self), key.name)
    }
    let site = (fileID, line)
    let request = Request(object.properties.pathOfAllKeys, [], identifier, isolation, .each, site, handler)
    return controllerForHandlers(at: site).observation(of: object, request)
  }

  /// The form for `isolation: nil`: the handler runs on the thread that makes the change.
  @discardableResult
  public func observe<Object: KeyValueObject>(
    allOf object: Object, identifier: AnyHashable? = nil, isolation: Never?,
    changeHandler: @escaping @Sendable (Self, Object, String) -> Void, fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> KVOObservation {
    observe(allOf: object, identifier: identifier, changeHandler: changeHandler, fileID: fileID, line: line)
  }
}
