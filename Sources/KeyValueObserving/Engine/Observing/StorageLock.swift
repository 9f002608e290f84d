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
  /// The list that says that the setter stores; nil if the gate counts the setter.
  private let list: ObserverList?

  init(_ info: Unmanaged<ObservationInfo>?, index: Int?) {
    self.info = info
    list = nil
    info?._withUnsafeGuaranteedRef { info in
      info.gate.enter()
      index.flatMap(info.list(at:))?.bumpVersion()
    }
  }

  /// Begins the section, unless others have registered with the key, or left, since `isCurrent` was true.
  init?(_ info: Unmanaged<ObservationInfo>, index: Int, if isCurrent: (ObserverList?) -> Bool) {
    self.info = info
    list = nil
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

  /// Begins the section during a delivery by the setter of the property to which `list` is bound, unless others have
  /// registered with the key, or left, since it had that version, or have the gate's lock.
  init?(_ info: Unmanaged<ObservationInfo>, _ list: ObserverList, version: UInt32) {
    self.info = info
    self.list = list
    list.beginStoring()
    guard info._withUnsafeGuaranteedRef({ $0.gate.reenterUncounted() }), list.currentVersion == version | 1 else {
      list.endStoring(list.currentVersion)
      return nil
    }
  }

  @usableFromInline
  func end() {
    if let list { return list.endStoring(list.currentVersion) }
    info?._withUnsafeGuaranteedRef { $0.leaveWithoutDelivery() }
  }
}
#endif
