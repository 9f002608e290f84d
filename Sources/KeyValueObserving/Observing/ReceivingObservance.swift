/// The registration of an observation that may end at any time, even before it is registered.
///
/// - Thread safety: The state is guarded by the lock. Whether the observation has ended is set once, under the lock, and
///   read without it.
package class EndingObservance: Observance, @unchecked Sendable {
  private enum Registration: UInt8 {
    /// Not made yet.
    case initial
    case observing
    /// Removed, or about to be removed by the caller that ended it.
    case notObserving
  }

  private final let lock = Lock()
  private final let ended = AtomicFlag()
  // Locks exclude what the compiler would otherwise check at run time.
  @exclusivity(unchecked) private final var registration = Registration.initial
  @exclusivity(unchecked) private final var storedOwner: AnyObject?

  package final var hasEnded: Bool { ended.isSet }

  /// An object that the observance retains for its user, whose lock guards it.
  package final var owner: AnyObject? {
    get { storedOwner }
    set { storedOwner = newValue }
  }

  /// Sets the number that represents the observation in the context pointer.
  ///
  /// - Returns: Whether to register; false if the observation has ended already.
  package final func willRegister(_ number: UInt) -> Bool {
    lock.withLock {
      context = UnsafeMutableRawPointer(bitPattern: number)
      return !ended.isSet
    }
  }

  /// Notes that the registration is made.
  ///
  /// - Returns: Whether it is still needed. If not, the observation ended meanwhile, and the caller must unregister.
  package final func didRegister() -> Bool {
    lock.withLock {
      registration = ended.isSet ? .notObserving : .observing
      return !ended.isSet
    }
  }

  /// Ends the observation.
  ///
  /// - Parameter unregisters: Whether the caller can remove the registration. If not, another caller may do so later.
  /// - Returns: The number in the context pointer, 0 if there is none yet; whether the caller must remove the
  ///   registration; and whether the observation hadn't ended before.
  package final func end(unregisters: Bool) -> (number: UInt, mustUnregister: Bool, isFirst: Bool) {
    lock.withLock {
      let isFirst = !ended.isSet
      ended.set()
      let mustUnregister = unregisters && registration == .observing
      if mustUnregister { registration = .notObserving }
      return (UInt(bitPattern: context), mustUnregister, isFirst)
    }
  }
}

/// What an observation calls.
package protocol ObservationReceiver {
  /// Delivers a change. The observer may be deallocated.
  static func receive(_ change: borrowing KeyValueChange, for observance: ReceivingObservance<Self>)

  /// Called when the observed object is deallocated, which has ended the registration.
  static func observedObjectDied(for observance: ReceivingObservance<Self>)
}

/// A registration that calls a receiver instead of an observer. The receiver is stored in it, so that an observation
/// takes one allocation.
package final class ReceivingObservance<Receiver: ObservationReceiver>: EndingObservance, @unchecked Sendable {
  // The receiver is responsible for its own thread safety.
  package let receiver: Receiver

  package init(_ path: ObservedPath, options: NSKeyValueObservingOptions, _ receiver: consuming Receiver) {
    self.receiver = receiver
    super.init(path, options: options)
  }

  #if !canImport(ObjectiveC)
  override func deliver(_ change: borrowing KeyValueChange) { Receiver.receive(change, for: self) }

  override func observedObjectDied() { Receiver.observedObjectDied(for: self) }
  #endif
}
