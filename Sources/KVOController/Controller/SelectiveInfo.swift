/// An observation whose handler isn't called for each change: see ``KVODelivery``. A distinct one decides when a call
/// is made, in a closure around its handler. A coalesced one leaves each change to its lane, in which one call waits. One for values
/// gets the whole value, even if only some objects of a collection have changed.
///
/// - Thread safety: The value that was delivered last has a lock, and is set before others see the observation. Everything else is
///   immutable.
final class SelectiveInfo: KVOInfo, @unchecked Sendable {
  override var delivery: KVODelivery { requestedDelivery }

  private let requestedDelivery: KVODelivery
  /// What the handler gets; of a list that isn't all that the user has passed.
  private let handlerOptions: NSKeyValueObservingOptions
  private let handler: Handler
  /// The value that was delivered last, if it is needed.
  @exclusivity(unchecked) private var delivered: DeliveredValue?
  /// Whether the value was that of an observation that this one has replaced.
  @exclusivity(unchecked) private var knowsValue = false

  private var isDistinct: Bool { requestedDelivery.contains(.distinct) }
  private var isCoalesced: Bool { requestedDelivery.contains(.coalesced) }

  /// Traps if the handler can't be called so.
  init(_ request: Request, of object: KeyValueObservable, in store: ObservationStore) {
    request.requireDeliverable(of: object)
    let (delivery, options) = (request.delivery, request.options)
    (requestedDelivery, handlerOptions, handler) = (delivery, options, request.handler)
    var called = request
    called.requestedOptions = request.requestedOptions ?? options
    if delivery.contains(.coalesced) { called.options.remove(.old) }
    if delivery.contains(.distinct) || options.contains(.old) {
      delivered = DeliveredValue()
      // The initial value is that with which the first change is compared.
      called.options.formUnion([.initial, .new])
    }
    called.handler = { unsafeDowncast($1.info, to: SelectiveInfo.self).call($0, $1) }
    super.init(called, in: store)
  }

  override var sendsInitial: Bool { super.sendsInitial && !knowsValue }

  /// Of a list only the values that a change affects are read.
  override var readsNewValue: Bool { isCoalesced || path.list != nil || super.readsNewValue }

  /// The old value of the next call. What waits for it retains it, because the property may have released it by then.
  var oldValue: ChangedValue { handlerOptions.contains(.old) ? delivered?.last ?? .notRequested : .notRequested }

  override func takeOver(from former: KVOInfo) -> Bool {
    guard super.takeOver(from: former) else { return false }
    // Of the same delivery, so it is of this class. What is released is empty.
    delivered = unsafeDowncast(former, to: SelectiveInfo.self).delivered
    knowsValue = true
    return true
  }

  override func deliver(_ change: borrowing KeyValueChange) {
    let attributes = change.attributes
    if isCoalesced {
      guard attributes.isInitial else {
        madeLane?.coalesce(change, of: self)
        return
      }
      // It is called at once, with a value that isn't older than what waits.
      if wantsNew, property == nil {
        guard let new = madeLane?.initialValue(of: change, self) else { return }
        return KeyValueChange.lend(to: self, of: change.object, attributes, new: new) { handle($0) }
      }
      if handlerOptions.contains(.initial) { lane?.removeAll(of: self) }
      lendWhole(change, attributes) { handle($0) }
    } else if path.list != nil || (form == .valueHandler && attributes.kind != .setting) {
      lendWhole(change, attributes.isInitial ? attributes : .setting) { super.deliver($0) }
    } else {
      // The next value is compared with all of this one.
      if attributes.kind != .setting, case .handler = form { lendWhole(change, .unsent) { super.deliver($0) } }
      super.deliver(change)
    }
  }

  /// Calls `body` with the values of the key paths of a list that a change affects, or with that of the collection of which objects
  /// have changed.
  private func lendWhole(
    _ change: borrowing KeyValueChange, _ attributes: ChangeAttributes, _ body: (borrowing KeyValueChange) -> Void
  ) {
    guard let new = !wantsNew || super.readsNewValue ? .notRequested : newValue(of: change) else { return }
    KeyValueChange.lend(
      to: self, of: change.object, attributes, new: new, key: change.key, source: change.source, body)
  }

