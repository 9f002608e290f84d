import CKeyValueObserving

// The interface for the class, its accessors, coding, and proxies: registering, changing, and deallocating an object.

// MARK: The object's word

extension KeyValueObject {
  /// The address by which functions in C find the object's word.
  @inlinable
  @inline(__always)
  final var address: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  /// Whether setters must do more than store.
  @inlinable
  @inline(__always)
  final var setterNotifies: Bool { kvo_setter_notifies(address) }

  /// Whether getters must ask whether to report the read.
  @inlinable
  @inline(__always)
  final var getterReports: Bool { kvo_getter_reports(address) }

  /// Whether observances are in the object's lists.
  private final var isObserved: Bool { kvo_flags(address) & UInt(KVO_OBSERVED) != 0 }

  /// Whether the object's observation has ended, because the base class's `deinit` has begun.
  final var isObservationOver: Bool { kvo_is_over(address) }

  /// Whether reads of the object's properties were ever reported to Observation, to which changes are reported from then on.
  @inline(__always)
  final var isTracked: Bool { kvo_flags(address) & UInt(KVO_TRACKED) != 0 }

  /// The object's info, if it was ever observed. It is valid as long as the caller retains the object.
  @inline(__always)
  final var observationInfoIfMade: ObservationInfo? {
    kvo_info(address).map { Unmanaged<ObservationInfo>.fromOpaque($0).takeUnretainedValue() }
  }

  /// The same for accessors, which retain nothing that the object retains anyway.
  @inline(__always)
  final var borrowedObservationInfo: Unmanaged<ObservationInfo>? {
    kvo_info(address).map { Unmanaged<ObservationInfo>.fromOpaque($0) }
  }

  /// The object's info, created if necessary; nil once the base class's `deinit` has begun.
  final var madeObservationInfo: ObservationInfo? {
    if let info = observationInfoIfMade { return info }
    // The object owns it from now on, unless another thread has made one.
    let made = Unmanaged.passRetained(newObservationInfo())
    let kept = kvo_set_info(address, made.toOpaque())
    if kept != made.toOpaque() { made.release() }
    return kept.map { Unmanaged<ObservationInfo>.fromOpaque($0).takeUnretainedValue() }
  }

  /// The properties of the object's class.
  final var properties: ClassProperties { observationInfoIfMade?.properties ?? .of(type(of: self)) }

  /// The address of a property, which the object has as long as the caller retains it.
  @inline(__always)
  final func address(of field: ObservedField) -> UnsafeMutableRawPointer { address + field.offset }

  /// The place of the key of the property that is stored at an address: see ``ObservedKey/place``.
  private final func place(of storage: UnsafeRawPointer) -> UInt {
    UInt(bitPattern: storage - UnsafeRawPointer(address))
  }

  /// The property that is stored at an address.
  ///
  /// - Parameter identity: The property's type if it has no size, and so may share its address with others.
  @inline(__always)
  final func field(at storage: UnsafeRawPointer, identity: Any.Type?, _ info: ObservationInfo) -> ObservedField? {
    info.properties.field(atOffset: storage - UnsafeRawPointer(address), identity: identity)
  }

  /// The index of the property that is stored at an address: see ``field(at:identity:_:)``.
  @inline(__always)
  final func fieldIndex(at storage: UnsafeRawPointer, identity: Any.Type?, _ info: ObservationInfo) -> Int? {
    info.properties.fieldIndex(atOffset: storage - UnsafeRawPointer(address), identity: identity)
  }

  /// The key of the property that is stored at an address.
  private final func key(
    at storage: UnsafeRawPointer, identity: Any.Type?, _ info: ObservationInfo
  ) -> ObservedKey? {
    // Usually the object has it, so there is no need to ask the class.
    if identity == nil, let key = info.withLock({ info.list(at: place(of: storage))?.key }) {
      return key
    }
    return field(at: storage, identity: identity, info).map(info.properties.key(of:))
  }
}

// MARK: Setting

