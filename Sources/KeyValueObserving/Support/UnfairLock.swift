#if canImport(ObjectiveC)
import os
#else
import Synchronization
#endif

/// The platform's lightest lock, for state in the same type.
///
/// It isn't recursive. Collect foreign code under the lock, and run it after the lock is released.
@usableFromInline
package struct UnfairLock: ~Copyable, @unchecked Sendable {
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

  @usableFromInline
  package borrowing func lock() {
    os_unfair_lock_lock(pointer)
  }

  @usableFromInline
  package borrowing func unlock() {
    os_unfair_lock_unlock(pointer)
  }
  #else
  private let mutex = Mutex<Void>(())
  // The Thread Sanitizer doesn't see the standard library's mutex. This flag shows it that each owner of the lock comes
  // after the previous one. It costs a plain load and store.
  private let handover = Atomic<Bool>(false)

  package init() {}

  @usableFromInline
  package borrowing func lock() {
    mutex._unsafeLock()
    _ = handover.load(ordering: .acquiring)
  }

  @usableFromInline
  package borrowing func unlock() {
    handover.store(true, ordering: .releasing)
    mutex._unsafeUnlock()
  }
  #endif

  /// Calls `body` while holding the lock.
  @inlinable
  package borrowing func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    lock()
    defer { unlock() }
    return try body()
  }
}
