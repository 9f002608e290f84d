/// The changes of one observation on their way to an actor or a sequence, in order.
///
/// What it delivers is never older than what it has delivered before: see `Turns`. A change that is dropped because its
/// observation has ended is never delivered.
///
/// - Thread safety: The lock of the turns guards the queue.
final class ChangeQueue: @unchecked Sendable {
  /// Where changes are delivered.
  enum Destination {
    case actor(WeakActor)
    case dispatchQueue(DispatchQueue)
    /// The thread that makes the change, one at a time. The closure is called when the observation has ended, after the last
    /// change was delivered.
    case sequence(finish: @Sendable () -> Void)
  }

  private enum Element {
    case change(StoredChange, KVOInfo)
    case end
  }

  private let destination: Destination
  private let isForMainActor: Bool
  private let turns = Turns()
  // The lock excludes what the compiler would otherwise check at run time.
  @exclusivity(unchecked) private var queue = DeliveryQueue<Element>()

  init(_ destination: Destination) {
    self.destination = destination
    isForMainActor = if case .actor(let weakActor) = destination { weakActor.isMainActor } else { false }
  }

  /// Delivers a change, at once if it is made on the actor and nothing is waiting.
  func deliver(_ change: borrowing KeyValueChange, to info: KVOInfo) {
    // The usual case, in which nothing is copied.
    if isForMainActor, MainQueue.isCurrent { return deliverOnActor(change, to: info) }
    switch destination {
    case .actor(let weakActor):
      guard let actor = weakActor.actor else { return }
      if isOnExecutor(of: actor) {
        deliverOnActor(change, to: info)
      } else if !isInDeinit(change.object), append(change, info) {
        // An object in its deinit can't be retained for later.
        Task { await run(on: actor) }
      }
    case .dispatchQueue(let queue):
      // An object in its deinit can't be retained for later.
      if !isInDeinit(change.object), append(change, info) { queue.async { self.drain(untilEmpty: true) } }
    case .sequence:
      if append(change, info) { drain(untilEmpty: true) }
    }
  }

  /// Delivers what is waiting, and then a change that was made on the actor.
  private func deliverOnActor(_ change: borrowing KeyValueChange, to info: KVOInfo) {
    var (turn, isWaiting) = turns.take()
    guard isWaiting else { return info.handle(change) }
    var stored = StoredChange(change)
    repeat {
      drain()
      (turn, isWaiting) = turns.take()
      guard renew(&stored, of: change, info) else { return }
    } while isWaiting || !turns.pass(turn)
    stored.lend(to: info.handle)
  }

  /// Appends a change to the queue, with the value that it has then.
  ///
  /// - Returns: Whether the caller must begin to deliver.
  private func append(_ change: borrowing KeyValueChange, _ info: KVOInfo) -> Bool {
    var stored = StoredChange(change)
    // If nothing else was queued, an initial value is current.
    var turn = change.attributes.isInitial ? 0 : turns.take().turn
    var isCurrent = change.attributes.isInitial || change.isCurrent
    while true {
      if !isCurrent, !renew(&stored, of: change, info) { return false }
      let mustDeliver = turns.withLock { () -> Bool? in
        // The initial value has been overtaken if a change was queued.
        if change.attributes.isInitial, info.receiver.extras?.hasQueuedChange == true { return false }
        guard turns.accept(turn) else { return nil }
        if !change.attributes.isInitial { info.receiver.extras?.hasQueuedChange = true }
        return queue.append(.change(stored, info))
      }
      if let mustDeliver { return mustDeliver }
      turn = turns.latest
      isCurrent = false
    }
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

  /// Delivers queued changes until there are none. It yields after each round, so that other work isn't kept from the
  /// actor, however fast changes arrive.
  private func run(on actor: isolated any Actor) async {
    drain()
    while turns.withLock({ queue.mustGoOn() }) {
      await Task.yield()
      drain()
    }
  }

  /// Delivers the changes that are queued now, or also those that are queued meanwhile.
  private func drain(untilEmpty: Bool = false) {
    repeat {
      var count = turns.withLock { queue.count }
      while count > 0, let element = next() {
        deliver(element)
        count -= 1
      }
    } while untilEmpty && turns.withLock { queue.mustGoOn() }
  }

  private func next() -> Element? {
    turns.withLock {
      defer { if queue.count == 0 { turns.didEmpty() } }
      return queue.popFirst()
    }
  }

  private func deliver(_ element: Element) {
    switch (element, destination) {
    case (.change(let change, let info), _): change.lend(to: info.handle)
    case (.end, .sequence(let finish)): finish()
    case (.end, .actor), (.end, .dispatchQueue): break
    }
  }

  var isOfSequence: Bool { if case .sequence = destination { true } else { false } }

  /// Called when the observation has ended.
  func observationEnded() {
    guard isOfSequence else { return }
    if turns.withLock({ queue.append(.end) }) { drain(untilEmpty: true) }
  }
}

extension ChangeQueue: CustomStringConvertible {
  /// Where changes are delivered, in words.
  var description: String {
    switch destination {
    case .actor(let actor):
      isForMainActor ? "on the main actor" : actor.actor.map { "on <\(debugName(of: $0))>" } ?? "on a deallocated actor"
    case .dispatchQueue(let queue): "on the queue \(queue.label)"
    case .sequence: "in a sequence"
    }
  }
}

/// An actor. Unless it is the main actor, which is never deallocated, it is weak, because an actor that observes usually
/// retains its observations.
struct WeakActor: @unchecked Sendable {
  private let mainActor: MainActor?
  private weak let otherActor: (any Actor)?

  init(_ actor: any Actor) {
    mainActor = actor as? MainActor
    otherActor = mainActor == nil ? actor : nil
  }

  var isMainActor: Bool { mainActor != nil }

  var actor: (any Actor)? { mainActor ?? otherActor }
}