extension KeyValueObject {
  /// Finds out, with the object's lock, which observers to notify of a replacement of the property at an address.
  ///
  /// - Parameter latestSequence: Becomes the latest registration before Observation was notified, if it was.
  /// - Returns: nil if ``changeInTransaction(at:identity:after:_:)`` is to be called, without the lock.
  @usableFromInline
  final func beginDirectChange(
    at storage: UnsafeRawPointer, identity: Any.Type?, _ latestSequence: inout UInt64?
  ) -> DirectChange? {
    // A setter that notifies finds an info.
    guard let info = borrowedObservationInfo else { return nil }
    return info._withUnsafeGuaranteedRef { info in
      if isTracked {
        info.unlock()
        latestSequence = kvo_latest_number()
        reportChange(.before, at: storage, identity: identity)
        info.lock()
      }
      if identity == nil, !isObservedByFoundation,
        let change = DirectChange(atOffset: storage - UnsafeRawPointer(address), info)
      {
        return change
      }
      info.unlock()
      return nil
    }
  }

  /// Releases the lock with which the property at an address was replaced, and notifies.
  @usableFromInline
  final func finish(
    _ change: DirectChange, _ old: UnsafeRawPointer, _ new: UnsafeMutableRawPointer, at storage: UnsafeRawPointer,
    identity: Any.Type?
  ) {
    borrowedObservationInfo?._withUnsafeGuaranteedRef { info in
      let counter = change.didStore(info)
      if isTracked { reportChange(.after, at: storage, identity: identity) }
      change.notify(old, new, of: self, info, counter: counter)
    }
  }

  /// Replaces the property at an address with `store`, and notifies. Observation was notified that it is about to change.
  ///
  /// - Returns: Whether it was replaced, which isn't possible if it isn't the address of a known property.
  @usableFromInline
  final func changeInTransaction(
    at storage: UnsafeRawPointer, identity: Any.Type?, after latestSequence: UInt64?, _ store: () -> Void
  ) -> Bool {
    guard let info = observationInfoIfMade else { return false }
    if identity == nil, replaceOnPath(at: storage, info, store) { return true }
    guard let key = key(at: storage, identity: identity, info) else { return false }
    if isInSetterOfFoundation(key, info) {
      self.store(store)
      reportChange(.after, at: storage, identity: identity)
      return true
    }
    var transaction = ChangeTransaction(
      of: key, ThreadFrame.takeMutation(at: storage), in: info, after: latestSequence ?? kvo_latest_number())
    transaction.prepare(self, info)
    transaction.notifyFoundation(self)
    transaction.store(self, info, store)
    reportChange(.after, at: storage, identity: identity)
    transaction.end(of: self, info)
    return true
  }

  /// Replaces a property, if nothing else is to be done than to notify one observance, on whose path it is.
  ///
  /// - Returns: Whether it was done.
  private final func replaceOnPath(at storage: UnsafeRawPointer, _ info: ObservationInfo, _ store: () -> Void) -> Bool {
    let place = place(of: storage)
    guard !isTracked, !isObservedByFoundation, !ThreadFrame.areThere,
      let observance = info.withLock({ info.list(at: place)?.onlyWaypoint })
    else { return false }
    return observance.replaceOnPath(at: place, of: self, info, store)
  }

  /// Replaces a copy of a property's value by another one, unless the object isn't observed any longer.
  final func renew(_ copy: UnsafeMutableRawPointer, from field: ObservedField) -> Bool {
    guard let info = observationInfoIfMade else { return false }
    kvo_check_access(address(of: field), false)
    let former = info.withLock { info.storage(of: field).map { field.renew(copy, from: $0) } }
    return former != nil
  }
}

// MARK: Mutating in place

extension KeyValueObject {
  /// Begins an in-place mutation of the property at an address, which was taken with the lock. Releases the lock.
  ///
  /// - Parameters:
  ///   - lock: The lock of the object's properties, if the object was ever observed.
  ///   - place: The address of the property, or what stands for it.
  @usableFromInline
  final func willModify(_ lock: LockedObject?, _ place: UnsafeRawPointer, identity: Any.Type?) -> InPlaceMutation? {
    let storage = PropertyMark.address(place, identity: identity, of: self)
    lock?.unlock()
    guard let storage else { return nil }
    reportMutation(at: storage, identity: identity)
    let latestSequence = kvo_latest_number()
    reportChange(.before, at: storage, identity: identity)
    guard isObserved || isObservedByFoundation, let info = observationInfoIfMade,
      let field = field(at: storage, identity: identity, info)
    else { return nil }
    return InPlaceMutation(of: field, self, info, after: latestSequence)
  }

