#if canImport(Testing)
import Foundation
import Testing

/// Counts arrivals, and resumes the threads that wait for a number of them.
package final class Gate: @unchecked Sendable {
  private let condition = NSCondition()
  private var arrivals = 0

  package init() {}

  package func arrive() {
    condition.lock()
    arrivals += 1
    condition.broadcast()
    condition.unlock()
  }

  /// Waits for so many arrivals.
  ///
  /// - Returns: Whether they came. The watchdog's limit turns a deadlock into a failure; no test that passes ever reaches it.
  @discardableResult
  package func wait(for count: Int = 1) -> Bool {
    let watch = Watchdog.Watch.ofThisProcess
    let begin = watch.time
    condition.lock()
    defer { condition.unlock() }
    while arrivals < count && !watch.hasStalled(since: begin) {
      _ = condition.wait(until: Date(timeIntervalSinceNow: 10))
    }
    return arrivals >= count
  }

  package var count: Int {
    condition.lock()
    defer { condition.unlock() }
    return arrivals
  }
}

/// Whether a body ends. It runs on a separate thread, so that a deadlock is a failure.
package func finishes(_ body: @escaping @Sendable () -> Void) -> Bool {
  let gate = Gate()
  let lent = LentBody { _ in body() }
  Thread.detachNewThread {
    lent.run(0)
    gate.arrive()
  }
  defer { lent.takeBack() }
  return gate.wait()
}

/// Runs a body on several threads that start together, with their numbers, and waits until all have ended.
package func onThreads(
  _ count: Int, sourceLocation: SourceLocation = #_sourceLocation, _ body: @escaping @Sendable (Int) -> Void
) {
  let (start, end) = (Gate(), Gate())
  let lent = LentBody(body)
  for number in 0..<count {
    Thread.detachNewThread {
      start.arrive()
      start.wait(for: count)
      lent.run(number)
      end.arrive()
    }
  }
  if !end.wait(for: count) {
    Issue.record("A thread hasn't ended.", sourceLocation: sourceLocation)
  }
  lent.takeBack()
}

/// A body that other threads run. Once it is taken back, none of them retains what it captures: a thread that has arrived
/// at its end may otherwise release the last reference at any later time.
private struct LentBody: Sendable {
  private let body: Locked<(@Sendable (Int) -> Void)?>

  init(_ body: @escaping @Sendable (Int) -> Void) {
    self.body = Locked(body)
  }

  // Not inlined, so that no reference outlives the call.
  @inline(never)
  func run(_ number: Int) {
    body.current?(number)
  }

  func takeBack() {
    _ = body.take()
  }
}
#endif
