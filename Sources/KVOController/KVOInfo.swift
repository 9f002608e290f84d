/// One observation of a controller: a key path of an object, and what to call for its changes.
///
/// - Thread safety: The state changes only under the lock beside it; all else never changes.
final class KVOInfo: @unchecked Sendable {
  /// Tells the observer of a change.
  typealias Handler = (_ observer: AnyObject, _ change: KeyValueChange) -> Void

  let path: ObservedPath
  let options: NSKeyValueObservingOptions
  let identifier: AnyHashable?
  /// The identifier's hash, found outside of all locks, for it may be foreign code.
  let identifierHash: Int?
  let object: ObjectIdentifier
  weak let controller: KVOController?
  private let handler: Handler
  private let onEnd: (@Sendable () -> Void)?
  private let delivery: IsolatedDelivery?
  /// Whether the path may get another name when the objects on it are there.
  let isIncomplete: Bool

  private enum State {
    case initial
    case observing
    case notObserving
  }

  private let lock = UnfairLock()
  private var state = State.initial
  private var number: UInt = 0

  init(
    controller: KVOController, object: AnyObject, path: ObservedPath, options: NSKeyValueObservingOptions,
    identifier: AnyHashable?, isolation: (any Actor)?, onEnd: (@Sendable () -> Void)?, handler: @escaping Handler
  ) {
    self.controller = controller
    self.object = ObjectIdentifier(object)
    self.path = path
    isIncomplete = path.isIncomplete
    self.options = options
    self.identifier = identifier
    self.onEnd = onEnd
    self.handler = handler
    identifierHash = identifier?.hashValue
    delivery = isolation.map { IsolatedDelivery($0) }
  }

  var keyPath: String { path.name }

  /// The number that stands for this observation in the context pointer of its registration; 0 before it has one.
  var context: UInt { lock.withLock { number } }

  /// Whether the observation hasn't ended.
  var isValid: Bool { lock.withLock { state != .notObserving } }

  /// Whether the observation hasn't ended, and all whom it concerns are alive.
  var isLive: Bool { isValid && controller?.observer != nil }

  /// Gives the observation its context, unless it has ended already.
  func willRegister(_ context: UInt) -> Bool {
    lock.withLock {
      number = context
      return state == .initial
    }
  }

  /// Says that the registration is made.
  ///
  /// - Returns: Whether it stands. If not, the observation ended meanwhile, and whoever registered must unregister.
  func didRegister() -> Bool {
    lock.withLock {
      guard state == .initial else { return false }
      state = .observing
      return true
    }
  }

  /// Ends the observation.
  ///
  /// - Returns: Whether the caller must unregister: not if it had ended before, or was still being registered.
  func end() -> Bool {
    let former = lock.withLock {
      defer { state = .notObserving }
      return state
    }
    if former != .notObserving { onEnd?() }
    return former == .observing
  }

  /// Takes a change to where the handler runs.
  func receive(_ change: KeyValueChange) {
    if isIncomplete {
      var named = change
      named.keyPath = path.name(at: change.object)
      bring(named)
    } else {
      bring(change)
    }
  }

  private func bring(_ change: KeyValueChange) {
    if let delivery {
      delivery.deliver(change) { self.handle($0) }
    } else {
      handle(change)
    }
  }

  /// Calls the handler, unless the observation has ended or the controller or its observer is gone.
  private func handle(_ change: KeyValueChange) {
    guard isValid, let controller else { return }
    if let observer = controller.observer {
      handler(observer, change)
    } else if onEnd != nil {
      // Somebody may wait for what never comes again.
      controller.end(self)
    }
  }
}
