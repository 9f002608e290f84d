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

  /// The handler to call. A block that a client passed is stored as it is, and not in another closure.
  enum Call {
    case handler(Handler)
    case block(Block)
    case action(Handler)
    case context(Handler)

    var form: ObservationForm {
      switch self {
      case .handler: .handler
      case .block: .block
      case .action: .action
      case .context: .context
      }
    }
  }

  /// State that few observations need.
  final class Extras: @unchecked Sendable {
    let identifier: HashedIdentifier?
    /// Delivers changes to an actor or a sequence.
    let queue: ChangeQueue?
    /// The registration by context, with an object that the engine doesn't observe.
    let registration: ContextRegistration?
    /// Whether a change has come to the queue, whose lock guards this.
    @exclusivity(unchecked) var hasQueuedChange = false

    init(_ identifier: HashedIdentifier?, _ queue: ChangeQueue?, _ registration: ContextRegistration?) {
      self.identifier = identifier
      self.queue = queue
      self.registration = registration
    }
  }

  let links: ControllerLinks
  let extras: Extras?
  /// The token of an observation by a typed key path. It is also what changes retain for the key path, because a handler may
  /// store them, and would retain itself if they retained the observation.
  let token: AnyObject?
  // Stored apart, because a closure in an enumeration is retained for each call.
  fileprivate let handler: Handler
  fileprivate let block: Block?

  init(_ links: ControllerLinks, _ extras: Extras?, _ token: AnyObject?, _ call: Call) {
    self.links = links
    self.extras = extras
    self.token = token
    switch call {
    case .handler(let handler), .action(let handler), .context(let handler): (self.handler, block) = (handler, nil)
    case .block(let block): (handler, self.block) = ({ _, _ in }, block)
    }
  }
}

extension KVOInfo {
  var keyPath: String { path.name }

  var identifier: HashedIdentifier? { receiver.extras?.identifier }

  var store: ObservationOwner? { receiver.links.store }

  /// Whether the observation hasn't ended, and its controller still exists. Without an observer, nothing is called.
  var isRegistered: Bool { !hasEnded && store != nil }

  /// Whether the observation hasn't ended, and its controller and observer still exist.
  var isLive: Bool { isRegistered && receiver.links.observer.object != nil }

  // MARK: Delivery

  /// Calls the handler, unless the observation has ended or the observer is deallocated. The controller ends its
  /// observations before it is deallocated.
  @inline(__always)
  func handle(_ change: borrowing KeyValueChange) {
    guard !hasEnded else { return }
    guard let observer = receiver.links.observer.object else { return endWithoutObserver() }
    if receiver.block == nil { receiver.handler(observer, change) } else { callBlock(observer, change) }
  }

  @inline(never)
  private func callBlock(_ observer: AnyObject, _ change: borrowing KeyValueChange) {
    receiver.block?(observer, change.object, change.dictionaryWithKeyPath)
  }

  /// The new value of a change, read now; nil if the change doesn't affect the observation any longer.
  func currentValue(of change: borrowing KeyValueChange) -> ChangedValue? {
    receiver.extras?.registration == nil ? newValue(of: change) : hasEnded ? nil : codedValue(of: change.object)
  }

  /// The value at the end of the path at this moment; nil if it can't be read.
  func valueNow(at object: KeyValueObservable) -> ChangedValue? {
    receiver.extras?.registration == nil ? currentValue(at: object) : hasEnded ? nil : codedValue(of: object)
  }

  @inline(never)
  private func endWithoutObserver() {
    // A task may be waiting for an element that will never come.
    if receiver.extras?.queue != nil { store?.end(self) }
  }

  // MARK: Description

  /// The key path with its options in words, and where changes are delivered: `date (initial, new), on the main actor`.
  var text: String {
    let identifier = identifier.map { ", identifier: \($0)" } ?? ""
    let destination = receiver.extras?.queue?.description ?? "on the thread of the change"
    return "\(path.currentName) (\(options.text)\(identifier)), \(destination)"
  }
}

extension KeyValueChange {
  /// The observation that is notified. Changes are made for observations of controllers.
  var info: KVOInfo { borrowedObservance._withUnsafeGuaranteedRef { unsafeDowncast($0, to: KVOInfo.self) } }
}

// The engine passes changes directly to the observation, without a dictionary, so no context has to be looked up. It also
// notifies the observation when the object is deallocated.
extension KVOReceiver: ChangeReceiver {
  /// Delivers a change, on the actor if there is one.
  static func receive(_ change: borrowing KeyValueChange, for info: KVOInfo) {
    if let queue = info.receiver.extras?.queue {
      queue.deliver(change, to: info)
    } else {
      info.handle(change)
    }
  }

  static func observer(of info: KVOInfo) -> AnyObject? { info.receiver.links.observer.object }

  static func details(of info: KVOInfo) -> String {
    let isSequence = info.receiver.extras?.queue?.isOfSequence == true
    return isSequence ? info.text : "\(info.text), \(info.form.text)"
  }

  static func observedObjectDied(for info: KVOInfo) {
    if ObservationLog.isOn { ObservationLog.log(.objectDied, info, of: nil) }
    info.receiver.extras?.queue?.observationEnded()
    info.store?.removeOfDeallocatedObject(info)
  }
}
