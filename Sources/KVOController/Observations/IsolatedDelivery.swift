/// Delivers the changes of one observation to its actor, in order.
///
/// A change made on the actor is delivered immediately, after those that are still queued. A change made elsewhere is
/// queued for the actor, and is dropped if the observation has ended by then.
///
/// - Thread safety: The queue is guarded by the lock.
final class IsolatedDelivery: @unchecked Sendable {
  /// The actor, if it is the main actor, which is never deallocated.
  private let mainActor: MainActor?
  /// Any other actor. It is weak because an actor that observes usually retains its observations.
  private weak let otherActor: (any Actor)?
  private let lock = Lock()
  private var waiting: [StoredChange] = []
  /// Changes that were queued before those in ``waiting``, in reverse order.
  private var next: [StoredChange] = []
  private var isDraining = false

  init(_ actor: any Actor) {
    mainActor = actor as? MainActor
    otherActor = mainActor == nil ? actor : nil
  }

  func deliver(_ change: borrowing KeyValueChange, to info: KVOInfo) {
    guard let actor: any Actor = mainActor ?? otherActor else { return }
    if isOnExecutor(of: actor) {
      drain(to: info)
      return info.handle(change)
    }
    // An object in its deinit can't be retained for later.
    guard !isInDeinit(change.object) else { return }
    let kept = StoredChange(change)
    let mustStart = lock.withLock {
      waiting.append(kept)
      defer { isDraining = true }
      return !isDraining
    }
    guard mustStart else { return }
    Task {
      await run(on: actor, info)
    }
  }

  /// Delivers queued changes until there are none. It yields after each round, so that other work isn't kept from the
  /// actor, however fast changes arrive.
  private func run(on actor: isolated any Actor, _ info: KVOInfo) async {
    drain(to: info)
    while mustGoOn() {
      await Task.yield()
      drain(to: info)
    }
  }

  private func mustGoOn() -> Bool {
    lock.withLock {
      isDraining = !waiting.isEmpty || !next.isEmpty
      return isDraining
    }
  }

  /// Delivers the changes that are queued now.
  private func drain(to info: KVOInfo) {
    var count = lock.withLock { waiting.count + next.count }
    while count > 0, let change = lock.withLock(popNext) {
      change.lend(to: info.handle)
      count -= 1
    }
  }

  private func popNext() -> StoredChange? {
    if next.isEmpty {
      next = waiting.reversed()
      waiting.removeAll(keepingCapacity: true)
    }
    return next.popLast()
  }
}
