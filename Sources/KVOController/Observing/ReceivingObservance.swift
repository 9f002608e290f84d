/// The receiver of an observance, on behalf of a user of the engine.
protocol ChangeReceiver {
  /// What keeps changes that can't be delivered at once.
  associatedtype Queue: AnyObject

  /// The observer; nil if it is deallocated.
  var observer: AnyObject? { get }

  // For the properties and methods of `Observance` that have these names.

  var list: AnyObject? { get }

  static func readsNewValue(for observance: ReceivingObservance<Self>) -> Bool

  /// Delivers a change. The observer may be deallocated.
  static func receive(_ change: borrowing KeyValueChange, for observance: ReceivingObservance<Self>)

  static func observedObjectDied(for observance: ReceivingObservance<Self>)

  static func details(of observance: ReceivingObservance<Self>) -> String
}

/// A registration that calls a receiver. The receiver is stored in it, so that an observation takes one allocation.
final class ReceivingObservance<Receiver: ChangeReceiver>: Observance, @unchecked Sendable {
  // The receiver is responsible for its own thread safety.
  let receiver: Receiver
  /// The address by which the user has the observed object in its table; nil if it hasn't. The user's lock guards it, and
  /// excludes what the compiler would otherwise check at run time.
  @exclusivity(unchecked) var place: ObjectIdentifier?
  // Set once, with the observance's lock, before a bit says that it is there.
  @exclusivity(unchecked) private var storedQueue: Receiver.Queue?
  /// Whether the receiver is called in its isolation. Only code in that isolation uses it.
  @exclusivity(unchecked) var isCalling = false

  init(
    _ path: ObservedPath, options: NSKeyValueObservingOptions, _ form: ObservationForm, _ receiver: consuming Receiver
  ) {
    self.receiver = receiver
    super.init(path, options: options, form)
  }

  /// The queue, if there is one.
  var queue: Receiver.Queue? { hasQueue ? storedQueue : nil }

  /// Sets the queue, unless there is one.
  ///
  /// - Returns: The queue that there is.
  @discardableResult
  func makeQueue(_ queue: Receiver.Queue) -> Receiver.Queue {
    let kept = withLock {
      if storedQueue == nil { storedQueue = queue }
      return storedQueue ?? queue
    }
    noteQueue()
    return kept
  }

  override var list: AnyObject? { receiver.list }

  override var readsNewValue: Bool { Receiver.readsNewValue(for: self) }

  override func deliver(_ change: borrowing KeyValueChange) { Receiver.receive(change, for: self) }

  override func observedObjectDied() { Receiver.observedObjectDied(for: self) }

  override var observerName: String { debugReference(to: receiver.observer, else: "a deallocated observer") }

  override var details: String { Receiver.details(of: self) }
}

/// A registration that calls a closure.
final class ClosureObservance: Observance, @unchecked Sendable {
  private let handler: (borrowing KeyValueChange) -> Void

  init(
    _ path: ObservedPath, options: NSKeyValueObservingOptions, _ form: ObservationForm = .closure,
    _ handler: @escaping (borrowing KeyValueChange) -> Void
  ) {
    self.handler = handler
    super.init(path, options: options, form)
  }

  override func deliver(_ change: borrowing KeyValueChange) { handler(change) }
}
