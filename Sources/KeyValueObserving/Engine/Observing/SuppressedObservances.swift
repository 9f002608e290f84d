#if !canImport(ObjectiveC)
import Synchronization

/// The observances that aren't notified of certain changes, because these are part of another change in progress.
///
/// There are some only while Key-Value Coding sets an observed key of `keyPaths`. Changes that the key's setter makes
/// on the same thread are part of that change; changes that observers make meanwhile aren't.
///
/// - Thread safety: They are guarded by a lock, which isn't taken while there are none.
final class SuppressedObservances: @unchecked Sendable {
  static let shared = SuppressedObservances()

  private struct Suppression: Hashable {
    let observance: UInt64
    let thread: ThreadIdentity
    /// The number of observers that the thread was calling when it began.
    let depth: UInt
  }

  private let lock = Lock()
  private var suppressions: Set<Suppression> = []
  private static let count = Atomic<Int>(0)
  /// The number of observers that this thread is calling, of those that it called while something was suppressed.
  private static let depth = ThreadLocal()

  /// Whether there are any.
  @inline(__always)
  static var areThere: Bool { count.load(ordering: .relaxed) > 0 }

  /// Calls an observer, whose own changes aren't suppressed.
  static func withoutSuppression(_ call: () -> Void) {
    depth.value += 1
    defer { depth.value -= 1 }
    call()
  }

  /// - Returns: Whether it wasn't suppressed on this thread already.
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

  /// Whether the observance is suppressed on this thread.
  func contains(_ observance: Observance) -> Bool {
    let suppression = suppression(of: observance)
    return lock.withLock { suppressions.contains(suppression) }
  }

  private func suppression(of observance: Observance) -> Suppression {
    Suppression(observance: observance.sequence, thread: .current, depth: Self.depth.value)
  }
}
#endif
