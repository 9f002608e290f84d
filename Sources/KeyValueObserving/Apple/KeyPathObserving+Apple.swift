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
    let relay = ObservationRelay(object, resolver.path())
    // Foundation's declaration requires a Sendable handler, which it calls on the thread that makes the change, as this
    // method does.
    nonisolated(unsafe) let handler: (ObservationRelay, NSKeyValueObservedChange<Value>) -> Void = { relay, change in
      guard let object = relay.object as? Self else { return }
      changeHandler(object, change)
    }
    let token = relay.observe(ObservationRelay.keyPath(), options: options) { handler($0, $1) }
    token.associate(relay, ObservationRelay.key, replacing: true)
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

/// An object with a property that relays a path of another object, for Foundation's typed observation.
///
/// Only Foundation can create its tokens and changes, and only for key paths with an Objective-C name, as that of this
/// property has. The token retains the relay, and the relay retains its registration with the object.
private final class ObservationRelay: NSObject {
  private weak let observed: KeyValueObject?
  private let path: ObservedPath
  private let registration = Registration()

  init(_ object: KeyValueObject, _ path: ObservedPath) {
    observed = object
    self.path = path
    super.init()
    registration.begin(self, object, path)
  }

  deinit {
    registration.end(observed)
  }

  var object: KeyValueObject? { observed }

  @objc dynamic var value: Any? { observed.flatMap { path.value(of: $0) } }

  /// The key path of ``value``, as one to a `Value`.
  ///
  /// Foundation uses only its name, and converts the value that it gets for that name.
  static func keyPath<Value>() -> KeyPath<ObservationRelay, Value> {
    unsafeBitCast(\ObservationRelay.value as AnyObject, to: KeyPath<ObservationRelay, Value>.self)
  }

  static let key = AssociationKey()

  fileprivate func relay(_ change: [NSKeyValueChangeKey: Any]) {
    let kind = (change[.kindKey] as? UInt).flatMap(NSKeyValueChange.init) ?? .setting
    let isPrior = change[.notificationIsPriorKey] as? Bool == true
    if let indexes = change[.indexesKey] as? IndexSet {
      if isPrior {
        willChange(kind, valuesAt: indexes, forKey: "value")
      } else {
        didChange(kind, valuesAt: indexes, forKey: "value")
      }
    } else if isPrior {
      willChangeValue(forKey: "value")
    } else {
      didChangeValue(forKey: "value")
    }
  }

  /// The registration with the object, which ends with the relay or the object, whichever is deallocated first.
  ///
  /// - Thread safety: `hasEnded` is guarded by the lock; everything else is written once, before the registration.
  private final class Registration: NSObject, ObjectLifeline, @unchecked Sendable {
    private weak var relay: ObservationRelay?
    private var path: ObservedPath?
    private let lock = UnfairLock()
    private var hasEnded = false

    private var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    func begin(_ relay: ObservationRelay, _ object: KeyValueObject, _ path: ObservedPath) {
      self.relay = relay
      self.path = path
      ObjectLifelines.insert(self, of: object)
      if path.isNamed {
        object.addObserver(self, forKeyPath: path.name, options: .prior, context: context)
      } else {
        FollowedRegistration.begin(self, of: object, path, options: .prior, context: context)
      }
    }

    /// - Parameter object: The object; nil if its `deinit` has begun, which ends the registration.
    func end(_ object: KeyValueObject?) {
      guard let object, unregister(from: object) else { return }
      ObjectLifelines.remove(self, of: object)
    }

    func objectIsDeallocated(_ object: Unmanaged<KeyValueObservable>, isReadable: Bool) {
      object._withUnsafeGuaranteedRef { _ = unregister(from: $0) }
    }

    private func unregister(from object: KeyValueObservable) -> Bool {
      let mustEnd = lock.withLock {
        defer { hasEnded = true }
        return !hasEnded
      }
      guard mustEnd, let path else { return false }
      if path.isNamed {
        object.removeObserver(self, forKeyPath: path.name, context: context)
      } else {
        FollowedRegistration.end(of: object, context: context)
      }
      return true
    }

    override func observeValue(
      forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
      context: UnsafeMutableRawPointer?
    ) {
      relay?.relay(change ?? [:])
    }
  }
}
#endif
