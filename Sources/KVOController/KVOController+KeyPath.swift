extension KVOController {
  /// Calls a handler for each change of the value at a key path of `object`, with the values in their types.
  ///
  ///     kvoController.observe(clock, \.date) { clock, change in … }
  ///
  /// A key path may lead through several objects and through Optionals. Where Foundation has no Key-Value Observing, it
  /// may also name computed properties that no class declares: reading it shows what it depends on each time.
  ///
  /// - Parameters:
  ///   - object: What to observe.
  ///   - keyPath: What of it; one that can't be observed is a mistake that stops the process.
  ///   - options: What the change holds, and when the handler is called.
  ///   - identifier: Tells several observations of the key path apart.
  ///   - isolation: Where the handler runs: the isolation of the caller. A change that is made there is delivered at
  ///     once, any other is sent there, in order; then a `.prior` call comes after its change as well.
  ///   - changeHandler: Gets the object and the change.
  /// - Returns: What ends just this observation; if the key path is observed already, what ends that.
  @inlinable
  @discardableResult
  public func observe<Object: KeyValueObservable, Value>(
    _ object: Object, _ keyPath: KeyPath<Object, Value>, options: NSKeyValueObservingOptions = [.old, .new],
    identifier: AnyHashable? = nil, isolation: isolated (any Actor)? = #isolation,
    changeHandler: @escaping (Object, KVOChange<Value>) -> Void
  ) -> KVOObservation {
    observation(of: object, .resolved(keyPath, of: object), options, identifier, isolation) { _, change in
      // A change is always of the object that was observed.
      let typed = KVOChange<Value>(change)
      change.withObject { changeHandler(unsafeDowncast($0, to: Object.self), typed) }
    }
  }

  /// Calls a handler for each change of the value at a key path of `object`, with the observer first.
  ///
  ///     kvoController.observe(clock, \.date) { (view: ClockView, clock, change) in … }
  ///
  /// An observer of another class than the handler takes is a mistake that stops the process.
  @inlinable
  @discardableResult
  public func observe<Observer: AnyObject, Object: KeyValueObservable, Value>(
    _ object: Object, _ keyPath: KeyPath<Object, Value>, options: NSKeyValueObservingOptions = [.old, .new],
    identifier: AnyHashable? = nil, isolation: isolated (any Actor)? = #isolation,
    changeHandler: @escaping (Observer, Object, KVOChange<Value>) -> Void
  ) -> KVOObservation {
    requireObserver(Observer.self, String(describing: keyPath))
    let path = ObservedPath.resolved(keyPath, of: object)
    return observation(of: object, path, options, identifier, isolation) { observer, change in
      guard let observer = observer as? Observer else { return }
      // A change is always of the object that was observed.
      let typed = KVOChange<Value>(change)
      change.withObject { changeHandler(observer, unsafeDowncast($0, to: Object.self), typed) }
    }
  }

  /// Ends the observations of a key path of `object`, with whatever identifier. Does nothing if there are none.
  public func unobserve<Object: KeyValueObservable, Value>(_ object: Object, _ keyPath: KeyPath<Object, Value>) {
    unobserve(object, keyPath: ObservedPath.name(keyPath, of: object))
  }

  /// Ends the observation of a key path of `object` with just this identifier. Does nothing if there is none.
  public func unobserve<Object: KeyValueObservable, Value>(
    _ object: Object, _ keyPath: KeyPath<Object, Value>, identifier: AnyHashable
  ) {
    unobserve(object, keyPath: ObservedPath.name(keyPath, of: object), identifier: identifier)
  }

  @usableFromInline
  func observation(
    of object: KeyValueObservable, _ path: ObservedPath, _ options: NSKeyValueObservingOptions,
    _ identifier: AnyHashable?, _ isolation: (any Actor)?,
    _ handler: @escaping (_ observer: AnyObject, _ change: borrowing KeyValueChange) -> Void
  ) -> KVOObservation {
    KVOObservation(
      ObservationRequest(
        object: object, path: path, options: options, identifier: identifier.map { HashedIdentifier($0) },
        isolation: isolation, handler: handler
      )
      .start(in: store))
  }
}
