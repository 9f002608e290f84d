#if !canImport(ObjectiveC)
/// The lock on an object's properties, held by whoever reads or replaces one of them: nobody else does meanwhile.
///
/// What runs until ``unlock()`` copies or moves a value, and nothing else. An object that nobody ever observed needs no
/// lock.
@usableFromInline
struct StorageLock {
  // Owned by the object, which whoever locks it holds until it is unlocked.
  private let info: Unmanaged<ObservationInfo>?

  init(_ info: Unmanaged<ObservationInfo>?) {
    self.info = info
    info?._withUnsafeGuaranteedRef { $0.lockStorage() }
  }

  @usableFromInline
  func unlock() {
    info?._withUnsafeGuaranteedRef { $0.unlockStorage() }
  }
}
#endif
