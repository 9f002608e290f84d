#if canImport(Observation) && !canImport(ObjectiveC)
/// Support for objects whose class conforms to `Observable`.
///
/// Reads and changes are reported from the first tracked read of the object on.
extension KeyValueObject {
  // MARK: Reads

  /// Whether a read must be reported: whether it is tracked, or may be.
  @usableFromInline
  final func isReadTracked() -> Bool {
    guard let info = slot.borrowedObservableInfo ?? madeObservableInfo,
      info._withUnsafeGuaranteedRef({ $0.isReadTracked() })
    else { return false }
    slot.setEverTracked()
    return true
  }

  /// The object's info, created if necessary, if its class conforms to `Observable`. It is valid as long as the caller
  /// retains the object.
  private var madeObservableInfo: Unmanaged<ObservationInfo>? {
    guard isObservable else { return nil }
    return madeObservationInfo.map(Unmanaged.passUnretained)
  }

  /// Reports a read of an ``Observed`` property, which is about to happen.
  ///
  /// - Parameters:
  ///   - property: The property's own key path, from the class that declares it.
  ///   - storage: Returns the key path of the property's storage. It is called once for each class and property.
  // Inlined, so that only the first read of a property runs unspecialized generic code.
  @inlinable
  static func reportRead<Owner: KeyValueObject, Value>(
    of owner: Owner, _ property: () -> AnyKeyPath, storage: () -> ReferenceWritableKeyPath<Owner, Observed<Value>>
  ) {
    let keyPath = property()
    if owner.reportRead(of: keyPath) { return }
    owner.reportFirstRead(of: keyPath, identity: Observed<Value>.identity) {
      Observed<Value>.offset(of: storage(), in: owner)
    }
  }

  /// - Returns: Whether the key path is known.
  @usableFromInline
  final func reportRead(of keyPath: AnyKeyPath) -> Bool {
    slot.borrowedInfo?._withUnsafeGuaranteedRef { info in
      info.borrowedKeys._withUnsafeGuaranteedRef { keys in
        keys.propertyIndexes._withUnsafeGuaranteedRef { indexes in
          indexes.withEntry(of: keyPath) { reportRead(of: $0, info.trackedProperties) }
        }
      }
    } ?? true
  }

  @usableFromInline
  final func reportFirstRead(of keyPath: AnyKeyPath, identity: Any.Type?, offset: () -> Int) {
    guard let info = slot.info,
      let index = info.keys.properties.fieldIndex(of: keyPath, identity: identity, offset: offset)
    else { return }
    let entry = PropertyIndexes.Entry(keyPath, index: index, dependentName: info.keys.dependentName(at: index))
    info.keys.propertyIndexes.takeUnretainedValue().insert(entry)
    reportRead(of: entry, info.trackedProperties)
  }

  @inline(__always)
  private func reportRead(of entry: PropertyIndexes.Entry, _ tracked: Unmanaged<TrackedProperties>) {
    tracked._withUnsafeGuaranteedRef { $0.access(entry.index) }
    guard _slowPath(entry.isDependent), let name = entry.dependentName else { return }
    tracked._withUnsafeGuaranteedRef { reportRead(ofKey: name, $0) }
  }

  /// Reports a read of a key through coding or a proxy, which is about to happen.
  final func reportRead(ofKey name: String) {
    guard isObservable, isReadTracked(), let info = slot.info else { return }
    let tracked = info.trackedProperties.takeUnretainedValue()
    if info.keys.properties.declaredKeyPath(name) == nil, let index = info.keys.properties.fieldIndex(name) {
      tracked.access(index)
      guard info.keys.dependentName(at: index) != nil else { return }
    }
    reportRead(ofKey: name, tracked)
  }

  /// Reports a read of a key that isn't a stored property, or that depends on other keys. It is observed while it is
  /// tracked.
  private func reportRead(ofKey name: String, _ tracked: TrackedProperties) {
    let key = tracked.key(name)
    key.access {
      // The object retains the key, which retains the observer.
      let observer = KeyValueClosureObserver(self, .named(name, of: self), .prior) { [weak key] change in
        if change.attributes.isPrior { key?.willChange() } else { key?.didChange() }
      }
      return { observer.invalidate() }
    }
  }

  // MARK: Changes

  /// Reports that the property at `address` is about to change.
  @inlinable
  final func reportWillSet(at address: UnsafeRawPointer, identity: Any.Type?) {
    if _slowPath(slot.flags.contains(.everTracked)) { willSetTracked(at: address, identity: identity) }
  }

  /// Reports that the property at `address` has changed.
  @inlinable
  final func reportDidSet(at address: UnsafeRawPointer, identity: Any.Type?) {
    if _slowPath(slot.flags.contains(.everTracked)) { didSetTracked(at: address, identity: identity) }
  }

  @usableFromInline
  final func willSetTracked(at address: UnsafeRawPointer, identity: Any.Type?) {
    withTrackedProperty(at: address, identity: identity) { $0.willSet($1) }
  }

  @usableFromInline
  final func didSetTracked(at address: UnsafeRawPointer, identity: Any.Type?) {
    withTrackedProperty(at: address, identity: identity) { $0.didSet($1) }
  }

  /// Reports that the property of that name is about to change. Other keys aren't reported, because they are observed.
  final func reportWillSet(_ name: String) {
    guard _slowPath(slot.flags.contains(.everTracked)) else { return }
    withTrackedProperty(name) { $0.willSet($1) }
  }

  /// Reports that the property of that name has changed.
  final func reportDidSet(_ name: String) {
    guard _slowPath(slot.flags.contains(.everTracked)) else { return }
    withTrackedProperty(name) { $0.didSet($1) }
  }

  @inline(__always)
  private func withTrackedProperty(
    at address: UnsafeRawPointer, identity: Any.Type?, _ body: (TrackedProperties, Int) -> Void
  ) {
    slot.borrowedInfo?._withUnsafeGuaranteedRef { info in
      let index = info.borrowedKeys._withUnsafeGuaranteedRef {
        $0.fieldIndex(at: address, in: self, identity: identity)
      }
      if let index { info.trackedProperties._withUnsafeGuaranteedRef { body($0, index) } }
    }
  }

  private func withTrackedProperty(_ name: String, _ body: (TrackedProperties, Int) -> Void) {
    slot.borrowedInfo?._withUnsafeGuaranteedRef { info in
      guard let index = info.keys.properties.fieldIndex(name) else { return }
      info.trackedProperties._withUnsafeGuaranteedRef { body($0, index) }
    }
  }
}
#endif
