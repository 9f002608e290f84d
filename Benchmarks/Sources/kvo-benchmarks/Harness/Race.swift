import Foundation
import Synchronization

/// Threads that start at the same moment.
final class Race: Sendable {
  private let count: Int
  private let waiting: Atomic<Int>
  private let isOn = Atomic(false)
  private let finish = Mutex(0.0)
  private let finished = DispatchSemaphore(value: 0)

  init(_ count: Int) {
    self.count = count
    waiting = Atomic(count)
  }

  /// Runs `body` on each thread with the number of the thread.
  ///
  /// - Returns: The nanoseconds from the moment when all threads were ready to the one when the last had done.
  func run(_ body: @escaping (_ thread: Int) -> Void) -> Double {
    // Each thread does a part of its own.
    nonisolated(unsafe) let body = body
    for number in 0..<count {
      Thread.detachNewThread { [self] in
        waiting.subtract(1, ordering: .acquiringAndReleasing)
        while !isOn.load(ordering: .acquiring) { sched_yield() }
        body(number)
        let now = Clock.wall
        finish.withLock { $0 = max($0, now) }
        finished.signal()
      }
    }
    while waiting.load(ordering: .acquiring) > 0 { sched_yield() }
    let start = Clock.wall
    isOn.store(true, ordering: .releasing)
    for _ in 0..<count { finished.wait() }
    return finish.withLock { $0 } - start
  }
}
