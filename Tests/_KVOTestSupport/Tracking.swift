#if canImport(Observation)
import Foundation
import Observation

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

  private func trackAgain() {
    guard let read = reading.current else { return }
    track(read) { [weak self] in self?.trackAgain() }
  }
}
#endif
