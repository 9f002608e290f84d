#if !canImport(ObjectiveC)
/// Registration and the ends of changes, behind the methods of ``KeyValueObject`` and ``Observed``.
extension KeyValueObject {
  /// The object's info, made if there is none; nil once the base class's `deinit` has begun.
  final var madeObservationInfo: ObservationInfo? {
    slot.info {
      slot.isObservable
        ? ObservableObjectInfo(self, ClassKeys.of(self)) : ObservationInfo(self, ClassKeys.of(self))
    }
  }

  /// Registers for a path by the method that takes a name, so that a subclass that overrides it is called.
  ///
  /// - Parameter receiver: What takes the changes in the place of the observer.
  package final func register(
    _ observer: KeyValueObject, for path: ObservedPath, options: NSKeyValueObservingOptions,
    context: UnsafeMutableRawPointer?, receiver: (any KeyValueChangeReceiver)?
  ) {
    PendingRegistration(observer, of: self, path, context: context, receiver)
      .run { addObserver(observer, forKeyPath: path.name, options: options, context: context) }
  }

  /// Ends what ``register(_:for:options:context:receiver:)`` began.
  package final func unregister(
    _ observer: KeyValueObject, for path: ObservedPath, context: UnsafeMutableRawPointer?
  ) {
    removeObserver(observer, forKeyPath: path.name, context: context)
  }

  /// Registers as the base class's ``addObserver(_:forKeyPath:options:context:)``.
  final func addRegistration(
    _ observer: KeyValueObject, forKeyPath keyPath: String, options: NSKeyValueObservingOptions,
    context: UnsafeMutableRawPointer?
  ) {
    let pending = PendingRegistration.take(observer, of: self, context: context)
    // An override may have registered for another key path than it was asked to.
    let path = pending.flatMap { $0.path.name == keyPath ? $0.path : nil } ?? .named(keyPath, of: self)
    addRegistration(observer, for: path, options: options, context: context, receiver: pending?.receiver)
  }

  private func addRegistration(
    _ observer: KeyValueObject, for path: ObservedPath, options: NSKeyValueObservingOptions,
    context: UnsafeMutableRawPointer?, receiver: (any KeyValueChangeReceiver)?
  ) {
    guard let info = madeObservationInfo else { return }
    let observance: Observance =
      if let receiver {
        ReceiverObservance(receiver, observer, of: self, info, path, options: options, context: context)
      } else {
        ObserverObservance(observer, of: self, info, path, options: options, context: context)
      }
    guard info.insert(observance) else { return }
    if observance.isManual { info.sweepRegistrations() }
    observance.begin(at: self)
    guard options.contains(.initial), observance.isActive else { return }
    let new = options.contains(.new) ? ChangedValue(observance.value(from: self)) : .unasked
    observance.send(
      KeyValueChange(of: .passUnretained(path), of: .passUnretained(self), new: new, isInitial: true))
  }

  /// - Parameter context: Nil for whatever context.
  final func unregister(
    _ observer: KeyValueObject, forKeyPath keyPath: String, context: UnsafeMutableRawPointer??
  ) {
    guard !slot.isDead else { return }
    let info = slot.info
    if let observance = info?.removeRegistration(observer, keyPath, context: context) {
      return observance.didUnregister()
    }
    // The registration of an observer in its deinit may have been swept.
    if let info, info.hasSweptRegistrations, isInDeinit(observer) { return }
    misuse(
      apple: """
        Cannot remove an observer <\(name(observer))> for the key path "\(keyPath)" from <\(name(self))> because it \
        is not registered as an observer.
        """,
      remedy: "Remove each registration once, with the context that it was made with.")
  }

  /// How many registrations the object has, those of deallocated observers included: for tests.
  package final var registrationCount: Int { slot.info?.registrationCount ?? 0 }

  final func refuseNotification(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    let details = (change ?? [:]).map { "\($0.key.rawValue) = \($0.value);" }.sorted().joined(separator: " ")
    misuse(
      apple: """
        <\(String(describing: type(of: self))): \(address(self))>: An -observeValueForKeyPath:ofObject:change:context: \
        message was received but not handled.
        Key path: \(keyPath ?? "nil")
        Observed object: \(object.map { "<\(name($0 as AnyObject))>" } ?? "nil")
        Change: {\(details)}
        Context: \(context.map { "\($0)" } ?? "0x0")

        """,
      remedy: "Override observeValue(forKeyPath:of:change:context:) and pass on only what isn't yours.")
  }

  /// Ends the object's part in everything, from the base class's `deinit`.
  final func endObservation() {
    guard let info = slot.info else { return }
    ObjectLifelines.end(of: self)
    var owned: ObservationInfo?
    info.objectDies { owned = slot.die() }
    withExtendedLifetime(owned) {}
  }
}

// MARK: Tracking

extension KeyValueObject {
  /// Has the object's getters tell the tracker at work of what they read.
  final func beginTracking() {
    madeObservationInfo?.changeTrackerCount(by: 1)
  }

