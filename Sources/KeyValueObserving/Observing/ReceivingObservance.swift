/// The registration of an observation that may end at any time, even before it is registered.
///
/// - Thread safety: The state is atomic. The number in the context pointer is set before the state says so, and never
///   afterwards.
@usableFromInline
package class EndingObservance: Observance, @unchecked Sendable {
  @frozen
  @usableFromInline
  struct State: OptionSet, Sendable {
    @usableFromInline let rawValue: UInt8

    @inlinable
    init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The number in the context pointer is set.
    static let numbered = State(rawValue: 1)
    /// The registration is made, and no caller has begun to remove it.
    static let observing = State(rawValue: 2)
    @inlinable static var ended: State { State(rawValue: 4) }
  }

  @usableFromInline final let state = AtomicState<State>()
  // The user's lock excludes what the compiler would otherwise check at run time.
  @exclusivity(unchecked) private final var storedOwner: AnyObject?

  @inlinable package final var hasEnded: Bool { state.value.contains(.ended) }

  /// An object that the observance retains for its user, whose lock guards it.
  package final var owner: AnyObject? {
    get { storedOwner }
    set { storedOwner = newValue }
  }

  /// The owner, unretained. It is valid until another is set.
  package final var borrowedOwner: Unmanaged<AnyObject>? { storedOwner.map(Unmanaged.passUnretained) }

  /// Sets the number that represents the observation in the context pointer.
  ///
  /// - Returns: Whether to register; false if the observation has ended already.
  package final func willRegister(_ number: UInt) -> Bool {
    context = UnsafeMutableRawPointer(bitPattern: number)
    return !state.update { $0.insert(.numbered) }.contains(.ended)
  }

  /// Notes that the registration is made.
  ///
  /// - Returns: Whether it is still needed. If not, the observation ended meanwhile, and the caller must unregister.
  package final func didRegister() -> Bool {
    let former = state.update { state in
      if !state.contains(.ended) { state.insert(.observing) }
    }
    return !former.contains(.ended)
  }

  /// Ends the observation.
  ///
  /// - Parameter unregisters: Whether the caller can remove the registration. If not, another caller may do so later.
  /// - Returns: The number in the context pointer, 0 if there is none yet; whether the caller must remove the
  ///   registration; and whether the observation hadn't ended before.
  package final func end(unregisters: Bool) -> (number: UInt, mustUnregister: Bool, isFirst: Bool) {
    let former = state.update { state in
      state.insert(.ended)
      if unregisters { state.remove(.observing) }
    }
    return (
      former.contains(.numbered) ? UInt(bitPattern: context) : 0,
      unregisters && former.contains(.observing), !former.contains(.ended)
    )
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
