#if canImport(ObjectiveC)
import ObjectiveC

/// A base class for portable models: the same source compiles and behaves alike on Apple platforms and on others.
///
/// Properties marked ``Observed`` take part in Key-Value Coding and Key-Value Observing under their own names. So do
/// computed properties that the class lists in ``keyPaths``. On Apple platforms Foundation does the observing, and this
/// class makes the properties known to it, so that they don't have to be `@objc dynamic`.
///
/// ## Threads
/// Observers are called on the thread that makes the change, before the setter returns, and no lock of this class is
/// held meanwhile. As with any Swift property, you must synchronize concurrent writes of one property.
///
/// ## Lifetimes
/// Observers and observed objects aren't retained. As with any `NSObject`, observers that you add with `addObserver`
/// must be removed manually.
open class KeyValueObject: NSObject {
  /// Whether the object's class conforms to `Observable`. It is stored because every accessor reads it.
  @usableFromInline final let isObservable: Bool

  /// Creates an object that isn't observed.
  public override init() {
    isObservable = Self.conformsToObservable(type(of: self))
    super.init()
    beginObservation()
  }

  /// Additional keys, mapped to the key paths that read and, if writable, set them: `["fullName": \Person.fullName]`.
  ///
  /// Override it to make computed properties available to Key-Value Coding, and to observe them by their names. A class
  /// lists only its own keys; those of its superclasses are included.
  open class var keyPaths: [String: AnyKeyPath] { [:] }

  // Key-Value Coding must not access the storage of an @Observed property directly, because it isn't of the property's
  // type.
  open override class var accessInstanceVariablesDirectly: Bool { false }

  // Foundation removes observers of dotted key paths by reading them, so observations end before the properties do.
  deinit {
    endObservation()
    ObjectLifelines.end(of: self)
  }

  // MARK: Key-Value Coding

  // The package's own keys come first. Foundation would search for methods of that name, which `NSObject` may have
  // (`zone`, `isProxy`), and send notifications for keys that are undefined for it.

  /// The value for a key, unwrapped, or nil.
  ///
  /// - Parameter key: The name of an ``Observed`` property, a key in ``keyPaths``, or any key that `NSObject` supports.
  ///   Any other key is passed to `value(forUndefinedKey:)`, which raises an exception by default.
  open override func value(forKey key: String) -> Any? {
    codedValue(forKey: key) {
      // A property that Objective-C knows isn't that of an untyped field, which may be its backing storage.
      let isUntyped = UntypedFields.of(self).contains(key) && class_getProperty(type(of: self), key) == nil
      return isUntyped ? nil : super.value(forKey: key)
    }
  }

  /// Sets the value for a key, and notifies observers once, as its setter does.
  ///
  /// - Parameters:
  ///   - value: The new value. A value of the wrong type for an ``Observed`` property or a key in ``keyPaths`` traps.
  ///     nil for a property that can't be nil is passed to `setNilValueForKey(_:)`, which raises an exception by
  ///     default.
  ///   - key: The name of an ``Observed`` property, a key in ``keyPaths``, or any key that `NSObject` supports. Any other
  ///     key is passed to `setValue(_:forUndefinedKey:)`, which raises an exception by default.
  open override func setValue(_ value: Any?, forKey key: String) {
    setCodedValue(value, forKey: key) { super.setValue(value, forKey: key) }
  }

  // MARK: Manual notification

  // Setters and Foundation's proxies call these methods too, so Observation is notified here of every change.

  /// Notifies observers that the value for `key` is about to change. Call ``didChangeValue(forKey:)`` after the change.
  ///
  /// - Parameter key: The key of the property.
  /// - Complexity: Linear in the number of registrations that the change affects.
  open override func willChangeValue(forKey key: String) {
    reportWillSet(key)
    super.willChangeValue(forKey: key)
  }

  /// Notifies observers that the value for `key` has changed.
  ///
  /// - Parameter key: The key of the property.
  /// - Complexity: Linear in the number of registrations that the change affects.
  open override func didChangeValue(forKey key: String) {
    reportDidSet(key)
    super.didChangeValue(forKey: key)
  }

