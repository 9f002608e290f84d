import CKeyValueObserving

/// The changes of one observation, or of several that began together, on their way to an actor, a dispatch queue, or a
/// sequence, in order. `DeliveryQueue` is its protocol.
///
/// An observation for an actor has none until the first change is made elsewhere. From then on changes on the actor pass
/// through it too.
///
/// What is appended is never older than what the actor has handled before. While there was no queue, that is so because its
/// maker looks at the value after making the queue: a change on the actor either finds the queue, or was made before. A
/// value that was stored with its object's lock is compared with that lock; any other is read after a fence, whose
/// counterpart stands in `KVOInfo.deliverOnActor`.
///
/// - Thread safety: The state is guarded by its lock.
final class ChangeQueue: Sendable {
  private enum Element {
    case change(StoredChange, KVOInfo)
    /// A change that the object has made in its deinit, and how often its controller had ended all observations. The end of the
    /// object doesn't silence it.
    case lastChange(StoredChange, KVOInfo, endings: Int)
    case end
  }

  private typealias State = DeliveryQueue<Element>

  private let destination: Destination
  /// Whether changes of several observations pass through it.
  private let isShared: Bool
  private let state = LockedState(State())

  init(_ destination: Destination, isShared: Bool = false) {
    self.destination = destination
    self.isShared = isShared
  }

  /// Takes a change that is made on another thread, or for a sequence.
  func append(_ change: borrowing KeyValueChange, to info: KVOInfo) {
    kvo_fence()
    // The values of a sequence go without the object, and so do those of an object in its deinit, which can't be retained.
    let isForSequence = if case .sequence = destination { true } else { false }
    let stored = StoredChange(
      change, retainsObject: !isForSequence && change.object.map { !isInDeinit($0) } == true)
    let isInitial = change.attributes.isInitial
    let priority = Task<Never, Never>.currentPriority
    let step = offer(stored, change, info, from: isInitial ? 0 : nil) { state, element, ticket in
      // The initial value has been overtaken if a change was queued.
      if isInitial, !isShared, state.ticket != 0 { return .leave }
      return state.append(element, ticket, priority)
    }
    perform(step)
  }

  /// Delivers a change that is made on the actor, after those that wait. If a handler makes it while others wait, it is
  /// delivered after the handler.
  func deliverOnActor(_ change: borrowing KeyValueChange, to info: KVOInfo) {
    let isInCall = info.isCalling
    let step = state.withLock { $0.arrive(isInCall: isInCall) }
    guard case .readAgain(let ticket) = step else {
      info.handle(change)
      return didCall()
    }
    let stored = StoredChange(change, retainsObject: change.object.map { !isInDeinit($0) } == true)
    let priority = Task<Never, Never>.currentPriority
    perform(offer(stored, change, info, from: ticket) { $0.insert($1, $2, priority) })
  }

  /// Called on the actor when a handler was called that may have made changes.
  func didCall() { perform(state.withLock { $0.didCall() }) }

  /// Called when the observation has ended.
  func observationEnded() {
    guard case .sequence = destination else { return }
    let priority = Task<Never, Never>.currentPriority
    perform(state.withLock { $0.append(.end, nil, priority) })
  }

  /// Offers a change to the queue until its value is current.
  ///
  /// - Parameter ticket: The ticket with which the value was read; nil if it has none yet.
  private func offer(
    _ change: StoredChange, _ borrowed: borrowing KeyValueChange, _ info: KVOInfo, from ticket: State.Ticket?,
    to accept: (inout State, Element, State.Ticket) -> State.Step
  ) -> State.Step {
    var change = change
    var ticket = ticket ?? state.withLock { $0.ticket }
    let endings = borrowed.object.map { isInDeinit($0) } == true ? info.store?.endings : nil
    var isCurrent = borrowed.isCurrent || borrowed.attributes.isInitial
    while isCurrent || renew(&change, of: borrowed, info) {
      let element: Element = endings.map { .lastChange(change, info, endings: $0) } ?? .change(change, info)
      let step = state.withLock { accept(&$0, element, ticket) }
      guard case .readAgain(let next) = step else { return step }
      (ticket, isCurrent) = (next, false)
    }
    return .leave
  }

  /// Reads the new value of a change once more.
  ///
  /// - Returns: Whether to deliver it; if not, the change doesn't affect the observation any longer.
  private func renew(_ stored: inout StoredChange, of change: borrowing KeyValueChange, _ info: KVOInfo) -> Bool {
    guard info.options.contains(.new), change.attributes.kind == .setting, !change.attributes.isPrior else {
      return true
    }
    guard let value = info.currentValue(of: change) else { return false }
    stored.new = value
    return true
  }

  // MARK: Delivering

  private func perform(_ step: State.Step) {
    switch step {
    case .leave, .readAgain, .call: break
    case .deliver: deliver()
    case .schedule(let priority): schedule(priority)
    }
  }

  /// Schedules a turn. A detached task has no task-local values.
  private func schedule(_ priority: TaskPriority) {
    switch destination {
    case .mainActor: Task.detached(priority: priority) { await self.takeTurn(on: MainActor.shared) }
    case .actor(let weakActor):
      guard let actor = weakActor.actor else { return dropAll() }
      Task.detached(priority: priority) { await self.takeTurn(on: actor) }
    case .dispatchQueue(let queue): queue.async { self.takeTurn() }
    case .sequence, .threadOfChange: takeTurn()
    }
  }

  private func takeTurn(on actor: isolated any Actor) { takeTurn() }

  private func takeTurn() { perform(state.withLock { $0.beginTurn() }) }

  private func deliver() {
    while true {
      let (element, step) = state.withLock { $0.next() }
      guard let element else { return endTurn(step) }
      deliver(element)
    }
  }

  private func deliver(_ element: Element) {
    switch (element, destination) {
    // A sequence gets what was appended before its end.
    case (.change(let change, let info), .sequence), (.lastChange(let change, let info, _), .sequence):
      change.lend(of: info) { info.call($0) }
    case (.change(let change, let info), _):
      change.lend(of: info) { info.handle($0) }
    case (.lastChange(let change, let info, let endings), _):
      if !info.isDismissed, info.store?.endings == endings { change.lend(of: info) { info.call($0) } }
    case (.end, .sequence(let end)): end.finish()
    case (.end, _): break
    }
  }

  private func endTurn(_ step: State.Step) {
    // A thread that delivers to a sequence isn't kept by those that go on to make changes.
    if case .sequence = destination, case .schedule = step {
      DispatchQueue.global().async { self.takeTurn() }
    } else {
      perform(step)
    }
  }

  private func dropAll() {
    let dropped = state.withLock { $0.removeAll() }
    withExtendedLifetime(dropped) {}
  }
}
