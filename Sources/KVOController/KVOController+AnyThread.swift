// The forms for an explicit `isolation: nil`. What the compiler has checked as isolated to an actor isn't `@Sendable`, so it
// isn't accepted here. No value is of the type `Never`: only nil selects these forms.

extension KVOController {
  /// As ``observe(_:keyPath:options:identifier:isolation:block:)-6p52i``, on the thread of the change.
  public func observe(
    _ object: Any?, keyPath: String, options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
    isolation: Never?,
    block: @escaping @Sendable (_ observer: Any?, _ object: Any, _ change: [NSKeyValueChangeKey: Any]) -> Void
  ) {
    observe(object, keyPath: keyPath, options: options, identifier: identifier, block: block)
  }

  /// As ``observe(_:keyPaths:options:identifier:isolation:block:)-9qcij``, on the thread of the change.
  public func observe(
    _ object: Any?, keyPaths: [String], options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
    isolation: Never?,
    block: @escaping @Sendable (_ observer: Any?, _ object: Any, _ change: [NSKeyValueChangeKey: Any]) -> Void
  ) {
    observe(object, keyPaths: keyPaths, options: options, identifier: identifier, block: block)
  }

  /// As ``observe(_:_:options:identifier:isolation:changeHandler:fileID:line:)-3u4sz``, on the thread of the change.
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

  /// As ``observe(_:_:options:identifier:isolation:changeHandler:fileID:line:)-5bizh``, on the thread of the change.
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

  /// As ``observe(_:keyPath:options:identifier:isolation:action:)-1ufc9``, on the thread of the change.
  public func observe<Observer: AnyObject>(
    _ object: Any?, keyPath: String, options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
    isolation: Never?, action: @escaping @Sendable (Observer) -> () -> Void
  ) {
    observe(object, keyPath: keyPath, options: options, identifier: identifier, action: action)
  }

  /// As ``observe(_:keyPath:options:identifier:isolation:action:)-2cja0``, on the thread of the change.
  public func observe<Observer: AnyObject>(
    _ object: Any?, keyPath: String, options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
    isolation: Never?, action: @escaping @Sendable (Observer) -> ([NSKeyValueChangeKey: Any]) -> Void
  ) {
    observe(object, keyPath: keyPath, options: options, identifier: identifier, action: action)
  }

  /// As ``observe(_:keyPath:options:identifier:isolation:action:)-2f222``, on the thread of the change.
  public func observe<Observer: AnyObject>(
    _ object: Any?, keyPath: String, options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
    isolation: Never?, action: @escaping @Sendable (Observer) -> ([NSKeyValueChangeKey: Any], Any) -> Void
  ) {
    observe(object, keyPath: keyPath, options: options, identifier: identifier, action: action)
  }

  /// As ``observe(_:keyPaths:options:identifier:isolation:action:)-8hf04``, on the thread of the change.
  public func observe<Observer: AnyObject>(
    _ object: Any?, keyPaths: [String], options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
    isolation: Never?, action: @escaping @Sendable (Observer) -> () -> Void
  ) {
    observe(object, keyPaths: keyPaths, options: options, identifier: identifier, action: action)
  }

  /// As ``observe(_:keyPaths:options:identifier:isolation:action:)-tf2z``, on the thread of the change.
  public func observe<Observer: AnyObject>(
    _ object: Any?, keyPaths: [String], options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
    isolation: Never?, action: @escaping @Sendable (Observer) -> ([NSKeyValueChangeKey: Any]) -> Void
  ) {
    observe(object, keyPaths: keyPaths, options: options, identifier: identifier, action: action)
  }

  /// As ``observe(_:keyPaths:options:identifier:isolation:action:)-9ng3w``, on the thread of the change.
  public func observe<Observer: AnyObject>(
    _ object: Any?, keyPaths: [String], options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
    isolation: Never?, action: @escaping @Sendable (Observer) -> ([NSKeyValueChangeKey: Any], Any) -> Void
  ) {
    observe(object, keyPaths: keyPaths, options: options, identifier: identifier, action: action)
  }
}
