import CKeyValueObserving

/// An object with the platform's lightest lock, and with a number that can be used without it. A type that guards its
/// own state inherits from it, so that neither takes an allocation of its own. Functions in C find both by the object's
/// address.
///
/// Collect foreign code under the lock, and run it after the lock is released: handlers, getters, `hash(into:)`, `==`, and the
/// `deinit` of anything that might lose its last reference. A build with `-Xcc -DKVO_CHECK_LOCKS` stops where foreign code may run
/// with a lock, where locks are taken in another order than that of their ranks, and where what one guards is used without it.
@usableFromInline
class LockedObject: @unchecked Sendable {
  /// A thread that owns a lock may take another one only if that has a lower rank, and never a third one.
  enum Rank: UInt32 { case leaf, object, tracker }

  class var lockRank: Rank { .leaf }

  /// The lock and the number, which are zero at first.
  private var words: UInt64 = 0

  /// The address by which functions in C find the lock.
  @inline(__always)
  final var lockAddress: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  @inline(__always)
  final func lock() {
    if kvo_checks_locks() { kvo_check_lock(lockAddress, type(of: self).lockRank.rawValue) }
    kvo_lock(lockAddress)
  }

  @inline(__always)
  final func unlock() {
    if kvo_checks_locks() { checkInvariants() }
    kvo_unlock(lockAddress)
  }

  /// Traps, in a build that checks locks, if what the lock guards is inconsistent. Called with the lock, before it is released.
  func checkInvariants() {}

  @inline(__always)
  final func withLock<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock()
    defer { unlock() }
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

/// Requires, in a build that checks locks, that this thread owns none, because foreign code may run here: `what`.
@inline(__always)
package func requireNoLock(_ what: StaticString) {
  if kvo_checks_locks() { kvo_check_no_lock(what.utf8Start) }
}

/// State that a lock guards, which checks itself in a build that checks locks.
protocol InvariantChecking {
  func checkInvariants()
}

/// State that is guarded by a lock.
class LockedState<State>: LockedObject, @unchecked Sendable {
  // The lock excludes what the compiler would otherwise check at run time.
  @exclusivity(unchecked) private final var state: State

  init(_ state: State) {
    self.state = state
  }

  /// Calls `body` with the lock and the state. Return what is to be released, so that it happens after the lock.
  @inline(__always)
  final func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock()
    defer { unlock() }
    return try body(&state)
  }

  final override func checkInvariants() {
    if State.self is any InvariantChecking.Type { (state as? any InvariantChecking)?.checkInvariants() }
  }
}
