#if canImport(ObjectiveC)
/// The base class of all observable objects: `NSObject`, where Foundation has Key-Value Observing.
public typealias KeyValueObservable = NSObject

/// The superclass of ``KeyValueObject``.
public typealias KeyValueCodingObject = NSObject
#else
/// The base class of all observable objects: `KeyValueObject`, where Foundation has no Key-Value Observing.
public typealias KeyValueObservable = KeyValueObject

/// The superclass of ``KeyValueObject``: what `NSObject` declares on Apple platforms, for platforms on which it doesn't.
///
/// ``KeyValueObject`` overrides what concerns its own keys. Only that class inherits from this one.
open class KeyValueCodingObject: NSObject {
  override init() {
    super.init()
  }

  // MARK: Key-Value Coding

  /// The value for a key, unwrapped, or nil.
  open func value(forKey key: String) -> Any? {
    key == "self" ? self : value(forUndefinedKey: key)
  }

  /// Sets the value for a key.
  open func setValue(_ value: Any?, forKey key: String) {
    setValue(value, forUndefinedKey: key)
  }

  /// The value at the end of a key path, or nil if an object on the path is nil.
  ///
  /// A dictionary on the path is read by its keys. A collection on the path returns a collection of its elements'
  /// values: `"items.name"`.
  ///
  /// An operator combines a collection into one value, and applies the rest of the path to the elements:
  /// `"items.@count"`, `"items.@sum.price"`, `@avg`, `@max`, and `@min`, and the unions `@unionOfObjects`,
  /// `@unionOfArrays`, and `@unionOfSets`, each also as `@distinctUnionOf…`. `self` stands for the elements themselves.
  /// Elements without a value count as 0 in an average. The average, maximum, and minimum of an empty collection are
  /// nil. Unions omit nil values.
  ///
  /// An unknown operator, or a key of a value that has no keys, traps.
  open func value(forKeyPath keyPath: String) -> Any? {
    CodingReader.value(forKeyPath: keyPath, of: self)
  }

  /// Sets the value at the end of a key path. Does nothing if an object on the path is nil.
  ///
  /// If a collection is on the path, the value is set in each element. Of the dictionaries, only an
  /// `NSMutableDictionary` can be changed; nil removes the key. An operator, or a key of a value that has no keys,
  /// traps.
  open func setValue(_ value: Any?, forKeyPath keyPath: String) {
    CodingReader.set(value, forKeyPath: keyPath, of: self)
  }

  /// Called to read a key that the class doesn't have. Traps unless it is overridden.
  open func value(forUndefinedKey key: String) -> Any? {
    misuse(
      undefinedKey: key, of: debugName(of: self),
      remedy: ClassProperties.remedy(of: self, "Mark the property @Observed, or list it in keyPaths."),
      file: DebugNotice.site.get()?.fileID ?? #fileID, line: DebugNotice.site.get()?.line ?? #line)
  }

  /// Called to set a key that the class doesn't have. Traps unless it is overridden.
  open func setValue(_ value: Any?, forUndefinedKey key: String) {
    misuse(
      undefinedKey: key, of: debugName(of: self), in: "setValue:forUndefinedKey:",
      remedy: ClassProperties.remedy(
        of: self, "Mark the property @Observed, or list a writable key path of it in keyPaths."))
  }

  /// Called to set nil for a key whose property can't be nil. Traps unless it is overridden.
  open func setNilValueForKey(_ key: String) {
    misuse(
      apple: "[<\(debugName(of: self))> setNilValueForKey]: could not set nil as the value for the key \(key).",
      remedy: "Make the property an Optional, or override setNilValueForKey to set what nil stands for.")
  }

  /// The values for several keys, as of ``value(forKey:)``, with `NSNull` in place of nil.
  open func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
    Dictionary(keys.map { ($0, value(forKey: $0) ?? NSNull()) }, uniquingKeysWith: { first, _ in first })
  }

  /// Sets the values for several keys, as ``setValue(_:forKey:)`` does, with nil in place of `NSNull`.
  open func setValuesForKeys(_ keyedValues: [String: Any]) {
    for (key, value) in keyedValues {
      setValue(value is NSNull ? nil : value, forKey: key)
    }
  }

  // MARK: To-many properties

  /// The collection for a key as a mutable one.
  open func mutableArrayValue(forKey key: String) -> NSMutableArray {
    NSMutableArray()
  }

  /// The array or ordered set at the end of a key path as a mutable array, as ``mutableArrayValue(forKey:)`` returns
  /// it.
  ///
  /// The path is resolved now, on its second-to-last object. If an object on it is nil, the array is empty and
  /// detached. A last key of a value that has no keys traps.
  open func mutableArrayValue(forKeyPath keyPath: String) -> NSMutableArray {
    CodingReader.owner(ofCollectionAt: keyPath, of: self).map { $0.mutableArrayValue(forKey: $1) } ?? NSMutableArray()
  }

  /// The collection for a key as a mutable one.
  open func mutableSetValue(forKey key: String) -> NSMutableSet {
    NSMutableSet()
  }

