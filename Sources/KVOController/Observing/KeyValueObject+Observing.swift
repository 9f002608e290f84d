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

// The word of an object, in which functions in C find the address of its info and four bits.

extension KeyValueObject {
  /// The word of a new object, which says whether its class conforms to `Observable`.
  static var initialWord: UInt {
    let address = UnsafeRawPointer(bitPattern: UInt(bitPattern: ObjectIdentifier(self))).unsafelyUnwrapped
    let answer = kvo_answer(address)
    if answer > 1 { return findInitialWord(address) }
    return answer == 1 ? UInt(KVO_OBSERVABLE) : 0
  }

  @inline(never)
  private static func findInitialWord(_ address: UnsafeRawPointer) -> UInt {
    requireWordInPlace
    hearsOfSharedObservers
    let conforms = conformsToObservable
    kvo_set_answer(address, conforms)
    return conforms ? UInt(KVO_OBSERVABLE) : 0
  }

  /// Checks once that functions in C find the word.
  private static let requireWordInPlace: Void = {
    // Without reflection metadata nothing is known.
    let offset = StoredProperty.declared(by: KeyValueObject.self)?.first { $0.name == "word" }?.offset
    precondition(offset == nil || offset == kvo_word_offset(), "KeyValueObject has another layout than expected.")
  }()
}

// The lock that guards the object's properties, if the object was ever observed.

extension KeyValueObject {
  /// Takes the lock.
  @usableFromInline
  final func lockStorage() {
    if let info = kvo_info(address) { kvo_lock(info) }
  }

  /// Releases the lock.
  @usableFromInline
  final func unlockStorage() {
    if let info = kvo_info(address) { kvo_unlock(info) }
  }

  /// The same, for callers that unlock it themselves.
  @usableFromInline
  final var lockedStorage: LockedObject? {
    let info = observationInfoIfMade
    info?.lock()
    return info
  }

  @usableFromInline
  final func unlockStorage(_ lock: LockedObject?) { lock?.unlock() }

  /// Calls `body`, which replaces the value of a property, with the object's lock, and sends no notification.
  final func store(_ body: () -> Void) {
    guard let info = observationInfoIfMade else { return body() }
    info.withLock {
      body()
      info.count()
    }
  }

  /// Begins an access to a property by which a getter takes its address. It is a modification for Swift, and if the compiler
  /// doesn't know the address, it stores the value again.
  ///
  /// - Returns: The lock, if it's the engine that reads, while another thread may set the property.
  @usableFromInline
  final func beginTakingAddress() -> UnsafeRawPointer? {
    kvo_sanitizer_begin_ignoring_writes()
    guard kvo_has_frames(), let info = kvo_info(address) else { return nil }
    kvo_lock(info)
    return UnsafeRawPointer(info)
  }

  final func endTakingAddress(_ lock: UnsafeRawPointer?) {
    if let lock { kvo_unlock(lock) }
    kvo_sanitizer_end_ignoring_writes()
  }
}

extension KeyValueObject {
  /// The value that observers of a key receive: an `@Observed` key is read from its property, any other with
  /// `value(forKey:)`, which runs foreign code.
  final func read(_ key: ObservedKey) -> Reading {
    guard let field = key.field else { return .value(value(forKey: key.name).flatMap(unwrapped)) }
    guard let info = observationInfoIfMade else { return .ended }
    return info.withLock { info.read(field) }
  }

  /// The value of a property, for coding. Traps if the property is being modified.
  final func value(of field: ObservedField) -> Any? {
    let storage = address(of: field)
    if !field.isZeroSized { kvo_check_access(storage, false) }
    let lock = lockedStorage
    defer { lock?.unlock() }
    return field.storedValue(at: storage)
  }
}

/// The key's own value, which is read once for consecutive receivers unless it may have changed between their turns.
struct OwnValue {
  private let key: ObservedKey
  private var value: Any??
  /// The info's counter before the value was read.
  private var counter: UInt32 = 0

  init(of key: ObservedKey) {
    self.key = key
  }

  /// The value, unwrapped; nil for nil.
  mutating func read(_ object: KeyValueObject, _ info: ObservationInfo) -> Any? {
    if let value, counter == info.counter { return value }
    counter = info.counter
    guard case .value(let value) = object.read(key) else { return nil }
    self.value = .some(value)
    return value
  }

  /// Records that an observer is called. Only a property of the object has a counter that shows whether it changes.
  mutating func observerIsCalled() {
    if key.field == nil { value = nil }
  }
}

// On Apple platforms, observers that call `addObserver` are registered with Foundation, which notifies them. From then on the
// engine notifies it of changes, by calling the superclass. On other platforms tests take Foundation's place.

extension KeyValueObject {
  /// Whether Foundation was ever asked to register an observer.
  @inline(__always)
  final var isObservedByFoundation: Bool { kvo_flags(address) & UInt(KVO_OBSERVED_BY_FOUNDATION) != 0 }

  /// Records that Foundation is asked to register an observer. Called before it does.
  final func willBeObservedByFoundation() {
    _ = madeObservationInfo
    kvo_set_flags(address, UInt(KVO_OBSERVED_BY_FOUNDATION))
  }

  /// Finds out, when a change of a key begins, whether Foundation has observers of which nothing was recorded: it may begin
  /// the change in a setter, in which the engine's must not notify.
  final func findHiddenObservers(settingThrough key: String) {
    if !isObservedByFoundation, hasHiddenObservers(settingThrough: key) { willBeObservedByFoundation() }
  }

  /// Notifies Foundation of a change of the value for a key.
  final func notifyFoundation(_ moment: Moment, _ key: String, _ mutation: Mutation) {
    // Foundation reads values, which belong to nothing that this thread reads.
    ThreadFrame.shielded {
      switch (moment, mutation) {
      case (.before, .setting): super.willChangeValue(forKey: key)
      case (.after, .setting): super.didChangeValue(forKey: key)
      case (.before, .ordered(let kind, let indexes)): super.willChange(kind, valuesAt: indexes, forKey: key)
      case (.after, .ordered(let kind, let indexes)): super.didChange(kind, valuesAt: indexes, forKey: key)
      case (.before, .unordered(let kind, let objects)):
        super.willChangeValue(forKey: key, withSetMutation: kind, using: objects)
      case (.after, .unordered(let kind, let objects)):
        super.didChangeValue(forKey: key, withSetMutation: kind, using: objects)
      }
    }
  }

  /// Whether Foundation calls a setter of Objective-C for a key on this thread, and notifies of the change itself.
  final func isInSetterOfFoundation(_ key: ObservedKey, _ info: ObservationInfo) -> Bool {
    isObservedByFoundation && info.hasManualChange(of: key) && hasSetterOfFoundation(key.name)
  }
}
