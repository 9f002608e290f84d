#if canImport(Testing)
import Foundation
import Testing

/// Stops the process, with the names of the unfinished tests, when it makes no progress. So a deadlock fails.
///
/// Progress means that a watched test begins or ends. The limit is far beyond what any test takes, and a process that waits for
/// the processor on a busy machine doesn't use it up. No test says how fast anything is.
package struct Watchdog: SuiteTrait, TestTrait, TestScoping {
  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let number = Watch.ofThisProcess.begin("\(test.id)")
    defer { Watch.ofThisProcess.end(number) }
    try await function()
  }

  /// Watches the process on a separate thread.
  package final class Watch: Sendable {
    package static let ofThisProcess = Watch()

    /// Sanitizers make everything slower by far, and `KVO_STEPS` makes tests as long as you like.
    package static let usualLimit: TimeInterval =
      ProcessInfo.processInfo.environment["KVO_STEPS"] != nil ? 3600 : isSanitized ? 900 : 300

    private struct State {
      var unfinished: [Int: String] = [:]
      var begun = 0
      /// How long the process could have made progress. It doesn't include the time in which it waited for the processor.
      var time: TimeInterval = 0
      /// When a watched test last began or ended, and how much processor time the process had used until then.
      var lastProgress = (time: 0.0, processorTime: processorTime)

      mutating func progress() {
        lastProgress = (time, processorTime)
      }
    }

    private let limit: TimeInterval
    private let state = Locked(State())

    package init(limit: TimeInterval = usualLimit, interval: TimeInterval = 1) {
      self.limit = limit
      Thread.detachNewThread { [self] in
        var used = processorTime
        while true {
          Thread.sleep(forTimeInterval: interval)
          let before = used
          used = processorTime
          count(Self.countedTime(of: interval, using: used - before))
        }
      }
    }

    /// How much of an interval counts: all of it if the process is idle, as in a deadlock, and otherwise as much as it has used
    /// of the processor, as in a loop without end.
    package static func countedTime(of interval: TimeInterval, using processorTime: TimeInterval) -> TimeInterval {
      processorTime < interval / 100 ? interval : min(processorTime, interval)
    }

    private func count(_ seconds: TimeInterval) {
      let stopped = state.withLock { state in
        state.time += seconds
        return state.unfinished.isEmpty || state.time - state.lastProgress.time < limit ? nil : state
      }
      guard let stopped else { return }
      let used = Int(processorTime - stopped.lastProgress.processorTime)
      let names = Set(stopped.unfinished.values).sorted().joined(separator: "\n")
      fatalError(
        """
        No watched test has begun or ended for \(Int(limit)) s, not counting the time in which the process waited for the \
        processor. Meanwhile it used \(used) s of processor time. One of these tests may be deadlocked, or never end:
        \(names)
        """)
    }

    package func begin(_ name: String) -> Int {
      state.withLock { state in
        state.begun += 1
        state.unfinished[state.begun] = name
        state.progress()
        return state.begun
      }
    }

    package func end(_ number: Int) {
      state.withLock { state in
        state.unfinished[number] = nil
        state.progress()
      }
    }

    /// The time of this watch, to be passed to `hasStalled(since:)`.
    package var time: TimeInterval { state.withLock { $0.time } }

    /// Whether the process has made no progress for so long that what began at this time may never end.
    package func hasStalled(since begin: TimeInterval) -> Bool {
      state.withLock { $0.time - max(begin, $0.lastProgress.time) >= limit }
    }
  }
}

extension Trait where Self == Watchdog {
  /// The process stops if it makes no progress before a test ends.
  package static var watched: Self { Watchdog() }
}

/// How many seconds of processor time this process has used. On Windows it is how long the process has run.
private var processorTime: TimeInterval { Double(clock()) / Double(CLOCKS_PER_SEC) }
#endif
