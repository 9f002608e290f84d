import CKeyValueObserving

// A plain replacement of a property: there are no prior calls, and all observers receive the property's own value. Most changes
// are of this kind. The engine reads nothing, because the setter lends both values. All others take a ``ChangeTransaction``.

extension KeyValueObject {
  /// Replaces the property at an address, which an accessor has taken, and notifies. Returns false if the property
  /// isn't known. `exchange` is called with the object's lock, and leaves the former value in `old`. `new` has a copy
  /// of the current one. If an observer sets the property again, later observers receive what is read then.
  @usableFromInline
  final func set(
    at storage: UnsafeRawPointer, _ old: UnsafeRawPointer, _ new: UnsafeRawPointer, _ exchange: () -> Void
  ) -> Bool {
    kvo_sanitizer_end_ignoring_writes()  // The accessor has begun it.
    guard let info = borrowedObservationInfo else { return false }
    return info._withUnsafeGuaranteedRef { info in
      let offset = storage - UnsafeRawPointer(address)
      var latestNumber: UInt64?
      if isTracked {
        latestNumber = kvo_latest_number()
        reportChange(.before, atOffset: offset)
      }

      info.lock()
      guard !isObservedByFoundation, !ThreadFrame.areThere,
        let receivers = info.receivers(atOffset: offset)
      else {
        info.unlock()
        return changeInTransaction(at: storage, after: latestNumber ?? kvo_latest_number(), exchange)
      }
      if receivers.key != nil { info.counter &+= 1 }
      let counter = info.counter
      exchange()
      info.unlock()

      if isTracked { reportChange(.after, atOffset: offset) }
      if let key = receivers.key { notify(receivers.entries, of: key, old, new, info, counter) }
      return true
    }
  }

  /// Calls the observers that are still affected, the last one first. `counter` is the info's when the value was
  /// stored. Neither the key nor its field is ever deallocated.
  @inline(__always)
  private final func notify(
    _ entries: [ObserverList.Entry], of key: Unmanaged<ObservedKey>, _ old: UnsafeRawPointer, _ new: UnsafeRawPointer,
    _ info: ObservationInfo, _ counter: UInt32
  ) {
    // The snapshot retains the observances until all are notified.
    defer { withExtendedLifetime(entries) {} }
    for index in entries.indices.reversed() {
      entries[index].borrowed?._withUnsafeGuaranteedRef { observance in
        guard observance.takesStoredChange else { return }
        if info.counter != counter {
          notifyAfterChange(observance, key.takeUnretainedValue(), old, info)
        } else if observance.home === info {
          // Nothing is retained for the usual case.
          observance.send(KeyValueChange(of: self, to: observance, key, old, new, info))
        } else if let root = observance.tracker?.root {
          withExtendedLifetime(root) {
            observance.send(KeyValueChange(of: root, to: observance, key, old, new, info))
          }
        }
      }
    }
  }

  /// Notifies an observer after another one has made a change.
  @inline(never)
  private final func notifyAfterChange(
    _ observance: Observance, _ key: ObservedKey, _ old: UnsafeRawPointer, _ info: ObservationInfo
  ) {
    // An observance whose path has left the object meanwhile has reported its new value already.
    guard let field = key.field, observance.passes(key, info), let root = observance.root(at: self, info) else {
      return
    }
    let old = observance.wantsOld ? ChangedValue(field.read(old)) : .notRequested
    observance.sendSetting(old: old, nil, of: root, key: key, source: info)
  }
}

extension ObserverList.Entry {
  /// The observance, which the entry retains.
  @inline(__always)
  fileprivate var borrowed: Unmanaged<Observance>? {
    if let observance { .passUnretained(observance) } else { nil }
  }
}
