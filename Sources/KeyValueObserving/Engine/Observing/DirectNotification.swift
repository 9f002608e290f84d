#if !canImport(ObjectiveC)
/// The notification of observers of a plain replacement of a property.
///
/// Most changes are of this kind: there are no prior calls, and all observers receive the property's own value. Then
/// the engine doesn't read the values, because the setter lends both. It takes no lock and doesn't copy the
/// observances: it enters the object's ``StorageGate``, and the observances that it finds there exist until it leaves.
@usableFromInline
struct DirectNotification {
  private let info: Unmanaged<ObservationInfo>
  /// The list of the key; nil if there are no observances.
  private let list: ObserverList?
  private let entries: ObserverList.Entries?
  private let version: UInt32

  /// Begins to store, and finds the observances to notify of a replacement of the property at `index`.
  ///
  /// - Returns: nil, without beginning anything, if a ``ChangeTransaction`` is needed.
  @inline(__always)
  init?(at index: Int, _ info: Unmanaged<ObservationInfo>) {
    let list = info._withUnsafeGuaranteedRef { info in
      info.gate.enter()
      return info.list(at: index)
    }
    self.info = info
    self.list = list
    guard let list else {
      (entries, version) = (nil, 0)
      return
    }
    guard list.isDirect, !SuppressedObservances.areThere else {
      info._withUnsafeGuaranteedRef { $0.leaveWithoutDelivery() }
      return nil
    }
    list.bumpVersion()
    (entries, version) = (list.entries, list.currentVersion)
  }

  /// Records that the property is replaced.
  @usableFromInline
  func endStoring() {
    info._withUnsafeGuaranteedRef { list == nil ? $0.leaveWithoutDelivery() : $0.gate.endStoring() }
  }

  /// Calls the observers that are still affected, the last one first.
  ///
  /// - Parameters:
  ///   - old: The address of the former `Observed`.
  ///   - new: The address of a copy of the current one. If an observer sets the property again, the value is copied
  ///     again, and later observers receive it.
  @usableFromInline
  func send(_ old: UnsafeRawPointer, _ new: UnsafeMutableRawPointer, of object: KeyValueObject) {
    guard let list, let entries else { return }
    if let field = list.plainField {
      let (old, new) = (BorrowedValue(old, of: field), BorrowedValue(new, of: field))
      var index = entries.count
      while index > 0 {
        index -= 1
        guard let observance = entries.first[index].observance else { continue }
        observance._withUnsafeGuaranteedRef { observance in
          guard observance.isActive else { return }
          if _fastPath(list.currentVersion == version) {
            send(old, new, to: observance, of: object)
          } else {
            sendLater(to: observance, old, new, list, of: object)
          }
        }
      }
    }
    info._withUnsafeGuaranteedRef { $0.leave() }
  }

  @inline(__always)
  private func send(_ old: BorrowedValue, _ new: BorrowedValue, to observance: Observance, of object: KeyValueObject) {
    let old = observance.options.contains(.old) ? old : .notRequested
    let new = observance.options.contains(.new) ? new : .notRequested
    let path = Unmanaged.passUnretained(observance.path)
    if _fastPath(!observance.hasRoute) {
      observance.send(KeyValueChange(of: path, of: .passUnretained(object), old: old, new: new))
    } else if let root = info._withUnsafeGuaranteedRef({ observance.root(at: object, $0) }) {
      observance.send(KeyValueChange(of: path, of: .passUnretained(root), old: old, new: new))
      withExtendedLifetime(root) {}
    }
  }

  /// Notifies an observer after another one has made a change.
  @inline(never)
  private func sendLater(
    to observance: Observance, _ old: BorrowedValue, _ new: BorrowedValue, _ list: ObserverList,
    of object: KeyValueObject
  ) {
    guard let field = list.plainField?.takeUnretainedValue(), let copy = new.address else { return }
    let info = info.takeUnretainedValue()
    // An observance whose path has left the object meanwhile has reported its new value already.
    guard observance.passes(list.key, info) else { return }
    if observance.ends(at: list.key, info) {
      field.copy(from: object, to: UnsafeMutableRawPointer(mutating: copy))
      send(old, new, to: observance, of: object)
    } else if let root = observance.root(at: object, info) {
      withUnsafePointer(to: ChangedValue(observance.value(from: root))) {
        send(old, BorrowedValue($0), to: observance, of: object)
      }
    }
  }
}
#endif
