#if canImport(ObjectiveC)
import os
#else
import Synchronization
#endif

/// The platform's lightest lock, for state that stands beside it in the same type.
///
/// It is not recursive. What must be called out is collected under the lock and called after it.
@usableFromInline
package struct UnfairLock: ~Copyable, @unchecked Sendable {
  #if canImport(ObjectiveC)
  // The lock must not move in memory, so it has a home of its own; nobody but this type sees it.
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
  // The standard library's mutex is invisible to the Thread Sanitizer. This is what it sees: that whoever has the lock
  // comes after whoever had it. It costs a plain load and store.
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

  /// Runs `body` with the lock.
  @inlinable
  package borrowing func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    lock()
    defer { unlock() }
    return try body()
  }
}
