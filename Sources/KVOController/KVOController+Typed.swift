extension KVOController {
  /// Calls a handler for each change of the value at a key path of `object`, with values of the property's own type.
  ///
  ///     kvoController.observe(clock, \.date) { clock, change in … }
  ///
  /// A key path can lead through several objects and through Optionals. That of a `KeyValueObject` can also end in a
  /// computed property that no class declares: each time the path is read, the engine tracks the `@Observed` properties
  /// that its getter reads.
  ///
  /// In all else, and in its parameters, it is like an object's own form, which also passes the observer:
  /// ``/KVOController/KVOObserver/observe(_:_:options:identifier:isolation:delivery:changeHandler:fileID:line:)-(_,KeyPath<Object,Value>,_,_,_,_,_,_,_)``.
  ///
  /// - Returns: A token that ends this observation. Releasing it stops nothing.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func observe<Object: KeyValueObservable, Value>(
    _ object: Object, _ keyPath: KeyPath<Object, Value>, options: NSKeyValueObservingOptions = [.old, .new],
    identifier: AnyHashable? = nil, isolation: isolated (any Actor)? = #isolation, delivery: KVODelivery = .each,
    changeHandler: @escaping (Object, KVOChange<Value>) -> Void,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> KVOObservation {
    let site = (fileID, line)
    return observation(
      of: object,
      Request(
        .resolved(keyPath, of: object, site), options, identifier, isolation, delivery, site,
        Self.typed(changeHandler)))
  }

  /// As ``observe(_:_:options:identifier:isolation:delivery:changeHandler:fileID:line:)-(_,_,_,_,_,_,(Object,KVOController.KVOChange<Value>)->Void,_,_)``, on the thread of the change.
  @inlinable
  @discardableResult
  public func observe<Object: KeyValueObservable, Value>(
    _ object: Object, _ keyPath: KeyPath<Object, Value>, options: NSKeyValueObservingOptions = [.old, .new],
    identifier: AnyHashable? = nil, isolation: Never?,
    changeHandler: @escaping @Sendable (Object, KVOChange<Value>) -> Void,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> KVOObservation {
    observe(
      object, keyPath, options: options, identifier: identifier, changeHandler: changeHandler, fileID: fileID,
      line: line)
  }

  /// Calls a handler for each change of the value at a key path of `object`, with the observer first.
  ///
  ///     kvoController.observe(clock, \.date) { (view: ClockView, clock, change) in … }
  ///
  /// The observer is passed so that the closure doesn't capture it. Spell out its type, because the controller can't
  /// infer it; an observer of another class traps. In all else it is like
  /// ``observe(_:_:options:identifier:isolation:delivery:changeHandler:fileID:line:)-(_,_,_,_,_,_,(Object,KVOController.KVOChange<Value>)->Void,_,_)``.
  @_disfavoredOverload
  @inlinable
  @discardableResult
  public func observe<Observer: AnyObject, Object: KeyValueObservable, Value>(
    _ object: Object, _ keyPath: KeyPath<Object, Value>, options: NSKeyValueObservingOptions = [.old, .new],
    identifier: AnyHashable? = nil, isolation: isolated (any Actor)? = #isolation, delivery: KVODelivery = .each,
    changeHandler: @escaping (Observer, Object, KVOChange<Value>) -> Void,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> KVOObservation {
    let site = (fileID, line)
    let path = ObservedPath.resolved(keyPath, of: object, site)
    requireObserver(Observer.self, keyPath, site)
    return observation(
      of: object, Request(path, options, identifier, isolation, delivery, site, Self.typed(changeHandler)))
  }

  /// As ``observe(_:_:options:identifier:isolation:delivery:changeHandler:fileID:line:)-(_,_,_,_,_,_,(Observer,Object,KVOController.KVOChange<Value>)->Void,_,_)``, on the thread of the change.
  @inlinable
  @discardableResult
  public func observe<Observer: AnyObject, Object: KeyValueObservable, Value>(
    _ object: Object, _ keyPath: KeyPath<Object, Value>, options: NSKeyValueObservingOptions = [.old, .new],
    identifier: AnyHashable? = nil, isolation: Never?,
    changeHandler: @escaping @Sendable (Observer, Object, KVOChange<Value>) -> Void,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> KVOObservation {
    observe(
      object, keyPath, options: options, identifier: identifier, changeHandler: changeHandler, fileID: fileID,
      line: line)
  }

  /// Traps if the observer isn't of the class that the handler expects.
  @usableFromInline
  func requireObserver<Observer: AnyObject>(_ type: Observer.Type, _ keyPath: AnyKeyPath, _ site: CallSite) {
    guard let observer, !(observer is Observer) else { return }
    refuse(observer, expecting: type, ObservedPath.description(of: keyPath), site)
  }

  func refuse(_ observer: AnyObject, expecting type: AnyClass, _ keyPaths: String, _ site: CallSite?) -> Never {
    misuse(
      "Cannot notify <\(debugName(of: observer))>",
      because: "the handler for \(keyPaths) expects an observer of type \(type)",
      remedy: "Use the observer's own class.", site: site)
  }

  /// Stops everything that is observed of a key path of `object`, whatever the identifiers: bindings from it, and
  /// observations of its elements too. Takes it out of lists. Does nothing if it isn't observed. Calls no method that a
  /// subclass overrides.
  public func unobserve<Object: KeyValueObservable, Value>(_ object: Object, _ keyPath: KeyPath<Object, Value>) {
    if let path = ObservedPath.found(keyPath, of: object) { store.end(.path(path), of: object) }
  }

  /// Stops observing a key path of `object` with the identifier that was passed to `observe`. Does nothing if it isn't
  /// observed with that one.
  public func unobserve<Object: KeyValueObservable, Value>(
    _ object: Object, _ keyPath: KeyPath<Object, Value>, identifier: AnyHashable
  ) {
    if let path = ObservedPath.found(keyPath, of: object) { store.end(.path(path), of: object, identifier) }
  }

  /// Stops observing each of the key paths of `object`, and lists of just these, in any order. Takes none of them out
  /// of other lists.
  ///
  /// - Complexity: Linear in the number of observations of the object by this controller, for each key path.
  public func unobserve<Object: KeyValueObservable>(_ object: Object, _ keyPaths: [PartialKeyPath<Object>]) {
    store.end(ObservedPath.distinct(keyPaths.compactMap { .found($0, of: object) }, at: object), of: object)
  }

  /// Begins an observation, and returns its token.
  @usableFromInline
  func observation(of object: KeyValueObservable, _ request: Request) -> KVOObservation {
    // There is nothing to observe.
    if request.path.isEmpty { return KVOObservation(nil, path: request.path) }
    return KVOObservation(store.observe(object, request))
  }

  // Handlers that take the observer and the object with their types. An observation has one observer and one object, whose types
  // were checked when it began, so they aren't checked in each call, for the row "set with a typed handler" of `Benchmarks`.

  @inlinable
  @inline(__always)
  static func typed<Object: AnyObject, Value>(
    _ changeHandler: @escaping (Object, KVOChange<Value>) -> Void
  ) -> (_ observer: AnyObject, _ change: borrowing KeyValueChange) -> Void {
    { _, change in
      let typed = KVOChange<Value>(change)
      change.borrowedObject?._withUnsafeGuaranteedRef { changeHandler(unsafeDowncast($0, to: Object.self), typed) }
    }
  }

  @inlinable
  @inline(__always)
  static func typed<Observer: AnyObject, Object: AnyObject, Value>(
    _ changeHandler: @escaping (Observer, Object, KVOChange<Value>) -> Void
  ) -> (_ observer: AnyObject, _ change: borrowing KeyValueChange) -> Void {
    { observer, change in
      let typed = KVOChange<Value>(change)
      change.borrowedObject?._withUnsafeGuaranteedRef {
        changeHandler(unsafeDowncast(observer, to: Observer.self), unsafeDowncast($0, to: Object.self), typed)
      }
    }
  }
}
