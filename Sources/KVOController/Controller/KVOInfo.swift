import CKeyValueObserving

/// One observation of a controller: a key path of an object, and the handler to call for its changes. The name is
/// FBKVOController's. It is the engine's registration as well, so that an observation takes one allocation.
///
/// - Thread safety: The object's address is guarded by the lock of the store's table. The lane is set before others see the
///   observation, or with its lock. Everything else is immutable.
class KVOInfo: Observance, @unchecked Sendable {
  typealias Handler = (_ observer: AnyObject, _ change: borrowing KeyValueChange) -> Void

  /// A block of FBKVOController's.
  typealias Block = (_ observer: Any?, _ object: Any, _ change: [NSKeyValueChangeKey: Any]) -> Void

  // MARK: Configuration

  /// The store of the controller, which ends the observation before it is deallocated.
  let store: ObservationStore
  let identity: Identity
  let destination: Destination
  /// The options that the user has passed.
  override var requestedOptions: NSKeyValueObservingOptions { requested }
  /// The key path in the changes that a typed handler receives, if it is known to its end. The text has memory of its own,
  /// because threads that change different objects would contend for that of a path that they share.
  let keyPath: String?
  // A block that a client has passed is stored as it is, and not in another closure.
  private let handler: Handler
  private let block: Block?

  #if DEBUG
  /// The line of the client's source that has begun it.
  let site: CallSite?
  #endif

  // MARK: State

  /// The address by which the store has the observed object in its table; nil if it hasn't.
  @exclusivity(unchecked) var objectAddress: ObjectIdentifier?
  @exclusivity(unchecked) private var storedLane: Lane?
  /// Whether the handler is called on the actor, while there is no lane. Only code on the actor uses it.
  @exclusivity(unchecked) private(set) var isCalling = false
  // Here, because it takes no memory beside a Boolean.
  private let requested: NSKeyValueObservingOptions

  init(_ request: Request, in store: ObservationStore) {
    let (path, form) = (request.path, request.form)
    self.store = store
    (identity, destination) = (request.identity, request.destination)
    requested = request.requestedOptions ?? request.options
    (handler, block) = (request.handler, request.block)
    storedLane = if case .sequence(let end) = destination { Lane(.sequence(end: end)) } else { request.lane }
    let isNamed = form.isTyped && !path.isOfAllKeys && path.list == nil && path.followed?.isIncomplete != true
    keyPath = isNamed ? path.name.ownCopy : nil
    #if DEBUG
    site = request.site
    #endif
    super.init(path, options: request.options, form)
    if storedLane != nil { noteLane() }
  }

  final var observed: KeyValueObservable? { store.object(of: self) }

  override var observer: AnyObject? { store.observer.object }

  var identityHash: Int? { identity.hash(of: self) }

  var identifier: AnyHashable? { identity.identifier }

  /// When the handler is called.
  var delivery: KVODelivery { .each }

  /// Whether the observation hasn't ended, and its observer still exists. Without an observer, nothing is called.
  var isLive: Bool { !hasEnded && observer != nil }

  // MARK: Delivering

  override func deliver(_ change: borrowing KeyValueChange) {
    switch destination {
    case .threadOfChange: call(change)
    case .actor(let actor) where actor.isMain && MainQueue.isCurrent: deliverOnActor(change)
    default: deliverElsewhere(change)
    }
  }

  /// Delivers a change that is made on the actor.
  @inline(__always)
  private func deliverOnActor(_ change: borrowing KeyValueChange) {
    // Orders the change before looking for a lane, as the object's lock does.
    if !change.isStoredUnderLock { kvo_fence() }
    if let lane { return lane.deliverOnActor(change, of: self) }
    let isInside = isCalling
    isCalling = true
    guarded {
      handle(change)
    } unwound: {
      isCalling = isInside
    }
    isCalling = isInside
    if !isInside { lane?.didCall() }
  }

