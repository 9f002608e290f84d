// The methods of `KeyValueObject` with typed key paths. Foundation's own support only properties of Objective-C, so
// these are declared on Apple platforms too, for a protocol that Swift prefers for a `KeyValueObject`.

extension _KeyValueObjectObserving {
  /// Calls a handler for each change of the value at a key path, on the thread that makes it, before the setter
  /// returns.
  ///
  /// The handler is `@Sendable`, as Foundation declares it, because any thread can make a change. The handlers of a
  /// controller's `observe` run in the isolation of its caller instead. On Apple platforms, a mutation of an unordered
  /// set arrives as a setting.
  ///
  /// - Parameters:
  ///   - keyPath: The key path to observe. Traps if it can't be observed.
  ///   - options: Options that determine what the change contains, and when the handler is called.
  ///   - changeHandler: A closure that takes the object and the change.
  /// - Returns: A token that must be kept: the observation ends when the token is released.
  @preconcurrency
  public func observe<Value>(
    _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
    changeHandler: @escaping @Sendable (Self, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation {
    let object = object(with: keyPath)
    return object.observation(of: .resolved(keyPath, of: object), options: options, changeHandler)
  }

  /// Notifies observers that the value at `keyPath` is about to change. Call ``didChangeValue(for:)`` on the same
  /// thread after the change. Traps unless the key path leads through keys only.
  ///
  /// As with Foundation, the name of the key path counts: a private property of a superclass isn't meant if the
  /// object's class has another one of that name.
  public func willChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
    withKey(of: keyPath) { $0.willChangeValue(forKey: $1) }
  }

  /// Notifies observers that the value at `keyPath` has changed. Sends nothing without a preceding
  /// ``willChangeValue(for:)``.
  public func didChangeValue<Value>(for keyPath: KeyPath<Self, Value>) {
    withKey(of: keyPath) { $0.didChangeValue(forKey: $1) }
  }

  /// Reports a read of the value at `keyPath`, of which nothing is read: see
  /// ``KeyValueObject/didAccessValue(forKey:)``. Traps unless the class has it as a key, or lists it in `keyPaths`.
  public func didAccessValue<Value>(for keyPath: KeyPath<Self, Value>) {
    let object = object(with: keyPath)
    guard let keys = KeyPathKeys.keys(of: keyPath, from: object.properties, wasRead: true), keys.count == 1 else {
      refuseName(of: keyPath)
    }
    object.didAccessValue(forKey: keys[0].text)
  }

  /// Notifies observers that objects of the array or ordered set at `keyPath` are about to change at `indexes`: are
  /// inserted, removed, or replaced, as `changeKind` says. Traps unless the key path leads through keys only.
  public func willChange<Value>(
    _ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, for keyPath: KeyPath<Self, Value>
  ) {
    withKey(of: keyPath) { $0.willChange(changeKind, valuesAt: indexes, forKey: $1) }
  }

  /// The counterpart of ``willChange(_:valuesAt:for:)`` after the change, with the same arguments.
  public func didChange<Value>(
    _ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, for keyPath: KeyPath<Self, Value>
  ) {
    withKey(of: keyPath) { $0.didChange(changeKind, valuesAt: indexes, forKey: $1) }
  }

  /// Notifies observers that the unordered set at `keyPath` is about to change: that the objects in `set` are added,
  /// removed, kept, or set, as `mutation` says. Traps unless the key path leads through keys only.
  public func willChangeValue<Value>(
    for keyPath: KeyPath<Self, Value>, withSetMutation mutation: NSKeyValueSetMutationKind, using set: Set<AnyHashable>
  ) {
    withKey(of: keyPath) { $0.willChangeValue(forKey: $1, withSetMutation: mutation, using: set) }
  }

  /// The counterpart of ``willChangeValue(for:withSetMutation:using:)`` after the change, with the same arguments.
  public func didChangeValue<Value>(
    for keyPath: KeyPath<Self, Value>, withSetMutation mutation: NSKeyValueSetMutationKind, using set: Set<AnyHashable>
  ) {
    withKey(of: keyPath) { $0.didChangeValue(forKey: $1, withSetMutation: mutation, using: set) }
  }

  /// Calls `body` with this object and the name of the key path. Traps if it has none.
  private func withKey<Value>(of keyPath: KeyPath<Self, Value>, _ body: (KeyValueObject, _ name: String) -> Void) {
    let object = object(with: keyPath)
    guard let keys = ObservedPath.found(keyPath, of: object)?.keys else { refuseName(of: keyPath) }
    body(object, keys.map(\.text).joined(separator: "."))
  }

  private func refuseName(of keyPath: AnyKeyPath) -> Never {
    misuse(
      apple: "Could not extract a String from KeyPath \(ObservedPath.description(of: keyPath)).",
      remedy: "Use a key path that leads through keys only: mark the property @Observed, or list it in the class's "
        + "keyPaths.")
  }

  private func object(with keyPath: AnyKeyPath) -> KeyValueObject {
    guard let object = self as? KeyValueObject else {
      misuse(
        "Cannot observe the key path \(ObservedPath.description(of: keyPath)) of a value of type \(Self.self)",
        because: "it isn't a KeyValueObject", remedy: "Inherit from KeyValueObject.")
    }
    return object
  }
}
