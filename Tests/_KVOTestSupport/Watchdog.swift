#if canImport(Testing)
import Foundation
import Testing

/// Stops the process, with the name of the test, when a test doesn't end. So a deadlock fails.
///
/// The limit is far beyond what any test takes. No test says how fast anything is.
package struct Watchdog: SuiteTrait, TestTrait, TestScoping {
  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let watch = Watch("\(test.id)")
    defer { watch.end() }
    try await function()
  }

  /// One test that is watched.
  package final class Watch: @unchecked Sendable {
    /// Sanitizers make everything slower by far.
    package static let limit: TimeInterval = isSanitized ? 900 : 300

    private let condition = NSCondition()
    private var isOver = false

    package init(_ name: String, limit: TimeInterval = Watch.limit) {
      let end = Date(timeIntervalSinceNow: limit)
      Thread.detachNewThread { [self] in
        condition.lock()
        defer { condition.unlock() }
        while !isOver {
          guard condition.wait(until: end) || isOver else {
            fatalError("The test \(name) hasn't ended after \(Int(limit)) s. It may be deadlocked.")
          }
        }
      }
    }

    package func end() {
      condition.lock()
      isOver = true
      condition.broadcast()
      condition.unlock()
    }
  }
}

extension Trait where Self == Watchdog {
  /// The process stops if a test doesn't end.
  package static var watched: Self { Watchdog() }
}
#endif
