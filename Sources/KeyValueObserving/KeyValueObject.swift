#if !canImport(ObjectiveC)
/// Base class of portable models: the same source compiles and behaves alike on Apple platforms and elsewhere.
///
/// Properties marked ``Observed`` take part in Key-Value Coding (KVC) and Key-Value Observing (KVO) under their own
/// names; so do computed properties that the class lists in ``keyPaths``.
///
///     final class Person: KeyValueObject {
///       @Observed var first = ""
///       @Observed var last = ""
///       var fullName: String { "\(first) \(last)" }
///
///       override class var keyPaths: [String: AnyKeyPath] { ["fullName": \Person.fullName] }
///
///       override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
///         key == "fullName" ? ["first", "last"] : []
///       }
///     }
///
/// ## Threads
/// Registration, removal, change and delivery may happen at the same time on any threads. Observers are called on the
/// thread that makes the change, before the setter returns, and no lock is held meanwhile: an observer may do anything.
/// Concurrent writes of one property need their owner's own synchronisation, as ever in Swift. So do a mutation in
/// place (`model.items.append(1)`) and the very first registration with an object, against whatever else happens to the
/// property at the same time: the one lends out the storage, and before the other nobody knows that the object is
/// observed.
///
/// ## Lifetimes
/// Neither observers nor observed objects nor objects on a key path are retained, and any of them may die first: a dead
/// observer is skipped in silence, and a dead object takes the registrations with it along. Removal, and reading and
/// setting observed properties, work from a `deinit` too.
///
/// An object that nobody observes costs one word more than a plain one, and its properties what plain ones cost.
open class KeyValueObject: NSObject {
  @usableFromInline
  final let slot = ObservationSlot()

  /// Whether setters must tell the engine of what they do.
  @inlinable
  final var isAttended: Bool { slot.isAttended }

  /// Whether accesses in place must tell the engine of what they do.
  @inlinable
  final var isAttendedOrObservable: Bool { slot.isAttendedOrObservable }

  /// Whether the object's class conforms to `Observable`.
  @inlinable
  final var isObservable: Bool { slot.isObservable }

  /// Whether getters must tell the engine of what they do.
  @inlinable
  final var isTracked: Bool { slot.isTracked }

  /// Whether getters must do more than to read.
  @inlinable
  final var isTrackedOrObservable: Bool { slot.isTrackedOrObservable }

  /// Creates an object that nobody observes.
  public override init() {
    super.init()
    beginObservation()
  }

  // Inlined into a subclass's deinit, the destruction of an atomic stops the compiler of Swift 6.3.
  @inline(never)
  deinit {
    endObservation()
  }

  /// The keys of this class that are not ``Observed``, each with the key path that reads and, if writable, sets it:
  /// `["fullName": \Person.fullName]`.
  ///
  /// A class lists its own; those of its superclasses count too. It makes them visible to KVC, and `\Person.fullName`
  /// known by its name. An ``Observed`` property may be listed as well: then KVC sets it through its setter, so that
  /// the property's own `didSet` and overrides in subclasses run, and not directly.
  open class var keyPaths: [String: AnyKeyPath] { [:] }

  // MARK: Key-Value Coding

  /// The value of a key, nil for null; Optionals are given unwrapped.
  ///
  /// A key that the class doesn't have goes to ``value(forUndefinedKey:)``.
  open func value(forKey key: String) -> Any? {
    codedValue(forKey: key) { key == "self" ? self : value(forUndefinedKey: key) }
  }

  /// Sets the value of a key, and notifies as its setter does.
  ///
  /// Numbers are converted to the property's width. nil for a property that can't be nil goes to
  /// ``setNilValueForKey(_:)``, a key that the class doesn't have to ``setValue(_:forUndefinedKey:)``. A value of
  /// another type stops the process.
  open func setValue(_ value: Any?, forKey key: String) {
    setCodedValue(value, forKey: key) { setValue(value, forUndefinedKey: key) }
  }

  /// The value at the end of a key path: nil if the path meets nil. Dictionaries on the way answer to their keys.
  ///
  /// A collection on the way answers to the keys of its elements, with a collection of their values: `"items.name"`. An
  /// operator makes one value of it, and takes the rest of the path for that of the elements: `"items.@count"`,
  /// `"items.@sum.price"`, `@avg`, `@max`, `@min`, and the unions of the elements' values `@unionOfObjects`,
  /// `@unionOfArrays` and `@unionOfSets`, each also as `@distinctUnionOf…`. `self` stands for the elements themselves.
  /// As in Foundation sums and averages are reckoned in decimal, elements without a value count as 0 in an average, and
  /// nothing has no average, maximum or minimum: they are nil. Unions leave out what is nil.
  ///
  /// An unknown operator, and a key of a value that has no keys, stop the process.
  open func value(forKeyPath keyPath: String) -> Any? {
    codedValue(forKeyPath: keyPath)
  }

