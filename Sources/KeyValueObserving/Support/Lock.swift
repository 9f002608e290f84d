#if canImport(ObjectiveC)
import os
#else
import Synchronization
#endif

/// The platform's lightest lock, for state in the same type.
///
/// It isn't recursive. Collect foreign code under the lock, and run it after the lock is released.
@usableFromInline
package struct Lock: ~Copyable, @unchecked Sendable {
  #if canImport(ObjectiveC)
  // Allocated, because the lock must not move in memory.
  private let pointer: UnsafeMutablePointer<os_unfair_lock>

  package init() {
    pointer = .allocate(capacity: 1)
    pointer.initialize(to: os_unfair_lock())
  }

  deinit {
    pointer.deinitialize(count: 1)
    pointer.deallocate()
  }

  /// Calls `body` while holding the lock.
  package borrowing func withLock<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    os_unfair_lock_lock(pointer)
    defer { os_unfair_lock_unlock(pointer) }
    return try body()
  }
  #else
  @usableFromInline let mutex = Mutex<Void>(())
  // The Thread Sanitizer doesn't see the standard library's mutex. This flag shows it that each owner of the lock comes
  // after the previous one. It costs a plain load and store.
  @usableFromInline let handover = Atomic<Bool>(false)

  package init() {}

  /// Calls `body` while holding the lock.
  @inlinable
  package borrowing func withLock<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // A mutex only returns what can be sent elsewhere. This stays with the caller.
    nonisolated(unsafe) var result: Result?
    try mutex.withLock { _ throws(Failure) in
      _ = handover.load(ordering: .acquiring)
      defer { handover.store(true, ordering: .releasing) }
      result = try body()
    }
    return result.unsafelyUnwrapped
  }
  #endif
}
