import CKeyValueObserving

/// The changes of one observation, or of several that began together, on their way to an actor, a dispatch queue, or a
/// sequence, in order. An observation for an actor has none until the first change is made outside of it. From then on
/// changes on the actor pass through it too. What is appended is never older than what the actor has handled before:
/// Internals.md has the reasons.
///
/// - Thread safety: The state is guarded by its lock.
final class ChangeQueue: Sendable {
  private enum Element {
    /// A change. One that the object has made in its deinit isn't silenced by the end of the object, but by its user's: the
    /// number says how often the controller had ended all observations.
    case change(StoredChange, KVOInfo, endings: Int?)
    /// A coalesced call, with the newest value if another thread than the actor's has read it, and with what it retains.
    case call(SelectiveInfo, ChangedValue?, old: ChangedValue)
    case end

    mutating func setNew(_ value: ChangedValue) {
      switch self {
      case .change(var change, let info, let endings):
        change.new = value
        self = .change(change, info, endings: endings)
      case .call(let info, _, let old): self = .call(info, value, old: old)
      case .end: break
      }
    }
  }

  private typealias State = DeliveryQueue<Element>

  private let destination: Destination
  /// Whether changes of several observations pass through it.
  private let isShared: Bool
  /// The number is 1 while a coalesced call waits that gets the value of its own moment, or none.
  private let state = LockedState(State())

  init(_ destination: Destination, isShared: Bool = false) {
    self.destination = destination
    self.isShared = isShared
  }

  /// Takes a change that is made on another thread, or for a sequence.
  func append(_ change: borrowing KeyValueChange, to info: KVOInfo) {
    kvo_fence()
    enqueue(change, info, isOnActor: false)
  }

  /// Delivers a change that is made on the actor, after those that wait. If a handler makes it while others wait, it is
  /// delivered after the handler.
  func deliverOnActor(_ change: borrowing KeyValueChange, to info: KVOInfo) {
    let isInCall = info.isCalling
    guard state.withLock({ $0.arrive(of: ObjectIdentifier(info), isInCall: isInCall) }) else {
      return enqueue(change, info, isOnActor: true)
    }
    info.handle(change)
    didCall()
  }

  /// Called on the actor when a handler was called that may have made changes.
  func didCall() { perform(state.withLock { $0.didCall() }) }

  /// Makes one call wait for a change and for those that are made until it begins.
  ///
  /// What the actor changes is read by the call. That overtakes no other thread: its thread clears the number, and then reads, so
  /// it has seen the change, or is outdated by it. Fences are between storing and the number as for ``append(_:to:)``.
  func coalesce(_ change: borrowing KeyValueChange, of info: SelectiveInfo) {
    if !change.isStoredUnderLock { kvo_fence() }
    if !info.wantsNew || destination.isCurrent {
      if state.sharedNumber != 1 { renew(info, isNeeded: true) }
      return
    }
    let element = Element.call(info, nil, old: info.oldValue)
    let ticket = state.withLock { queue in
      state.sharedNumber = 0
      return queue.offer(element, of: ObjectIdentifier(info), Task<Never, Never>.currentPriority)
    }
    kvo_fence()
    while let value = info.newValue(of: change) {
      if let coalesced = state.withLock({ $0.coalesce(ticket) { $0.setNew(value) } }) {
        return perform(coalesced.action)
      }
      // The call is going to read the value.
      if state.sharedNumber == 1 { break }
    }
    withExtendedLifetime(state.withLock { $0.withdraw(ticket) }) { info.passOn(change) }
  }

  /// Makes one call wait in place of all that waits, which reads the value itself; if nothing waits, only if
  /// `isNeeded`. Called on the actor. Returns whether something has waited.
  @discardableResult
  func renew(_ info: SelectiveInfo, isNeeded: Bool = false) -> Bool {
    let (element, priority) = (Element.call(info, nil, old: info.oldValue), Task<Never, Never>.currentPriority)
    let coalesced = state.withLock { queue in
      if isNeeded || queue.hasWaiting { state.sharedNumber = 1 }
      return queue.coalesce(element, of: ObjectIdentifier(info), priority, isNeeded: isNeeded)
    }
    perform(coalesced.action)
    return !coalesced.released.isEmpty
  }

  @inline(never)  // It takes a stack of variables, which those that end other observations don't need.
  func observationEnded() {
    guard destination.isSequence else { return }
    let priority = Task<Never, Never>.currentPriority
    perform(state.withLock { $0.append(.end, of: ObjectIdentifier(self), isOnActor: false, priority) })
  }

