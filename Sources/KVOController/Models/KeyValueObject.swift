import CKeyValueObserving

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
///     }
///
/// Observers are called on the thread that makes the change, before the setter returns, and without a lock. Observers,
/// observed objects, and objects on a key path aren't retained, and any of them can be deallocated first.
///
/// > Important: As with any Swift property, you must synchronize each write with other reads and writes of it. An
/// > in-place mutation (`model.items.append(1)`) is a write for its whole duration, and the first observation of an
/// > object that isn't observed is like a read of its properties.
///
/// An object that isn't observed takes one word more than a plain one, and its properties take about as much time.
open class KeyValueObject: KeyValueCodingObject {
  /// The address of the object's info, and flags. Only functions in C access it, at the offset that they expect.
  @usableFromInline
  final var word: UInt

  /// Creates an object that isn't observed.
  public override init() {
    // Before `super.init()`, after which the object would be retained and released to ask for its class.
    word = Self.initialWord
    super.init()
  }

  deinit {
    requireNoLock("an object is released")
    endObservation()
  }

  /// Additional keys, mapped to the key paths that read and, if writable, set them: `["fullName": \Person.fullName]`.
  ///
  /// Override it to make computed properties available to KVC, and to observe them by their names. A class lists only
  /// its own keys; those of its superclasses are included. If an ``Observed`` property is listed, KVC and proxies set it through
  /// its setter, so that its `didSet` and overrides in subclasses run; otherwise they set it directly.
  ///
  /// The class is asked once, before its first object is observed. So the override must neither create an object of the class nor
  /// ask for `observedKeys`: that would ask for the key paths again, without end.
  open class var keyPaths: [String: AnyKeyPath] { [:] }

  // MARK: Key-Value Coding

  /// The value for a key, unwrapped, or nil. A key that the class doesn't have is passed to `value(forUndefinedKey:)`,
  /// which traps by default.
  open override func value(forKey key: String) -> Any? {
    bridgedLikeAMessage(codedValue(forKey: key) { super.value(forKey: key) })
  }

  /// Sets the value for a key, and notifies observers as its setter does.
  ///
  /// The value is converted to the property's type: any number to any other, exactly where that is possible; raw values
  /// to enums; collections and their elements. A value that can't be converted traps, and so does a number out of
  /// range. nil for a property that can't be nil is passed to `setNilValueForKey(_:)`, and a key that the class doesn't
  /// have to `setValue(_:forUndefinedKey:)`; both trap by default.
  open override func setValue(_ value: Any?, forKey key: String) {
    let value = bridgedLikeAMessage(value)
    setCodedValue(value, forKey: key) { super.setValue(value, forKey: key) }
  }

  // MARK: To-many properties

  /// The array or ordered set for a key as a mutable array, whose methods notify observers of what exactly they change.
  ///
  /// The array is a view of the property, and retains the object. The property can be an array or an ordered set,
  /// Swift's or Foundation's, or nil, which reads as empty until objects are inserted; any other traps at first use.
  /// Each call that adds, inserts, removes, or replaces objects sends one notification, with the indexes, or none if it
  /// affects no index. `setArray` sends one that sets the whole value. Sorting, exchanging, filtering, and replacing a
  /// range of objects with a different number of objects send one or more notifications, of any kind, which together
  /// lead to the new contents.
  ///
  /// Inserting an object of the wrong type, or using an index out of range, traps.
  ///
  /// - Complexity: Constant time. Inserting into an ``Observed`` array takes the same time as in the array itself. If
  ///   the class lists the property in ``keyPaths``, its setter is called with an edited copy.
  open override func mutableArrayValue(forKey key: String) -> NSMutableArray {
    if hasProxiesOfFoundation(key) { return super.mutableArrayValue(forKey: key) }
    return KeyValueMutableArray(ToManyProperty(self, key, .array))
  }

  /// The set for a key as a mutable set, whose methods notify observers of what exactly they change.
  ///
  /// The set is a view of the property, and retains the object. The property can be one of Swift's or of Foundation's
  /// sets, or nil, which reads as empty; any other traps at first use. Each method sends one notification, even if it
  /// has no effect: `add`, `addObjects`, and `union` send an insertion; `remove`, `minus`, `intersect`, and
  /// `removeAllObjects` a removal; `setSet` a replacement. Adding an object of the wrong type traps.
  ///
  /// > Note: Foundation's `filter(using:)` can't be overridden. It sends any number of notifications, which together
  /// > lead to the new contents. `set.intersect(set.filtered(using: predicate))` sends one.
  ///
  /// > Important: On Linux, a cast of the set to a Swift set is empty, without an error, as for every subclass of
  /// > `NSSet`. Read the property itself, or write `Set(object.mutableSetValue(forKey: "tags").allObjects as! [Int])`.
  open override func mutableSetValue(forKey key: String) -> NSMutableSet {
    if hasProxiesOfFoundation(key) { return super.mutableSetValue(forKey: key) }
    return KeyValueMutableSet(ToManyProperty(self, key, .set))
  }