  /// Makes the call that waited, with the value that was read for it, or with that of this moment.
  func makeWaitingCall(_ value: ChangedValue?) {
    guard !hasEnded, let object = observed, let new = value ?? (wantsNew ? currentValue(at: object) : .notRequested)
    else { return }
    KeyValueChange.lend(to: self, of: object, .setting, new: new) { handle($0) }
  }

  /// Calls the handler, unless it isn't called for this value.
  private func call(_ observer: AnyObject, _ change: borrowing KeyValueChange) {
    guard let delivered else { return handler(observer, change) }
    let (isOver, attributes) = (hasEnded, change.attributes)
    let (new, isSetting) = (change.new.kept.unwrapped, attributes.kind == .setting)
    if attributes.isUnsent || (attributes.isInitial && !handlerOptions.contains(.initial)) {
      return delivered.remember(new, isFirst: attributes.isInitial)
    }
    guard
      let last = delivered.beginCall(
        isSetting ? .some(new) : nil, isDistinct: isDistinct && isSetting && !attributes.isInitial)
    else { return }
    defer { delivered.endCall() }
    // Comparing may have ended it.
    guard hasEnded == isOver else { return }
    guard isCoalesced || !handlerOptions.contains(.new) else { return handler(observer, change) }
    let isOldKnown = handlerOptions.contains(.old) && !attributes.isInitial
    KeyValueChange.lend(
      to: self, of: change.object, attributes,
      old: !isCoalesced ? change.old.kept : isOldKnown ? last : .notRequested,
      new: handlerOptions.contains(.new) ? ChangedValue(new) : .notRequested, indexes: change.boxedIndexes
    ) { handler(observer, $0) }
  }
}

/// The value that was delivered last, and the calls under way. After calls that overlap, on several threads, it isn't known.
private final class DeliveredValue: Sendable {
  private struct State {
    var value: RememberedValue?
    var (changes, calls, thread, areOverlapping) = (0, 0, UInt(0), false)

    mutating func beginCall(_ new: RememberedValue?, on thread: UInt) {
      if calls == 0 {
        (self.thread, areOverlapping) = (thread, false)
      } else if thread != self.thread {
        areOverlapping = true
      }
      calls += 1
      set(new ?? value)
    }

    /// Returns what is to be released outside the lock.
    @discardableResult
    mutating func set(_ new: RememberedValue?) -> RememberedValue? {
      defer { value = areOverlapping && calls > 0 ? nil : new?.added(to: value) }
      changes += 1
      if calls == 0 { thread = 0 }
      return value
    }
  }

  private enum Step { case call, leaveOut, compareAgain }

  private let state = LockedState(State())

  var last: ChangedValue { state.withLock { $0.value }.map { ChangedValue($0.current) } ?? .notRequested }

  /// - Parameter isFirst: Whether to remember it only if nothing was delivered.
  func remember(_ value: Any?, isFirst: Bool) {
    let new = RememberedValue(value)
    withExtendedLifetime(state.withLock { isFirst && $0.changes > 0 ? nil : $0.set(new) }) {}
  }

  /// Begins a call, with a value, or with another kind of change. Returns the value that was delivered before; nil for no call.
  func beginCall(_ value: Any??, isDistinct: Bool) -> ChangedValue? {
    let (new, thread) = (value.map { RememberedValue($0) }, CurrentThread.identity)
    while true {
      let (last, changes) = state.withLock { ($0.value, $0.changes) }
      // Comparing runs foreign code, which may make calls.
      let isSame = if isDistinct, let value { last?.hasSame(value) == true } else { false }
      let step: Step = state.withLock { state in
        // A call that this thread has made or left out within the comparison had a newer value.
        guard state.changes == changes else { return isDistinct && state.thread == thread ? .leaveOut : .compareAgain }
        if isSame {
          state.changes += 1
          if state.calls == 0 { state.thread = thread }
          return .leaveOut
        }
        state.beginCall(new, on: thread)
        return .call
      }
      switch step {
      case .call: return last.map { ChangedValue($0.current) } ?? .notRequested
      case .leaveOut: return nil
      case .compareAgain: break
      }
    }
  }

  func endCall() { state.withLock { $0.calls -= 1 } }
}
