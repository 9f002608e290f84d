#if !canImport(ObjectiveC)
/// Registration, and the beginnings and ends of changes, for the methods of ``KeyValueObject`` and ``Observed``.
extension KeyValueObject {
  /// The object's info, created if necessary; nil once the base class's `deinit` has begun.
  final var madeObservationInfo: ObservationInfo? {
    slot.info {
      isObservable
        ? ObservableObjectInfo(self, ObservedKeys.of(self)) : ObservationInfo(self, ObservedKeys.of(self))
    }
  }

  /// The object's info, created if necessary. It is valid as long as the caller retains the object.
  @inline(__always)
  final var madeBorrowedInfo: Unmanaged<ObservationInfo>? {
    slot.borrowedInfo ?? madeObservationInfo.map(Unmanaged.passUnretained)
  }

  /// Registers for a path with the method that takes a name, so that a subclass's override is called.
  final func register(
    _ observer: KeyValueObject, for path: ObservedPath, options: NSKeyValueObservingOptions,
    context: UnsafeMutableRawPointer?
  ) {
    PendingRegistration(observer, of: self, path, options: options, context: context, nil, isRemoval: false)
      .run { addObserver(observer, forKeyPath: path.name, options: options, context: context) }
    withExtendedLifetime(path) {}
  }

  /// Registers an observance, which receives the changes instead of the observer, in the same way. In tests that use
  /// ``FoundationWay``, the observer receives them.
  package final func register(
    _ observer: KeyValueObject, _ observance: Observance, options: NSKeyValueObservingOptions,
    context: UnsafeMutableRawPointer?
  ) {
    SharedObserver.set(observer)
    PendingRegistration(
      observer, of: self, observance.path, options: options, context: context,
      FoundationWay.isTaken ? nil : observance, isRemoval: false
    )
    .run { addObserver(observer, forKeyPath: observance.path.name, options: options, context: context) }
    withExtendedLifetime(observance) {}
  }

  /// Removes the registration of an observance.
  package final func unregister(
    _ observer: KeyValueObject, _ observance: Observance, context: UnsafeMutableRawPointer?
  ) {
    PendingRegistration(
      observer, of: self, observance.path, options: [], context: context,
      FoundationWay.isTaken ? nil : observance, isRemoval: true
    )
    .run { removeObserver(observer, forKeyPath: observance.path.name, context: context) }
    withExtendedLifetime(observance) {}
  }

  /// The implementation of ``addObserver(_:forKeyPath:options:context:)`` in the base class.
  final func addRegistration(
    _ observer: KeyValueObject, forKeyPath keyPath: String, options: NSKeyValueObservingOptions,
    context: UnsafeMutableRawPointer?
  ) {
    let pending = PendingRegistration.take(observer, of: self, context: context, isRemoval: false)
    // An override may register for another key path, or with other options.
    let isSamePath = pending?.path._withUnsafeGuaranteedRef { $0.name == keyPath } ?? false
    if let pending, isSamePath, pending.options == options, let observance = pending.observance {
      return observance._withUnsafeGuaranteedRef { addRegistration($0, options: options, context: context) }
    }
    let path = isSamePath ? pending?.path.takeUnretainedValue() : nil
    addRegistration(
      of: observer, path ?? .named(keyPath, of: self), instead: pending?.observance?.takeUnretainedValue(),
      options: options, context: context)
  }

  /// Adds a registration that isn't, or not in this way, that of an observance.
  private func addRegistration(
    of observer: KeyValueObject, _ path: ObservedPath, instead original: Observance?,
    options: NSKeyValueObservingOptions, context: UnsafeMutableRawPointer?
  ) {
    let observance =
      original.map { SubstituteObservance(for: $0, path, options: options) }
      ?? ObserverObservance(observer, path, options: options)
    addRegistration(observance, options: options, context: context)
  }

  private func addRegistration(
    _ observance: Observance, options: NSKeyValueObservingOptions, context: UnsafeMutableRawPointer?
  ) {
    guard let info = madeBorrowedInfo else { return }
    let isInserted = info._withUnsafeGuaranteedRef { info in
      observance.prepare(for: self, info, context: context)
      guard info.insert(observance) else { return false }
      if observance.isManual { info.sweepRegistrations() }
      return true
    }
    guard isInserted else { return }
    observance.begin(at: self)
    guard options.contains(.initial), observance.isActive else { return }
    let new = options.contains(.new) ? ChangedValue(observance.value(from: self)) : .notRequested
    KeyValueChange.lend(
      of: .passUnretained(observance.path), of: .passUnretained(self), .initial, new: new, to: observance.send)
  }

  /// - Parameter context: nil for any context.
  final func unregister(
    _ observer: KeyValueObject, forKeyPath keyPath: String, context: UnsafeMutableRawPointer??
  ) {
    guard !slot.isDead else { return }
    let info = slot.borrowedInfo
    let pending = PendingRegistration.take(observer, of: self, context: context, isRemoval: true)
    let removed = info?._withUnsafeGuaranteedRef {
      $0.removeRegistration(pending?.observance, observer, keyPath, context: context)
    }
    if let removed {
      removed._withUnsafeGuaranteedRef { $0.didUnregister() }
      return removed.release()
    }
    // The registration of an observer in its deinit may have been removed already.
    if info?._withUnsafeGuaranteedRef({ $0.hasSweptRegistrations }) == true, isInDeinit(observer) { return }
    misuse(
      apple: """
        Cannot remove an observer <\(debugName(of: observer))> for the key path "\(keyPath)" from <\(debugName(of: self))> because it \
        is not registered as an observer.
        """,
      remedy: "Remove each registration once, with the context that it was made with.")
  }

