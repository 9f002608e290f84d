// The methods of `KeyValueObject` with typed key paths. Foundation's own support only properties of Objective-C, so
// these are declared on Apple platforms too, for a protocol that Swift prefers for a `KeyValueObject`.

extension _KeyValueObjectObserving {
  /// Calls a handler for each change of the value at a key path, on the thread that makes it, before the setter
  /// returns.
  ///
  /// The handler is `@Sendable`, as Foundation declares it, because any thread can make a change. The handlers of a
  /// controller's `observe` run in the isolation of its caller instead.
  ///
  /// - Parameters:
  ///   - keyPath: The key path to observe. Traps if it can't be observed.
  ///   - options: Options that determine what the change contains, and when the handler is called.
  ///   - changeHandler: A closure that takes the object and the change. It is called on the thread that makes the
  ///     change, even if you observe on an actor. On Apple platforms, a mutation of an unordered set arrives as a
  ///     setting.
  /// - Returns: A token that must be kept: the observation ends when the token is released.
  /// - Complexity: Amortized constant time for a key, linear in the number of keys of a path.
  @preconcurrency
  public func observe<Value>(
    _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
    changeHandler: @escaping @Sendable (Self, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation {
    let (object, resolver) = resolver(keyPath)
    return object.observation(of: resolver.path(), options: options, changeHandler)
  }

  /// Notifies observers that the value at `keyPath` is about to change. Call ``didChangeValue(for:)`` on the same
  /// thread after the change. As with Foundation, the name of the key path counts: a private property of a superclass
  /// isn't meant if the object's class has another one of that name.
  ///
  /// - Parameter keyPath: A key path that leads through keys only; any other traps.
  /// - Complexity: Linear in the number of registrations that the change affects.
  public func willChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
    let (object, name) = named(keyPath)
    object.willChangeValue(forKey: name)
  }

  /// Notifies observers that the value at `keyPath` has changed. Sends nothing without a preceding
  /// ``willChangeValue(for:)``, which has the same parameter and complexity.
  public func didChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
    let (object, name) = named(keyPath)
    object.didChangeValue(forKey: name)
  }

  /// Reports a read of the value at `keyPath`, of which nothing is read: see ``KeyValueObject/didAccessValue(forKey:)``.
  ///
  /// - Parameter keyPath: The key path of a property that the class lists in `keyPaths`; any other that isn't a key traps.
  public func didAccessValue<Value>(for keyPath: KeyPath<Self, Value>) {
    let (object, _) = resolver(keyPath)
    guard let keys = KeyPathKeys.keys(of: keyPath, from: object.properties, wasRead: true), keys.count == 1 else {
      refuseName(of: keyPath)
    }
    object.didAccessValue(forKey: keys[0].text)
  }

  /// Notifies observers that objects of the array or ordered set at `keyPath` are about to change at `indexes`: are
  /// inserted, removed, or replaced, as `changeKind` says. Traps unless the key path leads through keys only.
  ///
  /// - Complexity: Linear in the number of registrations that the change affects.
  public func willChange<Value>(
    _ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, for keyPath: KeyPath<Self, Value>
  ) {
    let (object, name) = named(keyPath)
    object.willChange(changeKind, valuesAt: indexes, forKey: name)
  }

  /// Notifies observers that objects of the array or ordered set at `keyPath` have changed at `indexes`. The parameters and
  /// the complexity are those of ``willChange(_:valuesAt:for:)``.
  public func didChange<Value>(
    _ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, for keyPath: KeyPath<Self, Value>
  ) {
    let (object, name) = named(keyPath)
    object.didChange(changeKind, valuesAt: indexes, forKey: name)
  }

  /// Notifies observers that the unordered set at `keyPath` is about to change: that the objects in `set` are added,
  /// removed, kept, or set, as `mutation` says. Traps unless the key path leads through keys only.
  ///
  /// - Complexity: Linear in the number of registrations that the change affects.
  public func willChangeValue<Value>(
    for keyPath: KeyPath<Self, Value>, withSetMutation mutation: NSKeyValueSetMutationKind, using set: Set<AnyHashable>
  ) {
    let (object, name) = named(keyPath)
    object.willChangeValue(forKey: name, withSetMutation: mutation, using: set)
  }

  /// Notifies observers that the unordered set at `keyPath` has changed. The parameters and the complexity are those of
  /// ``willChangeValue(for:withSetMutation:using:)``.
  public func didChangeValue<Value>(
    for keyPath: KeyPath<Self, Value>, withSetMutation mutation: NSKeyValueSetMutationKind, using set: Set<AnyHashable>
  ) {
    let (object, name) = named(keyPath)
    object.didChangeValue(forKey: name, withSetMutation: mutation, using: set)
  }

  private func named<Value>(_ keyPath: KeyPath<Self, Value>) -> (KeyValueObject, name: String) {
    let (object, resolver) = resolver(keyPath)
    guard let name = resolver.keyName() else { refuseName(of: keyPath) }
    return (object, name)
  }

  private func refuseName(of keyPath: AnyKeyPath) -> Never {
    misuse(
      apple: "Could not extract a String from KeyPath \(ObservedPath.description(of: keyPath)).",
      remedy: "Use a key path that leads through keys only: mark the property @Observed, or list it in the class's "
        + "keyPaths.")
  }

  private func resolver<Value>(_ keyPath: KeyPath<Self, Value>) -> (KeyValueObject, KeyPathResolver<Self, Value>) {
    guard let object = self as? KeyValueObject else {
      misuse(
        "Cannot observe the key path \(ObservedPath.description(of: keyPath)) of a value of type \(Self.self)",
        because: "it isn't a KeyValueObject", remedy: "Inherit from KeyValueObject.")
    }
    return (object, KeyPathResolver(keyPath: keyPath, object: object))
  }
}
