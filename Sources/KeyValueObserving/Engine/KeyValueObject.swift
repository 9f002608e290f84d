#if !canImport(ObjectiveC)
/// A base class for portable models: the same source compiles and behaves alike on Apple platforms and on others.
///
/// Properties marked ``Observed`` take part in Key-Value Coding (KVC) and Key-Value Observing (KVO) under their own
/// names. So do computed properties that the class lists in ``keyPaths``.
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
/// Registration, removal, change, and delivery can happen concurrently on any threads. Observers are called on the
/// thread that makes the change, before the setter returns. No lock is held meanwhile, so an observer can do anything.
///
/// > Important: As with any Swift property, you must synchronize concurrent writes of one property. You must also
/// > synchronize an in-place mutation (`model.items.append(1)`), which accesses the storage directly, and the first
/// > registration with an object, with other uses of the same property.
///
/// ## Lifetimes
/// Observers, observed objects, and objects on a key path aren't retained, and any of them can be deallocated first. A
/// deallocated observer isn't called. When an observed object is deallocated, its registrations end without
/// notification. Removing observers, and reading and setting observed properties, work from a `deinit` too.
///
/// An object that isn't observed takes one word more than a plain one, and its properties take about as much time as
/// plain ones.
open class KeyValueObject: NSObject {
  @usableFromInline
  final let slot: ObservationSlot

  /// Creates an object that isn't observed.
  public override init() {
    // Before `super.init()`, after which the object would be retained and released to ask for its class.
    slot = ObservationSlot(of: Self.self)
    super.init()
  }

  // Not inlined, because the compiler of Swift 6.3 crashes where it inlines the destruction of an atomic into a
  // subclass.
  @inline(never)
  deinit {
    endObservation()
  }

  /// Additional keys, mapped to the key paths that read and, if writable, set them: `["fullName": \Person.fullName]`.
  ///
  /// Override it to make computed properties available to KVC, and to observe them by their names. A class lists only
  /// its own keys; those of its superclasses are included. If an ``Observed`` property is listed, KVC sets it through
  /// its setter, so that its `didSet` and overrides in subclasses run; otherwise KVC sets it directly.
  open class var keyPaths: [String: AnyKeyPath] { [:] }

  // MARK: Key-Value Coding

  /// The value for a key, unwrapped, or nil.
  ///
  /// - Parameter key: The name of a property. A key that the class doesn't have is passed to
  ///   ``value(forUndefinedKey:)``, which traps by default.
  open func value(forKey key: String) -> Any? {
    codedValue(forKey: key) { key == "self" ? self : value(forUndefinedKey: key) }
  }

  /// Sets the value for a key, and notifies observers as its setter does.
  ///
  /// - Parameters:
  ///   - value: The new value. Numbers are converted to the property's type. nil for a property that can't be nil is
  ///     passed to ``setNilValueForKey(_:)``, which traps by default. A value of the wrong type traps.
  ///   - key: The name of a property. A key that the class doesn't have is passed to ``setValue(_:forUndefinedKey:)``,
  ///     which traps by default.
  open func setValue(_ value: Any?, forKey key: String) {
    setCodedValue(value, forKey: key) { setValue(value, forUndefinedKey: key) }
  }

  /// The value at the end of a key path, or nil if an object on the path is nil.
  ///
  /// A dictionary on the path is read by its keys. A collection on the path returns a collection of its elements'
  /// values: `"items.name"`.
  ///
  /// An operator combines a collection into one value, and applies the rest of the path to the elements:
  /// `"items.@count"`, `"items.@sum.price"`, `@avg`, `@max`, and `@min`, and the unions `@unionOfObjects`,
  /// `@unionOfArrays`, and `@unionOfSets`, each also as `@distinctUnionOf…`. `self` stands for the elements themselves.
  /// As in Foundation, sums and averages are computed in decimal arithmetic, and elements without a value count as 0 in
  /// an average. The average, maximum, and minimum of an empty collection are nil. Unions omit nil values.
  ///
  /// - Parameter keyPath: A key, or keys joined by dots. An unknown operator, or a key of a value that has no keys,
  ///   traps.
  /// - Complexity: Linear in the number of keys, and in the number of elements of collections on the path.
  open func value(forKeyPath keyPath: String) -> Any? {
    codedValue(forKeyPath: keyPath)
  }

