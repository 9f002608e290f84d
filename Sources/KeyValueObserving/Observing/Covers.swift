#if !canImport(ObjectiveC)
import Synchronization

/// Which observances hear nothing on which threads, because they will hear of a greater change that is under way there.
///
/// There are some only while Key-Value Coding sets a key of `keyPaths` that is observed.
///
/// - Thread safety: They stand under a lock, which nobody takes while there are none.
final class Covers: @unchecked Sendable {
  static let shared = Covers()

  private struct Cover: Hashable {
    let observance: UInt64
    let thread: ThreadIdentity
  }

  private let lock = UnfairLock()
  private var covers: Set<Cover> = []
  private static let count = Atomic<Int>(0)

  /// Whether there are any.
  static var areThere: Bool { count.load(ordering: .relaxed) > 0 }

  /// - Returns: False if the observance hears nothing on this thread already.
  func insert(_ observance: Observance) -> Bool {
    let cover = Cover(observance: observance.sequence, thread: .current)
    let (isInserted, _) = lock.withLock { covers.insert(cover) }
    if isInserted { Self.count.wrappingAdd(1, ordering: .relaxed) }
    return isInserted
  }

  func remove(_ observance: Observance) {
    let cover = Cover(observance: observance.sequence, thread: .current)
    if lock.withLock({ covers.remove(cover) }) != nil { Self.count.wrappingSubtract(1, ordering: .relaxed) }
  }

  /// Whether the observance hears nothing on this thread.
  func contains(_ observance: Observance) -> Bool {
    let cover = Cover(observance: observance.sequence, thread: .current)
    return lock.withLock { covers.contains(cover) }
  }
}
#endif