  /// Ends an in-place mutation of the property at an address, which was taken with the object's lock. Releases the lock.
  ///
  /// - Parameters:
  ///   - place: The address of the property, or what stands for it.
  ///   - mutation: The mutation; nil if the object wasn't observed when it began.
  @usableFromInline
  final func didModify(_ place: UnsafeRawPointer, identity: Any.Type?, _ mutation: InPlaceMutation?) {
    let storage = PropertyMark.address(place, identity: identity, of: self)
    guard let info = observationInfoIfMade else { return }
    info.unlock()
    guard let storage else { return }
    reportChange(.after, at: storage, identity: identity)
    if let mutation {
      mutation.end(of: self)
    } else if isObserved, let field = field(at: storage, identity: identity, info) {
      InPlaceMutation.end(of: field, self, info)
    }
  }
}

// MARK: Changes of any key

extension KeyValueObject {
  /// Calls `body`, which applies `mutation` to the value for `key` without a notification, as one change, if the key
  /// notifies automatically.
  ///
  /// - Parameter isSetter: Whether `body` calls a setter, whose own changes are part of this one.
  final func change(_ key: String, _ mutation: Mutation = .setting, isSetter: Bool, _ body: () -> Void) {
    let latestSequence = kvo_latest_number()
    reportChange(.before, of: key)
    guard let info = observationInfoIfMade, let known = changedKey(key, info) else {
      body()
      return reportChange(.after, of: key)
    }
    var transaction = ChangeTransaction(of: known, mutation, in: info, after: latestSequence)
    transaction.prepare(self, info)
    if !isSetter || !isSetThroughFoundation(key) { transaction.notifyFoundation(self) }
    if isSetter { transaction.coding(body) } else { body() }
    transaction.didStore(info)
    reportChange(.after, of: key)
    transaction.end(of: self, info)
  }

  /// The key of that name, if it was ever observed.
  private final func changedKey(_ name: String, _ info: ObservationInfo) -> ObservedKey? {
    isObservedByFoundation ? info.properties.key(PathKey(name)) : info.properties.knownKey(name)
  }

  /// Begins a change of the value for `key` that ``endManualChange(of:notifying:)`` ends on the same thread.
  final func beginManualChange(of key: String, _ mutation: Mutation = .setting) {
    findHiddenObservers(settingThrough: key)
    let latestSequence = kvo_latest_number()
    reportChange(.before, of: key)
    guard let info = observationInfoIfMade, let known = changedKey(key, info) else { return }
    var transaction = ChangeTransaction(of: known, mutation, in: info, isManual: true, after: latestSequence)
    transaction.prepare(self, info)
    info.append(transaction)
  }

  /// - Parameter notifyFoundation: Notifies Foundation's observers, which may begin and end other changes.
  final func endManualChange(of key: String, notifying notifyFoundation: () -> Void) {
    let change = observationInfoIfMade.flatMap { info in
      info.properties.knownKey(key).flatMap(info.takeManualChange(of:))
    }
    notifyFoundation()
    reportChange(.after, of: key)
    guard let info = observationInfoIfMade else { return }
    if var change {
      change.didStore(info)
      return change.end(of: self, info)
    }
    guard let known = info.properties.knownKey(key) else { return }
    for entry in info.entries(of: known) where entry.role.reroutes { entry.observance?.reroute() }
  }
}

// MARK: Deallocation

extension KeyValueObject {
  /// Ends all observation of the object, in the base class's `deinit`.
  final func endObservation() {
    // First, because associated objects may be released, and what they own may try to remove registrations.
    guard let info = kvo_take_info(address) else { return }
    Unmanaged<ObservationInfo>.fromOpaque(info).takeRetainedValue().objectDies()
  }
}

extension KeyValueObject {
  /// The number of the object's registrations, including those of deallocated observers, for tests.
  package final var registrationCount: Int { observationInfoIfMade?.registrationCount ?? 0 }
}
