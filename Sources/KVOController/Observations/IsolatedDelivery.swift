/// Brings the changes of one observation to the actor from which it was made, in their order.
///
/// A change that is made on the actor is delivered at once, behind those that still wait. One that is made elsewhere
/// waits until the actor takes it; whether it is still wanted is asked then.
///
/// - Thread safety: The waiting changes stand under a lock.
final class IsolatedDelivery: @unchecked Sendable {
  /// The main actor, if that is it: it never dies.
  private let mainActor: MainActor?
  // Any other: who observes from itself holds what holds this.
  private weak let otherActor: (any Actor)?
  private let lock = UnfairLock()
  private var waiting: [KeptChange] = []
  /// Changes that waited before those in ``waiting``, the next one last.
  private var next: [KeptChange] = []
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
    // An object in its deinit can't be kept for later.
    guard !isInDeinit(change.object) else { return }
    let kept = KeptChange(change)
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

  /// Delivers what waits, until nothing does. After each round others have their turn on the actor, however fast the
  /// changes come.
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

  /// Delivers what waits now.
  private func drain(to info: KVOInfo) {
    var count = lock.withLock { waiting.count + next.count }
    while count > 0, let change = lock.withLock(popNext) {
      change.lend(to: info.handle)
      count -= 1
    }
  }

  private func popNext() -> KeptChange? {
    if next.isEmpty {
      next = waiting.reversed()
      waiting.removeAll(keepingCapacity: true)
    }
    return next.popLast()
  }
}
