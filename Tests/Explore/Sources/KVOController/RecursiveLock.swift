import Scheduler

/// Takes the place of Foundation's lock in this build, so that the scheduler knows who owns it, and who waits.
///
/// It isn't one of the engine's locks, because foreign code may run with it.
final class NSRecursiveLock: @unchecked Sendable {
  private let isFree = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
  private var owner: Int32 = 0
  private var depth = 0

  init() { isFree.initialize(to: 1) }
  deinit { isFree.deallocate() }

  func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    let thread = explore_thread()
    if depth == 0 || owner != thread {
      if thread >= 0 { explore_await(isFree) }
      (isFree.pointee, owner) = (0, thread)
    }
    depth += 1
    defer {
      depth -= 1
      if depth == 0 {
        isFree.pointee = 1
        explore_point("unlock")
      }
    }
    return try body()
  }
}
