extension KVOController {
  /// Calls a method of the observer for each change of the value at a key path of `object`.
  ///
  /// Pass an unapplied reference to the method, as in `action: ClockView.dateDidChange`, so that the observer isn't
  /// retained. An observer of another class traps. In all else it is like
  /// ``observe(_:keyPath:options:identifier:isolation:block:)-6p52i``.
  ///
  /// > Note: A main-actor class that inherits from `KeyValueObject` isn't Sendable, so Swift rejects an unapplied
  /// > reference to its methods here. Observe with a block or a typed key path instead.
  @_disfavoredOverload
  public func observe<Observer: AnyObject>(
    _ object: Any?, keyPath: String, options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
    isolation: isolated (any Actor)? = #isolation, action: @escaping (Observer) -> () -> Void
  ) {
    observe(object, keyPath, options, identifier, isolation) { (observer: Observer, _) in action(observer)() }
  }

  /// As ``observe(_:keyPath:options:identifier:isolation:action:)-1ufc9``, on the thread of the change.
  public func observe<Observer: AnyObject>(
    _ object: Any?, keyPath: String, options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
    isolation: Never?, action: @escaping @Sendable (Observer) -> () -> Void
  ) {
    observe(object, keyPath: keyPath, options: options, identifier: identifier, action: action)
  }

  /// Calls a method of the observer with each change, which is Foundation's dictionary.
  ///
  /// In all else it is like ``observe(_:keyPath:options:identifier:isolation:action:)-1ufc9``.
  @_disfavoredOverload
  public func observe<Observer: AnyObject>(
    _ object: Any?, keyPath: String, options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
    isolation: isolated (any Actor)? = #isolation, action: @escaping (Observer) -> ([NSKeyValueChangeKey: Any]) -> Void
  ) {
    observe(object, keyPath, options, identifier, isolation) { (observer: Observer, change) in
      action(observer)(change.dictionary)
    }
  }

  /// As ``observe(_:keyPath:options:identifier:isolation:action:)-2cja0``, on the thread of the change.
  public func observe<Observer: AnyObject>(
    _ object: Any?, keyPath: String, options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
    isolation: Never?, action: @escaping @Sendable (Observer) -> ([NSKeyValueChangeKey: Any]) -> Void
  ) {
    observe(object, keyPath: keyPath, options: options, identifier: identifier, action: action)
  }

  /// Calls a method of the observer with each change, which is Foundation's dictionary, and with the object.
  ///
  /// In all else it is like ``observe(_:keyPath:options:identifier:isolation:action:)-1ufc9``.
  @_disfavoredOverload
  public func observe<Observer: AnyObject>(
    _ object: Any?, keyPath: String, options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
    isolation: isolated (any Actor)? = #isolation,
    action: @escaping (Observer) -> ([NSKeyValueChangeKey: Any], Any) -> Void
  ) {
    observe(object, keyPath, options, identifier, isolation) { (observer: Observer, change) in
      if let object = change.object { action(observer)(change.dictionary, object) }
    }
  }

  /// As ``observe(_:keyPath:options:identifier:isolation:action:)-2f222``, on the thread of the change.
  public func observe<Observer: AnyObject>(
    _ object: Any?, keyPath: String, options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
    isolation: Never?, action: @escaping @Sendable (Observer) -> ([NSKeyValueChangeKey: Any], Any) -> Void
  ) {
    observe(object, keyPath: keyPath, options: options, identifier: identifier, action: action)
  }

  // Methods that are isolated to the main actor. Swift selects these for them wherever they are passed; in nonisolated code it would let
  // a reference to one lose its isolation. A call that names its isolation compiles, and runs on the main actor all the same.

  /// On the main actor, to which the method is isolated: ``observe(_:keyPath:options:identifier:isolation:action:)-1ufc9``.
  @_disfavoredOverload
  public func observe<Observer: AnyObject>(
    _ object: Any?, keyPath: String, options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
    isolation _: (any Actor)? = nil, action: @escaping (Observer) -> @MainActor () -> Void
  ) {
    // Only the main actor calls it.
    let action = unsafeBitCast(action, to: ((Observer) -> () -> Void).self)
    observe(object, keyPath, options, identifier, MainActor.shared) { (observer: Observer, _) in action(observer)() }
  }

  /// On the main actor, to which the method is isolated: ``observe(_:keyPath:options:identifier:isolation:action:)-2cja0``.
  @_disfavoredOverload
  public func observe<Observer: AnyObject>(
    _ object: Any?, keyPath: String, options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
    isolation _: (any Actor)? = nil, action: @escaping (Observer) -> @MainActor ([NSKeyValueChangeKey: Any]) -> Void
  ) {
    // Only the main actor calls it.
    let action = unsafeBitCast(action, to: ((Observer) -> ([NSKeyValueChangeKey: Any]) -> Void).self)
    observe(object, keyPath, options, identifier, MainActor.shared) { (observer: Observer, change) in
      action(observer)(change.dictionary)
    }
  }

  /// On the main actor, to which the method is isolated: ``observe(_:keyPath:options:identifier:isolation:action:)-2f222``.
  @_disfavoredOverload
  public func observe<Observer: AnyObject>(
    _ object: Any?, keyPath: String, options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
    isolation _: (any Actor)? = nil,
    action: @escaping (Observer) -> @MainActor ([NSKeyValueChangeKey: Any], Any) -> Void
  ) {
    // Only the main actor calls it.
    let action = unsafeBitCast(action, to: ((Observer) -> ([NSKeyValueChangeKey: Any], Any) -> Void).self)
    observe(object, keyPath, options, identifier, MainActor.shared) { (observer: Observer, change) in
      if let object = change.object { action(observer)(change.dictionary, object) }
    }
  }

  /// Traps: a method of the main actor can't run on the thread of the change.
  @available(*, deprecated, message: "The method is isolated to the main actor. Leave out isolation: nil.")
  public func observe<Observer: AnyObject, each Argument>(
    _ object: Any?, keyPath: String, options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
    isolation: Never?, action: @escaping @Sendable (Observer) -> @MainActor (repeat each Argument) -> Void
  ) {
    misuse(
      "Cannot call a method of \(Observer.self) on the thread of the change",
      because: "it is isolated to the main actor",
      remedy: "Leave out isolation: nil.")
  }

  private func observe<Observer: AnyObject>(
    _ object: Any?, _ keyPath: String, _ options: NSKeyValueObservingOptions, _ identifier: AnyHashable?,
    _ isolation: (any Actor)?, _ handler: @escaping (Observer, borrowing KeyValueChange) -> Void
  ) {
    if let observer, !(observer is Observer) { refuse(observer, expecting: Observer.self, "\"\(keyPath)\"", nil) }
    let identity = Identity(identifier, .strings)
    observe(object, [keyPath]) {
      Request(path: $0, options: options, identity: identity, destination: Destination(isolation), form: .action) {
        observer, change in
        guard let observer = observer as? Observer else { return }
        handler(observer, change)
      }
    }
  }
}