  // MARK: Appending

  private func enqueue(_ change: borrowing KeyValueChange, _ info: KVOInfo, isOnActor: Bool) {
    let (observation, priority) = (ObjectIdentifier(info), Task<Never, Never>.currentPriority)
    var element = element(of: change, info)
    let isInitial = change.attributes.isInitial
    // A change of the only key overtakes the initial notification. One of several keys may have been made before the
    // observation had come to the others.
    let mayBeLate = isInitial && !isShared && info.hasOneKey && !isOnActor
    guard info.wantsNew, change.attributes.kind == .setting, !change.attributes.isPrior else {
      return perform(
        state.withLock {
          mayBeLate && $0.hasChanged ? nil : $0.append(element, of: observation, isOnActor: isOnActor, priority)
        })
    }
    var value: ChangedValue? = change.new.kept
    // Set with the lock, under which a former value must not be released.
    element.setNew(.notRequested)
    let ticket = state.withLock {
      mayBeLate && $0.hasChanged ? nil : $0.offer(element, of: observation, priority, isInitial: isInitial)
    }
    guard let ticket else { return }
    if !change.isCurrent { value = info.newValue(of: change) }
    while let current = value {
      switch state.withLock({ $0.accept(ticket, isOnActor: isOnActor) { $0.setNew(current) } }) {
      case .appended(let action): return perform(action)
      case .readAgain: value = mayBeLate ? nil : info.newValue(of: change)
      }
    }
    // The change doesn't affect the observation any longer, or has overtaken its initial notification.
    withExtendedLifetime(state.withLock { $0.withdraw(ticket) }) { info.passOn(change) }
  }

  /// The values of a sequence go without the object, and so do those of an object in its deinit, which can't be retained.
  private func element(of change: borrowing KeyValueChange, _ info: KVOInfo) -> Element {
    let isLast = change.object.map { isInDeinit($0) } == true
    let stored = StoredChange(change, retainsObject: !destination.isSequence && !isLast)
    return .change(stored, info, endings: isLast ? info.store.endings : nil)
  }

  // MARK: Delivering

  private func perform(_ action: State.Action?) {
    switch action {
    case .deliver: deliver()
    case .schedule(let priority): schedule(priority)
    case nil: break
    }
  }

  /// Schedules a turn. A detached task has no task-local values.
  private func schedule(_ priority: TaskPriority) {
    requireNoLock("a task is scheduled")
    switch destination {
    case .mainActor: Task.detached(priority: priority) { await self.takeTurn(on: MainActor.shared) }
    case .actor(let reference):
      guard let actor = reference.value() else { return withExtendedLifetime(state.withLock { $0.removeAll() }) {} }
      Task.detached(priority: priority) { await self.takeTurn(on: actor) }
    case .sequence, .threadOfChange: takeTurn()
    }
  }

  private func takeTurn(on actor: isolated any Actor) { takeTurn() }

  /// Whether something waits for an actor.
  func isWaiting(for actor: any Actor) -> Bool { destination.actor === actor && state.withLock { $0.hasWaiting } }

  /// Delivers what waits, unless a delivery is under way. Called on the actor.
  func takeTurn(isScheduled: Bool = true) {
    if state.withLock({ $0.beginTurn(isScheduled: isScheduled) }) { deliver() }
  }

  private func deliver() {
    while true {
      switch state.withLock({ $0.next() }) {
      case .deliver(let element): deliver(element)
      case .end(let priority): return endTurn(priority)
      }
    }
  }

  private func deliver(_ element: Element) {
    requireNoLock("a change is delivered, or a sequence ends")
    switch (element, destination) {
    // A sequence gets what was appended before its end.
    case (.change(let change, let info, _), .sequence):
      change.lend(of: info) { info.call($0) }
    case (.change(let change, let info, endings: nil), _):
      change.lend(of: info) { info.handle($0) }
    case (.change(let change, let info, let endings), _):
      if !info.isDismissed, info.store.endings == endings { change.lend(of: info) { info.call($0) } }
    case (.call(let info, let value, _), _):
      state.sharedNumber = 0
      kvo_fence()
      info.call(value)
    case (.end, .sequence(let end)): end.value()
    case (.end, _): break
    }
  }

  private func endTurn(_ priority: TaskPriority?) {
    guard let priority else { return }
    // A thread that delivers to a sequence isn't kept by those that go on to make changes.
    if destination.isSequence { Task.detached(priority: priority) { self.takeTurn() } } else { schedule(priority) }
  }
}