  /// The set at the end of a key path as a mutable set, as ``mutableSetValue(forKey:)`` returns it. The path is resolved
  /// as by ``mutableArrayValue(forKeyPath:)``.
  open func mutableSetValue(forKeyPath keyPath: String) -> NSMutableSet {
    CodingReader.owner(ofCollectionAt: keyPath, of: self).map { $0.mutableSetValue(forKey: $1) } ?? NSMutableSet()
  }

  /// The collection for a key as a mutable one.
  open func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
    NSMutableOrderedSet()
  }

  /// The ordered set or array at the end of a key path as a mutable ordered set, as ``mutableOrderedSetValue(forKey:)``
  /// returns it. The path is resolved as by ``mutableArrayValue(forKeyPath:)``.
  open func mutableOrderedSetValue(forKeyPath keyPath: String) -> NSMutableOrderedSet {
    CodingReader.owner(ofCollectionAt: keyPath, of: self).map { $0.mutableOrderedSetValue(forKey: $1) }
      ?? NSMutableOrderedSet()
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
  open func addObserver(
    _ observer: KeyValueObject, forKeyPath keyPath: String, options: NSKeyValueObservingOptions = [],
    context: UnsafeMutableRawPointer?
  ) {
    keyValueObject(self)?.register(observer, forKeyPath: keyPath, options: options, context: context)
  }

  /// Removes the latest registration of `observer` with exactly this key path and context.
  ///
  /// A nil context matches only nil. Removing a registration that doesn't exist traps.
  ///
  /// - Complexity: Linear in the number of later registrations of the same observer with this object, and in that of
  ///   keys.
  open func removeObserver(_ observer: KeyValueObject, forKeyPath keyPath: String, context: UnsafeMutableRawPointer?) {
    keyValueObject(self)?.unregister(observer, forKeyPath: keyPath, context: .some(context))
  }

  /// Removes the latest registration of `observer` with this key path, whatever its context; otherwise like
  /// ``removeObserver(_:forKeyPath:context:)``.
  open func removeObserver(_ observer: KeyValueObject, forKeyPath keyPath: String) {
    keyValueObject(self)?.unregister(observer, forKeyPath: keyPath, context: .none)
  }

  /// Called for each change that this object observes. Override it to handle them.
  ///
  /// Pass changes with contexts that you don't know to `super`. A change that reaches this base class traps.
  open func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    let details = (change ?? [:]).map { "\($0.key.rawValue) = \($0.value);" }.sorted().joined(separator: " ")
    misuse(
      apple: """
        <\(String(describing: type(of: self))): \(debugAddress(of: self))>: An -observeValueForKeyPath:ofObject:change:context: \
        message was received but not handled.
        Key path: \(keyPath ?? "nil")
        Observed object: \(object.map { "<\(debugName(of: $0 as AnyObject))>" } ?? "nil")
        Change: {\(details)}
        Context: \(context.map { "\($0)" } ?? "0x0")

        """,
      remedy: "Override observeValue(forKeyPath:of:change:context:) and pass on only what isn't yours.")
  }

  // MARK: Manual notification

  /// Notifies observers that the value for `key` is about to change. Call `didChangeValue(forKey:)` on the same
  /// thread after the change.
  public func willChangeValue(forKey key: String) {}

  /// Notifies observers that the value for `key` has changed. Sends nothing without a preceding
  /// `willChangeValue(forKey:)`.
  public func didChangeValue(forKey key: String) {}

  /// Notifies observers that objects of the array or ordered set for `key` are about to change at `indexes`: are
  /// inserted, removed, or replaced, as `changeKind` says.
  open func willChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String) {}

  /// The counterpart of ``willChange(_:valuesAt:forKey:)`` after the change, with the same arguments.
  open func didChange(_ changeKind: NSKeyValueChange, valuesAt indexes: IndexSet, forKey key: String) {}

  /// Notifies observers that the unordered set for `key` is about to change: that `objects` are added, removed, kept, or set.
  open func willChangeValue(
    forKey key: String, withSetMutation mutationKind: NSKeyValueSetMutationKind, using objects: Set<AnyHashable>
  ) {}

  /// The counterpart of ``willChangeValue(forKey:withSetMutation:using:)`` after the change, with the same arguments.
  open func didChangeValue(
    forKey key: String, withSetMutation mutationKind: NSKeyValueSetMutationKind, using objects: Set<AnyHashable>
  ) {}

  // MARK: Customization

  /// The key paths whose changes change the value for `key` too. Called once for each class and key.
  open class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> { [] }

  /// Whether setters and KVC notify observers of `key`. If not, call ``willChangeValue(forKey:)`` and
  /// ``didChangeValue(forKey:)`` yourself. Called once for each class and key.
  open class func automaticallyNotifiesObservers(forKey key: String) -> Bool { true }

  /// Non-nil while observed. Opaque.
  open var observationInfo: UnsafeMutableRawPointer? {
    guard let info = keyValueObject(self)?.observationInfoIfMade, info.registrationCount > 0 else { return nil }
    return info.lockAddress
  }
}
#endif
