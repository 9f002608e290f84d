import CKeyValueObserving

/// One observation of a controller: a key path of an object, and the handler to call for its changes. The name is
/// FBKVOController's. It is the engine's registration as well, so that an observation takes one allocation.
///
/// - Thread safety: The object's address is guarded by the lock of the store's table. The queue is set once, with the
///   observance's lock, before a bit of the state says that it is there. Only code in the observation's isolation uses
///   `isCalling`. Everything else is immutable.
class KVOInfo: Observance, @unchecked Sendable {
  typealias Handler = (_ observer: AnyObject, _ change: borrowing KeyValueChange) -> Void

  /// A block of FBKVOController's.
  typealias Block = (_ observer: Any?, _ object: Any, _ change: [NSKeyValueChangeKey: Any]) -> Void

  /// What to call. A block that a client passed is stored as it is, and not in another closure.
  enum Call {
    /// A handler. The value for one of the form `valueHandler` is read by the thread that makes the change.
    case handler(Handler, ObservationForm = .handler)
    case block(Block)
  }

  // MARK: Configuration

  /// The store of the controller, which ends the observation before it is deallocated.
  let store: ObservationStore
  let identity: Identity
  let destination: Destination
  /// The key path in the changes that a typed handler receives, if it is known to its end. The text has memory of its own,
  /// because threads that change different objects would contend for that of a path that they share.
  let keyPath: String?
  // Two properties, because a closure in an enumeration is retained for each call.
  private let handler: Handler
  private let block: Block?

  #if DEBUG
  /// The line of the client's source that has begun it, which is set once.
  @exclusivity(unchecked) var site: CallSite?
  #endif

  // MARK: State

  /// The address by which the store has the observed object in its table; nil if it hasn't.
  @exclusivity(unchecked) var objectAddress: ObjectIdentifier?
  @exclusivity(unchecked) private var storedQueue: ChangeQueue?
  /// Whether the handler is called in its isolation.
  @exclusivity(unchecked) private(set) var isCalling = false

  init(
    _ path: ObservedPath, options: NSKeyValueObservingOptions, _ identity: Identity, _ destination: Destination,
    _ call: Call, of store: ObservationStore
  ) {
    self.store = store
    self.identity = identity
    self.destination = destination
    let form: ObservationForm
    switch call {
    case .handler(let handler, let handlerForm): (self.handler, block, form) = (handler, nil, handlerForm)
    case .block(let block): (handler, self.block, form) = ({ _, _ in }, block, .block)
    }
    let isNamed = form.isTyped && form != .allKeys && path.list == nil && path.followed?.isIncomplete != true
    keyPath = isNamed ? path.name.ownCopy : nil
    super.init(path, options: options, form)
  }

  override var observed: KeyValueObservable? { store.object(of: self) }

  override var observer: AnyObject? { store.observer.object }

  var identityHash: Int? { identity.hash(of: self) }

  var identifier: AnyHashable? { identity.identifier }

  override var requestedOptions: NSKeyValueObservingOptions {
    switch identity {
    case .identified(.list(let options), _, _), .identified(.elements(_, let options, _), _, _): options
    default: options
    }
  }

  /// Whether the observation hasn't ended, and its observer still exists. Without an observer, nothing is called.
  var isLive: Bool { !hasEnded && observer != nil }

  // MARK: Delivering

  override func deliver(_ change: borrowing KeyValueChange) {
    switch form {
    case .valueHandler where change.attributes.kind != .setting, .binding where wantsNew && readsAgain(change):
      deliverWholeValue(change)
    default: deliverToDestination(change)
    }
  }

  @inline(__always)
  private func deliverToDestination(_ change: borrowing KeyValueChange) {
    switch destination {
    case .threadOfChange: call(change)
    case .mainActor where MainQueue.isCurrent: deliverOnActor(change)
    default: deliverElsewhere(change)
    }
  }

  /// A value for an actor or a sequence is read when the queue has a place for its change, because other threads may make
  /// newer ones.
  override var readsNewValue: Bool { destination.isElsewhere && !destination.isCurrent }

  /// Delivers a change that is made on the actor.
  @inline(__always)
  private func deliverOnActor(_ change: borrowing KeyValueChange) {
    // Orders the change before looking for a queue, as a lock does for other values: see `ChangeQueue`.
    if !change.isStoredUnderLock { kvo_fence() }
    if hasQueue { return deliverInOrder(change) }
    let isInside = isCalling
    isCalling = true
    call(change)
    isCalling = isInside
    if hasQueue, !isInside { queue?.didCall() }
  }

  @inline(never)
  private func deliverInOrder(_ change: borrowing KeyValueChange) { queue?.deliverOnActor(change, to: self) }

  /// Delivers a change that isn't made on the main actor.
  @inline(never)
  private func deliverElsewhere(_ change: borrowing KeyValueChange) {
    if case .actor(let reference) = destination {
      guard let actor = reference.value() else { return }
      if isOnExecutor(of: actor) { return deliverOnActor(change) }
    }
    (queue ?? makeQueue(ChangeQueue(destination))).append(change, to: self)
  }

  /// Whether the value of a change of a binding isn't the whole one that the binding takes.
  func readsAgain(_ change: borrowing KeyValueChange) -> Bool { change.attributes.kind != .setting }

  /// Delivers a change of some objects of a collection as a change of the whole value.
  @inline(never)
  private func deliverWholeValue(_ change: borrowing KeyValueChange) {
    let value = readsNewValue ? .notRequested : newValue(of: change)
    guard let object = change.object, let value, !hasEnded else { return passOn(change) }
    KeyValueChange.lend(to: self, of: object, .setting, new: value) { deliverToDestination($0) }
  }

  // MARK: Calling

  /// Calls the handler, unless the observation has ended or the observer is deallocated. The controller ends its
  /// observations before it is deallocated. What has waited goes to the observation that has replaced this one.
  @inline(__always)
  func handle(_ change: borrowing KeyValueChange) {
    if !hasEnded { call(change) } else { passOn(change) }
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

  // MARK: The queue

  /// What keeps changes that can't be delivered at once, if there is one.
  var queue: ChangeQueue? { hasQueue ? storedQueue : nil }

  /// Where changes wait for the observation.
  var queues: [ChangeQueue] { queue.map { [$0] } ?? [] }

  /// Sets the queue, unless there is one. Returns the queue that there is.
  @discardableResult
  func makeQueue(_ queue: ChangeQueue) -> ChangeQueue {
    let kept = withLock {
      if storedQueue == nil { storedQueue = queue }
      return storedQueue ?? queue
    }
    noteQueue()
    return kept
  }

  // MARK: Ending

  /// Called when it has replaced another one, which has ended, and whose queue it may have.
  func didReplace() {}

  /// Called when an observation of elements has ended.
  func didEnd() {}

  override func observedObjectDied() {
    didEnd()
    if ObservationLog.isOn { ObservationLog.log(.objectDied, self, of: nil) }
    queue?.observationEnded()
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
