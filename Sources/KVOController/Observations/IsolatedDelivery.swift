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
  private var queue = DeliveryQueue<StoredChange>()

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
    guard lock.withLock({ queue.append(kept) }) else { return }
    Task {
      await run(on: actor, info)
    }
  }

  /// Delivers queued changes until there are none. It yields after each round, so that other work isn't kept from the
  /// actor, however fast changes arrive.
  private func run(on actor: isolated any Actor, _ info: KVOInfo) async {
    drain(to: info)
    while lock.withLock({ queue.mustGoOn() }) {
      await Task.yield()
      drain(to: info)
    }
  }

  /// Delivers the changes that are queued now.
  private func drain(to info: KVOInfo) {
    var count = lock.withLock { queue.count }
    while count > 0, let change = lock.withLock({ queue.popFirst() }) {
      change.lend(to: info.handle)
      count -= 1
    }
  }
}

/// What waits for an actor, in order, and whether a task is delivering it.
package struct DeliveryQueue<Element> {
  private var waiting: [Element] = []
  /// Elements that were appended before those in ``waiting``, in reverse order.
  private var next: [Element] = []
  private var hasTask = false

  package init() {}

  package var count: Int { waiting.count + next.count }

  /// - Returns: Whether the caller must start a task that delivers the elements.
  package mutating func append(_ element: Element) -> Bool {
    waiting.append(element)
    defer { hasTask = true }
    return !hasTask
  }

  package mutating func popFirst() -> Element? {
    if next.isEmpty {
      next = waiting.reversed()
      waiting.removeAll(keepingCapacity: true)
    }
    return next.popLast()
  }

  /// Whether the task must deliver more. Otherwise it ends, and the next element needs another one.
  package mutating func mustGoOn() -> Bool {
    hasTask = count > 0
    return hasTask
  }
}
