#if !canImport(ObjectiveC)
/// What can be observed by typed key paths and closures, as Foundation's objects can.
public protocol KeyValueCodingAndObserving {}

extension KeyValueObject: KeyValueCodingAndObserving {}

extension KeyValueCodingAndObserving {
  /// Calls a handler for each change of the value at a key path, on the thread that makes it, before the setter
  /// returns.
  ///
  /// - Parameters:
  ///   - keyPath: What to observe; one that can't be observed is a mistake that stops the process.
  ///   - options: What the change holds, and when the handler is called.
  ///   - changeHandler: Gets the object and the change.
  /// - Returns: What keeps the observation going: it ends when that is released.
  public func observe<Value>(
    _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
    changeHandler: @escaping (Self, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation {
    let (object, resolver) = resolver(keyPath)
    return NSKeyValueObservation(
      KeyValueClosureObserver(object, resolver.path(), options) { change in
        guard let object = change.object as? Self else { return }
        changeHandler(object, NSKeyValueObservedChange(change))
      })
  }

  /// Says that the value at `keyPath` is about to change; ``didChangeValue(for:)`` on the same thread must follow.
  public func willChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
    let (object, name) = named(keyPath)
    object.willChangeValue(forKey: name)
  }

  /// Says that the value at `keyPath` has changed; without ``willChangeValue(for:)`` before, nothing is sent.
  public func didChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
    let (object, name) = named(keyPath)
    object.didChangeValue(forKey: name)
  }

  /// Says that objects of the array or ordered set at `keyPath` are about to change at `indexes`.
  public func willChange<Value>(
    _ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, for keyPath: KeyPath<Self, Value>
  ) {
    let (object, name) = named(keyPath)
    object.willChange(changeKind, valuesAt: indexes, forKey: name)
  }

  /// Says that objects of the array or ordered set at `keyPath` have changed at `indexes`.
  public func didChange<Value>(
    _ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, for keyPath: KeyPath<Self, Value>
  ) {
    let (object, name) = named(keyPath)
    object.didChange(changeKind, valuesAt: indexes, forKey: name)
  }

  /// Says that the unordered set at `keyPath` is about to change.
  public func willChangeValue<Value>(
    for keyPath: KeyPath<Self, Value>, withSetMutation mutation: NSKeyValueSetMutationKind, using set: Set<AnyHashable>
  ) {
    let (object, name) = named(keyPath)
    object.willChangeValue(forKey: name, withSetMutation: mutation, using: set)
  }

  /// Says that the unordered set at `keyPath` has changed.
  public func didChangeValue<Value>(
    for keyPath: KeyPath<Self, Value>, withSetMutation mutation: NSKeyValueSetMutationKind, using set: Set<AnyHashable>
  ) {
    let (object, name) = named(keyPath)
    object.didChangeValue(forKey: name, withSetMutation: mutation, using: set)
  }

  private func resolver<Value>(_ keyPath: KeyPath<Self, Value>) -> (KeyValueObject, KeyPathResolver<Self, Value>) {
    guard let object = self as? KeyValueObject else {
      misuse(
        "Cannot observe the key path \(ObservedPath.description(of: keyPath)) of a value of type \(Self.self)",
        because: "it is no KeyValueObject", remedy: "Let its class descend from KeyValueObject.")
    }
    return (object, KeyPathResolver(keyPath: keyPath, root: self, object: object))
  }

  private func named<Value>(_ keyPath: KeyPath<Self, Value>) -> (KeyValueObject, name: String) {
    let (object, resolver) = resolver(keyPath)
    guard let name = resolver.keyName() else {
      misuse(
        apple: "Could not extract a String from KeyPath \(ObservedPath.description(of: keyPath))",
        remedy: "Notify of a key path that leads through keys only.")
    }
    return (object, name)
  }
}
#endif
