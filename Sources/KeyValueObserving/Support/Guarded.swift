#if !canImport(ObjectiveC)
import Synchronization

/// State that is touched only under its lock.
///
/// The lock excludes whatever the compiler would otherwise have checked at run time, so the state stands in a cell that
/// it doesn't check.
struct Guarded<State>: ~Copyable, @unchecked Sendable {
  private let mutex = UnfairLock()
  private let cell: _Cell<State>

  init(_ state: State) {
    cell = _Cell(state)
  }

  /// Runs `body` with the state, under the lock.
  @inline(__always)
  borrowing func withLock<Result>(_ body: (inout State) -> Result) -> Result {
    mutex.lock()
    defer { mutex.unlock() }
    return whileLocked(body)
  }

  /// Takes the lock for longer than one function.
  @inline(__always)
  borrowing func lock() {
    mutex.lock()
  }

  @inline(__always)
  borrowing func unlock() {
    mutex.unlock()
  }

  /// Says that an array which was copied out of the state isn't read any more.
  ///
  /// Who then finds that nobody else refers to it changes it where it is. The reference count that says so is invisible
  /// to the Thread Sanitizer, for which there are debug builds.
  @inline(__always)
  borrowing func endReading() {
    #if DEBUG
    mutex.handOver()
    #endif
  }

  /// Runs `body` with the state, for whoever took the lock by ``lock()``.
  @inline(__always)
  borrowing func whileLocked<Result>(_ body: (inout State) -> Result) -> Result {
    // Written through the address, so that this doesn't count as a change of the cell, and the lock beside it.
    let state = cell._address
    return body(&state.pointee)
  }
}
#endif
