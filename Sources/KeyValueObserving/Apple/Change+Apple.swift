#if canImport(ObjectiveC)
/// One change of an `@Observed` property, which Foundation is told of before and after.
@usableFromInline
struct ChangeTransaction {
  let key: String
  /// Whether Foundation is told; if not, only Observation is.
  let notifies: Bool
}

extension KeyValueObject {
  /// The properties of the object's class.
  final var properties: ClassProperties { ClassProperties.of(self) }

  /// Whether anything observes the object, or may track it.
  @usableFromInline
  final var isAttended: Bool { observationInfo != nil || isObservable }

  /// Whether accesses in place must do more than to lend out the value.
  @usableFromInline
  final var isAttendedOrObservable: Bool { isAttended }

  /// The `@Observed` property of that name.
  final func observedField(_ name: String) -> ObservedField? {
    properties.field(name) ?? UntypedFields.of(self).field(name)
  }

  /// Begins the change of the property at `storage`, whose distance from the object tells the key.
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

  /// Runs `body`, which makes `mutation` of the value of `key`, as one change, if the key notifies automatically at all.
  ///
  /// - Parameter suppressing: Whether `body` runs a setter of the key, which may notify too: it doesn't now.
  final func change(_ key: String, _ mutation: Mutation = .setting, suppressing: Bool, _ body: () -> Void) {
    guard isAttended, !CoveredKeys.contain(key, of: self) else { return body() }
    guard notifiesAutomatically(of: key) else {
      reportWillSet(key)
      body()
      return reportDidSet(key)
    }
    switch mutation {
    case .setting, .ordered(.setting, _): willChangeValue(forKey: key)
    case .ordered(let kind, let indexes): willChange(kind, valuesAt: indexes, forKey: key)
    case .unordered(let kind, let objects): willChangeValue(forKey: key, withSetMutation: kind, using: objects)
    }
    if suppressing { CoveredKeys.with(key, of: self, body) } else { body() }
    switch mutation {
    case .setting, .ordered(.setting, _): didChangeValue(forKey: key)
    case .ordered(let kind, let indexes): didChange(kind, valuesAt: indexes, forKey: key)
    case .unordered(let kind, let objects): didChangeValue(forKey: key, withSetMutation: kind, using: objects)
    }
  }

  private func notifiesAutomatically(of key: String) -> Bool {
    type(of: self).automaticallyNotifiesObservers(forKey: key)
  }

  @usableFromInline
  final func beginStoring(at address: UnsafeMutableRawPointer, identity: Any.Type?) -> StoringSection {
    StoringSection()
  }
}

/// Nothing to lock: Foundation reads through the getter only.
struct StorageLock {
  func unlock() {}
}

/// Nothing to keep from being read.
@usableFromInline
struct StoringSection {
  @usableFromInline
  func end() {}
}
#endif
