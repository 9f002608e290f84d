#if canImport(ObjectiveC)
/// The methods of ``KeyValueObject`` that replace Foundation's methods with key paths, which support only Objective-C's
/// properties.
///
/// They have the same names, and are preferred for a ``KeyValueObject``. No other type conforms.
public protocol _KeyValueObjectObserving: _KeyValueCodingAndObserving {}

extension KeyValueObject: _KeyValueObjectObserving {}

extension _KeyValueObjectObserving {
  /// Calls a handler for each change of the value at a key path, on the thread that makes it, before the setter
  /// returns.
  ///
  /// - Parameters:
  ///   - keyPath: The key path to observe. Traps if it can't be observed.
  ///   - options: Options that determine what the change contains, and when the handler is called.
  ///   - changeHandler: A closure that takes the object and the change. A mutation of an unordered set arrives as a
  ///     setting.
  /// - Returns: A token that must be kept: the observation ends when the token is released.
  /// - Complexity: Constant time for a key, linear in the number of keys of a path.
  public func observe<Value>(
    _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
    changeHandler: @escaping (Self, NSKeyValueObservedChange<Value>) -> Void
  ) -> NSKeyValueObservation {
    let (object, resolver) = resolver(keyPath)
    let relay = FoundationRelay(object, resolver.path())
    // Foundation's declaration requires a Sendable handler, which it calls on the thread that makes the change, as this
    // method does.
    nonisolated(unsafe) let handler: (FoundationRelay, NSKeyValueObservedChange<Value>) -> Void = { relay, change in
      guard let object = relay.object as? Self else { return }
      changeHandler(object, change)
    }
    let token = relay.observe(FoundationRelay.keyPath(), options: options) { handler($0, $1) }
    token.associate(relay, FoundationRelay.key, replacing: true)
    return token
  }

  /// Notifies observers that the value at `keyPath` is about to change. Call ``didChangeValue(for:)`` on the same
  /// thread after the change.
  ///
  /// - Parameter keyPath: A key path that leads through keys only.
  public func willChangeValue<Value>(for keyPath: __owned KeyPath<Self, Value>) {
    let (object, name) = named(keyPath)
    object.willChangeValue(forKey: name)
  }

  /// Notifies observers that the value at `keyPath` has changed.
  ///
  /// - Parameter keyPath: A key path that leads through keys only.
  public func didChangeValue<Value>(for keyPath: __owned KeyPath<Self, Value>) {
    let (object, name) = named(keyPath)
    object.didChangeValue(forKey: name)
  }

  /// Notifies observers that objects of the array or ordered set at `keyPath` are about to change at `indexes`.
  ///
  /// - Parameters:
  ///   - changeKind: Whether the objects are inserted, removed, or replaced.
  ///   - indexes: The indexes of the objects.
  ///   - keyPath: A key path that leads through keys only.
  public func willChange<Value>(
    _ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, for keyPath: __owned KeyPath<Self, Value>
  ) {
    let (object, name) = named(keyPath)
    object.willChange(changeKind, valuesAt: indexes, forKey: name)
  }

  /// Notifies observers that objects of the array or ordered set at `keyPath` have changed at `indexes`.
  ///
  /// - Parameters:
  ///   - changeKind: Whether the objects are inserted, removed, or replaced.
  ///   - indexes: The indexes of the objects.
  ///   - keyPath: A key path that leads through keys only.
  public func didChange<Value>(
    _ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, for keyPath: __owned KeyPath<Self, Value>
  ) {
    let (object, name) = named(keyPath)
    object.didChange(changeKind, valuesAt: indexes, forKey: name)
  }

  /// Notifies observers that the unordered set at `keyPath` is about to change.
  ///
  /// - Parameters:
  ///   - keyPath: A key path that leads through keys only.
  ///   - mutation: The kind of the mutation.
  ///   - set: The objects that the mutation adds, removes, keeps, or sets.
  public func willChangeValue<Value>(
    for keyPath: __owned KeyPath<Self, Value>, withSetMutation mutation: NSKeyValueSetMutationKind,
    using set: Set<AnyHashable>
  ) {
    let (object, name) = named(keyPath)
    object.willChangeValue(forKey: name, withSetMutation: mutation, using: set)
  }

  /// Notifies observers that the unordered set at `keyPath` has changed.
  ///
  /// - Parameters:
  ///   - keyPath: A key path that leads through keys only.
  ///   - mutation: The kind of the mutation.
  ///   - set: The objects that the mutation adds, removes, keeps, or sets.
  public func didChangeValue<Value>(
    for keyPath: __owned KeyPath<Self, Value>, withSetMutation mutation: NSKeyValueSetMutationKind,
    using set: Set<AnyHashable>
  ) {
    let (object, name) = named(keyPath)
    object.didChangeValue(forKey: name, withSetMutation: mutation, using: set)
  }

  private func resolver<Value>(_ keyPath: KeyPath<Self, Value>) -> (KeyValueObject, KeyPathResolver<Self, Value>) {
    guard let object = self as? KeyValueObject else {
      misuse(
        "Cannot observe the key path \(ObservedPath.description(of: keyPath)) of a value of type \(Self.self)",
        because: "it isn't a KeyValueObject", remedy: "Inherit from KeyValueObject.")
    }
    return (object, KeyPathResolver(keyPath: keyPath, root: self, object: object))
  }

  private func named<Value>(_ keyPath: KeyPath<Self, Value>) -> (KeyValueObject, name: String) {
    let (object, resolver) = resolver(keyPath)
    return (object, resolver.pathName())
  }
}

/// A relay for Foundation's typed observation.
///
/// Only Foundation can create its tokens and changes, and only for key paths with an Objective-C name, as that of ``value``
/// has. The token retains the relay.
private final class FoundationRelay: ObservationRelay {
  @objc dynamic var value: Any? { observedValue }

  /// The key path of ``value``, as one to a `Value`.
  ///
  /// Foundation uses only its name, and converts the value that it gets for that name.
  static func keyPath<Value>() -> KeyPath<FoundationRelay, Value> {
    unsafeBitCast(\FoundationRelay.value as AnyObject, to: KeyPath<FoundationRelay, Value>.self)
  }

  static let key = AssociationKey()
}
#endif
