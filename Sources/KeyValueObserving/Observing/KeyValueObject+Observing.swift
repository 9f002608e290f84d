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
    let observance = Observance(
      observer, of: self, info, path, options: options, context: context, receiver: receiver)
    guard info.insert(observance) else { return }
    observance.begin(at: self)
    guard options.contains(.initial), observance.isActive else { return }
    let new = options.contains(.new) ? ChangedValue(observance.value(from: self)) : .unasked
    observance.send(KeyValueChange(of: .passUnretained(path), of: .passUnretained(self), new: new))
  }

  final func unregister(
    _ observer: KeyValueObject, forKeyPath keyPath: String, remove: (ObservationInfo) -> Observance?
  ) {
    guard !slot.isDead else { return }
    guard let observance = slot.info.flatMap(remove) else {
      misuse(
        apple: """
          Cannot remove an observer <\(name(observer))> for the key path "\(keyPath)" from <\(name(self))> because it \
          is not registered as an observer.
          """,
        remedy: "Remove each registration once, with the context that it was made with.")
    }
    observance.end()
  }

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
  /// Begins a mutation in place of the property at `address`; nil if no observer is to hear of it.
  @usableFromInline
  final func willModify(_ address: UnsafeMutableRawPointer, identity: Any.Type?) -> Change? {
    reportWillSet(at: address, identity: identity)
    return beginChange(address, identity: identity)
  }

  /// Ends what ``willModify(_:identity:)`` began.
  @usableFromInline
  final func didModify(_ address: UnsafeMutableRawPointer, identity: Any.Type?, _ change: Change?) {
    reportDidSet(at: address, identity: identity)
    endChange(address, identity: identity, change)
  }

  /// Begins the change of the property at `address`; nil if nobody is to hear of it.
  @usableFromInline
  final func beginChange(_ address: UnsafeMutableRawPointer, identity: Any.Type?) -> Change? {
    guard let info = slot.info, let index = index(of: address, identity, info), let table = info.links(at: index),
      let key = table.key, key.notifiesAutomatically
    else { return nil }
    return Change(of: key, table, of: self, info)
  }

  /// Ends what ``beginChange(_:identity:)`` began. Also without a change, paths follow the new value.
  @usableFromInline
  final func endChange(_ address: UnsafeMutableRawPointer, identity: Any.Type?, _ change: Change?) {
    guard let info = slot.info else { return }
    if let change {
      change.end(of: self, info)
    } else if let index = index(of: address, identity, info) {
      info.reroute(at: index)
    }
  }

  /// Locks the object's properties, and finds who is to hear that the one at `address` is replaced.
  ///
  /// - Returns: Nil, and nothing is locked, if that takes a ``Change``.
  @usableFromInline
  final func lockReceivers(ofPropertyAt address: UnsafeMutableRawPointer, identity: Any.Type?) -> Receivers? {
    slot.borrowedInfo?._withUnsafeGuaranteedRef { info in
      index(of: address, identity, info).flatMap { info.lockReceivers(at: $0) }
    }
  }

  /// The index of the key of the property at `address`, whose distance from the object tells it.
  private func index(of address: UnsafeMutableRawPointer, _ identity: Any.Type?, _ info: ObservationInfo) -> Int? {
    let offset = UnsafeRawPointer(address) - UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    return info.lentKeys._withUnsafeGuaranteedRef { $0.fieldIndex(atOffset: offset, identity: identity) }
  }

  /// Locks the object's properties, so that the engine doesn't read one on another thread while it is replaced.
  @usableFromInline
  final func lockStorage() -> StorageLock {
    StorageLock(slot.borrowedInfo)
  }

  /// Runs `body`, which makes `mutation` of the value of `key` without notifying; it is one change, if the key notifies
  /// automatically at all.
  ///
  /// - Parameter covering: Whether `body` runs a setter, whose own changes are part of this one.
  final func change(_ key: String, _ mutation: Mutation = .setting, covering: Bool, _ body: () -> Void) {
    reportWillSet(key)
    guard let info = slot.info, let known = info.keys.knownKey(key), let table = info.links(at: known.index),
      known.notifiesAutomatically
    else {
      body()
      return reportDidSet(key)
    }
    let change = Change(of: known, table, of: self, info, mutation)
    if covering { change.covering(body) } else { body() }
    reportDidSet(key)
    change.end(of: self, info)
  }

  final func beginManualChange(of key: String, _ mutation: Mutation = .setting) {
    reportWillSet(key)
    guard let info = slot.info, let key = info.keys.knownKey(key) else { return }
    // A change that concerns nobody is kept too where its end could be taken for that of one begun before.
    guard let table = info.links(at: key.index) ?? (info.hasPendingChange(of: key.name) ? LinkTable() : nil) else {
      return
    }
    info.push(Change(of: key, table, of: self, info, mutation), of: key.name)
  }

  final func endManualChange(of key: String) {
    reportDidSet(key)
    guard let info = slot.info else { return }
    if let change = info.popChange(of: key) {
      change.end(of: self, info)
    } else if let key = info.keys.knownKey(key) {
      info.reroute(at: key.index)
    }
  }
}
#endif
