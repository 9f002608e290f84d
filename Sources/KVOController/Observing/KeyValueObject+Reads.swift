import CKeyValueObserving

#if canImport(Observation)
import Observation
#endif

// What reads and changes report, to the reads that this thread follows and to Observation.

extension KeyValueObject {
  static var conformsToObservable: Bool {
    #if canImport(Observation)
    if #available(macOS 14.0, iOS 17.0, watchOS 10.0, tvOS 17.0, *) { return self is any Observable.Type }
    #endif
    return false
  }

  /// Whether the object's class conforms to `Observable`.
  @inline(__always)
  final var isObservable: Bool { kvo_flags(address) & UInt(KVO_OBSERVABLE) != 0 }

  // MARK: Reads

  /// Whether a read must be reported, to the tracker of this thread or to Observation, or needs the object's lock, because the
  /// engine calls the getter that reads, while other threads may set the property.
  @usableFromInline
  final var isReadReported: Bool { isObservable || ThreadFrame.isReading }

  /// Reports a read of the property whose address was taken, which is about to happen, and for which ``isReadReported`` was true.
  ///
  /// - Parameter property: Returns the property's own key path, from the class that declares it.
  /// - Returns: Whether it is to be read with the lock, which isn't the case if it isn't known, or if no lock is needed.
  @usableFromInline
  final func reportRead(atOffset offset: Int, _ property: () -> AnyKeyPath) -> Bool {
    kvo_sanitizer_end_ignoring_writes()  // The accessor has begun it.
    // Usually nobody but Observation is to know of the read.
    if !kvo_has_frames(), let info = borrowedObservationInfo,
      info._withUnsafeGuaranteedRef({ $0.reportRead(ofIndependentAt: offset) })
    {
      return false
    }
    // The object retains its info, and the class its properties.
    let properties = borrowedObservationInfo?._withUnsafeGuaranteedRef { $0.properties } ?? properties
    guard let field = properties[offset: offset] else {
      // The compiler doesn't know the property's address. While the read is tracked, the object is observed, so that a change of the
      // property traps: see `field(at:_:)`.
      if properties.isComplete { reportRead(ofKey: "self") }
      return false
    }
    if let record = ReadTracker.current {
      field.learn(property)
      record(self, properties.key(of: field))
    }
    if isObservable, !ThreadFrame.isReading, let info = madeObservationInfo { reportRead(of: field, info) }
    return true
  }

  /// Reports the read with which an in-place mutation of the property at an offset begins to Observation.
  final func reportMutation(atOffset offset: Int) {
    guard isObservable, !ThreadFrame.isReading, let info = madeObservationInfo else { return }
    if let field = info.properties[offset: offset] {
      reportRead(of: field, info)
    } else if info.properties.isComplete {
      reportRead(ofKey: "self")
    }
  }

  /// Reports a read of a key through coding or a proxy, which is about to happen.
  final func reportRead(ofKey name: String) {
    ReadTracker.current?(self, properties.key(PathKey(name)))
    guard isObservable, !ThreadFrame.isReading, let info = madeObservationInfo else { return }
    if info.properties.listed[name] == nil, let field = info.properties.field(name) {
      reportRead(of: field, info)
    } else {
      info.reportRead(ofDependent: name, of: self)
    }
  }

  /// Reports a read of a property of an object whose class conforms to `Observable` to Observation.
  private final func reportRead(of field: ObservedField, _ info: ObservationInfo) {
    if !isTracked { kvo_set_flags(address, UInt(KVO_TRACKED)) }
    let isIndependent = info.properties.key(of: field).isIndependent
    info.reportRead(ofPropertyAt: field.index, isIndependent: isIndependent)
    if !isIndependent { info.reportRead(ofDependent: field.name, of: self) }
  }

  // MARK: Changes

  enum Edge { case before, after }

  final func reportChange(_ edge: Edge, atOffset offset: Int) {
    guard isTracked else { return }
    borrowedObservationInfo?._withUnsafeGuaranteedRef { info in
      guard let index = info.properties[indexAtOffset: offset] else { return }
      info.reportChange(edge, ofPropertyAt: index)
    }
  }

  /// Reports a change of the property of that name. Other keys aren't reported, because they are observed.
  final func reportChange(_ edge: Edge, of name: String) {
    guard isTracked, let info = observationInfoIfMade, let field = info.properties.field(name) else { return }
    info.reportChange(edge, ofPropertyAt: field.index)
  }
}
