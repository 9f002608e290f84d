import CKeyValueObserving

#if canImport(Observation)
import Observation
#endif

// Support for objects whose class conforms to `Observable`: their reads and changes are reported from the first tracked read
// of the object on.

#if canImport(Observation)
/// The info of an object whose class conforms to `Observable`.
@available(macOS 14.0, iOS 17.0, watchOS 10.0, tvOS 17.0, *)
private final class ObservableObjectInfo: ObservationInfo, @unchecked Sendable {
  /// The state of the object's properties for Observation.
  let tracked = TrackedProperties()

  // Observances of keys retain this info.
  override func objectDied() { tracked.end() }
}
#endif

extension KeyValueObject {
  /// Whether the class conforms to `Observable`.
  static var conformsToObservable: Bool {
    #if canImport(Observation)
    if #available(macOS 14.0, iOS 17.0, watchOS 10.0, tvOS 17.0, *) { return self is any Observable.Type }
    #endif
    return false
  }

  /// Whether the object's class conforms to `Observable`.
  @inline(__always)
  private final var isObservable: Bool { kvo_flags(address) & UInt(KVO_OBSERVABLE) != 0 }

  /// A new info for the object.
  final func newObservationInfo() -> ObservationInfo {
    let properties = ClassProperties.of(type(of: self))
    #if canImport(Observation)
    if isObservable, #available(macOS 14.0, iOS 17.0, watchOS 10.0, tvOS 17.0, *) {
      return ObservableObjectInfo(self, properties)
    }
    #endif
    return ObservationInfo(self, properties)
  }

  #if canImport(Observation)
  /// The state of the properties for Observation; nil if the class doesn't conform to `Observable`, or if nothing was ever read.
  @available(macOS 14.0, iOS 17.0, watchOS 10.0, tvOS 17.0, *)
  private final var trackedProperties: TrackedProperties? {
    (observationInfoIfMade as? ObservableObjectInfo)?.tracked
  }
  #endif
}

// MARK: Reads

extension KeyValueObject {
  /// Whether a read must be reported, to the tracker of this thread or to Observation, or needs the object's lock, because the
  /// engine calls the getter that reads, while other threads may set the property.
  @usableFromInline
  final var isReadReported: Bool { isReadTracked || ThreadFrame.isReading }

  /// Whether a read is tracked by Observation, or may be.
  private final var isReadTracked: Bool {
    #if canImport(Observation)
    if isObservable, #available(macOS 14.0, iOS 17.0, watchOS 10.0, tvOS 17.0, *),
      let info = madeObservationInfo as? ObservableObjectInfo, info.tracked.isReadTracked()
    {
      if !isTracked { kvo_set_flags(address, UInt(KVO_TRACKED)) }
      return true
    }
    #endif
    return false
  }

  /// Reports a read of the property at an address, which is about to happen, and for which ``isReadReported`` was true.
  ///
  /// - Parameters:
  ///   - storage: The address of the property, or of a copy, which is gone, if the compiler doesn't know it.
  ///   - property: Returns the property's own key path, from the class that declares it.
  /// - Returns: The address of the property; nil if it isn't known.
  @usableFromInline
  final func reportRead(
    at storage: UnsafeMutableRawPointer, identity: Any.Type?, _ property: () -> AnyKeyPath
  ) -> UnsafeMutableRawPointer? {
    let properties = properties
    let known = properties.field(atOffset: storage - address, identity: identity)
    guard let field = known ?? ClassProperties.field(readBy: property(), in: self) else { return nil }
    recordRead(of: field, properties, property)
    reportRead(of: field)
    return known == nil ? address(of: field) : storage
  }

  /// Reports the read with which an in-place mutation of the property at an address begins to Observation.
  final func reportMutation(at storage: UnsafeRawPointer, identity: Any.Type?) {
    guard isReadTracked, let info = observationInfoIfMade, let field = field(at: storage, identity: identity, info)
    else {
      return
    }
    reportRead(of: field)
  }

  /// Reports a read of a key through coding or a proxy, which is about to happen.
  final func reportRead(ofKey name: String) {
    recordRead(ofKey: name)
    guard isReadTracked, let info = observationInfoIfMade else { return }
    if info.properties.listed[name] == nil, let field = info.properties.field(name) {
      reportRead(of: field)
    } else {
      reportRead(ofDependent: name)
    }
  }

  /// Reports a read of a property to Observation, if the object's class conforms to `Observable`.
  private final func reportRead(of field: ObservedField) {
    #if canImport(Observation)
    guard #available(macOS 14.0, iOS 17.0, watchOS 10.0, tvOS 17.0, *), let tracked = trackedProperties else { return }
    tracked.access(field.index)
    if !properties.key(of: field).isIndependent { reportRead(ofDependent: field.name) }
    #endif
  }

  /// Reports a read of a key that isn't a stored property, or that depends on other keys. It is observed while it is
  /// tracked.
  private final func reportRead(ofDependent name: String) {
    #if canImport(Observation)
    guard #available(macOS 14.0, iOS 17.0, watchOS 10.0, tvOS 17.0, *), let tracked = trackedProperties else { return }
    let key = tracked.key(name)
    key.access {
      // The object retains the key, which retains the observance.
      let observance = ClosureObservance(.named(name, of: self), options: .prior, .tracking) { [weak key] change in
        if change.attributes.isPrior { key?.willChange() } else { key?.didChange() }
      }
      observance.begin(at: self)
      return { observance.end() }
    }
    #endif
  }
}

// MARK: Changes

extension KeyValueObject {
  /// A moment of a change.
  enum Moment { case before, after }

  /// Reports a change of the property at an address.
  final func reportChange(_ moment: Moment, at storage: UnsafeRawPointer, identity: Any.Type?) {
    guard isTracked, let info = observationInfoIfMade else { return }
    reportChange(moment, of: field(at: storage, identity: identity, info))
  }

  /// Reports a change of the property of that name. Other keys aren't reported, because they are observed.
  final func reportChange(_ moment: Moment, of name: String) {
    guard isTracked, let info = observationInfoIfMade else { return }
    reportChange(moment, of: info.properties.field(name))
  }

  private final func reportChange(_ moment: Moment, of field: ObservedField?) {
    #if canImport(Observation)
    guard let field, #available(macOS 14.0, iOS 17.0, watchOS 10.0, tvOS 17.0, *), let tracked = trackedProperties
    else {
      return
    }
    switch moment {
    case .before: tracked.willSet(field.index)
    case .after: tracked.didSet(field.index)
    }
    #endif
  }
}
