import CKeyValueObserving

/// An object with the platform's lightest lock, and with a number that can be used without it.
///
/// A type that guards its own state inherits from it, so that neither the lock nor the number takes an allocation of its
/// own. Both are accessed only by functions in C, which find them by the object's address.
///
/// The lock isn't recursive. In the build of the explorer, `kvo_require_lock` stops the process unless the running thread owns it;
/// otherwise it does nothing. Collect foreign code under the lock, and run it after the lock is released: handlers,
/// getters, `hash(into:)`, `==`, and the `deinit` of anything that might lose its last reference.
@usableFromInline
class LockedObject: @unchecked Sendable {
  /// The lock and the number, which are zero at first.
  private var words: UInt64 = 0

  /// The address by which functions in C find the lock.
  @inline(__always)
  final var lockAddress: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  @inline(__always)
  final func withLock<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    kvo_lock(lockAddress)
    defer { kvo_unlock(lockAddress) }
    return try body()
  }

  /// A number that threads use without the lock, which each subclass that uses it calls by a name of its own. A thread that reads
  /// it sees everything that another one did before changing it. Other functions in C add to it, and set and clear its bits.
  @inline(__always)
  final var sharedNumber: UInt32 {
    get { kvo_number(lockAddress) }
    set { kvo_set_number(lockAddress, newValue) }
  }
}

/// State that is guarded by a lock.
final class LockedState<State>: LockedObject, @unchecked Sendable {
  // The lock excludes what the compiler would otherwise check at run time.
  @exclusivity(unchecked) private var state: State

  init(_ state: State) {
    self.state = state
  }

  /// Calls `body` with the lock and the state. Return what is to be released, so that it happens after the lock.
  @inline(__always)
  func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    kvo_lock(lockAddress)
    defer { kvo_unlock(lockAddress) }
    return try body(&state)
  }
}