  /// Delivers a change that isn't made on the main actor.
  @inline(never)
  private func deliverElsewhere(_ change: borrowing KeyValueChange) {
    if case .actor(let actor) = destination, !actor.isMain {
      guard let actor = actor.object else { return }
      if isOnExecutor(of: actor) { return deliverOnActor(change) }
    }
    madeLane?.append(change, of: self)
  }

  /// A value for an actor or a sequence is read when its lane takes the change, because other threads may make newer ones.
  override var readsNewValue: Bool { destination.isElsewhere }

  // MARK: Calling

  /// Calls the handler, unless the observation has ended or the observer is deallocated. The controller ends its
  /// observations before it is deallocated.
  @inline(__always)
  func handle(_ change: borrowing KeyValueChange) {
    if !hasEnded { call(change) }
  }

  /// Calls the handler, or the block, even if the observation has ended: a sequence gets what was made before.
  @inline(__always)
  func call(_ change: borrowing KeyValueChange) {
    guard let observer = store.observer.object else { return endWithoutObserver() }
    if block == nil { handler(observer, change) } else { callBlock(observer, change) }
  }

  @inline(never)
  private func callBlock(_ observer: AnyObject, _ change: borrowing KeyValueChange) {
    guard let object = change.object else { return }
    block?(observer, object, change.dictionaryWithKeyPath)
  }

  @inline(never)
  private func endWithoutObserver() {
    // A task may be waiting for an element that will never come.
    if destination.isSequence { store.end(self) }
  }

  // MARK: The lane

  /// Where changes wait for an actor, or a sequence. One observation for an actor has none until the first change is made outside of it.
  /// What replaces an observation may get that of the former.
  @inline(__always)
  final var lane: Lane? { hasLane ? storedLane : nil }

  /// The same, made if it isn't there; nil if the actor is deallocated.
  final var madeLane: Lane? {
    if let lane { return lane }
    guard case .actor(let actor) = destination, let mailbox = store.mailbox(of: actor) else { return nil }
    let made = Lane(.mailbox(mailbox))
    let kept = withLock {
      if storedLane == nil { storedLane = made }
      return storedLane
    }
    noteLane()
    return withExtendedLifetime(made) { kept }
  }

  // MARK: Replacing

  /// Takes over what waits for an observation that this one replaces, if it is for the same actor, and otherwise the same. Called with
  /// the lock of the table, before this one is in it, if the former has a lane. Returns whether it does.
  func takeOver(from former: KVOInfo) -> Bool {
    guard canTakeOver(from: former), let lane = former.lane else { return false }
    storedLane = lane
    noteLane()
    return true
  }

  final func canTakeOver(from former: KVOInfo) -> Bool {
    destination.isSame(as: former.destination) && delivery == former.delivery
      && requestedOptions == former.requestedOptions && !requestedOptions.contains(.initial) && identity.isOfPathOrList
      && !path.isOfAllKeys
  }

  // MARK: Beginning and ending

  /// Called when it has ended.
  func didEnd() {}

  /// Drops what waits for an observation that its user has ended. A sequence gets it, and then its end.
  func endLane() {
    if destination.isSequence { lane?.appendEnd(of: self) } else { lane?.removeAll(of: self) }
  }

  override func observedObjectDied() {
    didEnd()
    if ObservationLog.isOn { ObservationLog.log(.objectDied, self, of: nil) }
    if destination.isSequence || delivery.contains(.coalesced) { endLane() }
    store.removeOfDeallocatedObject(self)
  }
}

extension String {
  /// The same text with memory of its own. A short one needs none.
  fileprivate var ownCopy: String { utf8.count > 15 ? String(decoding: Array(utf8), as: UTF8.self) : self }
}

extension KeyValueChange {
  /// The observation that is notified. Changes are made for observations of controllers.
  var info: KVOInfo { borrowedObservance._withUnsafeGuaranteedRef { unsafeDowncast($0, to: KVOInfo.self) } }
}
