/// The lanes of one controller that have something for an actor, and the job that delivers it there.
///
/// 1. A lane that gets its first change is put into it. If no job is scheduled, or only one of a lower priority, one is.
/// 2. The job is a turn: it visits the lanes that are there when it begins, in the order in which they came, and delivers what
///    waits in each. It ends after the lane with its 1,000th call; then another one is scheduled for the rest.
/// 3. `deliverNow()` is a turn without that limit.
///
/// What waits is in the lanes. The mailbox is retained by the observations for the actor, and by a job.
///
/// - Thread safety: The lanes and `scheduled` are guarded by the lock, with which no other one is taken. Only code on the actor
///   uses `isDeliveringNow` and `turns`.
final class Mailbox: LockedObject, @unchecked Sendable {
  let actor: WeakActor
  @exclusivity(unchecked) private var lanes = Backlog<Lane>()
  /// The highest priority of the jobs that were scheduled and haven't begun. Its number, because the size of a `TaskPriority` isn't known
  /// when this is compiled.
  @exclusivity(unchecked) private var scheduled: UInt8?
  @exclusivity(unchecked) private var isDeliveringNow = false
  @exclusivity(unchecked) private var turns: UInt32 = 0

  private static var mostCallsOfJob: Int { 1000 }

  init(_ actor: WeakActor) { self.actor = actor }

  // MARK: On any thread

  /// Takes a lane that has got something, or that is here already, and has got something of a higher priority.
  func put(_ lane: Lane?, _ priority: UInt8) {
    let isScheduled = withLock {
      if let lane { lanes.append(lane) }
      if let scheduled, scheduled >= priority { return true }
      scheduled = priority
      return false
    }
    if !isScheduled { schedule(priority) }
  }

  /// Schedules a job. A detached task has no task-local values.
  private func schedule(_ number: UInt8) {
    requireNoLock("a task is scheduled")
    let priority = TaskPriority(rawValue: number)
    if actor.isMain {
      Task.detached(priority: priority) { @MainActor in self.takeTurn(isJob: true) }
    } else if let actor = actor.object {
      Task.detached(priority: priority) { await self.takeTurn(on: actor) }
    } else {
      // Nobody is left to take what waits.
      var left = withLock {
        scheduled = nil
        return lanes.takeAll()
      }
      while let lane = left.popFirst() { lane.removeAll() }
    }
  }

  // MARK: On the actor

  private func takeTurn(on actor: isolated any Actor) { takeTurn(isJob: true) }

  /// Delivers what waits, unless it is called by a handler that this has called.
  func deliverNow() {
    guard !isDeliveringNow else { return }
    isDeliveringNow = true
    guarded {
      takeTurn(isJob: false)
    } unwound: {
      isDeliveringNow = false
    }
    isDeliveringNow = false
  }

  private func takeTurn(isJob: Bool) {
    let end = withLock {
      if isJob { scheduled = nil }
      return lanes.takenCount + lanes.count
    }
    turns = turns == .max ? 1 : turns + 1
    var calls = 0
    let number = turns
    while calls < Self.mostCallsOfJob || !isJob,
      let lane = withLock({ lanes.takenCount < end ? lanes.popFirst() : nil })
    {
      calls += lane.takeTurn(number)
    }
    let priority = Task<Never, Never>.currentPriority.rawValue
    let isLeft = withLock {
      guard !lanes.isEmpty, scheduled == nil else { return false }
      scheduled = priority
      return true
    }
    if isLeft { schedule(priority) }
  }
}
