// What a reference to FBKVOController's methods names, such as `controller.observe(_:keyPath:options:block:)`: a reference
// has no default arguments. A call with a closure selects the form with an isolation, because that needs no conversion
// of the block to an Optional.
extension KVOController {
  /// Calls a block for each change of the value at a key path of `object`, on the thread that makes the change.
  ///
  /// It is there for references such as `controller.observe(_:keyPath:options:block:)`. A call with a closure selects
  /// the form that runs the block in the isolation of the caller, which this one is like in all else. nil for the block
  /// observes nothing.
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