  final func endTracking() {
    slot.info?.changeTrackerCount(by: -1)
  }
}

// MARK: Changes

extension KeyValueObject {
  /// Begins a mutation in place of the property at `address`; nil if it concerns no observance.
  @usableFromInline
  final func willModify(_ address: UnsafeMutableRawPointer, identity: Any.Type?) -> ChangeTransaction? {
    reportWillSet(at: address, identity: identity)
    return beginTransaction(address, identity: identity)
  }

  /// Ends a mutation in place, which has replaced the value without the engine.
  @usableFromInline
  final func didModify(
    _ address: UnsafeMutableRawPointer, identity: Any.Type?, _ transaction: ChangeTransaction?
  ) {
    beginStoring(at: address, identity: identity).end()
    reportDidSet(at: address, identity: identity)
    endTransaction(address, identity: identity, transaction)
  }

  /// Begins the change of the property at `address`; nil if it concerns no observance.
  @usableFromInline
  final func beginTransaction(_ address: UnsafeMutableRawPointer, identity: Any.Type?) -> ChangeTransaction? {
    guard let info = slot.info, let index = index(of: address, identity, info) else { return nil }
    return ChangeTransaction(at: index, of: self, info, isManual: false, onlyAutomatic: true)
  }

  /// Ends what ``beginTransaction(_:identity:)`` began. Also without a transaction, paths follow the new value.
  @usableFromInline
  final func endTransaction(
    _ address: UnsafeMutableRawPointer, identity: Any.Type?, _ transaction: ChangeTransaction?
  ) {
    guard let info = slot.info, let index = index(of: address, identity, info) else { return }
    if let transaction {
      transaction.end(of: self, info)
    } else {
      info.reroute(at: index)
    }
  }

  /// Begins to replace the property at `address`, and finds who is to be notified of that.
  ///
  /// - Returns: Nil, and nothing was begun, if that takes a ``ChangeTransaction``.
  @usableFromInline
  final func beginDirectNotification(
    ofPropertyAt address: UnsafeMutableRawPointer, identity: Any.Type?
  ) -> DirectNotification? {
    guard let info = slot.borrowedInfo else { return nil }
    return info._withUnsafeGuaranteedRef { index(of: address, identity, $0) }
      .flatMap { DirectNotification(at: $0, info) }
  }

  /// The index of the key of the property at `address`, whose distance from the object tells it.
  private func index(of address: UnsafeMutableRawPointer, _ identity: Any.Type?, _ info: ObservationInfo) -> Int? {
    let offset = UnsafeRawPointer(address) - UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    return info.lentKeys._withUnsafeGuaranteedRef { $0.fieldIndex(atOffset: offset, identity: identity) }
  }

  /// Keeps setters from replacing a property on another thread while the engine reads it.
  final func lockStorage() -> StorageLock {
    StorageLock(slot.borrowedInfo)
  }

  /// Begins to replace the property at `address`, without notifying.
  @usableFromInline
  final func beginStoring(at address: UnsafeMutableRawPointer, identity: Any.Type?) -> StoringSection {
    let info = slot.borrowedInfo
    return StoringSection(
      info, index: info?._withUnsafeGuaranteedRef { index(of: address, identity, $0) })
  }

  /// Runs `body`, which makes `mutation` of the value of `key` without notifying; it is one change, if the key notifies
  /// automatically at all.
  ///
  /// - Parameter suppressing: Whether `body` runs a setter, whose own changes are part of this one.
  final func change(_ key: String, _ mutation: Mutation = .setting, suppressing: Bool, _ body: () -> Void) {
    reportWillSet(key)
    guard let info = slot.info, let known = info.keys.knownKey(key),
      let transaction = ChangeTransaction(
        at: known.index, of: self, info, mutation, isManual: false, onlyAutomatic: true)
    else {
      body()
      return reportDidSet(key)
    }
    if suppressing { transaction.suppressing(body) } else { body() }
    reportDidSet(key)
    transaction.end(of: self, info)
  }

  final func beginManualChange(of key: String, _ mutation: Mutation = .setting) {
    reportWillSet(key)
    guard let info = slot.info, let key = info.keys.knownKey(key) else { return }
    if let transaction = ChangeTransaction(
      at: key.index, of: self, info, mutation, isManual: true, onlyAutomatic: false)
    {
      info.push(transaction, of: key.name)
    } else if info.hasManualTransaction(of: key.name) {
      // A change that concerns nobody is kept too where its end could be taken for that of one begun before.
      info.push(ChangeTransaction(ofNobody: key), of: key.name)
    }
  }

  final func endManualChange(of key: String) {
    reportDidSet(key)
    guard let info = slot.info else { return }
    if let transaction = info.popManualTransaction(of: key) {
      transaction.end(of: self, info)
    } else if let key = info.keys.knownKey(key) {
      info.reroute(at: key.index)
    }
  }
}
#endif