  /// Notifies observers that objects of the array or ordered set for `key` are about to change at `indexes`.
  ///
  /// - Parameters:
  ///   - changeKind: Whether the objects are inserted, removed, or replaced.
  ///   - indexes: The indexes of the objects.
  ///   - key: The key of the property.
  /// - Complexity: Linear in the number of registrations that the change affects.
  open override func willChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String) {
    reportWillSet(key)
    super.willChange(changeKind, valuesAt: indexes, forKey: key)
  }

  /// Notifies observers that objects of the array or ordered set for `key` have changed at `indexes`.
  ///
  /// - Parameters:
  ///   - changeKind: Whether the objects are inserted, removed, or replaced.
  ///   - indexes: The indexes of the objects.
  ///   - key: The key of the property.
  /// - Complexity: Linear in the number of registrations that the change affects.
  open override func didChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String) {
    reportDidSet(key)
    super.didChange(changeKind, valuesAt: indexes, forKey: key)
  }

  /// Notifies observers that the unordered set for `key` is about to change.
  ///
  /// - Parameters:
  ///   - key: The key of the property.
  ///   - mutationKind: The kind of the mutation.
  ///   - objects: The objects that the mutation adds, removes, keeps, or sets.
  /// - Complexity: Linear in the number of registrations that the change affects.
  open override func willChangeValue(
    forKey key: String, withSetMutation mutationKind: NSKeyValueSetMutationKind, using objects: Set<AnyHashable>
  ) {
    reportWillSet(key)
    super.willChangeValue(forKey: key, withSetMutation: mutationKind, using: objects)
  }

  /// Notifies observers that the unordered set for `key` has changed.
  ///
  /// - Parameters:
  ///   - key: The key of the property.
  ///   - mutationKind: The kind of the mutation.
  ///   - objects: The objects that the mutation adds, removes, keeps, or sets.
  /// - Complexity: Linear in the number of registrations that the change affects.
  open override func didChangeValue(
    forKey key: String, withSetMutation mutationKind: NSKeyValueSetMutationKind, using objects: Set<AnyHashable>
  ) {
    reportDidSet(key)
    super.didChangeValue(forKey: key, withSetMutation: mutationKind, using: objects)
  }

  // MARK: To-many properties

  /// The array or ordered set for a key as a mutable array, whose methods notify observers of what exactly they change.
  ///
  /// - Parameter key: The key of the property. An ``Observed`` property that is neither an array nor an ordered set traps
  ///   at first use.
  open override func mutableArrayValue(forKey key: String) -> NSMutableArray {
    guard hasCodedValue(forKey: key) else { return super.mutableArrayValue(forKey: key) }
    return KeyValueMutableArray(ToManyProperty(self, key, .array))
  }

  /// The array or ordered set at the end of a key path as a mutable array.
  ///
  /// The path is resolved now, on its second-to-last object. If an object on it is nil, the array is empty and
  /// detached.
  ///
  /// - Parameter keyPath: A key, or keys joined by dots.
  /// - Complexity: Linear in the number of keys.
  open override func mutableArrayValue(forKeyPath keyPath: String) -> NSMutableArray {
    toManyOwner(keyPath).map { $0.mutableArrayValue(forKey: $1) } ?? NSMutableArray()
  }

  /// The set for a key as a mutable set, whose methods notify observers of what exactly they change.
  ///
  /// - Parameter key: The key of the property. An ``Observed`` property that isn't a set traps at first use.
  open override func mutableSetValue(forKey key: String) -> NSMutableSet {
    guard hasCodedValue(forKey: key) else { return super.mutableSetValue(forKey: key) }
    return KeyValueMutableSet(ToManyProperty(self, key, .set))
  }

  /// The set at the end of a key path as a mutable set.
  ///
  /// The path is resolved now, on its second-to-last object. If an object on it is nil, the set is empty and detached.
  ///
  /// - Parameter keyPath: A key, or keys joined by dots.
  /// - Complexity: Linear in the number of keys.
  open override func mutableSetValue(forKeyPath keyPath: String) -> NSMutableSet {
    toManyOwner(keyPath).map { $0.mutableSetValue(forKey: $1) } ?? NSMutableSet()
  }

  /// The ordered set or array for a key as a mutable ordered set, whose methods notify observers of what exactly they
  /// change.
  ///
  /// - Parameter key: The key of the property. An ``Observed`` property that is neither an ordered set nor an array traps
  ///   at first use.
  open override func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
    guard hasCodedValue(forKey: key) else { return super.mutableOrderedSetValue(forKey: key) }
    return KeyValueMutableOrderedSet(ToManyProperty(self, key, .orderedSet))
  }

  /// The ordered set or array at the end of a key path as a mutable ordered set.
  ///
  /// The path is resolved now, on its second-to-last object. If an object on it is nil, the ordered set is empty and
  /// detached.
  ///
  /// - Parameter keyPath: A key, or keys joined by dots.
  /// - Complexity: Linear in the number of keys.
  open override func mutableOrderedSetValue(forKeyPath keyPath: String) -> NSMutableOrderedSet {
    toManyOwner(keyPath).map { $0.mutableOrderedSetValue(forKey: $1) } ?? NSMutableOrderedSet()
  }
}
#endif
