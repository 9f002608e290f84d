#if !canImport(ObjectiveC)
/// The lock on an object's properties, held by whoever reads or replaces one of them: nobody else does meanwhile.
///
/// What runs until ``unlock()`` copies or moves a value, and nothing else. An object that nobody ever observed needs no
/// lock.
@usableFromInline
struct StorageLock {
  let info: ObservationInfo?

  init(info: ObservationInfo?) {
    self.info = info
  }

  @usableFromInline
  func unlock() {
    info?.unlockStorage()
  }
}
#endif
