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
  private var waiting: [KeyValueChange] = []
  /// Changes that waited before those in ``waiting``, the next one last.
  private var next: [KeyValueChange] = []
  private var isDraining = false

  init(_ actor: any Actor) {
    mainActor = actor as? MainActor
    otherActor = mainActor == nil ? actor : nil
  }

  func deliver(_ change: KeyValueChange, to receive: @escaping (KeyValueChange) -> Void) {
    guard let actor: any Actor = mainActor ?? otherActor else { return }
    if isOnExecutor(of: actor) {
      drain(receive)
      return receive(change)
    }
    // An object in its deinit can't be kept for later.
    guard !isInDeinit(change.object) else { return }
    let mustStart = lock.withLock {
      waiting.append(change)
      defer { isDraining = true }
      return !isDraining
    }
    guard mustStart else { return }
    // Only the actor calls what this carries over to it.
    nonisolated(unsafe) let receive = receive
    Task {
      await run(on: actor, receive)
    }
  }

  private func run(on actor: isolated any Actor, _ receive: (KeyValueChange) -> Void) {
    repeat {
      drain(receive)
    } while lock.withLock {
      isDraining = !waiting.isEmpty || !next.isEmpty
      return isDraining
    }
  }

  private func drain(_ receive: (KeyValueChange) -> Void) {
    while let change = lock.withLock(popNext) {
      receive(change)
    }
  }

  private func popNext() -> KeyValueChange? {
    if next.isEmpty {
      next = waiting.reversed()
      waiting.removeAll(keepingCapacity: true)
    }
    return next.popLast()
  }
}
