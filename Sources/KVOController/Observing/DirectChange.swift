/// A plain replacement of a property: there are no prior calls, and all observers receive the property's own value.
///
/// Most changes are of this kind. The engine reads nothing, because the setter lends both values.
@usableFromInline
struct DirectChange {
  /// The key, if it has observances. It is that of a property, so it is never deallocated, as its field.
  private let key: Unmanaged<ObservedKey>?
  private let entries: [ObserverList.Entry]
  /// The info's counter when the value is stored.
  private let counter: UInt32

  /// Finds the observances to notify, and counts the change, under the lock of `info`, with which the value is stored then; nil if a
  /// ``ChangeTransaction`` is needed, or if there is no known property.
  @inline(__always)
  init?(atOffset offset: Int, _ info: ObservationInfo) {
    if ThreadFrame.areThere { return nil }
    switch info.receivers(atOffset: offset) {
    case .none:
      guard info.properties.field(atOffset: offset) != nil else { return nil }
      (key, entries) = (nil, [])
    case .direct(let key, let entries):
      (self.key, self.entries) = (key, entries)
      info.count()
    case .transaction: return nil
    }
    counter = info.counter
  }

  /// Calls the observers that are still affected, the last one first.
  ///
  /// - Parameters:
  ///   - old: The address of the former value.
  ///   - new: The address of a copy of the current one. If an observer sets the property again, the value is copied
  ///     again, and later observers receive it.
  @inline(__always)
  func notify(
    _ old: UnsafeRawPointer, _ new: UnsafeMutableRawPointer, of object: KeyValueObject, _ info: ObservationInfo
  ) {
    guard let key, let field = key._withUnsafeGuaranteedRef({ $0.field.map(Unmanaged.passUnretained) }) else { return }
    // The snapshot retains the observances until all are notified.
    defer { withExtendedLifetime(entries) {} }
    for index in entries.indices.reversed() {
      guard let observance = entries[index].observance.map(Unmanaged.passUnretained) else { continue }
      observance._withUnsafeGuaranteedRef { observance in
        guard observance.isReceptive || observance.takesStoredChange else { return }
        if info.counter == counter {
          Self.lend(old, new, key, field, to: observance, of: object, info, counter: counter)
        } else {
          notifyLater(old, new, key, field, observance, of: object, info)
        }
      }
    }
  }

  /// Notifies an observer after another one has made a change.
  @inline(never)
  private func notifyLater(
    _ old: UnsafeRawPointer, _ new: UnsafeMutableRawPointer, _ borrowedKey: Unmanaged<ObservedKey>,
    _ borrowedField: Unmanaged<ObservedField>, _ observance: Observance, of object: KeyValueObject,
    _ info: ObservationInfo
  ) {
    let (key, field) = (borrowedKey.takeUnretainedValue(), borrowedField.takeUnretainedValue())
    // An observance whose path has left the object meanwhile has reported its new value already.
    guard observance.passes(key, info) else { return }
    let counter = info.counter
    if observance.ends(at: key, info) {
      guard object.renew(new, from: field) else { return }
      Self.lend(old, new, borrowedKey, borrowedField, to: observance, of: object, info, counter: counter)
    } else if let root = observance.root(at: object, info) {
      observance.sendSetting(
        old: observance.options.contains(.old) ? ChangedValue(field.value(at: old)) : .notRequested, nil, of: root)
    }
  }

  /// Notifies an observance of a plain replacement of a property of `object`.
  @inline(__always)
  private static func lend(
    _ old: UnsafeRawPointer, _ new: UnsafeRawPointer, _ key: Unmanaged<ObservedKey>, _ field: Unmanaged<ObservedField>,
    to observance: Observance, of object: KeyValueObject, _ info: ObservationInfo, counter: UInt32
  ) {
    func lend(of root: Unmanaged<KeyValueObservable>) {
      let options = observance.options
      observance.send(
        KeyValueChange(
          borrowedObject: root, borrowedObservance: .passUnretained(observance),
          attributes: .setting,
          old: options.contains(.old) ? BorrowedValue(address: old, field: field) : .notRequested,
          new: options.contains(.new) ? BorrowedValue(address: new, field: field) : .notRequested, indexes: nil,
          source: KeyValueChange.Source(info: .passUnretained(info), key: key, counter: counter)))
    }
    // Nothing is retained for the usual case.
    if observance.isRegistered(with: info) { return lend(of: .passUnretained(object)) }
    guard let root = observance.root(at: object, info) else { return }
    withExtendedLifetime(root) { lend(of: .passUnretained(root)) }
  }
}
