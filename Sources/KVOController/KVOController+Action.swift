extension KVOController {
  /// Calls a method of the observer for each change of the value at a key path of `object`.
  ///
  /// The method is named by its class, as in `action: ClockView.dateDidChange`, so the observer isn't retained.
  ///
  /// - Parameters:
  ///   - object: What to observe; nil is ignored.
  ///   - keyPath: A key, or keys joined by dots.
  ///   - options: When the method is called.
  ///   - identifier: Tells several observations of the key path apart.
  ///   - isolation: Where the method runs: the isolation of the caller.
  ///   - action: A method of the observer's class; one of another class is a mistake that stops the process. A class of
  ///     the main actor that descends from `KeyValueObject` isn't Sendable, so Swift doesn't let its methods be named
  ///     here: it observes with a block or a typed key path.
  public func observe<Observer: AnyObject>(
    _ object: Any?, keyPath: String, options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
    isolation: isolated (any Actor)? = #isolation, action: @escaping (Observer) -> () -> Void
  ) {
    observe(object, [keyPath], options, identifier, isolation) { (observer: Observer, _) in action(observer)() }
  }

  /// Calls a method of the observer with each change of the value at a key path of `object`.
  public func observe<Observer: AnyObject>(
    _ object: Any?, keyPath: String, options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
    isolation: isolated (any Actor)? = #isolation, action: @escaping (Observer) -> ([NSKeyValueChangeKey: Any]) -> Void
  ) {
    observe(object, [keyPath], options, identifier, isolation) { (observer: Observer, change) in
      action(observer)(change.dictionary)
    }
  }

  /// Calls a method of the observer with each change of the value at a key path of `object`, and with the object.
  public func observe<Observer: AnyObject>(
    _ object: Any?, keyPath: String, options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
    isolation: isolated (any Actor)? = #isolation,
    action: @escaping (Observer) -> ([NSKeyValueChangeKey: Any], Any) -> Void
  ) {
    observe(object, [keyPath], options, identifier, isolation) { (observer: Observer, change) in
      action(observer)(change.dictionary, change.object)
    }
  }

  /// Calls a method of the observer for each change of the values at several key paths of `object`.
  public func observe<Observer: AnyObject>(
    _ object: Any?, keyPaths: [String], options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
    isolation: isolated (any Actor)? = #isolation, action: @escaping (Observer) -> () -> Void
  ) {
    observe(object, keyPaths, options, identifier, isolation) { (observer: Observer, _) in action(observer)() }
  }

  /// Calls a method of the observer with each change of the values at several key paths of `object`.
  ///
  /// If there are several key paths, the change also contains the one that changed, under
  /// `NSKeyValueChangeKey.keyPathKey`.
  public func observe<Observer: AnyObject>(
    _ object: Any?, keyPaths: [String], options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
    isolation: isolated (any Actor)? = #isolation, action: @escaping (Observer) -> ([NSKeyValueChangeKey: Any]) -> Void
  ) {
    let areSeveral = keyPaths.count > 1
    observe(object, keyPaths, options, identifier, isolation) { (observer: Observer, change) in
      action(observer)(areSeveral ? change.dictionaryWithKeyPath : change.dictionary)
    }
  }

  /// Calls a method of the observer with each change of the values at several key paths of `object`, and with the
  /// object.
  ///
  /// If there are several key paths, the change also contains the one that changed, under
  /// `NSKeyValueChangeKey.keyPathKey`.
  public func observe<Observer: AnyObject>(
    _ object: Any?, keyPaths: [String], options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
    isolation: isolated (any Actor)? = #isolation,
    action: @escaping (Observer) -> ([NSKeyValueChangeKey: Any], Any) -> Void
  ) {
    let areSeveral = keyPaths.count > 1
    observe(object, keyPaths, options, identifier, isolation) { (observer: Observer, change) in
      action(observer)(areSeveral ? change.dictionaryWithKeyPath : change.dictionary, change.object)
    }
  }

  /// Observes with a handler that takes an observer of just that class.
  private func observe<Observer: AnyObject>(
    _ object: Any?, _ keyPaths: [String], _ options: NSKeyValueObservingOptions, _ identifier: AnyHashable?,
    _ isolation: (any Actor)?, _ handler: @escaping (Observer, borrowing KeyValueChange) -> Void
  ) {
    requireKeyPaths(keyPaths, of: object)
    requireObserver(Observer.self, keyPaths.joined(separator: ", "))
    for keyPath in keyPaths {
      observe(object, keyPath, options, identifier, isolation) { observer, change in
        guard let observer = observer as? Observer else { return }
        handler(observer, change)
      }
    }
  }

  /// Stops the process if the observer is of another class than the handler takes.
  @usableFromInline
  func requireObserver<Observer: AnyObject>(_ type: Observer.Type, _ keyPaths: @autoclosure () -> String) {
    guard let observer, !(observer is Observer) else { return }
    misuse(
      "Cannot tell <\(name(observer))> of \"\(keyPaths())\" as a \(Observer.self)",
      because: "it is not one", remedy: "Name a method of the observer's own class, or let the handler take that class."
    )
  }
}

extension KeyValueChange {
  /// The change dictionary, with the key path for handlers that serve several.
  var dictionaryWithKeyPath: [NSKeyValueChangeKey: Any] {
    var dictionary = dictionary
    dictionary[.keyPathKey] = keyPath
    return dictionary
  }
}
