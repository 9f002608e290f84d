import CKeyValueObserving

/// One observation of a controller: a key path of an object, and the handler to call for its changes. The name is
/// FBKVOController's.
///
/// It is the engine's registration as well, so that an observation takes one allocation.
typealias KVOInfo = ReceivingObservance<KVOReceiver>

/// The token of an observation, which the observation may retain.
protocol KVOInfoToken: AnyObject {
  func connect(_ info: KVOInfo)
}

/// The receiver of an observation, and how it is called.
struct KVOReceiver {
  /// Notifies the observer of a change.
  typealias Handler = (_ observer: AnyObject, _ change: borrowing KeyValueChange) -> Void

  /// A block of FBKVOController's.
  typealias Block = (_ observer: Any?, _ object: Any, _ change: [NSKeyValueChangeKey: Any]) -> Void

  /// What to call. A block that a client passed is stored as it is, and not in another closure.
  enum Call {
    case handler(Handler)
    case block(Block)
    case action(Handler)
    case context(Handler)
    /// A handler that takes the whole new value of each change, even if only some objects of a collection have changed. The
    /// value is read by the thread that makes the change.
    case valueHandler(Handler)

    var form: ObservationForm {
      switch self {
      case .handler, .valueHandler: .handler
      case .block: .block
      case .action: .action
      case .context: .context
      }
    }
  }

  let links: ControllerLinks
  let identifier: HashedIdentifier?
  let destination: Destination
  /// The number that represents the observation in the context pointer of its registration with an object that the engine
  /// doesn't observe; 0 if there is none.
  let context: UInt
  /// The token of an observation by a typed key path. It is also what changes retain for the key path, because a handler may
  /// store them, and would retain itself if they retained the observation.
  let token: AnyObject?
  // Stored apart, because a closure in an enumeration is retained for each call.
  fileprivate let handler: Handler
  fileprivate let block: Block?
  fileprivate let takesWholeValues: Bool
  /// Whether changes go to the handler as they are, on the thread that makes them.
  fileprivate let isDirect: Bool

  init(
    _ links: ControllerLinks, _ identifier: HashedIdentifier?, _ destination: Destination,
    context: UInt, _ token: AnyObject?, _ call: Call
  ) {
    self.links = links
    self.identifier = identifier
    self.destination = destination
    self.context = context
    self.token = token
    switch call {
    case .handler(let handler), .action(let handler), .context(let handler):
      (self.handler, block, takesWholeValues) = (handler, nil, false)
    case .block(let block): (handler, self.block, takesWholeValues) = ({ _, _ in }, block, false)
    case .valueHandler(let handler): (self.handler, block, takesWholeValues) = (handler, nil, true)
    }
    isDirect = !destination.isElsewhere && !takesWholeValues
  }
}

extension KVOInfo {
  var keyPath: String { path.name }

  var identifier: HashedIdentifier? { receiver.identifier }

  var store: ObservationStore? { receiver.links.store }

  /// Whether it is registered by name and context, which requires its object to end it.
  var usesContext: Bool { receiver.context != 0 }

  /// Whether the observation hasn't ended, and its controller still exists. Without an observer, nothing is called.
  var isRegistered: Bool { !hasEnded && store != nil }

  /// Whether the observation hasn't ended, and its controller and observer still exist.
  var isLive: Bool { isRegistered && receiver.links.observer.object != nil }

  // MARK: Delivery

  /// Calls the handler, unless the observation has ended or the observer is deallocated. The controller ends its
  /// observations before it is deallocated.
  @inline(__always)
  func handle(_ change: borrowing KeyValueChange) {
    if !hasEnded { call(change) }
  }

  /// Calls the handler of a sequence, which gets what was made before its end.
  @inline(__always)
  func call(_ change: borrowing KeyValueChange) {
    guard let observer = receiver.links.observer.object else { return endWithoutObserver() }
    if receiver.block == nil { receiver.handler(observer, change) } else { callBlock(observer, change) }
  }

  @inline(never)
  private func callBlock(_ observer: AnyObject, _ change: borrowing KeyValueChange) {
    guard let object = change.object else { return }
    receiver.block?(observer, object, change.dictionaryWithKeyPath)
  }

  /// Delivers a change that is made on the actor.
  @inline(__always)
  fileprivate func deliverOnActor(_ change: borrowing KeyValueChange) {
    // Orders the change before looking for a queue, as a lock does for other values: see `ChangeQueue`.
    if !change.isStoredUnderLock { kvo_fence() }
    if hasQueue { return deliverInOrder(change) }
    let isInside = isCalling
    isCalling = true
    handle(change)
    isCalling = isInside
    if hasQueue, !isInside { didCall() }
  }