  /// The number of the object's registrations, including those of deallocated observers, for tests.
  package final var registrationCount: Int { slot.info?.registrationCount ?? 0 }

  final func refuseNotification(
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

  /// Ends all observation of the object, in the base class's `deinit`.
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
  /// Makes the object's getters report their reads to the active tracker.
  final func beginTracking() {
    madeBorrowedInfo?._withUnsafeGuaranteedRef { $0.changeTrackerCount(by: 1) }
  }

  final func endTracking() {
    slot.borrowedInfo?._withUnsafeGuaranteedRef { $0.changeTrackerCount(by: -1) }
  }
}

// MARK: Changes

extension KeyValueObject {
  /// Begins an in-place mutation of the property at `address`. Returns nil if it affects no observance.
  @usableFromInline
  final func willModify(_ address: UnsafeMutableRawPointer, identity: Any.Type?) -> ChangeTransaction? {
    reportWillSet(at: address, identity: identity)
    return beginTransaction(address, identity: identity)
  }

  /// Ends an in-place mutation, which has changed the value without the engine.
  @usableFromInline
  final func didModify(
    _ address: UnsafeMutableRawPointer, identity: Any.Type?, _ transaction: ChangeTransaction?
  ) {
    beginStoring(at: address, identity: identity).end()
    reportDidSet(at: address, identity: identity)
    endTransaction(address, identity: identity, transaction)
  }

  /// Replaces the property at `address`, if the only observer is one of a path that leads through it, and notifies the
  /// observer.
  ///
  /// - Parameters:
  ///   - child: The new value, if it is an object.
  ///   - store: Replaces the property, and ends the section. Keeps the former value until this method returns.
  /// - Returns: Whether that was done, which isn't possible if Observation must be notified too.
  @usableFromInline
  final func replaceOnPath(
    _ address: UnsafeMutableRawPointer, with child: UnsafeRawPointer?, _ store: (StoringSection) -> Void
  ) -> Bool {
    guard !slot.flags.contains(.everTracked) else { return false }
    let offset = address - Unmanaged.passUnretained(self).toOpaque()
    return PathNotification.replace(propertyAt: offset, of: self, with: child.map(Unmanaged.fromOpaque), store)
  }

  /// Begins to set the property at `address`.
  ///
  /// - Returns: The change, nil if it affects no observance; and the section in which to store.
  @usableFromInline
  final func beginSetting(
    _ address: UnsafeMutableRawPointer, identity: Any.Type?
  ) -> (ChangeTransaction?, StoringSection) {
    var change = beginTransaction(address, identity: identity)
    if let info = slot.borrowedInfo, let index = info._withUnsafeGuaranteedRef({ index(of: address, identity, $0) }) {
      // Others may register while old values are read, even the getters that are called for that.
      for attempt in 1...16 {
        let section = StoringSection(info, index: index) { list in
          (change?.includeLatecomers(list) ?? !ChangeTransaction.isNeeded(for: list)) || attempt == 16
        }
        if let section { return (change, section) }
        if change == nil {
          change = beginTransaction(address, identity: identity)
        } else {
          info._withUnsafeGuaranteedRef { change?.readOldValues(self, $0) }
        }
      }
    }
    return (change, beginStoring(at: address, identity: identity))
  }

  /// Begins a change of the property at `address`. Returns nil if it affects no observance.
  private func beginTransaction(_ address: UnsafeMutableRawPointer, identity: Any.Type?) -> ChangeTransaction? {
    guard let info = slot.info, let index = index(of: address, identity, info) else { return nil }
    return ChangeTransaction(at: index, of: self, info, isManual: false, onlyAutomatic: true)
  }

  /// Ends a change that ``beginSetting(_:identity:)`` or ``willModify(_:identity:)`` began. Even without a transaction,
  /// paths are updated.
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

  /// The index of the key of the property at `address`.
  private func index(of address: UnsafeMutableRawPointer, _ identity: Any.Type?, _ info: ObservationInfo) -> Int? {
    info.borrowedKeys._withUnsafeGuaranteedRef { $0.fieldIndex(at: address, in: self, identity: identity) }
  }

  /// Prevents setters on other threads from replacing a property while the engine reads it.
  final func lockStorage() -> StorageLock {
    StorageLock(slot.borrowedInfo)
  }

  /// Begins to replace the property at `address`, without a notification.
  @usableFromInline
  final func beginStoring(at address: UnsafeMutableRawPointer, identity: Any.Type?) -> StoringSection {
    let info = slot.borrowedInfo
    return StoringSection(
      info, index: info?._withUnsafeGuaranteedRef { index(of: address, identity, $0) })
  }

  /// Calls `body`, which applies `mutation` to the value for `key` without a notification, as one change, if the key
  /// notifies automatically.
  ///
  /// - Parameter suppressing: Whether `body` calls a setter, whose own changes are part of this one.
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
      // A change that affects no observance is stored too if its end could be mistaken for that of an earlier change.
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
