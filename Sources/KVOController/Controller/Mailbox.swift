/// The lanes of one controller that have something for an actor, and the job that delivers it there.
///
/// 1. A lane that gets its first change is put into it. If no job is scheduled, or only jobs of lower priorities, one is. Of each
///    priority there is at most one.
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
  /// The priorities of the jobs that were scheduled and haven't begun, a bit for each. Numbers, because the size of a `TaskPriority`
  /// isn't known when this is compiled.
  @exclusivity(unchecked) private var scheduled: UInt64 = 0
  @exclusivity(unchecked) private var isDeliveringNow = false
  @exclusivity(unchecked) private var turns: UInt32 = 0

  private static var mostCallsOfJob: Int { 1000 }

  init(_ actor: WeakActor) { self.actor = actor }

  // MARK: On any thread

  /// Takes a lane that has got something, or that is here already, and has got something of a higher priority.
  func put(_ lane: Lane?, _ priority: UInt8) {
    let isFirst = withLock {
      if let lane { lanes.append(lane) }
      return addJob(priority)
    }
    if isFirst { schedule(priority) }
  }

  /// Notes a job that the caller is to schedule, unless one of that priority is scheduled, or of a higher one. Called with the lock.
  private func addJob(_ priority: UInt8) -> Bool {
    guard scheduled < Self.bit(of: priority) else { return false }
    scheduled |= Self.bit(of: priority)
    return true
  }

  private static func bit(of priority: UInt8) -> UInt64 { 1 << min(priority, 63) }

  /// Schedules a job. A detached task has no task-local values.
  private func schedule(_ number: UInt8) {
    requireNoLock("a task is scheduled")
    let priority = TaskPriority(rawValue: number)
    if actor.isMain {
      Task.detached(priority: priority) { @MainActor in self.takeTurn(ofJob: number) }
    } else if let actor = actor.object {
      Task.detached(priority: priority) { await self.takeTurn(on: actor, ofJob: number) }
    } else {
      // Nobody is left to take what waits.
      var left = withLock {
        scheduled = 0
        return lanes.takeAll()
      }
      while let lane = left.popFirst() { lane.removeAll() }
    }
  }

  // MARK: On the actor

  private func takeTurn(on actor: isolated any Actor, ofJob priority: UInt8) { takeTurn(ofJob: priority) }

  /// Delivers what waits, unless it is called by a handler that this has called.
  func deliverNow() {
    guard !isDeliveringNow else { return }
    isDeliveringNow = true
    guarded {
      takeTurn(ofJob: nil)
    } unwound: {
      isDeliveringNow = false
    }
    isDeliveringNow = false
  }

  private func takeTurn(ofJob priority: UInt8?) {
    let end = withLock {
      if let priority { scheduled &= ~Self.bit(of: priority) }
      return lanes.takenCount + lanes.count
    }
    turns = turns == .max ? 1 : turns + 1
    var calls = 0
    let number = turns
    while calls < Self.mostCallsOfJob || priority == nil,
      let lane = withLock({ lanes.takenCount < end ? lanes.popFirst() : nil })
    {
      calls += lane.takeTurn(number)
    }
    let next = Task<Never, Never>.currentPriority.rawValue
    if withLock({ !lanes.isEmpty && addJob(next) }) { schedule(next) }
  }
}
