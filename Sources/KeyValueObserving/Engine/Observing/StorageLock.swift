#if !canImport(ObjectiveC)
/// A lock on a property's storage, which prevents setters from replacing the value while the engine reads it.
///
/// The code that runs until ``unlock()`` only copies a value. An object that was never observed needs no lock.
struct StorageLock {
  // Owned by the object, which the caller retains until it is unlocked.
  private let info: Unmanaged<ObservationInfo>?

  init(_ info: Unmanaged<ObservationInfo>?) {
    self.info = info
    info?._withUnsafeGuaranteedRef { $0.lockStorage() }
  }

  func unlock() {
    info?._withUnsafeGuaranteedRef { $0.unlockStorage() }
  }
}

/// The critical section in which a property's value is replaced, which only moves two values.
@usableFromInline
struct StoringSection {
  // Owned by the object, which the caller retains.
  private let info: Unmanaged<ObservationInfo>?
  private let kind: Kind

  private enum Kind {
    /// Enters the gate and leaves it.
    case passage
    /// During a delivery.
    case delivery
    /// During a delivery by the setter of the property to which the list is bound, which isn't counted.
    case uncounted(ObserverList)
  }

  init(_ info: Unmanaged<ObservationInfo>?, index: Int?) {
    self.info = info
    kind = .passage
    info?._withUnsafeGuaranteedRef { info in
      info.gate.enter()
      index.flatMap(info.list(at:))?.bumpVersion()
    }
  }

  /// Begins the section, unless others have registered with the key, or left, since `isCurrent` was true.
  init?(_ info: Unmanaged<ObservationInfo>, index: Int, if isCurrent: (ObserverList?) -> Bool) {
    self.info = info
    kind = .passage
    let begins = info._withUnsafeGuaranteedRef { info in
      info.gate.enter()
      let list = info.list(at: index)
      guard isCurrent(list) else {
        info.leaveWithoutDelivery()
        return false
      }
      list?.bumpVersion()
      return true
    }
    guard begins else { return nil }
  }

  /// Begins the section during a delivery, unless others have registered with the key of `list`, or left, since the
  /// list had that version, or have the gate's lock. It doesn't wait, so the caller may have the lock of another gate.
  ///
  /// - Parameter isBound: Whether the list is bound to the property, and used for it.
  init?(_ info: Unmanaged<ObservationInfo>, _ list: ObserverList, isBound: Bool, version: UInt32) {
    self.info = info
    if _fastPath(isBound) {
      kind = .uncounted(list)
      list.beginStoring()
      guard info._withUnsafeGuaranteedRef({ $0.gate.reenterUncounted() }), list.currentVersion == version else {
        list.endStoring()
        return nil
      }
    } else {
      kind = .delivery
      guard info._withUnsafeGuaranteedRef({ $0.gate.reenter() }) else { return nil }
      guard list.currentVersion == version else {
        info._withUnsafeGuaranteedRef { $0.gate.endStoring() }
        return nil
      }
      list.bumpVersion()
    }
  }

  @usableFromInline
  func end() {
    switch kind {
    case .passage: info?._withUnsafeGuaranteedRef { $0.leaveWithoutDelivery() }
    case .delivery: info?._withUnsafeGuaranteedRef { $0.gate.endStoring() }
    case .uncounted(let list): list.endStoring(version: list.currentVersion &+ 1)
    }
  }
}
#endif
