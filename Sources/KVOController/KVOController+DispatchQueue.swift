extension KVOController {
  /// Calls a block on a dispatch queue for each change of the value at a key path of `object`.
  ///
  /// The calls are made one after the other, in the order of the changes, even on a concurrent queue; those that the options
  /// `.initial` and `.prior` request too. After `unobserve` has returned on a serial queue, the block isn't called on it again.
  ///
  /// - Parameters:
  ///   - object: The object to observe. nil is ignored; an object that can't be observed traps.
  ///   - keyPath: A key, or keys joined by dots. An empty key path asserts in debug builds and is ignored in release
  ///     builds.
  ///   - options: Options that determine what the change contains, and when the block is called.
  ///   - identifier: Distinguishes several observations of the key path.
  ///   - queue: The queue on which the block runs.
  ///   - block: A closure that takes the observer, the object, and the change, which also contains the key path.
  /// - Complexity: Amortized constant time for a key, linear in the number of keys of a path.
  public func observe(
    _ object: Any?, keyPath: String, options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
    queue: DispatchQueue,
    block: @escaping @Sendable (_ observer: Any?, _ object: Any, _ change: [NSKeyValueChangeKey: Any]) -> Void
  ) {
    observe(object, [keyPath], options, identifier, queue: queue, .block(block))
  }

  /// Calls a block on a dispatch queue for each change of the values at several key paths of `object`.
  ///
  /// - Parameters:
  ///   - object: The object to observe. nil is ignored; an object that can't be observed traps.
  ///   - keyPaths: The key paths to observe, each a key, or keys joined by dots. An empty list or an empty key path
  ///     asserts in debug builds and is ignored in release builds.
  ///   - options: Options that determine what the change contains, and when the block is called.
  ///   - identifier: Distinguishes several observations of the key paths.
  ///   - queue: The queue on which the block runs.
  ///   - block: A closure that takes the observer, the object, and the change, which also contains the key path.
  /// - Complexity: Linear in the number of keys of all key paths.
  public func observe(
    _ object: Any?, keyPaths: [String], options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
    queue: DispatchQueue,
    block: @escaping @Sendable (_ observer: Any?, _ object: Any, _ change: [NSKeyValueChangeKey: Any]) -> Void
  ) {
    requireKeyPaths(keyPaths, of: object)
    observe(object, keyPaths, options, identifier, queue: queue, .block(block))
  }
}
