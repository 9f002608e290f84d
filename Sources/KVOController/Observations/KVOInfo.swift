/// One observation of a controller: a key path of an object, and what to call for its changes.
///
/// - Thread safety: The state changes only under the lock beside it; all else never changes.
final class KVOInfo: @unchecked Sendable {
  /// Tells the observer of a change.
  typealias Handler = (_ observer: AnyObject, _ change: borrowing KeyValueChange) -> Void

  let path: ObservedPath
  let options: NSKeyValueObservingOptions
  let identifier: KVOIdentifier?
  let object: ObjectIdentifier
  private let parties: ObservingParties
  private let handler: Handler
  private let onEnd: (@Sendable () -> Void)?
  private let delivery: IsolatedDelivery?

  private enum State {
    case initial
    case observing
    case notObserving
  }

  private let lock = UnfairLock()
  private var state = State.initial
  private var number: UInt = 0
  /// Set as the state becomes ``State/notObserving``, for those who only ask.
  private let ended = AtomicFlag()

  init(
    _ parties: ObservingParties, object: AnyObject, path: ObservedPath, options: NSKeyValueObservingOptions,
    identifier: KVOIdentifier?, isolation: (any Actor)?, onEnd: (@Sendable () -> Void)?, handler: @escaping Handler
  ) {
    self.parties = parties
    self.object = ObjectIdentifier(object)
    self.path = path
    self.options = options
    self.identifier = identifier
    self.onEnd = onEnd
    self.handler = handler
    delivery = isolation.map { IsolatedDelivery($0) }
  }

  var keyPath: String { path.name }

  /// Whether the path may get another name when the objects on it are there.
  var isIncomplete: Bool { path.isIncomplete }

  var controller: KVOController? { parties.controller }

  /// Whether the observation hasn't ended, and all whom it concerns are alive.
  var isLive: Bool { !ended.isSet && controller?.observer != nil }

  /// Gives the observation the number that stands for it in the context pointer, unless it has ended already.
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
  /// - Returns: The number in the context pointer, 0 if there is none yet; and whether the caller must unregister: not
  ///   if the observation had ended before, or was still being registered.
  func end() -> (context: UInt, mustUnregister: Bool) {
    let (former, context) = lock.withLock {
      let former = state
      state = .notObserving
      ended.set()
      return (former, number)
    }
    if former != .notObserving { onEnd?() }
    return (context, former == .observing)
  }

  /// Takes a change to where the handler runs.
  func receive(_ change: borrowing KeyValueChange) {
    if let delivery {
      delivery.deliver(change, to: self)
    } else {
      handle(change)
    }
  }

  /// Calls the handler, unless the observation has ended or the observer is gone. The controller ends its observations
  /// before it goes.
  func handle(_ change: borrowing KeyValueChange) {
    guard !ended.isSet else { return }
    if let observer = parties.observer {
      handler(observer, change)
    } else if onEnd != nil {
      // Somebody may wait for what never comes again.
      controller?.end(self)
    }
  }
}
