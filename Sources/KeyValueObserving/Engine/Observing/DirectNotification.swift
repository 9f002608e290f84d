#if !canImport(ObjectiveC)
/// The notification of observers of a plain replacement of a property.
///
/// Most changes are of this kind: there are no prior calls, and all observers receive the property's own value. Then
/// the engine doesn't read the values, because the setter lends both. It takes no lock and doesn't copy the
/// observances: it enters the object's ``StorageGate``, and the observances that it finds there exist until it leaves.
@usableFromInline
struct DirectNotification {
  private let info: Unmanaged<ObservationInfo>
  /// The observances to notify; nil if the key has none.
  private let receivers: ObserverList.Snapshot?

  /// Begins to store, and finds the observances to notify of a replacement of the property at `address`.
  ///
  /// - Returns: nil, without beginning anything, if a ``ChangeTransaction`` is needed.
  @usableFromInline
  static func begin(ofPropertyAt address: UnsafeRawPointer, of object: KeyValueObject) -> DirectNotification? {
    guard let info = object.slot.borrowedInfo else { return nil }
    let offset = address - UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
    let list = info._withUnsafeGuaranteedRef { info in
      info.gate.enter()
      return info.list(ofPropertyAt: offset)
    }
    guard let list else { return DirectNotification(info: info, receivers: nil) }
    if !SuppressedObservances.areThere, let receivers = list.beginReplacement() {
      return DirectNotification(info: info, receivers: receivers)
    }
    info._withUnsafeGuaranteedRef { $0.leaveWithoutDelivery() }
    return nil
  }

  /// Records that the property is replaced.
  @usableFromInline
  func endStoring() {
    info._withUnsafeGuaranteedRef { receivers == nil ? $0.leaveWithoutDelivery() : $0.gate.endStoring() }
  }

  /// Calls the observers that are still affected, the last one first.
  ///
  /// - Parameters:
  ///   - old: The address of the former `Observed`.
  ///   - new: The address of a copy of the current one. If an observer sets the property again, the value is copied
  ///     again, and later observers receive it.
  @usableFromInline
  func send(_ old: UnsafeRawPointer, _ new: UnsafeMutableRawPointer, of object: KeyValueObject) {
    guard let receivers else { return }
    // A snapshot is taken only if there is one.
    let field = receivers.list.plainField.unsafelyUnwrapped
    let old = BorrowedValue(address: old, field: field)
    let new = BorrowedValue(address: new, field: field)
    var index = Int(receivers.count)
    while index > 0 {
      index -= 1
      guard let observance = receivers.first[index].observance else { continue }
      observance._withUnsafeGuaranteedRef { observance in
        if _fastPath(receivers.list.currentVersion == receivers.version) {
          observance.send(old, new, of: object, info)
        } else {
          sendLater(to: observance, old, new, receivers.list, of: object)
        }
      }
    }
    info._withUnsafeGuaranteedRef { $0.leave() }
  }

  /// Notifies an observer after another one has made a change.
  @inline(never)
  private func sendLater(
    to observance: Observance, _ old: BorrowedValue, _ new: BorrowedValue, _ list: ObserverList,
    of object: KeyValueObject
  ) {
    guard observance.isActive, let copy = new.address, let field = list.plainField?.takeUnretainedValue() else {
      return
    }
    let (key, info) = (list.key, info.takeUnretainedValue())
    // An observance whose path has left the object meanwhile has reported its new value already.
    guard observance.passes(key, info) else { return }
    if observance.ends(at: key, info) {
      field.copy(from: object, to: UnsafeMutableRawPointer(mutating: copy))
      observance.send(old, new, of: object, self.info)
    } else if let root = observance.root(at: object, info) {
      withUnsafePointer(to: ChangedValue(observance.value(from: root))) {
        observance.send(old, BorrowedValue($0), of: object, self.info)
      }
    }
  }
}
#endif