  /// Sets the value at the end of a key path; does nothing if the path meets nil.
  ///
  /// For a key of a collection it is set in each element. Of dictionaries only `NSMutableDictionary` can be set; nil
  /// removes the key. Setting through an operator stops the process.
  open func setValue(_ value: Any?, forKeyPath keyPath: String) {
    setCodedValue(value, forKeyPath: keyPath)
  }

  /// Called for the value of a key that the class doesn't have; stops the process unless it is overridden.
  open func value(forUndefinedKey key: String) -> Any? {
    misuse(
      apple: """
        [<\(name(self))> valueForUndefinedKey:]: this class is not key value coding-compliant for the key \(key).
        """,
      remedy: "Mark the property @Observed, or list it in keyPaths.")
  }

  /// Called to set a key that the class doesn't have; stops the process unless it is overridden.
  open func setValue(_ value: Any?, forUndefinedKey key: String) {
    misuse(
      apple: """
        [<\(name(self))> setValue:forUndefinedKey:]: this class is not key value coding-compliant for the key \(key).
        """,
      remedy: "Mark the property @Observed, or list a writable key path of it in keyPaths.")
  }

  /// Called to set a key to nil whose property can't be nil; stops the process unless it is overridden.
  open func setNilValueForKey(_ key: String) {
    misuse(
      apple: "[<\(name(self))> setNilValueForKey]: could not set nil as the value for the key \(key).",
      remedy: "Make the property an Optional, or override setNilValueForKey to set what nil stands for.")
  }