  /// Sets the value at the end of a key path. Does nothing if an object on the path is nil.
  ///
  /// If a collection is on the path, the value is set in each element. Of the dictionaries, only an
  /// `NSMutableDictionary` can be changed; nil removes the key.
  ///
  /// - Parameters:
  ///   - value: The new value, as for ``setValue(_:forKey:)``.
  ///   - keyPath: A key, or keys joined by dots. An operator, or a key of a value that has no keys, traps.
  /// - Complexity: Linear in the number of keys, and in the number of elements of collections on the path.
  open func setValue(_ value: Any?, forKeyPath keyPath: String) {
    setCodedValue(value, forKeyPath: keyPath)
  }

  /// Called to read a key that the class doesn't have. Traps unless it is overridden.
  ///
  /// - Parameter key: The undefined key.
  open func value(forUndefinedKey key: String) -> Any? {
    misuse(
      apple: """
        [<\(debugName(of: self))> valueForUndefinedKey:]: this class is not key value coding-compliant for the key \(key).
        """,
      remedy: "Mark the property @Observed, or list it in keyPaths.")
  }

  /// Called to set a key that the class doesn't have. Traps unless it is overridden.
  ///
  /// - Parameters:
  ///   - value: The new value.
  ///   - key: The undefined key.
  open func setValue(_ value: Any?, forUndefinedKey key: String) {
    misuse(
      apple: """
        [<\(debugName(of: self))> setValue:forUndefinedKey:]: this class is not key value coding-compliant for the key \(key).
        """,
      remedy: "Mark the property @Observed, or list a writable key path of it in keyPaths.")
  }

  /// Called to set nil for a key whose property can't be nil. Traps unless it is overridden.
  ///
  /// - Parameter key: The key of the property.
  open func setNilValueForKey(_ key: String) {
    misuse(
      apple: "[<\(debugName(of: self))> setNilValueForKey]: could not set nil as the value for the key \(key).",
      remedy: "Make the property an Optional, or override setNilValueForKey to set what nil stands for.")
  }

