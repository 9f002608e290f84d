#if canImport(Observation) && canImport(Testing)
import Foundation
import Observation
import Testing

/// Tracks reads, and counts how often what was read has changed.
@available(macOS 14.0, iOS 17.0, watchOS 10.0, tvOS 17.0, *)
package final class Tracking: Sendable {
  private let changes = Locked(0)
  /// Reads again after each change. Observation doesn't retain it, so it is released with this object.
  private let reading = Locked<(@Sendable () -> Void)?>(nil)

  package init() {}

  /// How many trackings have ended with a change.
  package var count: Int { changes.current }

  /// Reads under tracking, which ends with the next change.
  ///
  /// - Parameter whenChanged: Runs as the change begins.
  @discardableResult
  package func track<Value>(_ read: () -> Value, whenChanged: @escaping @Sendable () -> Void = {}) -> Value {
    withObservationTracking(read) { [changes] in
      changes.add()
      whenChanged()
    }
  }

  /// Reads under tracking, and again with each change, as long as this is there.
  package func keepTracking(_ read: @escaping @Sendable () -> Void) {
    reading.withLock { $0 = read }
    trackAgain()
  }

  /// Doesn't read again with the next change, which is still counted.
  package func stop() {
    reading.withLock { $0 = nil }
  }

  /// Whether a change on another thread notifies on that thread.
  package func isNotified(
    _ read: () -> Void, onTheThreadOf change: @escaping @Sendable () -> Void
  ) -> Bool {
    let threads = Locked<[Thread]>([])
    track(read) { threads.append(.current) }
    onThreads(1) { _ in
      threads.append(.current)
      change()
    }
    // A thread retains its block, which retains the threads.
    let seen = threads.take()
    return seen.count == 2 && seen.first === seen.last
  }

  /// Tracks on three threads, again and again, while another thread makes changes.
  ///
  /// - Returns: Whether each tracking has ended, and how often one was notified, which may still grow.
  package static func readOnThreads(
    _ read: @escaping @Sendable () -> Void, whileChanging change: @escaping @Sendable () -> Void
  ) -> (haveEnded: Bool, calls: Locked<Int>) {
    let readers = 3
    let (reading, ended, calls) = (Locked(readers), Locked(0), Locked(0))
    onThreads(readers + 1) { number in
      guard number < readers else {
        while reading.current > 0 { change() }
        return
      }
      defer { reading.add(-1) }
      for _ in 0..<(isSanitized ? 100 : 1000) {
        let gate = Gate()
        withObservationTracking(read) {
          calls.add()
          gate.arrive()
        }
        guard gate.wait() else { return }
      }
      ended.add()
    }
    return (ended.current == readers, calls)
  }

  private func trackAgain() {
    guard let read = reading.current else { return }
    track(read) { [weak self] in self?.trackAgain() }
  }
}
#endif
