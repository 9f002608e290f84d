// The forms for an explicit `isolation: nil`. What the compiler has checked as isolated to an actor isn't `@Sendable`, so it
// isn't accepted here. No value is of the type `Never`: only nil selects these forms.

extension KVOController {
  /// Calls a block for each change of the value at a key path of `object`, on the thread that makes the change, before
  /// the setter returns.
  ///
  /// - Parameters:
  ///   - object: The object to observe. nil is ignored; an object that can't be observed traps.
  ///   - keyPath: A key, or keys joined by dots. An empty key path asserts in debug builds and is ignored in release
  ///     builds.
  ///   - options: Options that determine what the change contains, and when the block is called.
  ///   - identifier: Distinguishes several observations of the key path.
  ///   - isolation: nil.
  ///   - block: A closure that takes the observer, the object, and the change, on any thread.
  /// - Complexity: Amortized constant time for a key, linear in the number of keys of a path.
  public func observe(
    _ object: Any?, keyPath: String, options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
    isolation: Never?,
    block: @escaping @Sendable (_ observer: Any?, _ object: Any, _ change: [NSKeyValueChangeKey: Any]) -> Void
  ) {
    observe(object, keyPath: keyPath, options: options, identifier: identifier, block: block)
  }

  /// Calls a block for each change of the values at several key paths of `object`, on the thread that makes the change,
  /// before the setter returns.
  ///
  /// - Parameters:
  ///   - object: The object to observe. nil is ignored; an object that can't be observed traps.
  ///   - keyPaths: The key paths to observe, each a key, or keys joined by dots. An empty list or an empty key path
  ///     asserts in debug builds and is ignored in release builds.
  ///   - options: Options that determine what the change contains, and when the block is called.
  ///   - identifier: Distinguishes several observations of the key paths.
  ///   - isolation: nil.
  ///   - block: A closure that takes the observer, the object, and the change, on any thread.
  /// - Complexity: Linear in the number of keys of all key paths.
  public func observe(
    _ object: Any?, keyPaths: [String], options: NSKeyValueObservingOptions = [], identifier: AnyHashable? = nil,
    isolation: Never?,
    block: @escaping @Sendable (_ observer: Any?, _ object: Any, _ change: [NSKeyValueChangeKey: Any]) -> Void
  ) {
    observe(object, keyPaths: keyPaths, options: options, identifier: identifier, block: block)
  }

  /// Calls a handler for each change of the value at a key path of `object`, on the thread that makes the change, before
  /// the setter returns.
  ///
  /// - Parameters:
  ///   - object: The object to observe.
  ///   - keyPath: The key path to observe. Traps if it can't be observed.
  ///   - options: Options that determine what the change contains, and when the handler is called.
  ///   - identifier: Distinguishes several observations of the key path.
  ///   - isolation: nil.
  ///   - changeHandler: A closure that takes the object and the change, on any thread.
  ///   - fileID: The file that a message about misuse names.
  ///   - line: The line that a message about misuse names.
  /// - Returns: A token that ends this observation, or the existing one if the key path is observed already.
  /// - Complexity: Amortized constant time for a key, linear in the number of keys of a path.
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

  /// Calls a handler for each change of the value at a key path of `object`, with the observer first, on the thread that
  /// makes the change, before the setter returns.
  ///
  /// - Parameters:
  ///   - object: The object to observe.
  ///   - keyPath: The key path to observe. Traps if it can't be observed.
  ///   - options: Options that determine what the change contains, and when the handler is called.
  ///   - identifier: Distinguishes several observations of the key path.
  ///   - isolation: nil.
  ///   - changeHandler: A closure that takes the observer, the object, and the change, on any thread. Spell out the
  ///     observer's type; an observer of another class traps.
  ///   - fileID: The file that a message about misuse names.
  ///   - line: The line that a message about misuse names.
  /// - Returns: A token that ends this observation, or the existing one if the key path is observed already.
  /// - Complexity: Amortized constant time for a key, linear in the number of keys of a path.
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
}
