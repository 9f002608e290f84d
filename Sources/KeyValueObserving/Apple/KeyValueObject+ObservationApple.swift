#if canImport(ObjectiveC)
#if canImport(Observation)
import Observation
#endif

/// Support for objects whose class conforms to `Observable`, where Foundation does the observing.
///
/// The state that Observation needs is associated with such an object when it is created.
extension KeyValueObject {
  private static let trackedPropertiesKey = AssociationKey()

  /// Whether a class conforms to `Observable`.
  static func conformsToObservable(_ type: KeyValueObject.Type) -> Bool {
    #if canImport(Observation)
    guard #available(macOS 14.0, iOS 17.0, watchOS 10.0, tvOS 17.0, *) else { return false }
    return ObservableClass.of(type).isObservable
    #else
    return false
    #endif
  }

  /// Prepares an object that is being created, if its class conforms to `Observable`.
  final func beginObservation() {
    #if canImport(Observation)
    guard #available(macOS 14.0, iOS 17.0, watchOS 10.0, tvOS 17.0, *), isObservable else { return }
    associate(TrackedProperties(), Self.trackedPropertiesKey, replacing: false)
    #endif
  }

  /// Ends the observations of keys that are tracked, while the object's properties still exist.
  final func endObservation() {
    #if canImport(Observation)
    guard #available(macOS 14.0, iOS 17.0, watchOS 10.0, tvOS 17.0, *) else { return }
    trackedProperties?.end()
    #endif
  }

  // MARK: Reads

  /// Whether a read must be reported.
  @usableFromInline
  final func isReadTracked() -> Bool {
    #if canImport(Observation)
    guard #available(macOS 14.0, iOS 17.0, watchOS 10.0, tvOS 17.0, *) else { return false }
    return trackedProperties?.isTracking() == true
    #else
    return false
    #endif
  }

  /// Reports a read of an ``Observed`` property, which is about to happen.
  ///
  /// - Parameters:
  ///   - property: The property's own key path, from the class that declares it.
  ///   - storage: Returns the key path of the property's storage. It is called once for each class and property.
  @usableFromInline
  static func reportRead<Owner: KeyValueObject, Value>(
    of owner: Owner, _ property: () -> AnyKeyPath, storage: () -> ReferenceWritableKeyPath<Owner, Observed<Value>>
  ) {
    let properties = ClassProperties.of(owner)
    let index = properties.fieldIndex(of: property(), identity: Observed<Value>.identity) {
      Observed<Value>.offset(of: storage(), in: owner)
    }
    if let index { owner.reportRead(ofKey: properties.fields[index].name) }
  }

  /// Reports a read of a key, which is about to happen.
  final func reportRead(ofKey name: String) {
    #if canImport(Observation)
    guard #available(macOS 14.0, iOS 17.0, watchOS 10.0, tvOS 17.0, *), let tracked = trackedProperties,
      tracked.isTracking()
    else { return }
    let properties = ClassProperties.of(self)
    if properties.declaredKeyPath(name) == nil, let index = properties.fieldIndex(name) {
      tracked.access(index)
      guard ObservableClass.of(type(of: self)).isDependent(name) else { return }
    }
    // A key that isn't a stored property, or that depends on other keys, is observed while it is tracked.
    let key = tracked.key(name)
    key.access { KeyObserver(of: self, name, key).end }
    #endif
  }

  // MARK: Changes

  /// Reports that the property of that name is about to change. Other keys aren't reported, because they are observed.
  final func reportWillSet(_ name: String) {
    #if canImport(Observation)
    guard #available(macOS 14.0, iOS 17.0, watchOS 10.0, tvOS 17.0, *), let tracked = trackedProperties,
      let index = ClassProperties.of(self).fieldIndex(name)
    else { return }
    tracked.willSet(index)
    #endif
  }

  /// Reports that the property of that name has changed.
  final func reportDidSet(_ name: String) {
    #if canImport(Observation)
    guard #available(macOS 14.0, iOS 17.0, watchOS 10.0, tvOS 17.0, *), let tracked = trackedProperties,
      let index = ClassProperties.of(self).fieldIndex(name)
    else { return }
    tracked.didSet(index)
    #endif
  }

  #if canImport(Observation)
  @available(macOS 14.0, iOS 17.0, watchOS 10.0, tvOS 17.0, *)
  private var trackedProperties: TrackedProperties? {
    isObservable ? associatedObject(Self.trackedPropertiesKey) as? TrackedProperties : nil
  }
  #endif
}

#if canImport(Observation)
/// The keys of a class that Observation uses.
///
/// - Thread safety: The keys are guarded by the lock.
@available(macOS 14.0, iOS 17.0, watchOS 10.0, tvOS 17.0, *)
private final class ObservableClass: @unchecked Sendable {
  let isObservable: Bool
  private let type: KeyValueObject.Type
  private let lock = Lock()
  private var dependent: [String: Bool] = [:]

  private static let cache = ClassCache<ObservableClass>()

  private init(_ type: KeyValueObject.Type) {
    self.type = type
    isObservable = type is any Observable.Type
  }

  static func of(_ type: KeyValueObject.Type) -> ObservableClass {
    cache.value(for: type) { ObservableClass(type) }
  }

  /// Whether the value of the key depends on other keys.
  func isDependent(_ name: String) -> Bool {
    if let known = lock.withLock({ dependent[name] }) { return known }
    let isDependent = !type.keyPathsForValuesAffectingValue(forKey: name).isEmpty
    lock.withLock { dependent[name] = isDependent }
    return isDependent
  }
}

/// Observes a key of an object that owns it.
///
/// The object ends the observer in its `deinit`, so it exists as long as the observer refers to it.
@available(macOS 14.0, iOS 17.0, watchOS 10.0, tvOS 17.0, *)
private final class KeyObserver: NSObject, @unchecked Sendable {
  private let object: Unmanaged<KeyValueObject>
  private let name: String
  private weak let key: TrackedKeyPath?

  init(of object: KeyValueObject, _ name: String, _ key: TrackedKeyPath) {
    self.object = .passUnretained(object)
    self.name = name
    self.key = key
    super.init()
    object.addObserver(self, forKeyPath: name, options: .prior, context: nil)
  }

  /// A closure that ends the observation, and retains the observer until then.
  var end: TrackedKeyPath.End {
    { self.object._withUnsafeGuaranteedRef { $0.removeObserver(self, forKeyPath: self.name, context: nil) } }
  }

  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    if change?[.notificationIsPriorKey] as? Bool == true { key?.willChange() } else { key?.didChange() }
  }
}
#endif
#endif
