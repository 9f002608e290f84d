// The forms with an action for an explicit `isolation: nil`, as those of a block.

extension KVOController {
  /// Calls a method of the observer for each change of the value at a key path of `object`, on the thread that
  /// makes the change, before the setter returns.
  ///
  /// - Parameters:
  ///   - object: The object to observe. nil is ignored; an object that can't be observed traps.
  ///   - keyPath: A key, or keys joined by dots. An empty key path asserts in debug builds and is ignored in release
  ///     builds.
  ///   - options: Options that determine what the change contains, and when the method is called.
  ///   - identifier: Distinguishes several observations of the key path.
  ///   - isolation: nil.
  ///   - action: A method of the observer's class that takes no arguments, on any thread.
  /// - Complexity: Amortized constant time for a key, linear in the number of keys of a path.
  public func observe<Observer: AnyObject>(
    _ object: Any?, keyPath: String, options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
    isolation: Never?, action: @escaping @Sendable (Observer) -> () -> Void
  ) {
    observe(object, keyPath: keyPath, options: options, identifier: identifier, action: action)
  }

  /// Calls a method of the observer with each change of the value at a key path of `object`, on the thread that
  /// makes the change, before the setter returns.
  ///
  /// - Parameters:
  ///   - object: The object to observe. nil is ignored; an object that can't be observed traps.
  ///   - keyPath: A key, or keys joined by dots. An empty key path asserts in debug builds and is ignored in release
  ///     builds.
  ///   - options: Options that determine what the change contains, and when the method is called.
  ///   - identifier: Distinguishes several observations of the key path.
  ///   - isolation: nil.
  ///   - action: A method of the observer's class that takes the change, on any thread.
  /// - Complexity: Amortized constant time for a key, linear in the number of keys of a path.
  public func observe<Observer: AnyObject>(
    _ object: Any?, keyPath: String, options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
    isolation: Never?, action: @escaping @Sendable (Observer) -> ([NSKeyValueChangeKey: Any]) -> Void
  ) {
    observe(object, keyPath: keyPath, options: options, identifier: identifier, action: action)
  }

  /// Calls a method of the observer with each change of the value at a key path of `object`, and with the object, on the thread that
  /// makes the change, before the setter returns.
  ///
  /// - Parameters:
  ///   - object: The object to observe. nil is ignored; an object that can't be observed traps.
  ///   - keyPath: A key, or keys joined by dots. An empty key path asserts in debug builds and is ignored in release
  ///     builds.
  ///   - options: Options that determine what the change contains, and when the method is called.
  ///   - identifier: Distinguishes several observations of the key path.
  ///   - isolation: nil.
  ///   - action: A method of the observer's class that takes the change and the object, on any thread.
  /// - Complexity: Amortized constant time for a key, linear in the number of keys of a path.
  public func observe<Observer: AnyObject>(
    _ object: Any?, keyPath: String, options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
    isolation: Never?, action: @escaping @Sendable (Observer) -> ([NSKeyValueChangeKey: Any], Any) -> Void
  ) {
    observe(object, keyPath: keyPath, options: options, identifier: identifier, action: action)
  }

  /// Calls a method of the observer for each change of the values at several key paths of `object`, on the thread that
  /// makes the change, before the setter returns.
  ///
  /// - Parameters:
  ///   - object: The object to observe. nil is ignored; an object that can't be observed traps.
  ///   - keyPaths: The key paths to observe, each a key, or keys joined by dots. An empty list or an empty key path
  ///     asserts in debug builds and is ignored in release builds.
  ///   - options: Options that determine what the change contains, and when the method is called.
  ///   - identifier: Distinguishes several observations of the key paths.
  ///   - isolation: nil.
  ///   - action: A method of the observer's class that takes no arguments, on any thread.
  /// - Complexity: Linear in the number of keys of all key paths.
  public func observe<Observer: AnyObject>(
    _ object: Any?, keyPaths: [String], options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
    isolation: Never?, action: @escaping @Sendable (Observer) -> () -> Void
  ) {
    observe(object, keyPaths: keyPaths, options: options, identifier: identifier, action: action)
  }

  /// Calls a method of the observer with each change of the values at several key paths of `object`, on the thread that
  /// makes the change, before the setter returns.
  ///
  /// - Parameters:
  ///   - object: The object to observe. nil is ignored; an object that can't be observed traps.
  ///   - keyPaths: The key paths to observe, each a key, or keys joined by dots. An empty list or an empty key path
  ///     asserts in debug builds and is ignored in release builds.
  ///   - options: Options that determine what the change contains, and when the method is called.
  ///   - identifier: Distinguishes several observations of the key paths.
  ///   - isolation: nil.
  ///   - action: A method of the observer's class that takes the change, on any thread.
  /// - Complexity: Linear in the number of keys of all key paths.
  public func observe<Observer: AnyObject>(
    _ object: Any?, keyPaths: [String], options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
    isolation: Never?, action: @escaping @Sendable (Observer) -> ([NSKeyValueChangeKey: Any]) -> Void
  ) {
    observe(object, keyPaths: keyPaths, options: options, identifier: identifier, action: action)
  }

  /// Calls a method of the observer with each change of the values at several key paths of `object`, and with the object, on the thread that
  /// makes the change, before the setter returns.
  ///
  /// - Parameters:
  ///   - object: The object to observe. nil is ignored; an object that can't be observed traps.
  ///   - keyPaths: The key paths to observe, each a key, or keys joined by dots. An empty list or an empty key path
  ///     asserts in debug builds and is ignored in release builds.
  ///   - options: Options that determine what the change contains, and when the method is called.
  ///   - identifier: Distinguishes several observations of the key paths.
  ///   - isolation: nil.
  ///   - action: A method of the observer's class that takes the change and the object, on any thread.
  /// - Complexity: Linear in the number of keys of all key paths.
  public func observe<Observer: AnyObject>(
    _ object: Any?, keyPaths: [String], options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
    isolation: Never?, action: @escaping @Sendable (Observer) -> ([NSKeyValueChangeKey: Any], Any) -> Void
  ) {
    observe(object, keyPaths: keyPaths, options: options, identifier: identifier, action: action)
  }
}
