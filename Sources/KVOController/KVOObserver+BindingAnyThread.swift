// The forms for an explicit `isolation: nil`, as in KVOObserver+AnyThread.swift. They assign on any thread.

extension KVOObserver where Self: KeyValueObservable {
  /// Assigns the value at a key path of `object` to a property of this object, now and after each change, on the thread
  /// that makes the change.
  ///
  /// - Parameters:
  ///   - object: The object to observe.
  ///   - keyPath: The key path to observe. Traps if it can't be observed.
  ///   - target: The property of this object that gets the value. It isn't isolated to an actor.
  ///   - isolation: nil.
  ///   - fileID: The file that a message about misuse names.
  ///   - line: The line that a message about misuse names.
  /// - Returns: A token that ends the binding.
  /// - Complexity: Amortized constant time for a key, linear in the number of keys of a path.
  @discardableResult
  public func bind<Object: KeyValueObservable, Value>(
    _ object: Object, _ keyPath: KeyPath<Object, Value>,
    to target: ReferenceWritableKeyPath<Self, Value> & Sendable, isolation: Never?, fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> KVOObservation {
    bind(object, keyPath, to: target, fileID: fileID, line: line)
  }

  /// Assigns the value at a key path of `object` to an Optional property of this object, now and after each change, on
  /// the thread that makes the change.
  ///
  /// - Parameters:
  ///   - object: The object to observe.
  ///   - keyPath: The key path to observe. Traps if it can't be observed.
  ///   - target: The property of this object that gets the value. It isn't isolated to an actor.
  ///   - isolation: nil.
  ///   - fileID: The file that a message about misuse names.
  ///   - line: The line that a message about misuse names.
  /// - Returns: A token that ends the binding.
  /// - Complexity: Amortized constant time for a key, linear in the number of keys of a path.
  @discardableResult
  public func bind<Object: KeyValueObservable, Value>(
    _ object: Object, _ keyPath: KeyPath<Object, Value>,
    to target: ReferenceWritableKeyPath<Self, Value?> & Sendable, isolation: Never?, fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> KVOObservation {
    bind(object, keyPath, to: target, fileID: fileID, line: line)
  }

  /// Assigns what a closure makes of the value at a key path of `object` to a property of this object, now and after each
  /// change, on the thread that makes the change.
  ///
  /// - Parameters:
  ///   - object: The object to observe.
  ///   - keyPath: The key path to observe. Traps if it can't be observed.
  ///   - target: The property of this object that gets the result. It isn't isolated to an actor.
  ///   - isolation: nil.
  ///   - transform: A closure that takes the value and returns what is assigned, on any thread.
  ///   - fileID: The file that a message about misuse names.
  ///   - line: The line that a message about misuse names.
  /// - Returns: A token that ends the binding.
  /// - Complexity: Amortized constant time for a key, linear in the number of keys of a path.
  @discardableResult
  public func bind<Object: KeyValueObservable, Value, Target>(
    _ object: Object, _ keyPath: KeyPath<Object, Value>,
    to target: ReferenceWritableKeyPath<Self, Target> & Sendable, isolation: Never?,
    transform: @escaping @Sendable (Value) -> Target, fileID: StaticString = #fileID, line: UInt = #line
  ) -> KVOObservation {
    bind(object, keyPath, to: target, transform: transform, fileID: fileID, line: line)
  }

  /// Keeps a property of this object equal to the value at a key path of `object`, in both directions, on the thread that
  /// makes the change.
  ///
  /// - Parameters:
  ///   - object: The other object.
  ///   - keyPath: The key path of its property. Traps if it can't be observed. It isn't isolated to an actor.
  ///   - target: The property of this object. Traps if it can't be observed. It isn't isolated to an actor.
  ///   - isolation: nil.
  ///   - fileID: The file that a message about misuse names.
  ///   - line: The line that a message about misuse names.
  /// - Returns: A token that ends the binding.
  /// - Complexity: Amortized constant time for a key, linear in the number of keys of a path.
  @discardableResult
  public func bindBothWays<Object: KeyValueObservable, Value: Equatable>(
    _ object: Object, _ keyPath: ReferenceWritableKeyPath<Object, Value> & Sendable,
    with target: ReferenceWritableKeyPath<Self, Value> & Sendable, isolation: Never?,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> KVOObservation {
    bindBothWays(object, keyPath, with: target, fileID: fileID, line: line)
  }
}
