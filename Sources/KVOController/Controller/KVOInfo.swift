import CKeyValueObserving

/// One observation of a controller: a key path of an object, and the handler to call for its changes. The name is
/// FBKVOController's.
///
/// It is the engine's registration as well, so that an observation takes one allocation.
typealias KVOInfo = ReceivingObservance<KVOReceiver>

/// The receiver of an observation, and how it is called.
struct KVOReceiver {
  /// Notifies the observer of a change.
  typealias Handler = (_ observer: AnyObject, _ change: borrowing KeyValueChange) -> Void

  /// A block of FBKVOController's.
  typealias Block = (_ observer: Any?, _ object: Any, _ change: [NSKeyValueChangeKey: Any]) -> Void

  /// What to call. A block that a client passed is stored as it is, and not in another closure.
  enum Call {
    /// A handler. The value for one of the form `valueHandler` is read by the thread that makes the change.
    case handler(Handler, ObservationForm = .handler)
    case block(Block)

    var form: ObservationForm { if case .handler(_, let form) = self { form } else { .block } }
  }

  /// The store of the controller, which ends the observation before it is deallocated.
  let store: ObservationStore
  let identifier: HashedIdentifier?
  let destination: Destination
  /// The number that represents the observation in the context pointer of its registration with an object that the engine
  /// doesn't observe; 0 if there is none.
  let context: UInt
  /// The key path in the changes that a typed handler receives, if it is known to its end. The text has memory of its own,
  /// because threads that change different objects would contend for that of a path that they share.
  let keyPath: String?
  // Stored apart, because a closure in an enumeration is retained for each call.
  fileprivate let handler: Handler
  fileprivate let block: Block?

  init(
    _ path: ObservedPath, _ identifier: HashedIdentifier?, _ destination: Destination, context: UInt, _ call: Call,
    of store: ObservationStore
  ) {
    self.store = store
    self.identifier = identifier
    self.destination = destination
    self.context = context
    switch call {
    case .handler(let handler, let form):
      (self.handler, block, keyPath) = (handler, nil, form.isTyped && !path.isIncomplete ? path.name.ownCopy : nil)
    case .block(let block): (handler, self.block, keyPath) = ({ _, _ in }, block, nil)
    }
  }
}

extension String {
  /// The same text with memory of its own. A short one needs none.
  fileprivate var ownCopy: String { utf8.count > 15 ? String(decoding: Array(utf8), as: UTF8.self) : self }
}

extension KVOInfo {
  var identifier: HashedIdentifier? { receiver.identifier }

  var store: ObservationStore { receiver.store }

  /// Whether it is registered by name and context, which requires its object to end it.
  var usesContext: Bool { receiver.context != 0 }

  /// Whether the observation hasn't ended, and its observer still exists. Without an observer, nothing is called.
  var isLive: Bool { !hasEnded && receiver.observer != nil }

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
    guard let observer = receiver.observer else { return endWithoutObserver() }
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
    if hasQueue, !isInside { queue?.didCall() }
  }

  @inline(never)
  private func deliverInOrder(_ change: borrowing KeyValueChange) { queue?.deliverOnActor(change, to: self) }

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
    if receiver.destination.isSequence { store.end(self) }
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

  var observer: AnyObject? { store.observer.object }

  var list: AnyObject? { identifier?.list == nil ? nil : identifier }

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
    if case .valueHandler = info.form, change.attributes.kind != .setting { return info.deliverWholeValue(change) }
    switch info.receiver.destination {
    case .threadOfChange: info.handle(change)
    case .mainActor where MainQueue.isCurrent: info.deliverOnActor(change)
    default: info.deliverElsewhere(change)
    }
  }

  static func details(of info: KVOInfo) -> String {
    info.receiver.destination.isSequence ? info.text : "\(info.text), \(info.form.text)"
  }

  static func observedObjectDied(for info: KVOInfo) {
    if ObservationLog.isOn { ObservationLog.log(.objectDied, info, of: nil) }
    info.queue?.observationEnded()
    info.store.removeOfDeallocatedObject(info)
  }
}
