/// One observation of a controller: a key path of an object, and the handler to call for its changes.
///
/// - Thread safety: The state is guarded by the lock, and ``observed`` by the lock of the controller's store;
///   everything else is immutable.
final class KVOInfo: @unchecked Sendable {
  /// Notifies the observer of a change.
  typealias Handler = (_ observer: AnyObject, _ change: borrowing KeyValueChange) -> Void

  let path: ObservedPath
  let options: NSKeyValueObservingOptions
  let identifier: HashedIdentifier?
  private let links: ControllerLinks
  private let handler: Handler
  private let onEnd: (@Sendable () -> Void)?
  private let delivery: IsolatedDelivery?

  // Locks exclude what the compiler would otherwise check at run time.

  /// The object whose set contains the observation; nil if none does.
  @exclusivity(unchecked) var observed: Unmanaged<ObservedObject>?

  private enum Registration {
    /// Not made yet.
    case initial
    case observing
    /// Removed, or about to be removed by the caller that took its context.
    case notObserving
  }

  private let lock = Lock()
  @exclusivity(unchecked) private var registration = Registration.initial
  @exclusivity(unchecked) private var context: UInt = 0
  /// Set once, under the lock; read without it.
  private let ended = AtomicFlag()

  init(_ request: ObservationRequest, _ links: ControllerLinks) {
    self.links = links
    path = request.path
    options = request.options
    identifier = request.identifier
    onEnd = request.onEnd
    handler = request.handler
    delivery = request.isolation.map { IsolatedDelivery($0) }
  }

  var keyPath: String { path.name }

  var store: ObservationStore? { links.store }

  var hasEnded: Bool { ended.isSet }

  /// Whether the observation hasn't ended, and its controller and observer still exist.
  var isLive: Bool { !ended.isSet && store != nil && links.observer != nil }

  // MARK: Registration

  /// Sets the number that represents the observation in the context pointer.
  ///
  /// - Returns: Whether to register; false if the observation has ended already.
  func willRegister(_ number: UInt) -> Bool {
    lock.withLock {
      context = number
      return !ended.isSet
    }
  }

  /// Notes that the registration is made.
  ///
  /// - Returns: Whether it is still needed. If not, the observation ended meanwhile, and the caller must unregister.
  func didRegister() -> Bool {
    lock.withLock {
      registration = ended.isSet ? .notObserving : .observing
      return !ended.isSet
    }
  }

  /// Ends the observation.
  ///
  /// - Parameter unregisters: Whether the caller can remove the registration. If not, another caller may do so later.
  /// - Returns: The number in the context pointer, 0 if there is none yet; and whether the caller must remove the
  ///   registration.
  func end(unregisters: Bool) -> (context: UInt, mustUnregister: Bool) {
    let (isFirst, mustUnregister, context) = lock.withLock {
      let isFirst = !ended.isSet
      ended.set()
      let mustUnregister = unregisters && registration == .observing
      if mustUnregister { registration = .notObserving }
      return (isFirst, mustUnregister, self.context)
    }
    if isFirst { onEnd?() }
    return (context, mustUnregister)
  }

  // MARK: Delivery

  /// Delivers a change, on the actor if there is one.
  func receive(_ change: borrowing KeyValueChange) {
    if let delivery {
      delivery.deliver(change, to: self)
    } else {
      handle(change)
    }
  }

  /// Calls the handler, unless the observation has ended or the observer is deallocated. The controller ends its
  /// observations before it is deallocated.
  func handle(_ change: borrowing KeyValueChange) {
    guard !ended.isSet else { return }
    if let observer = links.observer {
      handler(observer, change)
    } else if onEnd != nil {
      // A task may be waiting for an element that will never come.
      store?.end(self)
    }
  }

  // MARK: Description

  /// The key path with its options in words: `date (initial, new)`.
  var debugDescription: String {
    let words = [(NSKeyValueObservingOptions.new, "new"), (.old, "old"), (.initial, "initial"), (.prior, "prior")]
      .filter { options.contains($0.0) }.map(\.1)
    let identifier = identifier.map { ", identifier: \($0)" } ?? ""
    return "\(keyPath) (\(words.isEmpty ? "no options" : words.joined(separator: ", "))\(identifier))"
  }
}
