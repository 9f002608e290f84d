#if !canImport(ObjectiveC)
/// The notification of observers of a plain replacement of a property.
///
/// Most changes are of this kind: there are no prior calls, and all observers receive the property's own value. Then
/// the engine doesn't read the values, because the setter lends both. It takes no lock and doesn't copy the
/// observances: it enters the object's ``StorageGate``, and the observances that it finds there exist until it leaves.
@usableFromInline
struct DirectNotification {
  /// The observances to notify; nil if the key has none.
  private let receivers: ObserverList.Snapshot?
  /// Whether the gate counts the setter among those who store. If not, the list says that it stores.
  private let isCounted: Bool

  @inline(__always)
  fileprivate init(receivers: ObserverList.Snapshot?, isCounted: Bool) {
    self.receivers = receivers
    self.isCounted = isCounted
  }

  /// Records that the property is replaced, and calls the observers that are still affected, the last one first.
  ///
  /// - Parameters:
  ///   - old: The address of the former `Observed`.
  ///   - new: The address of a copy of the current one. If an observer sets the property again, the value is copied
  ///     again, and later observers receive it.
  @usableFromInline
  func finish(_ old: UnsafeRawPointer, _ new: UnsafeMutableRawPointer, of object: KeyValueObject) {
    // The info exists since the beginning.
    let info = object.slot.borrowedInfo.unsafelyUnwrapped
    endStoring(of: info)
    send(old, new, of: object, info)
  }

  /// Does the same as ``finish(_:_:of:)``, and notifies Observation when the property is replaced.
  @usableFromInline
  @inline(never)
  func finish(
    _ old: UnsafeRawPointer, _ new: UnsafeMutableRawPointer, of object: KeyValueObject,
    trackedAt address: UnsafeRawPointer, _ identity: Any.Type?
  ) {
    let info = object.slot.borrowedInfo.unsafelyUnwrapped
    endStoring(of: info)
    object.didSetTracked(at: address, identity: identity)
    send(old, new, of: object, info)
  }

  @inline(__always)
  private func endStoring(of info: Unmanaged<ObservationInfo>) {
    guard _slowPath(isCounted) else { return receivers.unsafelyUnwrapped.endStoring() }
    info._withUnsafeGuaranteedRef { receivers == nil ? $0.leaveWithoutDelivery() : $0.gate.endStoring() }
  }

  @inline(__always)
  private func send(
    _ old: UnsafeRawPointer, _ new: UnsafeMutableRawPointer, of object: KeyValueObject,
    _ info: Unmanaged<ObservationInfo>
  ) {
    guard let receivers else { return }
    if _fastPath(receivers.count == 1) {
      receivers.send(old, new, of: object, info, to: receivers.first[0].observance)
    } else {
      receivers.sendToAll(old, new, of: object, info)
    }
    info._withUnsafeGuaranteedRef { $0.leave() }
  }
}

extension ObserverList.Snapshot {
  @inline(never)
  fileprivate func sendToAll(
    _ old: UnsafeRawPointer, _ new: UnsafeMutableRawPointer, of object: KeyValueObject,
    _ info: Unmanaged<ObservationInfo>
  ) {
    var index = Int(count)
    while index > 0 {
      index -= 1
      send(old, new, of: object, info, to: first[index].observance)
    }
  }

  @inline(__always)
  fileprivate func send(
    _ old: UnsafeRawPointer, _ new: UnsafeMutableRawPointer, of object: KeyValueObject,
    _ info: Unmanaged<ObservationInfo>, to observance: Unmanaged<Observance>?
  ) {
    observance?._withUnsafeGuaranteedRef { observance in
      guard _fastPath(list.currentVersion == version) else {
        return list.sendLater(old, new, of: object, info, to: observance)
      }
      // A snapshot is taken only if there is one.
      let field = list.plainField.unsafelyUnwrapped
      observance.send(
        BorrowedValue(address: old, field: field), BorrowedValue(address: new, field: field), of: object, info)
    }
  }
}

extension ObserverList {
  /// Notifies an observer after another one has made a change.
  @inline(never)
  fileprivate func sendLater(
    _ old: UnsafeRawPointer, _ new: UnsafeMutableRawPointer, of object: KeyValueObject,
    _ borrowedInfo: Unmanaged<ObservationInfo>, to observance: Observance
  ) {
    guard observance.isActive, let borrowedField = plainField else { return }
    let (field, info) = (borrowedField.takeUnretainedValue(), borrowedInfo.takeUnretainedValue())
    // An observance whose path has left the object meanwhile has reported its new value already.
    guard observance.passes(key, info) else { return }
    let old = BorrowedValue(address: old, field: borrowedField)
    if observance.ends(at: key, info) {
      field.copy(from: object, to: new)
      observance.send(old, BorrowedValue(address: new, field: borrowedField), of: object, borrowedInfo)
    } else if let root = observance.root(at: object, info) {
      withUnsafePointer(to: ChangedValue(observance.value(from: root))) {
        observance.send(old, BorrowedValue($0), of: object, borrowedInfo)
      }
    }
  }
}

extension KeyValueObject {
  /// Begins to store, and finds the observances to notify of a replacement of the property at `address`.
  ///
  /// - Returns: nil, without beginning anything, if a ``ChangeTransaction`` is needed.
  @usableFromInline
  final func beginReplacement(ofPropertyAt address: UnsafeRawPointer) -> DirectNotification? {
    guard let info = slot.borrowedInfo, !SuppressedObservances.areThere else { return nil }
    let offset = address - UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    let list = info._withUnsafeGuaranteedRef { $0.firstList }
    guard _fastPath(list.binding.isUse(.direct, ofPropertyAt: offset)) else {
      return list.binding.isUse(.transaction, ofPropertyAt: offset) ? nil : Self.beginCounted(offset, info)
    }
    list.beginStoring()
    // Until the gate is entered, an observance may be added that needs a transaction.
    guard info._withUnsafeGuaranteedRef({ $0.gate.enterUncounted() }),
      _fastPath(list.binding.isUse(.direct, ofPropertyAt: offset))
    else { return Self.beginAgain(list, offset, info) }
    return DirectNotification(receivers: list.snapshot, isCounted: false)
  }

  /// Begins to store while the gate is locked, or when it was.
  @inline(never)
  private static func beginAgain(
    _ list: ObserverList, _ offset: Int, _ info: Unmanaged<ObservationInfo>
  ) -> DirectNotification? {
    list.endStoring()
    info._withUnsafeGuaranteedRef { $0.leave() }
    return beginCounted(offset, info)
  }

  /// Begins to store the property at an offset in the object. Its key may not be that of the object's first list.
  @inline(never)
  private static func beginCounted(_ offset: Int, _ info: Unmanaged<ObservationInfo>) -> DirectNotification? {
    info._withUnsafeGuaranteedRef { info in
      info.gate.enter()
      guard let list = info.list(ofPropertyAt: offset) else {
        return DirectNotification(receivers: nil, isCounted: true)
      }
      guard !list.needsTransaction else {
        info.leaveWithoutDelivery()
        return nil
      }
      let receivers = list.snapshot
      list.bumpVersion()
      return DirectNotification(receivers: receivers, isCounted: true)
    }
  }
}
#endif
