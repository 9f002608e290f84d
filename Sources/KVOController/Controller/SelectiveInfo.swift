/// An observation whose handler isn't called for each change: see ``KVODelivery``. A distinct one decides when a call
/// is made, in a closure around its handler. A coalesced one leaves each change to its queue, which keeps one call with
/// the newest value.
///
/// - Thread safety: Immutable, but for the value that was delivered last, which has a lock.
final class SelectiveInfo: KVOInfo, @unchecked Sendable {
  private let isCoalesced: Bool
  private let requested: NSKeyValueObservingOptions
  /// nil if nobody needs it.
  private let delivered: DeliveredValue?

  init(
    _ path: ObservedPath, options: NSKeyValueObservingOptions, _ identity: Identity, _ destination: Destination,
    _ delivery: KVODelivery, _ handler: @escaping Handler, _ form: ObservationForm = .handler,
    of store: ObservationStore
  ) {
    let (isDistinct, isCoalesced) = (delivery.contains(.distinct), delivery.contains(.coalesced))
    let delivered = isDistinct || options.contains(.old) ? DeliveredValue() : nil
    (self.isCoalesced, requested, self.delivered) = (isCoalesced, options, delivered)
    var (used, call) = (options, handler)
    if isCoalesced { used.remove(.old) }
    if let delivered {
      // The initial value is that with which the first change is compared.
      used.formUnion([.initial, .new])
      call = { observer, change in
        let (info, wasOver) = (change.info, change.info.hasEnded)
        let (new, isSetting, isInitial) = (
          change.new.kept.unwrapped, change.attributes.kind == .setting, change.attributes.isInitial
        )
        if change.attributes.isUnsent || (isInitial && !options.contains(.initial)) {
          return delivered.remember(new, isFirst: isInitial)
        }
        guard
          let last = delivered.beginCall(
            isSetting ? .some(new) : nil, isDistinct: isDistinct && isSetting && !isInitial)
        else { return }
        defer { delivered.endCall() }
        // Comparing may have ended it.
        if info.hasEnded != wasOver { return info.passOn(change) }
        guard isCoalesced || !options.contains(.new) else { return handler(observer, change) }
        KeyValueChange.lend(
          to: info, of: change.object, change.attributes,
          old: !isCoalesced ? change.old.kept : options.contains(.old) && !isInitial ? last : .notRequested,
          new: options.contains(.new) ? ChangedValue(new) : .notRequested, indexes: change.boxedIndexes
        ) { handler(observer, $0) }
      }
    }
    super.init(path, options: used, identity, destination, .handler(call, form), of: store)
  }

  override var requestedOptions: NSKeyValueObservingOptions { requested }

  override var readsNewValue: Bool { isCoalesced || super.readsNewValue }

  /// The old value of the next call. What waits for it retains it, because the property may have released it by then.
  var oldValue: ChangedValue { requested.contains(.old) ? delivered?.last ?? .notRequested : .notRequested }

  override func takeOver() { delivered?.requireCall() }

  override func didReplace() {
    // One call for all that waits.
    if isCoalesced, queue?.renew(self) == true { takeOver() }
  }

  override func deliver(_ change: borrowing KeyValueChange) {
    let attributes = change.attributes
    if isCoalesced {
      guard attributes.isInitial else {
        return (queue ?? makeQueue(ChangeQueue(destination))).coalesce(change, of: self)
      }
      lendWhole(change, attributes) {
        // It is called at once, and what waits has no older value.
        queue?.renew(self)
        handle($0)
      }
    } else if path.list != nil {
      lendWhole(change, attributes.isInitial ? attributes : .setting) { super.deliver($0) }
    } else {
      // The next value is compared with all of this one.
      if attributes.kind != .setting, case .handler = form { lendWhole(change, .unsent) { super.deliver($0) } }
      super.deliver(change)
    }
  }