  /// The values for several keys, with `NSNull` in place of nil.
  ///
  /// - Parameter keys: The keys, as for ``value(forKey:)``.
  /// - Complexity: Linear in the number of keys.
  open func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
    Dictionary(keys.map { ($0, value(forKey: $0) ?? NSNull()) }, uniquingKeysWith: { first, _ in first })
  }

  /// Sets the values for several keys, with nil in place of `NSNull`.
  ///
  /// - Parameter keyedValues: The keys and the new values, as for ``setValue(_:forKey:)``.
  /// - Complexity: Linear in the number of keys.
  open func setValuesForKeys(_ keyedValues: [String: Any]) {
    for (key, value) in keyedValues {
      setValue(value is NSNull ? nil : value, forKey: key)
    }
  }

  // MARK: To-many properties

  /// The array or ordered set for a key as a mutable array, whose methods notify observers of what exactly they change.
  ///
  /// The array is a view of the property, and retains the object. The property can be an array or an ordered set,
  /// Swift's or Foundation's, or nil, which reads as empty until objects are inserted. Each insertion, removal, or
  /// replacement sends one notification, with the indexes. Exchanging two objects replaces both, and sorting replaces
  /// all. `setArray`, and replacing some objects with a different number of objects, sets the whole value. A call that
  /// affects no index sends nothing.
  ///
  /// Inserting an object of the wrong type, or using an index out of range, traps.
  ///
  /// - Parameter key: The key of the property. A property that is neither an array nor an ordered set traps at first
  ///   use.
  /// - Complexity: Constant time. Inserting into an ``Observed`` array takes the same time as in the array itself.
  open func mutableArrayValue(forKey key: String) -> NSMutableArray {
    KeyValueMutableArray(ToManyProperty(self, key, .array))
  }

  /// The array or ordered set at the end of a key path as a mutable array, as ``mutableArrayValue(forKey:)`` returns
  /// it.
  ///
  /// The path is resolved now, on its second-to-last object. If an object on it is nil, the array is empty and
  /// detached.
  ///
  /// - Parameter keyPath: A key, or keys joined by dots. A last key of a value that has no keys traps.
  /// - Complexity: Linear in the number of keys.
  open func mutableArrayValue(forKeyPath keyPath: String) -> NSMutableArray {
    toManyOwner(keyPath).map { $0.mutableArrayValue(forKey: $1) } ?? NSMutableArray()
  }

  /// The set for a key as a mutable set, whose methods notify observers of what exactly they change.
  ///
  /// The set is a view of the property, and retains the object. The property can be one of Swift's or of Foundation's
  /// sets, or nil, which reads as empty. Each method sends one notification, even if it has no effect: `add` and
  /// `union` send an insertion; `remove`, `minus`, `intersect`, and `removeAllObjects` a removal; `setSet` a
  /// replacement. Adding an object of the wrong type traps.
  ///
  /// > Note: Foundation's `filter(using:)` can't be overridden. It removes the objects one by one, each with a
  /// > notification. `set.intersect(set.filtered(using: predicate))` sends one.
  ///
  /// - Parameter key: The key of the property. A property that isn't a set traps at first use.
  open func mutableSetValue(forKey key: String) -> NSMutableSet {
    KeyValueMutableSet(ToManyProperty(self, key, .set))
  }

  /// The set at the end of a key path as a mutable set, as ``mutableSetValue(forKey:)`` returns it.
  ///
  /// The path is resolved now, on its second-to-last object. If an object on it is nil, the set is empty and detached.
  ///
  /// - Parameter keyPath: A key, or keys joined by dots. A last key of a value that has no keys traps.
  /// - Complexity: Linear in the number of keys.
  open func mutableSetValue(forKeyPath keyPath: String) -> NSMutableSet {
    toManyOwner(keyPath).map { $0.mutableSetValue(forKey: $1) } ?? NSMutableSet()
  }

  /// The ordered set or array for a key as a mutable ordered set, whose methods notify observers of what exactly they
  /// change.
  ///
  /// It is a view like that of ``mutableArrayValue(forKey:)``, and sends the same notifications. Objects that it
  /// contains already aren't inserted again. Moving objects replaces all objects from the first affected index to the
  /// last. An array must not contain equal objects.
  ///
  /// > Note: Foundation's `array`, `set`, `firstObject`, `lastObject`, `reversed`, `filter(using:)`, and enumeration
  /// > (`for … in`) can't be overridden. They show what the property contained when the ordered set was returned or
  /// > last mutated. Get a new one when the property has changed in another way.
  ///
  /// - Parameter key: The key of the property. A property that is neither an ordered set nor an array traps at first
  ///   use.
  open func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
    KeyValueMutableOrderedSet(ToManyProperty(self, key, .orderedSet))
  }

  /// The ordered set or array at the end of a key path as a mutable ordered set, as ``mutableOrderedSetValue(forKey:)``
  /// returns it.
  ///
  /// The path is resolved now, on its second-to-last object. If an object on it is nil, the ordered set is empty and
  /// detached.
  ///
  /// - Parameter keyPath: A key, or keys joined by dots. A last key of a value that has no keys traps.
  /// - Complexity: Linear in the number of keys.
  open func mutableOrderedSetValue(forKeyPath keyPath: String) -> NSMutableOrderedSet {
    toManyOwner(keyPath).map { $0.mutableOrderedSetValue(forKey: $1) } ?? NSMutableOrderedSet()
  }

  // MARK: Registration and delivery

  /// Registers `observer` for changes of the value at `keyPath`.
  ///
  /// The observer isn't retained. If it is registered twice with the same key path and context, it is called twice. You
  /// don't need to remove it before either object is deallocated.
  ///
  /// A key path can lead to an operator on a collection, such as `"items.@sum.price"`. Each change of the collection is
  /// then a setting with the operator's old and new values; changes of its elements don't notify.
  ///
  /// - Parameters:
  ///   - observer: The object whose ``observeValue(forKeyPath:of:change:context:)`` is called.
  ///   - keyPath: A key, or keys joined by dots. When an object on the path is replaced, the new one is followed. A
  ///     path through a collection without an operator traps, and so does an undefined key if the options request
  ///     values.
  ///   - options: Options that determine what the change dictionary contains, and when notifications are sent.
  ///   - context: A pointer that is passed to the observer as it is, and distinguishes registrations when they are
  ///     removed.
  /// - Complexity: Constant time for a key without dependencies, however many observers it has; otherwise linear in the
  ///   number of keys and dependencies.
  open func addObserver(
    _ observer: KeyValueObject, forKeyPath keyPath: String, options: NSKeyValueObservingOptions = [],
    context: UnsafeMutableRawPointer?
  ) {
    addRegistration(observer, forKeyPath: keyPath, options: options, context: context)
  }

  /// Removes the latest registration of `observer` with exactly this key path and context.
  ///
  /// Removing a registration that doesn't exist traps.
  ///
  /// - Parameters:
  ///   - observer: The registered observer.
  ///   - keyPath: The registered key path.
  ///   - context: The registered context. nil matches only nil.
  /// - Complexity: Linear in the number of registrations of `observer` with this context, and in the number of the key
  ///   path's keys and dependencies.
  open func removeObserver(_ observer: KeyValueObject, forKeyPath keyPath: String, context: UnsafeMutableRawPointer?) {
    unregister(observer, forKeyPath: keyPath, context: .some(context))
  }

  /// Removes the latest registration of `observer` with this key path, whatever its context.
  ///
  /// Removing a registration that doesn't exist traps.
  ///
  /// - Parameters:
  ///   - observer: The registered observer.
  ///   - keyPath: The registered key path.
  /// - Complexity: Linear in the number of the object's registrations, and in the number of the key path's keys and
  ///   dependencies.
  open func removeObserver(_ observer: KeyValueObject, forKeyPath keyPath: String) {
    unregister(observer, forKeyPath: keyPath, context: .none)
  }

  /// Called for each change that this object observes. Override it to handle them.
  ///
  /// Pass changes with contexts that you don't know to `super`. A change that reaches this base class traps.
  ///
  /// - Parameters:
  ///   - keyPath: The key path as it was registered.
  ///   - object: The object with which the observer was registered.
  ///   - change: The kind of the change, and what the options requested.
  ///   - context: The context of the registration.
  open func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    refuseNotification(forKeyPath: keyPath, of: object, change: change, context: context)
  }

  /// Receives a change from the engine. Observers that need no dictionary override it.
  func receive(_ change: borrowing KeyValueChange, context: UnsafeMutableRawPointer?) {
    observeValue(forKeyPath: change.keyPath, of: change.object, change: change.dictionary, context: context)
  }

  // MARK: Manual notification

  /// Notifies observers that the value for `key` is about to change. Call ``didChangeValue(forKey:)`` on the same
  /// thread after the change.
  ///
  /// - Parameter key: The key of the property.
  /// - Complexity: Linear in the number of registrations that the change affects.
  open func willChangeValue(forKey key: String) {
    beginManualChange(of: key)
  }

  /// Notifies observers that the value for `key` has changed. Sends nothing without a preceding
  /// ``willChangeValue(forKey:)``.
  ///
  /// - Parameter key: The key of the property.
  /// - Complexity: Linear in the number of registrations that the change affects.
  open func didChangeValue(forKey key: String) {
    endManualChange(of: key)
  }

  /// Notifies observers that objects of the array or ordered set for `key` are about to change at `indexes`.
  ///
  /// - Parameters:
  ///   - changeKind: Whether the objects are inserted, removed, or replaced.
  ///   - indexes: The indexes of the objects.
  ///   - key: The key of the property.
  /// - Complexity: Linear in the number of registrations that the change affects.
  open func willChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String) {
    beginManualChange(of: key, .ordered(changeKind, indexes))
  }

  /// Notifies observers that objects of the array or ordered set for `key` have changed at `indexes`.
  ///
  /// - Parameters:
  ///   - changeKind: Whether the objects are inserted, removed, or replaced.
  ///   - indexes: The indexes of the objects.
  ///   - key: The key of the property.
  /// - Complexity: Linear in the number of registrations that the change affects.
  open func didChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String) {
    endManualChange(of: key)
  }

  /// Notifies observers that the unordered set for `key` is about to change.
  ///
  /// - Parameters:
  ///   - key: The key of the property.
  ///   - mutationKind: The kind of the mutation.
  ///   - objects: The objects that the mutation adds, removes, keeps, or sets.
  /// - Complexity: Linear in the number of registrations that the change affects.
  open func willChangeValue(
    forKey key: String, withSetMutation mutationKind: NSKeyValueSetMutationKind, using objects: Set<AnyHashable>
  ) {
    beginManualChange(of: key, .unordered(mutationKind, objects))
  }

  /// Notifies observers that the unordered set for `key` has changed.
  ///
  /// - Parameters:
  ///   - key: The key of the property.
  ///   - mutationKind: The kind of the mutation.
  ///   - objects: The objects that the mutation adds, removes, keeps, or sets.
  /// - Complexity: Linear in the number of registrations that the change affects.
  open func didChangeValue(
    forKey key: String, withSetMutation mutationKind: NSKeyValueSetMutationKind, using objects: Set<AnyHashable>
  ) {
    endManualChange(of: key)
  }

  // MARK: Customization

  /// The key paths whose changes change the value for `key` too. Called once for each class and key.
  ///
  /// - Parameter key: The key of a property.
  open class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> { [] }

  /// Whether setters and KVC notify observers of `key`. If not, call ``willChangeValue(forKey:)`` and
  /// ``didChangeValue(forKey:)`` yourself. Called once for each class and key.
  ///
  /// - Parameter key: The key of a property.
  open class func automaticallyNotifiesObservers(forKey key: String) -> Bool { true }

  /// Non-nil while observed. Opaque.
  open var observationInfo: UnsafeMutableRawPointer? {
    guard let info = slot.info, info.hasRegistrations else { return nil }
    return Unmanaged.passUnretained(info).toOpaque()
  }
}
#endif