  @inline(never)
  private func deliverInOrder(_ change: borrowing KeyValueChange) { queue?.deliverOnActor(change, to: self) }

  @inline(never)
  private func didCall() { queue?.didCall() }

  /// Delivers a change that isn't made on the main actor.
  @inline(never)
  fileprivate func deliverElsewhere(_ change: borrowing KeyValueChange) {
    if case .actor(let weakActor) = receiver.destination {
      guard let actor = weakActor.actor else { return }
      if isOnExecutor(of: actor) { return deliverOnActor(change) }
    }
    (queue ?? makeQueue(ChangeQueue(receiver.destination))).append(change, to: self)
  }

  /// Delivers a change of some objects of a collection as a change of the whole value.
  @inline(never)
  fileprivate func deliverWholeValue(_ change: borrowing KeyValueChange) {
    let value = KVOReceiver.readsNewValue(for: self) ? .notRequested : currentValue(of: change)
    guard let object = change.object, let value else { return }
    KeyValueChange.lend(to: self, of: object, ChangeAttributes(kind: .setting), new: value)
  }

  /// The new value of a change, read now; nil if the change doesn't affect the observation any longer.
  func currentValue(of change: borrowing KeyValueChange) -> ChangedValue? {
    guard usesContext else { return newValue(of: change) }
    return hasEnded ? nil : change.object.map { codedValue(of: $0) }
  }

  /// The value at the end of the path at this moment; nil if it can't be read.
  func valueNow(at object: KeyValueObservable) -> ChangedValue? {
    usesContext ? hasEnded ? nil : codedValue(of: object) : currentValue(at: object)
  }

  @inline(never)
  private func endWithoutObserver() {
    // A task may be waiting for an element that will never come.
    if case .sequence = receiver.destination { store?.end(self) }
  }

  // MARK: Description

  /// The key path with its options in words, and where changes are delivered: `date (initial, new), on the main actor`.
  var text: String {
    let list = identifier?.list == nil ? "" : ", in a list"
    let identifier = identifier.flatMap { $0.list == nil || $0.value != nil ? ", identifier: \($0)" : nil } ?? ""
    return "\(path.currentName) (\(options.text)\(identifier)\(list)), \(receiver.destination)"
  }
}

extension KeyValueChange {
  /// The observation that is notified. Changes are made for observations of controllers.
  var info: KVOInfo { borrowedObservance._withUnsafeGuaranteedRef { unsafeDowncast($0, to: KVOInfo.self) } }
}

// The engine passes changes directly to the observation, without a dictionary, so no context has to be looked up. It also
// notifies the observation when the object is deallocated.
extension KVOReceiver: ChangeReceiver {
  typealias Queue = ChangeQueue

  static func list(of info: KVOInfo) -> AnyObject? { info.identifier?.list }

  /// A value for an actor or a sequence is read when the queue has a place for its change, because other threads may make
  /// newer ones.
  static func readsNewValue(for info: KVOInfo) -> Bool {
    switch info.receiver.destination {
    case .threadOfChange: false
    case .mainActor: !MainQueue.isCurrent
    case .actor(let weakActor): weakActor.actor.map { !isOnExecutor(of: $0) } ?? true
    case .dispatchQueue, .sequence: true
    }
  }

  /// Delivers a change, on the actor if there is one.
  static func receive(_ change: borrowing KeyValueChange, for info: KVOInfo) {
    if info.receiver.isDirect { return info.handle(change) }
    if info.receiver.takesWholeValues, change.attributes.kind != .setting { return info.deliverWholeValue(change) }
    switch info.receiver.destination {
    case .threadOfChange: info.handle(change)
    case .mainActor where MainQueue.isCurrent: info.deliverOnActor(change)
    default: info.deliverElsewhere(change)
    }
  }

  static func observer(of info: KVOInfo) -> AnyObject? { info.receiver.links.observer.object }

  static func details(of info: KVOInfo) -> String {
    let isSequence = if case .sequence = info.receiver.destination { true } else { false }
    return isSequence ? info.text : "\(info.text), \(info.form.text)"
  }

  static func observedObjectDied(for info: KVOInfo) {
    if ObservationLog.isOn { ObservationLog.log(.objectDied, info, of: nil) }
    info.queue?.observationEnded()
    info.store?.removeOfDeallocatedObject(info)
  }
}
