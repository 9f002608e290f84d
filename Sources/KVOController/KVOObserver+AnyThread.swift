// The forms for an explicit `isolation: nil`. What the compiler has checked as isolated to an actor isn't `@Sendable`, so it
// isn't accepted here. No value is of the type `Never`: only nil selects these forms.

extension KVOObserver where Self: KeyValueObservable {
  /// Calls a handler for each change of the value at a key path of `object`, on the thread that makes the change, before
  /// the setter returns.
  ///
  /// - Parameters:
  ///   - object: The object to observe.
  ///   - keyPath: The key path to observe. Traps if it can't be observed.
  ///   - options: Options that determine what the change contains, and when the handler is called.
  ///   - identifier: Distinguishes several observations of the key path.
  ///   - isolation: nil.
  ///   - changeHandler: A closure that takes this object, the observed object, and the change, on any thread.
  ///   - fileID: The file that a message about misuse names.
  ///   - line: The line that a message about misuse names.
  /// - Returns: A token that ends this observation, or the existing one if the key path is observed already.
  /// - Complexity: Amortized constant time for a key, linear in the number of keys of a path.
  @inlinable
  @discardableResult
  public func observe<Object: KeyValueObservable, Value>(
    _ object: Object, _ keyPath: KeyPath<Object, Value>, options: NSKeyValueObservingOptions = [.old, .new],
    identifier: AnyHashable? = nil, isolation: Never?,
    changeHandler: @escaping @Sendable (Self, Object, KVOChange<Value>) -> Void,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> KVOObservation {
    observe(
      object, keyPath, options: options, identifier: identifier, changeHandler: changeHandler, fileID: fileID,
      line: line)
  }

  /// Calls a handler for each change of a value at one of several key paths of `object`, on the thread that makes the
  /// change, before the setter returns.
  ///
  /// - Parameters:
  ///   - object: The object to observe.
  ///   - keyPaths: The key paths to observe. Traps if one can't be observed. An empty list asserts in debug builds and is
  ///     ignored in release builds.
  ///   - options: Options that determine when the handler is called: with `.initial` also once, before this method
  ///     returns; with `.prior` also before each change.
  ///   - identifier: Distinguishes several observations of the key paths.
  ///   - isolation: nil.
  ///   - changeHandler: A closure that takes this object and the observed object, on any thread.
  ///   - fileID: The file that a message about misuse names.
  ///   - line: The line that a message about misuse names.
  /// - Returns: A token that ends this observation, or the existing one if the same key paths are observed already.
  /// - Complexity: Linear in the number of keys of all key paths.
  @discardableResult
  public func observe<Object: KeyValueObservable>(
    _ object: Object, _ keyPaths: [PartialKeyPath<Object>], options: NSKeyValueObservingOptions = [],
    identifier: AnyHashable? = nil, isolation: Never?, changeHandler: @escaping @Sendable (Self, Object) -> Void,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> KVOObservation {
    observe(
      object, keyPaths, options: options, identifier: identifier, changeHandler: changeHandler, fileID: fileID,
      line: line)
  }

  /// Calls a handler for each change of any property of `object`, with the key of the property, on the thread that makes
  /// the change, before the setter returns.
  ///
  /// - Parameters:
  ///   - object: The object to observe.
  ///   - isolation: nil.
  ///   - changeHandler: A closure that takes this object, the observed object, and the key, on any thread.
  ///   - fileID: The file that a message about misuse names.
  ///   - line: The line that a message about misuse names.
  /// - Returns: A token that ends this observation, or the existing one.
  /// - Complexity: Linear in the number of keys.
  @discardableResult
  public func observe<Object: KeyValueObject>(
    allOf object: Object, isolation: Never?, changeHandler: @escaping @Sendable (Self, Object, String) -> Void,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> KVOObservation {
    observe(allOf: object, changeHandler: changeHandler, fileID: fileID, line: line)
  }

  /// Calls a handler for each change of the value at a key path of each element of a collection, on the thread that
  /// makes the change, before the setter returns.
  ///
  /// - Parameters:
  ///   - object: The object that has the collection.
  ///   - elements: The key path of the collection. Traps if it can't be observed.
  ///   - keyPath: The key path of the elements to observe. Traps if it can't be observed.
  ///   - options: Options that determine what a change contains, and when the handler is called.
  ///   - isolation: nil.
  ///   - changeHandler: A closure that takes this object, the element, and the change, on any thread.
  ///   - fileID: The file that a message about misuse names.
  ///   - line: The line that a message about misuse names.
  /// - Returns: A token that ends this observation, or the existing one if the key path of the elements is observed
  ///   already.
  /// - Complexity: As that of the form without `isolation: nil`.
  @inlinable
  @discardableResult
  public func observe<Object: KeyValueObservable, Elements: Sequence, Value>(
    _ object: Object, elements: KeyPath<Object, Elements>, _ keyPath: KeyPath<Elements.Element, Value>,
    options: NSKeyValueObservingOptions = [.old, .new], isolation: Never?,
    changeHandler: @escaping @Sendable (Self, Elements.Element, KVOChange<Value>) -> Void,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> KVOObservation where Elements.Element: KeyValueObservable {
    observe(
      object, elements: elements, keyPath, options: options, changeHandler: changeHandler, fileID: fileID, line: line)
  }

  /// Calls a handler for each change of the value at a key path of each element of an Optional collection, on the thread that
  /// makes the change, before the setter returns.
  ///
  /// - Parameters:
  ///   - object: The object that has the collection.
  ///   - elements: The key path of the collection. Traps if it can't be observed.
  ///   - keyPath: The key path of the elements to observe. Traps if it can't be observed.
  ///   - options: Options that determine what a change contains, and when the handler is called.
  ///   - isolation: nil.
  ///   - changeHandler: A closure that takes this object, the element, and the change, on any thread.
  ///   - fileID: The file that a message about misuse names.
  ///   - line: The line that a message about misuse names.
  /// - Returns: A token that ends this observation, or the existing one if the key path of the elements is observed
  ///   already.
  /// - Complexity: As that of the form without `isolation: nil`.
  @inlinable
  @discardableResult
  public func observe<Object: KeyValueObservable, Elements: Sequence, Value>(
    _ object: Object, elements: KeyPath<Object, Elements?>, _ keyPath: KeyPath<Elements.Element, Value>,
    options: NSKeyValueObservingOptions = [.old, .new], isolation: Never?,
    changeHandler: @escaping @Sendable (Self, Elements.Element, KVOChange<Value>) -> Void,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> KVOObservation where Elements.Element: KeyValueObservable {
    observe(
      object, elements: elements, keyPath, options: options, changeHandler: changeHandler, fileID: fileID, line: line)
  }

  /// Calls a handler for each change of the value at a key path of each element of an ordered set of Foundation's, on the thread that
  /// makes the change, before the setter returns.
  ///
  /// - Parameters:
  ///   - object: The object that has the collection.
  ///   - elements: The key path of the collection. Traps if it can't be observed.
  ///   - keyPath: The key path of the elements to observe. Traps if it can't be observed.
  ///   - options: Options that determine what a change contains, and when the handler is called.
  ///   - isolation: nil.
  ///   - changeHandler: A closure that takes this object, the element, and the change, on any thread.
  ///   - fileID: The file that a message about misuse names.
  ///   - line: The line that a message about misuse names.
  /// - Returns: A token that ends this observation, or the existing one if the key path of the elements is observed
  ///   already.
  /// - Complexity: As that of the form without `isolation: nil`.
  @inlinable
  @discardableResult
  public func observe<Object: KeyValueObservable, Elements: NSOrderedSet, Element: KeyValueObservable, Value>(
    _ object: Object, elements: KeyPath<Object, Elements>, _ keyPath: KeyPath<Element, Value>,
    options: NSKeyValueObservingOptions = [.old, .new], isolation: Never?,
    changeHandler: @escaping @Sendable (Self, Element, KVOChange<Value>) -> Void,
    fileID: StaticString = #fileID, line: UInt = #line
  ) -> KVOObservation {
    observe(
      object, elements: elements, keyPath, options: options, changeHandler: changeHandler, fileID: fileID, line: line)
  }
}
