/// One observation of a controller: a key path of an object, and the handler to call for its changes. The name is
/// FBKVOController's.
///
/// It is the registration as well, so that an observation takes one allocation.
typealias KVOInfo = ReceivingObservance<KVOReceiver>

/// What an observation notifies, and how.
struct KVOReceiver {
  /// Notifies the observer of a change.
  typealias Handler = (_ observer: AnyObject, _ change: borrowing KeyValueChange) -> Void

  /// What to call. A block that a client passed is stored as it is, and not in another closure.
  enum Call {
    case handler(Handler)
    case block(FBKVONotificationBlock)
  }

  /// What few observations have.
  final class Extras: Sendable {
    let identifier: HashedIdentifier?
    let onEnd: (@Sendable () -> Void)?
    let delivery: IsolatedDelivery?

    fileprivate init(
      _ identifier: HashedIdentifier?, _ onEnd: (@Sendable () -> Void)?, _ isolation: (any Actor)?
    ) {
      self.identifier = identifier
      self.onEnd = onEnd
      delivery = isolation.map { IsolatedDelivery($0) }
    }
  }

  let links: ControllerLinks
  let extras: Extras?
  // Stored apart, because a closure in an enumeration is retained for each call.
  fileprivate let handler: Handler
  fileprivate let block: FBKVONotificationBlock?

  init(_ links: ControllerLinks, _ extras: Extras?, _ call: Call) {
    self.links = links
    self.extras = extras
    switch call {
    case .handler(let handler): (self.handler, block) = (handler, nil)
    case .block(let block): (handler, self.block) = ({ _, _ in }, block)
    }
  }
}

extension KVOInfo {
  @inline(__always)
  convenience init(_ request: ObservationRequest, _ links: ControllerLinks) {
    let hasExtras = request.identifier != nil || request.onEnd != nil || request.isolation != nil
    let extras = hasExtras ? KVOReceiver.Extras(request.identifier, request.onEnd, request.isolation) : nil
    self.init(request.path, options: request.options, KVOReceiver(links, extras, request.call))
  }

  var keyPath: String { path.name }

  var identifier: HashedIdentifier? { receiver.extras?.identifier }

  var store: ObservationStore? { receiver.links.store }

  /// Whether the observation hasn't ended, and its controller and observer still exist.
  var isLive: Bool { !hasEnded && store != nil && receiver.links.observer.object != nil }

  /// Ends the observation.
  ///
  /// - Parameter unregisters: Whether the caller can remove the registration. If not, another caller may do so later.
  /// - Returns: The number in the context pointer, 0 if there is none yet; and whether the caller must remove the
  ///   registration.
  func endObservation(unregisters: Bool) -> (number: UInt, mustUnregister: Bool) {
    let (number, mustUnregister, isFirst) = end(unregisters: unregisters)
    if isFirst { receiver.extras?.onEnd?() }
    return (number, mustUnregister)
  }

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

  @inline(never)
  private func endWithoutObserver() {
    // A task may be waiting for an element that will never come.
    if receiver.extras?.onEnd != nil { store?.end(self) }
  }

  // MARK: Description

  /// The key path with its options in words: `date (initial, new)`.
  var text: String {
    let words = [(NSKeyValueObservingOptions.new, "new"), (.old, "old"), (.initial, "initial"), (.prior, "prior")]
      .filter { options.contains($0.0) }.map(\.1)
    let identifier = identifier.map { ", identifier: \($0)" } ?? ""
    return "\(keyPath) (\(words.isEmpty ? "no options" : words.joined(separator: ", "))\(identifier))"
  }
}

// The package's own engine passes changes directly to the observation, without a dictionary, so no context has to be
// looked up. It also notifies the observation when the object is deallocated.
extension KVOReceiver: ObservationReceiver {
  /// Delivers a change, on the actor if there is one.
  static func receive(_ change: borrowing KeyValueChange, for info: KVOInfo) {
    if let delivery = info.receiver.extras?.delivery {
      delivery.deliver(change, to: info)
    } else {
      info.handle(change)
    }
  }

  static func observedObjectDied(for info: KVOInfo) {
    KVOSharedController.shared.unobserve(info)
    info.store?.removeOfDeallocatedObject(info)
  }
}
