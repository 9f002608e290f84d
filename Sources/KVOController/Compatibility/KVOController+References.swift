// What a reference to FBKVOController's methods names, such as `controller.observe(_:keyPath:options:block:)`: a reference
// has no default arguments. A call with a closure selects the form with an isolation, because that needs no conversion
// of the block to an Optional.
extension KVOController {
  /// Calls a block for each change of the value at a key path of `object`, on the thread that makes the change.
  ///
  /// It is there for references such as `controller.observe(_:keyPath:options:block:)`. A call with a closure selects
  /// the form that runs the block in the isolation of the caller.
  ///
  /// - Parameters:
  ///   - object: The object to observe. nil is ignored; an object that can't be observed traps.
  ///   - keyPath: A key, or keys joined by dots. An empty key path asserts in debug builds and is ignored in release
  ///     builds.
  ///   - options: Options that determine what the change contains, and when the block is called.
  ///   - block: A closure that takes the observer, the object, and the change. nil observes nothing.
  /// - Complexity: Constant time for a key, linear in the number of keys of a path.
  @_disfavoredOverload
  public func observe(
    _ object: Any?, keyPath: String, options: NSKeyValueObservingOptions,
    block: (@Sendable (_ observer: Any?, _ object: Any, _ change: [NSKeyValueChangeKey: Any]) -> Void)?
  ) {
    guard let block else { return }
    observe(object, keyPath: keyPath, options: options, isolation: nil, block: block)
  }

  /// Calls a block for each change of the values at several key paths of `object`, on the thread that makes the change.
  ///
  /// It is there for references such as `controller.observe(_:keyPaths:options:block:)`. In all else it is like
  /// ``observe(_:keyPath:options:block:)``.
  @_disfavoredOverload
  public func observe(
    _ object: Any?, keyPaths: [String], options: NSKeyValueObservingOptions,
    block: (@Sendable (_ observer: Any?, _ object: Any, _ change: [NSKeyValueChangeKey: Any]) -> Void)?
  ) {
    guard let block else { return }
    observe(object, keyPaths: keyPaths, options: options, isolation: nil, block: block)
  }
}
