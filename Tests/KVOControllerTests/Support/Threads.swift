import KVOController
import Testing

/// A gate at which threads wait until another one opens it.
final class Gate: @unchecked Sendable {
  private let condition = NSCondition()
  private var isOpen = false

  func open() {
    condition.lock()
    isOpen = true
    condition.broadcast()
    condition.unlock()
  }

  /// Whether the gate was opened. The long limit turns a deadlock into a failure; no test that passes ever reaches it.
  func wait() -> Bool {
    let limit = Date(timeIntervalSinceNow: Watchdog.Watch.limit)
    condition.lock()
    defer { condition.unlock() }
    while !isOpen {
      guard condition.wait(until: limit) else { return isOpen }
    }
    return true
  }
}

/// Whether a body comes to its end; it runs on a thread of its own, so that a deadlock can be seen.
func finishes(_ body: @escaping @Sendable () -> Void) -> Bool {
  let gate = Gate()
  Thread {
    body()
    gate.open()
  }.start()
  return gate.wait()
}

/// Runs a body on several threads that begin together, with their numbers, and waits until all have ended.
func onThreads(
  _ count: Int, sourceLocation: SourceLocation = #_sourceLocation, _ body: @escaping @Sendable (Int) -> Void
) {
  let begin = Gate()
  let ends = (0..<count).map { number in
    let end = Gate()
    Thread {
      _ = begin.wait()
      body(number)
      end.open()
    }.start()
    return end
  }
  begin.open()
  for end in ends where !end.wait() {
    Issue.record("A thread doesn't come to its end.", sourceLocation: sourceLocation)
    return
  }
}
