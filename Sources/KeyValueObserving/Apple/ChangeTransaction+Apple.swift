#if canImport(ObjectiveC)
/// One change of an `@Observed` property, of which Foundation is notified before and after.
@usableFromInline
struct ChangeTransaction {
  let key: String
  /// Whether Foundation is notified, and not only Observation.
  let notifies: Bool
}

extension KeyValueObject {
  /// The properties of the object's class.
  final var properties: ClassProperties { ClassProperties.of(self) }

  /// Whether the object is observed, or may be tracked.
  @usableFromInline
  final var isObservedOrTracked: Bool { observationInfo != nil || isObservable }

  /// Whether in-place accesses must send notifications.
  @usableFromInline
  final var isObservedOrObservable: Bool { isObservedOrTracked }

  /// Whether an in-place mutation that began with `change` must end with notifications.
  ///
  /// Foundation keeps what was announced until the end is announced too, even if the last observer is removed meanwhile.
  @usableFromInline
  final func mustEndMutation(_ change: ChangeTransaction?) -> Bool { change != nil }

  /// The `@Observed` property of that name.
  final func observedField(_ name: String) -> ObservedField? {
    properties.field(name) ?? UntypedFields.of(self).field(name)
  }

  /// Begins the change of the property at `storage`, whose offset in the object identifies the key.
  @usableFromInline
  final func willModify<Value>(
    _ storage: UnsafeMutablePointer<Observed<Value>>, identity: Any.Type?
  ) -> ChangeTransaction? {
    let offset = UnsafeRawPointer(storage) - UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    let properties = properties
    let field =
      properties.fieldIndex(atOffset: offset, identity: identity).map { properties.fields[$0] }
      ?? UntypedFields.of(self).field(atOffset: offset, valueType: Value.self)
    guard let key = field?.name, !CoveredKeys.contain(key, of: self) else { return nil }
    let notifies = notifiesAutomatically(of: key)
    if notifies { willChangeValue(forKey: key) } else { reportWillSet(key) }
    return ChangeTransaction(key: key, notifies: notifies)
  }

  @usableFromInline
  final func didModify(_ address: UnsafeMutableRawPointer, identity: Any.Type?, _ transaction: ChangeTransaction?) {
    guard let transaction else { return }
    if transaction.notifies { didChangeValue(forKey: transaction.key) } else { reportDidSet(transaction.key) }
  }

  final func lockStorage() -> StorageLock { StorageLock() }

  /// Calls `body`, which applies `mutation` to the value for `key`, as one change, if the key notifies automatically.
  ///
  /// - Parameter suppressing: Whether to suppress notifications by a setter of the key that `body` calls.
  final func change(_ key: String, _ mutation: Mutation = .setting, suppressing: Bool, _ body: () -> Void) {
    guard isObservedOrTracked, !CoveredKeys.contain(key, of: self) else { return body() }
    guard notifiesAutomatically(of: key) else {
      reportWillSet(key)
      body()
      return reportDidSet(key)
    }
    notifyManually(of: mutation, forKey: key, suppressing: suppressing, body)
  }

  private func notifiesAutomatically(of key: String) -> Bool {
    type(of: self).automaticallyNotifiesObservers(forKey: key)
  }

  @usableFromInline
  final func beginStoring(at address: UnsafeMutableRawPointer, identity: Any.Type?) -> StoringSection {
    StoringSection()
  }
}

/// The counterpart of the engine's lock. Foundation reads through getters only, so there is nothing to lock.
struct StorageLock {
  func unlock() {}
}

/// The counterpart of the engine's critical section around storing a value. There is nothing to protect.
@usableFromInline
struct StoringSection {
  @usableFromInline
  func end() {}
}
#endif
