#if canImport(ObjectiveC)
import os
#else
import Synchronization
#endif

/// The platform's lightest lock, for state that stands beside it in the same type.
///
/// It is not recursive. What must be called out is collected under the lock and called after it.
package struct UnfairLock: ~Copyable, @unchecked Sendable {
  #if canImport(ObjectiveC)
  // The lock must not move in memory, so it has a home of its own; nobody but this type sees it.
  private let lock: UnsafeMutablePointer<os_unfair_lock>

  package init() {
    lock = .allocate(capacity: 1)
    lock.initialize(to: os_unfair_lock())
  }

  deinit {
    lock.deinitialize(count: 1)
    lock.deallocate()
  }

  package borrowing func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    os_unfair_lock_lock(lock)
    defer { os_unfair_lock_unlock(lock) }
    return try body()
  }
  #else
  private let mutex = Mutex<Void>(())
  // The standard library's mutex is invisible to the Thread Sanitizer. This is what it sees: that whoever has the lock comes
  // after whoever had it. It costs a plain load and store.
  private let handover = Atomic<Bool>(false)

  package init() {}

  @inline(__always)
  package borrowing func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    mutex._unsafeLock()
    _ = handover.load(ordering: .acquiring)
    defer {
      handover.store(true, ordering: .releasing)
      mutex._unsafeUnlock()
    }
    return try body()
  }
  #endif
}
