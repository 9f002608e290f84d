#if !canImport(ObjectiveC)
/// A property's storage, held by the engine while it reads it: no setter replaces it meanwhile.
///
/// What runs until ``unlock()`` copies a value, and nothing else. An object that was never observed needs no lock.
struct StorageLock {
  // Owned by the object, which whoever locks it retains until it is unlocked.
  private let info: Unmanaged<ObservationInfo>?

  init(_ info: Unmanaged<ObservationInfo>?) {
    self.info = info
    info?._withUnsafeGuaranteedRef { $0.lockStorage() }
  }

  func unlock() {
    info?._withUnsafeGuaranteedRef { $0.unlockStorage() }
  }
}

/// A property's storage, held by whoever replaces its value, which takes no longer than to move two values.
@usableFromInline
struct StoringSection {
  // Owned by the object, which whoever stores retains.
  private let info: Unmanaged<ObservationInfo>?

  init(_ info: Unmanaged<ObservationInfo>?, index: Int?) {
    self.info = info
    info?._withUnsafeGuaranteedRef { info in
      info.gate.enter()
      if let list = index.flatMap(info.list) { list._withUnsafeGuaranteedRef { $0.bumpVersion() } }
    }
  }

  @usableFromInline
  func end() {
    info?._withUnsafeGuaranteedRef { $0.leaveWithoutDelivery() }
  }
}
#endif
