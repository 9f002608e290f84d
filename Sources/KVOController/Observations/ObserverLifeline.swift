/// Ends what controllers observe on behalf of an object when it is deallocated.
///
/// The object keeps it. Handlers don't need it, because a handler without an observer isn't called; but a task that waits
/// for the next element of a sequence would wait forever.
///
/// - Thread safety: The controllers are guarded by the lock.
final class ObserverLifeline: @unchecked Sendable {
  private struct Member {
    weak let controller: KVOController?
  }

  private let lock = UnfairLock()
  private var members: [ObjectIdentifier: Member] = [:]
  /// The number of members at which those of deallocated controllers are removed.
  private var limit = 4

  deinit {
    for member in members.values { member.controller?.unobserveAll() }
  }

  /// Adds a controller, which may be there already.
  ///
  /// - Complexity: Amortized constant time.
  func insert(_ controller: KVOController) {
    // References to controllers are released after the lock, because that may run a controller's `deinit`.
    var present: [KVOController] = []
    lock.withLock {
      // A former controller at the same address is replaced.
      members[ObjectIdentifier(controller)] = Member(controller: controller)
      guard members.count > limit else { return }
      present.reserveCapacity(members.count)
      members = members.filter { _, member in
        guard let controller = member.controller else { return false }
        present.append(controller)
        return true
      }
      limit = max(4, 2 * members.count)
    }
    withExtendedLifetime(present) {}
  }
}
