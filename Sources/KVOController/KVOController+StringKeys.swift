// Blocks as FBKVOController 1.1 and 1.2 declared them, whose changes have strings as keys. Swift chooses them only
// where the current form of the block doesn't fit: it prefers a block that needs no conversion to an Optional.
extension KVOController {
  /// Calls a block for each change of the value at a key path of `object`, with a change whose keys are strings.
  ///
  /// This is the form of FBKVOController 1.1 and 1.2, whose blocks read `change["new"]`; nil for the block observes nothing.
  /// New code uses the form that this one is like in all else:
  /// ``observe(_:keyPath:options:identifier:isolation:block:)-(_,_,_,_,_,KVOController.FBKVONotificationBlock)``.
  @_disfavoredOverload
  public func observe(
    _ object: Any?, keyPath: String, options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
    isolation: isolated (any Actor)? = #isolation,
    block: ((_ observer: Any?, _ object: Any, _ change: [String: Any]) -> Void)?
  ) {
    guard let block else { return }
    observe(object, keyPath: keyPath, options: options, identifier: identifier, isolation: isolation) {
      (observer: Any?, object: Any, change: [NSKeyValueChangeKey: Any]) in
      block(observer, object, change.withStringKeys)
    }
  }

  /// Calls a block for each change of the values at several key paths of `object`, with a change whose keys are strings.
  ///
  /// The change contains the key path under `FBKVONotificationKeyPathKey`. In all else it is like the form for one path.
  @_disfavoredOverload
  public func observe(
    _ object: Any?, keyPaths: [String], options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
    isolation: isolated (any Actor)? = #isolation,
    block: ((_ observer: Any?, _ object: Any, _ change: [String: Any]) -> Void)?
  ) {
    guard let block else { return }
    observe(object, keyPaths: keyPaths, options: options, identifier: identifier, isolation: isolation) {
      (observer: Any?, object: Any, change: [NSKeyValueChangeKey: Any]) in
      block(observer, object, change.withStringKeys)
    }
  }

  /// The form with strings as keys, on the thread of the change.
  @_disfavoredOverload
  public func observe(
    _ object: Any?, keyPath: String, options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
    isolation: Never?,
    block: @escaping @Sendable (_ observer: Any?, _ object: Any, _ change: [String: Any]) -> Void
  ) {
    let block: ((_ observer: Any?, _ object: Any, _ change: [String: Any]) -> Void)? = block
    observe(object, keyPath: keyPath, options: options, identifier: identifier, block: block)
  }

  /// The form for several key paths with strings as keys, on the thread of the change.
  @_disfavoredOverload
  public func observe(
    _ object: Any?, keyPaths: [String], options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
    isolation: Never?,
    block: @escaping @Sendable (_ observer: Any?, _ object: Any, _ change: [String: Any]) -> Void
  ) {
    let block: ((_ observer: Any?, _ object: Any, _ change: [String: Any]) -> Void)? = block
    observe(object, keyPaths: keyPaths, options: options, identifier: identifier, block: block)
  }
}

extension [NSKeyValueChangeKey: Any] {
  fileprivate var withStringKeys: [String: Any] {
    Dictionary<String, Any>(uniqueKeysWithValues: map { ($0.key.rawValue, $0.value) })
  }
}

extension Dictionary where Key == NSKeyValueChangeKey {
  /// The value for a key that is a string, as in changes of FBKVOController 1.1 and 1.2: `change["new"]`.
  ///
  /// - Parameter key: The raw value of a key.
  public subscript(key: String) -> Value? { self[NSKeyValueChangeKey(rawValue: key)] }
}