  /// The values of several keys, null as `NSNull`.
  open func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
    Dictionary(keys.map { ($0, value(forKey: $0) ?? NSNull()) }, uniquingKeysWith: { first, _ in first })
  }

  /// Sets the values of several keys, null (`NSNull`) as nil.
  open func setValuesForKeys(_ keyedValues: [String: Any]) {
    for (key, value) in keyedValues {
      setValue(value is NSNull ? nil : value, forKey: key)
    }
  }

  // MARK: To-many properties

  /// The array or ordered set of a key as a mutable array, each of whose methods notifies of just what it does.
  ///
  /// The array is a view of the property, and holds on to the object. The property may be an array or an ordered set,
  /// Swift's or Foundation's, or nil, which reads as empty until objects are inserted. Insertions, removals and
  /// replacements notify once each, with their indexes. Exchanging two objects replaces both; sorting replaces all;
  /// `setArray`, or putting another number of objects in the place of some, sets the whole value. What changes nothing
  /// because it concerns no index, doesn't notify.
  ///
  /// An object of another type than the property's elements, and an index beyond them, stop the process.
  ///
  /// - Complexity: Inserting into an ``Observed`` array takes the time that it takes in the array itself.
  open func mutableArrayValue(forKey key: String) -> NSMutableArray {
    KeyValueMutableArray(ToManyProperty(self, key, .array))
  }

  /// The array or ordered set at the end of a key path as a mutable array: that of the object which is at the end but
  /// one now. It belongs to no object, and is empty, if the path meets nil.
  open func mutableArrayValue(forKeyPath keyPath: String) -> NSMutableArray {
    toManyOwner(keyPath).map { $0.mutableArrayValue(forKey: $1) } ?? NSMutableArray()
  }

  /// The set of a key as a mutable set, each of whose methods notifies of just what it does.
  ///
  /// The set is a view of the property, and holds on to the object. The property may be one of Swift's sets or of
  /// Foundation's, or nil, which reads as empty. Each method notifies once, also if it has no effect: `add` and `union`
  /// of an insertion; `remove`, `minus`, `intersect` and `removeAllObjects` of a removal; `setSet` of a replacement.
  /// An object of another type than the property's elements can't be added, and stops the process.
  ///
  /// - Note: Foundation's `filter(using:)` can't be overridden and removes the objects one by one, each with a
  ///   notification of its own. `set.intersect(set.filtered(using: predicate))` notifies once.
  open func mutableSetValue(forKey key: String) -> NSMutableSet {
    KeyValueMutableSet(ToManyProperty(self, key, .set))
  }

  /// The set at the end of a key path as a mutable set: that of the object which is at the end but one now. It belongs
  /// to no object, and is empty, if the path meets nil.
  open func mutableSetValue(forKeyPath keyPath: String) -> NSMutableSet {
    toManyOwner(keyPath).map { $0.mutableSetValue(forKey: $1) } ?? NSMutableSet()
  }

  /// The ordered set or array of a key as a mutable ordered set, each of whose methods notifies of just what it does.
  ///
  /// It is a view like that of ``mutableArrayValue(forKey:)``, and notifies like it. Objects that it contains already
  /// are not inserted again. Moving objects replaces all from the first index that is concerned to the last. An array
  /// must contain no two equal objects.
  ///
  /// - Note: Foundation's `array`, `set`, `firstObject`, `lastObject`, `reversed`, `filter(using:)` and enumeration
  ///   (`for … in`) can't be overridden. They show what the property contained when the ordered set was got or last
  ///   mutated; get a new one when the property has changed in another way.
  open func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
    KeyValueMutableOrderedSet(ToManyProperty(self, key, .orderedSet))
  }

  /// The ordered set or array at the end of a key path as a mutable ordered set: that of the object which is at the end
  /// but one now. It belongs to no object, and is empty, if the path meets nil.
  open func mutableOrderedSetValue(forKeyPath keyPath: String) -> NSMutableOrderedSet {
    toManyOwner(keyPath).map { $0.mutableOrderedSetValue(forKey: $1) } ?? NSMutableOrderedSet()
  }

  // MARK: Registration and delivery

  /// Registers `observer` for changes of the value at `keyPath`.
  ///
  /// The observer is not retained. Registered twice with the same key path and context, it is called twice. Removal is
  /// not needed before either object dies.
  ///
  /// A key path may lead to an operator on a collection, such as `"items.@sum.price"`. Then changes of the collection
  /// notify, each as a setting with the operator's old and new values; changes of its elements don't. A key path that
  /// goes on through a collection without an operator stops the process.
  ///
  /// - Parameters:
  ///   - observer: Whose ``observeValue(forKeyPath:of:change:context:)`` is called.
  ///   - keyPath: A key, or keys joined by dots; the registration follows the objects on the way as they are replaced.
  ///   - options: What the change dictionary holds, and when notifications are sent.
  ///   - context: Handed to the observer as it is; tells registrations apart when they are removed.
  /// - Complexity: Constant time for a key without dependencies, however many observers it has.
  open func addObserver(
    _ observer: KeyValueObject, forKeyPath keyPath: String, options: NSKeyValueObservingOptions = [],
    context: UnsafeMutableRawPointer?
  ) {
    addRegistration(observer, forKeyPath: keyPath, options: options, context: context)
  }

  /// Removes the latest registration of `observer` with just this key path and context; nil matches nil only.
  ///
  /// Removing what is not registered is a mistake that stops the process.
  open func removeObserver(_ observer: KeyValueObject, forKeyPath keyPath: String, context: UnsafeMutableRawPointer?) {
    unregister(observer, forKeyPath: keyPath, context: .some(context))
  }

  /// Removes the latest registration of `observer` with that key path, whatever its context.
  ///
  /// Removing what is not registered is a mistake that stops the process.
  open func removeObserver(_ observer: KeyValueObject, forKeyPath keyPath: String) {
    unregister(observer, forKeyPath: keyPath, context: .none)
  }

  /// Called for each change that this object observes; override it to hear of them.
  ///
  /// What is not one's own is for the superclass; when it reaches this base class, it stops the process.
  ///
  /// - Parameters:
  ///   - keyPath: The key path as it was registered.
  ///   - object: The object that was registered with.
  ///   - change: The kind of the change, and what the options asked for.
  ///   - context: The context of the registration.
  open func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    refuseNotification(forKeyPath: keyPath, of: object, change: change, context: context)
  }

  /// Takes a change as the engine has it, for those observers that need no dictionary.
  func receive(_ change: borrowing KeyValueChange, context: UnsafeMutableRawPointer?) {
    observeValue(forKeyPath: change.keyPath, of: change.object, change: change.dictionary, context: context)
  }

  // MARK: Manual notification

  /// Says that the value of `key` is about to change; ``didChangeValue(forKey:)`` on the same thread must follow.
  open func willChangeValue(forKey key: String) {
    beginManualChange(of: key)
  }

  /// Says that the value of `key` has changed; without ``willChangeValue(forKey:)`` before, nothing is sent.
  open func didChangeValue(forKey key: String) {
    endManualChange(of: key)
  }

  /// Says that objects of the array or ordered set under `key` are about to change at `indexes`.
  open func willChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String) {
    beginManualChange(of: key, .ordered(changeKind, indexes))
  }

  /// Says that objects of the array or ordered set under `key` have changed at `indexes`.
  open func didChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String) {
    endManualChange(of: key)
  }

  /// Says that the unordered set under `key` is about to change.
  open func willChangeValue(
    forKey key: String, withSetMutation mutationKind: NSKeyValueSetMutationKind, using objects: Set<AnyHashable>
  ) {
    beginManualChange(of: key, .unordered(mutationKind, objects))
  }

  /// Says that the unordered set under `key` has changed.
  open func didChangeValue(
    forKey key: String, withSetMutation mutationKind: NSKeyValueSetMutationKind, using objects: Set<AnyHashable>
  ) {
    endManualChange(of: key)
  }

  // MARK: Customisation

  /// The key paths whose changes change the value of `key` too. Asked once for each class and key.
  open class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> { [] }

  /// Whether setters and KVC notify for `key`; if not, pairs of ``willChangeValue(forKey:)`` and
  /// ``didChangeValue(forKey:)`` do. Asked once for each class and key.
  open class func automaticallyNotifiesObservers(forKey key: String) -> Bool { true }

  /// Not nil while the object is observed. What it points to is the engine's own.
  open var observationInfo: UnsafeMutableRawPointer? {
    guard let info = slot.info, info.hasRegistrations else { return nil }
    return Unmanaged.passUnretained(info).toOpaque()
  }
}
#endif
