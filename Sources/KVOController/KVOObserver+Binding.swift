extension KVOObserver where Self: KeyValueObservable {
  /// Assigns the value at a key path of `object` to a property of this object, now and after each change.
  ///
  ///     screen.bind(song, \.title, to: \.text)
  ///
  /// While an object on the path is nil, the property isn't assigned; a property of the value's Optional type is
  /// assigned nil, by ``bind(_:_:to:isolation:fileID:line:)-(_,_,ReferenceWritableKeyPath<Self,Value?>,_,_,_)``. Binding
  /// the property to the same key path again has no effect. Don't bind two properties to each other, because each
  /// assignment causes the other.
  ///
  /// - Parameters:
  ///   - object: The object to observe.
  ///   - keyPath: The key path to observe. Traps if it can't be observed.
  ///   - target: The property of this object that gets the value.
  ///   - isolation: The actor on which the value is assigned. Defaults to the caller's; pass nil to assign it on the
  ///     thread that makes the change.
  ///   - fileID: The file that a message about misuse names.
  ///   - line: The line that a message about misuse names.
  /// - Returns: A token that ends the binding.
  /// - Complexity: Amortized constant time for a key, linear in the number of keys of a path.
  @_disfavoredOverload
  @discardableResult
  public func bind<Object: KeyValueObservable, Value>(
    _ object: Object, _ keyPath: KeyPath<Object, Value>, to target: ReferenceWritableKeyPath<Self, Value>,
    isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID, line: UInt = #line
  ) -> KVOObservation {
    observe(
      object, keyPath, options: [.initial, .new], identifier: Binding(target: target), isolation: isolation,
      changeHandler: { observer, object, change in
        if let value = change.value(of: object, keyPath) { observer[keyPath: target] = value }
      }, fileID: fileID, line: line)
  }

  /// Assigns the value at a key path of `object` to an Optional property of this object, now and after each change.
  ///
  /// While an object on the path is nil, the property is nil.
  ///
  /// - Parameters:
  ///   - object: The object to observe.
  ///   - keyPath: The key path to observe. Traps if it can't be observed.
  ///   - target: The property of this object that gets the value.
  ///   - isolation: The actor on which the value is assigned. Defaults to the caller's; pass nil to assign it on the
  ///     thread that makes the change.
  ///   - fileID: The file that a message about misuse names.
  ///   - line: The line that a message about misuse names.
  /// - Returns: A token that ends the binding.
  /// - Complexity: Amortized constant time for a key, linear in the number of keys of a path.
  @_disfavoredOverload
  @discardableResult
  public func bind<Object: KeyValueObservable, Value>(
    _ object: Object, _ keyPath: KeyPath<Object, Value>, to target: ReferenceWritableKeyPath<Self, Value?>,
    isolation: isolated (any Actor)? = #isolation, fileID: StaticString = #fileID, line: UInt = #line
  ) -> KVOObservation {
    observe(
      object, keyPath, options: [.initial, .new], identifier: Binding(target: target), isolation: isolation,
      changeHandler: { observer, object, change in
        observer[keyPath: target] = change.value(of: object, keyPath)
      }, fileID: fileID, line: line)
  }
}

/// Makes a binding an observation of its own, for each property that is bound.
struct Binding: Hashable, CustomStringConvertible {
  let target: AnyKeyPath

  var description: String { "binding of \(ObservedPath.description(of: target))" }
}

extension KVOChange {
  /// The whole value after the change; nil if it can't be reached.
  func value<Object>(of object: Object, _ keyPath: KeyPath<Object, Value>) -> Value? {
    // A change inside a collection contains only the objects that were inserted.
    kind == .setting ? newValue : object[keyPath: keyPath]
  }
}
