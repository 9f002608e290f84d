/// Ends the observations of an observer's controllers when the observer is deallocated.
///
/// The observer retains it as an associated object. Handlers don't need it, because a handler without an observer isn't
/// called; but a task that waits for the next element of a sequence would wait forever.
///
/// - Thread safety: The members are guarded by the lock.
final class ObserverLifeline: @unchecked Sendable {
  private struct Member {
    weak let store: ObservationStore?
  }

  private struct Members {
    var all: [ObjectIdentifier: Member] = [:]
    /// The number of members at which deallocated ones are removed.
    var limit = 4
  }

  private let members = LockedState(Members())

  deinit {
    for member in members.withLock({ $0.all }).values { member.store?.endAll() }
  }

  /// Adds a controller's store. Does nothing if it is there already.
  ///
  /// - Complexity: Amortized constant time.
  func insert(_ store: ObservationStore) {
    // Released after the lock, because these might be the last references.
    var present: [ObservationStore] = []
    members.withLock { members in
      // A former store at the same address is replaced.
      members.all[ObjectIdentifier(store)] = Member(store: store)
      guard members.all.count > members.limit else { return }
      present.reserveCapacity(members.all.count)
      members.all = members.all.filter { _, member in
        guard let store = member.store else { return false }
        present.append(store)
        return true
      }
      members.limit = max(4, 2 * members.all.count)
    }
    withExtendedLifetime(present) {}
  }
}
