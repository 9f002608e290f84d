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

  init(_ info: Unmanaged<ObservationInfo>?, index: Int?) {
    self.info = info
    info?._withUnsafeGuaranteedRef { info in
      info.gate.enter()
      index.flatMap(info.list(at:))?.bumpVersion()
    }
  }

  /// Begins the section, unless others have registered with the key, or left, since `isCurrent` was true.
  init?(_ info: Unmanaged<ObservationInfo>, index: Int, if isCurrent: (ObserverList?) -> Bool) {
    self.info = info
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

  @usableFromInline
  func end() {
    info?._withUnsafeGuaranteedRef { $0.leaveWithoutDelivery() }
  }
}
#endif
