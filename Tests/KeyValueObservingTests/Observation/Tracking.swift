#if canImport(Observation)
import KeyValueObserving
import Observation

/// Tracks reads, and counts how often what was read has changed.
final class Tracking: Sendable {
  private let changes = Locked(0)

  /// How many trackings have ended with a change.
  var count: Int { changes.with { $0 } }

  /// Reads under tracking, which ends with the next change.
  ///
  /// - Parameter whenChanged: Runs as the change begins.
  @discardableResult
  func track<Value>(_ read: () -> Value, whenChanged: @escaping @Sendable () -> Void = {}) -> Value {
    withObservationTracking(read) {
      self.changes.with { $0 += 1 }
      whenChanged()
    }
  }

  /// Reads under tracking, and again with each change.
  func keepTracking(_ read: @escaping @Sendable () -> Void) {
    track(read) { self.keepTracking(read) }
  }
}
#endif
