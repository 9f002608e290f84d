import CKeyValueObserving

// The lock that guards the object's properties, if the object was ever observed.

extension KeyValueObject {
  /// Takes the lock.
  @usableFromInline
  final func lockStorage() {
    if let info = kvo_info(address) { kvo_lock(info) }
  }

  /// Releases the lock.
  @usableFromInline
  final func unlockStorage() {
    if let info = kvo_info(address) { kvo_unlock(info) }
  }

  /// The same, for callers that unlock it themselves.
  @usableFromInline
  final var lockedStorage: LockedObject? {
    let info = observationInfoIfMade
    info?.lock()
    return info
  }

  @usableFromInline
  final func unlockStorage(_ lock: LockedObject?) { lock?.unlock() }

  /// Calls `body`, which replaces the value of a property, with the object's lock, and sends no notification.
  final func store(_ body: () -> Void) {
    guard let info = observationInfoIfMade else { return body() }
    info.withLock {
      body()
      info.count()
    }
  }

  /// Begins an access to a property by which a getter takes its address. It is a modification for Swift, and if the compiler
  /// doesn't know the address, it stores the value again.
  ///
  /// - Returns: The lock, if it's the engine that reads, while another thread may set the property.
  @usableFromInline
  final func beginTakingAddress() -> UnsafeRawPointer? {
    kvo_sanitizer_begin_ignoring_writes()
    guard kvo_has_frames(), let info = kvo_info(address) else { return nil }
    kvo_lock(info)
    return UnsafeRawPointer(info)
  }

  final func endTakingAddress(_ lock: UnsafeRawPointer?) {
    if let lock { kvo_unlock(lock) }
    kvo_sanitizer_end_ignoring_writes()
  }
}
