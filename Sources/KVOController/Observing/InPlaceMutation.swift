import CKeyValueObserving

/// A mutation of a property in place, which is a write of the property for its whole duration. Observances that would
/// have to read the property are notified of changes that are made meanwhile, by elements for instance, when it ends.
///
/// - Thread safety: The lock of the object's info guards the transaction.
@usableFromInline
final class InPlaceMutation: @unchecked Sendable {
  let field: ObservedField
  private let info: ObservationInfo
  @exclusivity(unchecked) private var transaction: ChangeTransaction?

  /// Begins a mutation: reads the old values, and makes the prior calls.
  init(of field: ObservedField, _ object: KeyValueObject, _ info: ObservationInfo, after latestNumber: UInt64) {
    self.field = field
    self.info = info
    var transaction = ChangeTransaction(of: info.properties.key(of: field), after: latestNumber)
    transaction.prepare(object, info)
    transaction.defer(info)
    if object.isObservedByFoundation { transaction.notifyFoundation(object) }
    self.transaction = transaction
    info.withExtras { $0?.mutations.append(self) }
  }

  deinit { requireNoLock("an in-place mutation is released") }

  /// Leaves it to the mutation to notify an observance, which has to read the property.
  func join(_ observance: Observance, old: ChangedValue) {
    info.withLock { transaction?.join(observance, old: old) }
  }

  /// Traps if it is this thread that mutates the property, as a read of any variable does.
  func checkRead() {
    if let storage = info.withLock({ info.storage(of: field) }) { kvo_check_access(storage, false) }
  }

  func end(of object: KeyValueObject) {
    let transaction = info.withExtras { extras in
      extras?.mutations.removeAll { $0 === self }
      return self.transaction.takeOut()
    }
    guard var transaction else { return }
    transaction.endDeferral(info)
    transaction.didStore(info)
    transaction.end(of: object, info)
  }
}
