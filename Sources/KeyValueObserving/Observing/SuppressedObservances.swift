#if !canImport(ObjectiveC)
import Synchronization

/// Which observances aren't notified of which changes, because those are part of a greater one that is under way.
///
/// There are some only while Key-Value Coding sets a key of `keyPaths` that is observed: what its setter changes on the
/// same thread is part of that change, but not what observers change that it notifies meanwhile.
///
/// - Thread safety: They are guarded by a lock, which nobody takes while there are none.
final class SuppressedObservances: @unchecked Sendable {
  static let shared = SuppressedObservances()

  private struct Suppression: Hashable {
    let observance: UInt64
    let thread: ThreadIdentity
    /// How many observers the thread was calling when it began.
    let depth: UInt
  }

  private let lock = UnfairLock()
  private var suppressions: Set<Suppression> = []
  private static let count = Atomic<Int>(0)
  /// How many observers this thread is calling, of those whom it called while something was suppressed.
  private static let depth = ThreadLocal()

  /// Whether there are any.
  @inline(__always)
  static var areThere: Bool { count.load(ordering: .relaxed) > 0 }

  /// Calls an observer, whose own changes nobody misses.
  static func withoutSuppression(_ call: () -> Void) {
    depth.value += 1
    defer { depth.value -= 1 }
    call()
  }

  /// - Returns: False if the observance isn't notified on this thread already.
  func insert(_ observance: Observance) -> Bool {
    let suppression = suppression(of: observance)
    let (isInserted, _) = lock.withLock { suppressions.insert(suppression) }
    if isInserted { Self.count.wrappingAdd(1, ordering: .relaxed) }
    return isInserted
  }

  func remove(_ observance: Observance) {
    let suppression = suppression(of: observance)
    if lock.withLock({ suppressions.remove(suppression) }) != nil {
      Self.count.wrappingSubtract(1, ordering: .relaxed)
    }
  }

  /// Whether the observance isn't notified on this thread.
  func contains(_ observance: Observance) -> Bool {
    let suppression = suppression(of: observance)
    return lock.withLock { suppressions.contains(suppression) }
  }

  private func suppression(of observance: Observance) -> Suppression {
    Suppression(observance: observance.sequence, thread: .current, depth: Self.depth.value)
  }
}
#endif
