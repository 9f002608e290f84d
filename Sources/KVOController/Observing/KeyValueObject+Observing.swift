import CKeyValueObserving

// What the engine does for one object, for the class, its accessors, coding, and proxies.

// MARK: The object's word

/// In the word functions in C find the address of the object's info and four bits.
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
    borrowedObservationInfo?.takeUnretainedValue()
  }

  /// The same for accessors, which retain nothing that the object retains anyway.
  @inline(__always)
  final var borrowedObservationInfo: Unmanaged<ObservationInfo>? {
    guard let info = kvo_info(address) else { return nil }
    return .fromOpaque(info)
  }

  /// The object's info, created if necessary; nil once the base class's `deinit` has begun.
  final var madeObservationInfo: ObservationInfo? {
    if let info = observationInfoIfMade { return info }
    // The object owns it from now on, unless another thread has made one.
    let made = Unmanaged.passRetained(infoClass.init(self, .of(type(of: self))))
    let kept = kvo_set_info(address, made.toOpaque())
    if kept != made.toOpaque() { made.release() }
    guard let kept else { return nil }
    return Unmanaged<ObservationInfo>.fromOpaque(kept).takeUnretainedValue()
  }

  /// Ends all observation of the object, in the base class's `deinit`.
  final func endObservation() {
    // First, because associated objects may be released, and what they own may try to remove registrations.
    guard let info = kvo_take_info(address) else { return }
    Unmanaged<ObservationInfo>.fromOpaque(info).takeRetainedValue().objectDies()
  }

  /// The number of the object's registrations, including those of deallocated observers, for tests.
  package final var registrationCount: Int { observationInfoIfMade?.registrationCount ?? 0 }

  // MARK: Its properties

  final var properties: ClassProperties { observationInfoIfMade?.properties ?? .of(type(of: self)) }

  /// The address of a property, which the object has as long as the caller retains it.
  @inline(__always)
  final func address(of field: ObservedField) -> UnsafeMutableRawPointer { address + field.offset }

  /// The property that is stored at an address; nil if it isn't known.
  ///
  /// It isn't if its class was compiled without reflection metadata. In a generic class with a superclass in a library that is
  /// built for distribution the compiler doesn't know the address of a property, and passes that of a copy. Nobody can be
  /// notified of a change of it, so this traps if the object is observed.
  final func field(at storage: UnsafeRawPointer, _ info: ObservationInfo) -> ObservedField? {
    if let field = info.properties[offset: storage - UnsafeRawPointer(address)] { return field }
    guard info.properties.isComplete, isObserved || isObservedByFoundation else { return nil }
    misuse(
      "Cannot change an @Observed property of <\(debugName(of: self))> while it is observed",
      because: "its class is generic, and a superclass is in a library that is built for distribution",
      remedy: "Build the library from source, or declare the property in a class that isn't generic.")
  }

  /// Calls `body` with the lock that guards the object's properties, if the object was ever observed.
  @usableFromInline
  final func withStorageLock(_ body: () -> Void) {
    guard let info = observationInfoIfMade else { return body() }
    info.withLock(body)
  }

  /// Calls `body`, which replaces the value of a property, with the object's lock, and sends no notification.
  final func store(_ body: () -> Void) {
    guard let info = observationInfoIfMade else { return body() }
    info.withLock {
      body()
      info.counter &+= 1
    }
  }

  /// The value that observers of a key receive: an `@Observed` key is read from its property, any other with
  /// `value(forKey:)`, which runs foreign code.
  final func read(_ key: ObservedKey) -> Reading {
    guard let field = key.field else {
      requireNoLock("a value is read for a key")
      return .value(ThreadFrame.run(.reading(ObjectIdentifier(key))) { value(forKey: key.name).flatMap(unwrapped) }.0)
    }
    guard let info = observationInfoIfMade else { return .ended }
    return info.withLock { info.read(field) }
  }

  /// The value of a property, for coding. Traps if the property is being modified.
  final func value(of field: ObservedField) -> Any? {
    let storage = address(of: field)
    if !field.isZeroSized { kvo_check_access(storage, false) }
    var value: Any?
    withStorageLock { value = field.readStorage(storage) }
    return value
  }

  // MARK: Setting

  /// Replaces the property at an address with `store`, and notifies. Observation was notified that it is about to change.
  /// Returns false if the property isn't known, so that it isn't replaced.
  final func changeInTransaction(
    at storage: UnsafeRawPointer, after latestNumber: UInt64, _ store: () -> Void
  ) -> Bool {
    guard let info = observationInfoIfMade, let field = field(at: storage, info) else { return false }
    let key = info.properties.key(of: field)
    if isObservedByFoundation, isInSetterOfFoundation(key, info) {
      self.store(store)
      reportChange(.after, atOffset: storage - UnsafeRawPointer(address))
      return true
    }
    let mutation = ThreadFrame.areThere ? ThreadFrame.takeMutation(at: storage) : .setting
    var transaction = ChangeTransaction(of: key, mutation, after: latestNumber)
    transaction.prepare(self, info)
    if isObservedByFoundation { transaction.notifyFoundation(self) }
    transaction.store(info, store)
    if isTracked { reportChange(.after, atOffset: storage - UnsafeRawPointer(address)) }
    transaction.end(of: self, info)
    return true
  }

  // MARK: Mutating in place

  /// Begins an in-place mutation of the property at an address.
  @usableFromInline
  final func willModify(_ storage: UnsafeRawPointer) -> InPlaceMutation? {
    kvo_sanitizer_end_ignoring_writes()  // The accessor has begun it.
    reportMutation(atOffset: storage - UnsafeRawPointer(address))
    let latestNumber = kvo_latest_number()
    reportChange(.before, atOffset: storage - UnsafeRawPointer(address))
    guard isObserved || isObservedByFoundation, let info = observationInfoIfMade, let field = field(at: storage, info)
    else { return nil }
    return InPlaceMutation(of: field, self, info, after: latestNumber)
  }

  /// Ends an in-place mutation of the property at an address; `mutation` is nil if the object wasn't observed when it began.
  @usableFromInline
  final func didModify(_ storage: UnsafeRawPointer, _ mutation: InPlaceMutation?) {
    kvo_sanitizer_end_ignoring_writes()  // The accessor has begun it.
    guard let info = observationInfoIfMade else { return }
    reportChange(.after, atOffset: storage - UnsafeRawPointer(address))
    if let mutation {
      mutation.end(of: self)
    } else if isObserved, let field = field(at: storage, info) {
      // It wasn't observed at the beginning. Only observers that another thread has registered meanwhile are notified.
      var change = ChangeTransaction(of: info.properties.key(of: field), after: 0)
      change.didStore(info)
      change.end(of: self, info)
    }
  }

  // MARK: Changes of any key

  /// Calls `body`, which applies `mutation` to the value for `key` without a notification, as one change, if the key
  /// notifies automatically. If `body` calls a setter, the setter's own changes are part of this one.
  final func change(_ key: String, _ mutation: Mutation = .setting, isSetter: Bool, _ body: () -> Void) {
    requireNoLock("a value is set for a key")
    let latestNumber = kvo_latest_number()
    reportChange(.before, of: key)
    guard let info = observationInfoIfMade, let known = changedKey(key, info) else {
      body()
      return reportChange(.after, of: key)
    }
    var transaction = ChangeTransaction(of: known, mutation, after: latestNumber)
    transaction.prepare(self, info)
    if isObservedByFoundation, !isSetter || !isSetThroughFoundation(key) { transaction.notifyFoundation(self) }
    if isSetter { transaction.coding(body) } else { body() }
    transaction.didStore(info)
    reportChange(.after, of: key)
    transaction.end(of: self, info)
  }

  /// The key of that name, if it was ever observed.
  private final func changedKey(_ name: String, _ info: ObservationInfo) -> ObservedKey? {
    isObservedByFoundation ? info.properties.key(PathKey(name)) : info.properties.knownKey(PathKey(name))
  }

  /// Begins a change of the value for `key` that ``endManualChange(of:_:)`` ends on the same thread.
  final func beginManualChange(of key: String, _ mutation: Mutation) {
    // Foundation may have observers of which nothing was recorded, and begin the change in a setter, in which the engine's must
    // not notify.
    if !isObservedByFoundation, hasHiddenObservers(settingThrough: key) { willBeObservedByFoundation() }
    let latestNumber = kvo_latest_number()
    reportChange(.before, of: key)
    if let info = observationInfoIfMade, let known = changedKey(key, info) {
      var transaction = ChangeTransaction(of: known, mutation, isManual: true, after: latestNumber)
      transaction.prepare(self, info)
      info.append(transaction)
    }
    notifyFoundation(.before, key, mutation)
  }

  final func endManualChange(of key: String, _ mutation: Mutation) {
    // Taken first, because Foundation's observers may begin and end other changes.
    let change = observationInfoIfMade.flatMap { info in
      info.properties.knownKey(PathKey(key)).flatMap(info.takeManualChange(of:))
    }
    notifyFoundation(.after, key, mutation)
    reportChange(.after, of: key)
    guard let info = observationInfoIfMade else { return }
    if var change {
      change.didStore(info)
      return change.end(of: self, info)
    }
    guard let known = info.properties.knownKey(PathKey(key)) else { return }
    for entry in info.entries(of: known) where entry.role.reroutes { entry.observance?.reroute() }
  }

  // MARK: Foundation

  // On Apple platforms, observers that call `addObserver` are registered with Foundation, which notifies them. From then on the
  // engine notifies it of changes, by calling the superclass. On other platforms tests take Foundation's place.

  /// Whether Foundation was ever asked to register an observer.
  @inline(__always)
  final var isObservedByFoundation: Bool { kvo_flags(address) & UInt(KVO_OBSERVED_BY_FOUNDATION) != 0 }

  /// Records that Foundation is asked to register an observer. Called before it does.
  final func willBeObservedByFoundation() {
    _ = madeObservationInfo
    kvo_set_flags(address, UInt(KVO_OBSERVED_BY_FOUNDATION))
  }

  final func notifyFoundation(_ edge: Edge, _ key: String, _ mutation: Mutation) {
    requireNoLock("Foundation is notified")
    // Foundation reads values, which belong to nothing that this thread reads.
    ThreadFrame.shielded {
      switch (edge, mutation) {
      case (.before, .setting): super.willChangeValue(forKey: key)
      case (.after, .setting): super.didChangeValue(forKey: key)
      case (.before, .ordered(let kind, let indexes)): super.willChange(kind, valuesAt: indexes, forKey: key)
      case (.after, .ordered(let kind, let indexes)): super.didChange(kind, valuesAt: indexes, forKey: key)
      case (.before, .unordered(let kind, let objects)):
        super.willChangeValue(forKey: key, withSetMutation: kind, using: objects)
      case (.after, .unordered(let kind, let objects)):
        super.didChangeValue(forKey: key, withSetMutation: kind, using: objects)
      }
      notifyStandIn(edge, key, mutation)
    }
  }

  /// Whether Foundation calls a setter of Objective-C for a key on this thread, and notifies of the change itself.
  final func isInSetterOfFoundation(_ key: ObservedKey, _ info: ObservationInfo) -> Bool {
    info.hasManualChange(of: key) && hasSetterOfFoundation(key.name)
  }
}