  /// Calls `body` with the values of all key paths of a list, or with that of the collection of which objects have changed.
  private func lendWhole(
    _ change: borrowing KeyValueChange, _ attributes: ChangeAttributes, _ body: (borrowing KeyValueChange) -> Void
  ) {
    guard let new = !wantsNew || super.readsNewValue ? .notRequested : newValue(of: change) else {
      return passOn(change)
    }
    KeyValueChange.lend(to: self, of: change.object, attributes, new: new, body)
  }

  /// Makes the call that waited, with a value that was read for it, or with that of this moment. What has replaced this
  /// observation gets the change.
  func call(_ value: ChangedValue?) {
    guard !hasEnded, let object = observed, let new = value ?? (wantsNew ? currentValue(at: object) : .notRequested)
    else {
      return passOn(of: nil)
    }
    // What waits has no older value than this one, which was read after the queue was asked.
    if value == nil, wantsNew { queue?.renew(self) }
    KeyValueChange.lend(to: self, of: object, .setting, new: new) { handle($0) }
  }
}

extension KVOInfo {
  /// The observation of a path with a delivery. Traps if values of these types can't be delivered so.
  static func make(
    _ path: ObservedPath, of object: KeyValueObservable, _ types: @autoclosure () -> [Any.Type],
    _ options: NSKeyValueObservingOptions, _ identity: Identity, _ destination: Destination, _ delivery: KVODelivery,
    at site: CallSite, _ handler: @escaping Handler, _ form: ObservationForm = .handler, of store: ObservationStore
  ) -> KVOInfo {
    if delivery.isEmpty {
      return KVOInfo(path, options: options, identity, destination, .handler(handler, form), of: store)
    }
    func refuse(because reason: String, remedy: String) -> Never {
      misuse(
        "Cannot observe \(path.currentName) of <\(debugName(of: object))> with delivery: "
          + (delivery.contains(.coalesced) ? ".coalesced" : ".distinct"), because: reason, remedy: remedy, site: site)
    }
    if options.contains(.prior) {
      refuse(because: "a call before each change has its counterpart after it", remedy: "Leave out .prior.")
    }
    if delivery.contains(.coalesced), !destination.isElsewhere {
      refuse(because: "no actor could make the call later", remedy: "Observe from the main actor, or another one.")
    }
    if delivery.contains(.distinct), let type = types().first(where: { !canBeCompared($0) }) {
      refuse(
        because: "values of type \(type) can't be compared", remedy: "Make it Equatable, or compare in the handler.")
    }
    return SelectiveInfo(path, options: options, identity, destination, delivery, handler, form, of: store)
  }
}

/// The value that was delivered last, and the calls under way. After calls that overlap, on several threads, it isn't known.
private final class DeliveredValue: Sendable {
  private struct State {
    var value: RememberedValue?
    var (changes, calls, thread, areOverlapping) = (0, 0, UInt(0), false)
    /// Whether the next call is made in any case.
    var isCallRequired = false

    mutating func beginCall(_ new: RememberedValue?, on thread: UInt) {
      if calls == 0 {
        (self.thread, areOverlapping) = (thread, false)
      } else if thread != self.thread {
        areOverlapping = true
      }
      calls += 1
      isCallRequired = false
      set(new ?? value)
    }

    /// Returns what is to be released outside the lock.
    @discardableResult
    mutating func set(_ new: RememberedValue?) -> RememberedValue? {
      defer { value = areOverlapping && calls > 0 ? nil : new }
      changes += 1
      if calls == 0 { thread = 0 }
      return value
    }
  }

  private enum Step { case call, leaveOut, compareAgain }

  private let state = LockedState(State())

  var last: ChangedValue { state.withLock { $0.value }.map { ChangedValue($0.current) } ?? .notRequested }

  /// Makes the next call in any case, because it is of a change that the observation hasn't seen, but whose value it may know.
  func requireCall() { state.withLock { $0.isCallRequired = true } }

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
        if isSame, !state.isCallRequired {
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