  /// The ordered set or array for a key as a mutable ordered set, whose methods notify observers of what exactly they
  /// change.
  ///
  /// It is a view like that of ``mutableArrayValue(forKey:)``, and sends the same notifications. Each call of `union`,
  /// `minus`, or `intersect` sends one, or none if it has no effect; moving objects sends one or more. Objects that it
  /// contains already aren't inserted again, and a replacement that would put an object in twice has no effect. An
  /// array must not contain equal objects.
  ///
  /// > Note: On Linux, Foundation's `firstObject`, `lastObject`, `reversed`, `filter(using:)`, and `for … in` can't be
  /// > overridden. They show what the property contained when the ordered set was returned, or last mutated. If the
  /// > property has changed in another way, get a new ordered set, or use `array`.
  ///
  /// - Complexity: On Linux, creating it takes time linear in the number of objects, as does each mutation.
  open override func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
    if hasProxiesOfFoundation(key) { return super.mutableOrderedSetValue(forKey: key) }
    return KeyValueMutableOrderedSet(ToManyProperty(self, key, .orderedSet))
  }

  // MARK: Manual notification

  #if canImport(ObjectiveC)
  // Setters that Foundation has replaced call overrides of these two.
  open override func willChangeValue(forKey key: String) { beginManualChange(of: key, .setting) }
  open override func didChangeValue(forKey key: String) { endManualChange(of: key, .setting) }
  #else
  /// Notifies observers that the value for `key` is about to change. Call ``didChangeValue(forKey:)`` on the same
  /// thread after the change.
  ///
  /// It can't be overridden, because setters don't call it: use `observe(allOf:)` to be notified of every change.
  public override func willChangeValue(forKey key: String) { beginManualChange(of: key, .setting) }

  /// Notifies observers that the value for `key` has changed. Sends nothing without a preceding
  /// ``willChangeValue(forKey:)``.
  public override func didChangeValue(forKey key: String) { endManualChange(of: key, .setting) }
  #endif

  /// Reports a read of the value for `key`, as the getter of an `@Observed` property does: to Observation, if the class
  /// conforms to `Observable`, and to observers of paths that are followed by reading.
  ///
  /// Call it first in the getter of a property whose value is stored outside of the object, and whose setter calls
  /// ``willChangeValue(forKey:)`` and ``didChangeValue(forKey:)``.
  public final func didAccessValue(forKey key: String) { reportRead(ofKey: key) }

  /// Notifies observers that objects of the array or ordered set for `key` are about to change at `indexes`: are
  /// inserted, removed, or replaced, as `changeKind` says.
  open override func willChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String) {
    beginManualChange(of: key, .ordered(changeKind, indexes))
  }

  /// The counterpart of ``willChange(_:valuesAt:forKey:)`` after the change, with the same arguments.
  open override func didChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String) {
    endManualChange(of: key, .ordered(changeKind, indexes))
  }

  /// Notifies observers that the unordered set for `key` is about to change: that `objects` are added, removed, kept,
  /// or set, as `mutationKind` says.
  open override func willChangeValue(
    forKey key: String, withSetMutation mutationKind: NSKeyValueSetMutationKind, using objects: Set<AnyHashable>
  ) {
    beginManualChange(of: key, .unordered(mutationKind, objects))
  }

  /// The counterpart of ``willChangeValue(forKey:withSetMutation:using:)`` after the change, with the same arguments.
  open override func didChangeValue(
    forKey key: String, withSetMutation mutationKind: NSKeyValueSetMutationKind, using objects: Set<AnyHashable>
  ) {
    endManualChange(of: key, .unordered(mutationKind, objects))
  }
}

// MARK: Keys and observers

extension KeyValueObject {
  /// The keys of the class that can be observed on every platform: those of its stored observed properties, and those
  /// that it lists in ``keyPaths``.
  ///
  /// The keys of superclasses come first, then the properties in the order of their declaration, then the listed keys
  /// in alphabetical order. Each key is there once, even if a class lists the key of a property or overrides one.
  public static var observedKeys: [String] { ClassProperties.of(self).names }

  /// The registrations of observers that a change of this object may notify, one line for each, in the order in which
  /// they were made; empty if there are none.
  ///
  /// A line names the observer, the object at which the key path begins, the key path, the options, and the form of
  /// observing:
  ///
  ///     <Cover 0x…> observes <Album 0x…> -> title (new, old), on the thread of the change, with a typed handler
  ///     <Shelf 0x…> observes <Artist 0x…> -> album.title (no options), on the main actor, with a block
  ///
  /// The second is that of a key path that leads through this object. Neither tracking by Observation is shown, nor
  /// what is registered with Foundation on Apple platforms, which `observationInfo` shows in the debugger.
  ///
  /// It is meant for people: print it in the debugger. Its text may change.
  public final var observersDescription: String {
    guard let info = observationInfoIfMade else { return "" }
    return info.allObservances.map { $0.text(at: $0.root(at: self, info)) }.joined(separator: "\n")
  }
}
