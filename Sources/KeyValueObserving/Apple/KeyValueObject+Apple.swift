#if canImport(ObjectiveC)
import ObjectiveC

/// Base class of portable models: the same source compiles and behaves alike on Apple platforms and elsewhere.
///
/// Properties marked ``Observed`` take part in Key-Value Coding and Key-Value Observing under their own names; so do
/// computed properties that the class lists in ``keyPaths``. Here Foundation does the observing; this class makes the
/// properties known to it, which it would otherwise know only as `@objc dynamic`.
open class KeyValueObject: NSObject {
  /// Creates an object that nobody observes.
  public override init() {
    super.init()
    beginObservation()
  }

  /// The keys of this class that are not ``Observed``, each with the key path that reads and, if writable, sets it:
  /// `["fullName": \Person.fullName]`.
  ///
  /// A class lists its own; those of its superclasses count too.
  open class var keyPaths: [String: AnyKeyPath] { [:] }

  // The storage of an @Observed property isn't what Key-Value Coding takes it for.
  open override class var accessInstanceVariablesDirectly: Bool { false }

  // Foundation removes observers of dotted key paths by reading them, so observations end before the properties do.
  deinit {
    endObservation()
    ObjectLifelines.end(of: self)
  }

  // MARK: Key-Value Coding

  // The keys that the package makes known come first. Foundation would search for methods of that name, which `NSObject`
  // may have (`zone`, `isProxy`), and notify of every key that it takes for undefined.

  /// The value for a key: of an ``Observed`` property, a key in ``keyPaths``, or as `NSObject` has it.
  open override func value(forKey key: String) -> Any? {
    codedValue(forKey: key) { UntypedFields.of(self).contains(key) ? nil : super.value(forKey: key) }
  }

  /// Sets the value for a key, and notifies once, as its setter does.
  ///
  /// A value of the wrong type for an ``Observed`` property or a key in ``keyPaths`` traps.
  open override func setValue(_ value: Any?, forKey key: String) {
    setCodedValue(value, forKey: key) { super.setValue(value, forKey: key) }
  }

  // MARK: Manual notification

  // Setters and Foundation's proxies notify by these methods too, so here Observation learns of every change.

  /// Notifies observers that the value for `key` is about to change.
  open override func willChangeValue(forKey key: String) {
    reportWillSet(key)
    super.willChangeValue(forKey: key)
  }

  /// Notifies observers that the value for `key` has changed.
  open override func didChangeValue(forKey key: String) {
    reportDidSet(key)
    super.didChangeValue(forKey: key)
  }

  /// Notifies observers that objects of the array or ordered set for `key` are about to change at `indexes`.
  open override func willChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String) {
    reportWillSet(key)
    super.willChange(changeKind, valuesAt: indexes, forKey: key)
  }

  /// Notifies observers that objects of the array or ordered set for `key` have changed at `indexes`.
  open override func didChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String) {
    reportDidSet(key)
    super.didChange(changeKind, valuesAt: indexes, forKey: key)
  }

  /// Notifies observers that the unordered set for `key` is about to change.
  open override func willChangeValue(
    forKey key: String, withSetMutation mutationKind: NSKeyValueSetMutationKind, using objects: Set<AnyHashable>
  ) {
    reportWillSet(key)
    super.willChangeValue(forKey: key, withSetMutation: mutationKind, using: objects)
  }

  /// Notifies observers that the unordered set for `key` has changed.
  open override func didChangeValue(
    forKey key: String, withSetMutation mutationKind: NSKeyValueSetMutationKind, using objects: Set<AnyHashable>
  ) {
    reportDidSet(key)
    super.didChangeValue(forKey: key, withSetMutation: mutationKind, using: objects)
  }

  // MARK: To-many properties

  /// The array or ordered set for a key as a mutable array, each of whose methods notifies of just what it does.
  open override func mutableArrayValue(forKey key: String) -> NSMutableArray {
    guard hasCodedValue(forKey: key) else { return super.mutableArrayValue(forKey: key) }
    return KeyValueMutableArray(ToManyProperty(self, key, .array))
  }

  /// The array or ordered set at the end of a key path as a mutable array.
  ///
  /// If a step of the path is nil, the array is empty and belongs to no object.
  open override func mutableArrayValue(forKeyPath keyPath: String) -> NSMutableArray {
    toManyOwner(keyPath).map { $0.mutableArrayValue(forKey: $1) } ?? NSMutableArray()
  }

  /// The set for a key as a mutable set, each of whose methods notifies of just what it does.
  open override func mutableSetValue(forKey key: String) -> NSMutableSet {
    guard hasCodedValue(forKey: key) else { return super.mutableSetValue(forKey: key) }
    return KeyValueMutableSet(ToManyProperty(self, key, .set))
  }

  /// The set at the end of a key path as a mutable set.
  ///
  /// If a step of the path is nil, the set is empty and belongs to no object.
  open override func mutableSetValue(forKeyPath keyPath: String) -> NSMutableSet {
    toManyOwner(keyPath).map { $0.mutableSetValue(forKey: $1) } ?? NSMutableSet()
  }

  /// The ordered set or array for a key as a mutable ordered set, each of whose methods notifies of just what it does.
  open override func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
    guard hasCodedValue(forKey: key) else { return super.mutableOrderedSetValue(forKey: key) }
    return KeyValueMutableOrderedSet(ToManyProperty(self, key, .orderedSet))
  }

  /// The ordered set or array at the end of a key path as a mutable ordered set.
  ///
  /// If a step of the path is nil, the ordered set is empty and belongs to no object.
  open override func mutableOrderedSetValue(forKeyPath keyPath: String) -> NSMutableOrderedSet {
    toManyOwner(keyPath).map { $0.mutableOrderedSetValue(forKey: $1) } ?? NSMutableOrderedSet()
  }
}
#endif
