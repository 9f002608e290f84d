import CKeyValueObserving

/// A change of one key of one object, from before it happens until all observers have been notified.
///
/// It makes the prior calls in the order of registration, and the calls after the change in the reverse order. The
/// affected observances are determined when it begins; values are read when the turn of each observance comes. It is used for
/// every change that isn't direct, and doesn't retain its object. Its methods are called in one of these orders:
///
/// | change | calls |
/// | --- | --- |
/// | by a setter | `prepare`, `notifyFoundation`, `store`, `end` |
/// | by coding or a proxy | `prepare`, `notifyFoundation`, `coding` if it is a setter, `didStore`, `end` |
/// | by hand | `prepare`, then the info keeps it, `didStore`, `end` |
/// | in place | `prepare`, `defer`, `notifyFoundation`, then `join` for each that reads meanwhile, `endDeferral`, `didStore`, `end` |
/// | in place, begun unobserved | `didStore`, `end` |
///
/// Observances that come to the key before the value is stored join the change, because they may have read the former value,
/// and would miss the new one: those that another thread registers, and those whose path is led there, by a prior call for
/// instance. Those that this thread registers meanwhile don't. Of a change without ``store(_:_:)`` only the end is seen: all
/// join that another thread has brought to the key by then.
struct ChangeTransaction {
  /// An observance that the change affects.
  private struct Receiver {
    let observance: Observance
    /// Whether the observer receives the key's own value.
    let seesKey: Bool
    var stage = Stage.found

    var old: ChangedValue? {
      switch stage {
      case .prepared(let old), .owed(let old): old
      case .found, .passedOver, .late: nil
      }
    }

    var isOwed: Bool { if case .owed = stage { true } else { false } }

    var isLate: Bool { if case .late = stage { true } else { false } }
  }

  /// What has been done for a receiver.
  private enum Stage {
    case found
    /// It was passed over, because an in-place mutation, of a property that it may read, has yet to notify it.
    case passedOver
    case prepared(old: ChangedValue)
    /// It is called in any case after the change: it was sent a prior call, or an in-place mutation has led its path to another object,
    /// which it hasn't reported yet.
    case owed(old: ChangedValue)
    /// It came during the change. If it asks for a prior call, it gets that right before the other one.
    case late
  }

  let key: ObservedKey
  private let mutation: Mutation
  /// Whether observers are notified; if not, only paths are updated.
  private let notifies: Bool
  /// Whether Foundation was notified that the value is about to change.
  private var isForFoundation = false
  let thread = CurrentThread.identity
  /// The latest registration when the change began, before Observation was notified.
  private let latestNumber: UInt64
  private var receivers: [Receiver] = []
  /// The info's counter when the receivers were found.
  private var counter: UInt32 = 0
  /// The value of the key that was replaced, for those that came during the change, if it is known.
  private var replaced = ChangedValue.notRequested
  /// The objects that are new in a set, which are known before the change.
  private var newObjects: ChangedValue?
  /// The key's own value, which is read once for consecutive receivers unless it may have changed between their turns, and the info's
  /// counter before it was read.
  private var own: (value: Any??, counter: UInt32) = (nil, 0)

  /// A manual change is notified even if the key doesn't notify automatically.
  init(of key: ObservedKey, _ mutation: Mutation = .setting, isManual: Bool = false, after latestNumber: UInt64) {
    self.key = key
    self.mutation = mutation
    self.latestNumber = latestNumber
    notifies = isManual || key.notifiesAutomatically
  }

  /// When observances are looked for.
  private enum Search {
    case beginning
    /// Only those join that were registered before, and whose paths the calls have led here: finitely many.
    case priorCalls
    case storing
    /// Only those join that other threads have brought here.
    case stored
  }

  /// Adds the observances in the list of the key that haven't been found yet. Called with the object's lock.
  private mutating func findReceivers(_ info: ObservationInfo, _ search: Search) {
    guard notifies, let entries = info.list(at: key.slot)?.entries else { return }
    let isLate = search == .storing || search == .stored
    let known = receivers.isEmpty ? nil : Set(receivers.map { ObjectIdentifier($0.observance) })
    for entry in entries {
      guard let observance = entry.observance, observance.isActive,
        known?.contains(ObjectIdentifier(observance)) != true
      else { continue }
      // Another thread may have drawn the number of an earlier one before the change began, and have inserted it since.
      if observance.number > latestNumber {
        guard search != .priorCalls, observance.thread != thread else { continue }
      } else if search == .stored, observance.wasBrought(by: thread) {
        continue
      }
      if ThreadFrame.areThere,
        observance.noteChangeWhileReading() || ThreadFrame.isCoding(for: observance.receiver(of: key))
      {
        continue
      }
      receivers.append(Receiver(observance: observance, seesKey: entry.role.isEnd, stage: isLate ? .late : .found))
    }
    if known != nil { receivers.sort { $0.observance.rank < $1.observance.rank } }
  }

  // MARK: Before the change

  /// Finds the affected observances, reads the old values, and makes the prior calls.
  mutating func prepare(_ object: KeyValueObject, _ info: ObservationInfo) {
    info.withLock {
      counter = info.counter
      findReceivers(info, .beginning)
    }
    var count: Int
    repeat {
      count = receivers.count
      // The objects of a collection are read at once, because later they may be others.
      var objects = ChangedValue.notRequested
      if !mutation.isSetting, receivers.contains(where: \.observance.needsValues) {
        let value = readOwn(object, info)
        if mutation.hasOld { objects = ChangedValue(mutation.old(in: value)) }
        if mutation.knowsNewBefore, mutation.hasNew { newObjects = ChangedValue(mutation.new(in: value)) }
      }
      for index in receivers.indices {
        guard case .found = receivers[index].stage else { continue }
        let (observance, seesKey) = (receivers[index].observance, receivers[index].seesKey)
        guard observance.isReceptive else {
          receivers[index].stage = .passedOver
          continue
        }
        if observance.wantsPrior { observance.rerouteIfStale(key, of: info) }
        var old = ChangedValue.notRequested
        if observance.wantsOld {
          if seesKey, !mutation.isSetting {
            old = objects
          } else if seesKey, observance.isEndpoint(key, of: info) {
            old = ChangedValue(readOwn(object, info))
          } else {
            let root = observance.root(at: object, info)
            let reading = observance.tracker?.readKnownEnd() ?? root.map { observance.read(from: $0) } ?? .ended
            old = if case .value(let value) = reading { ChangedValue(value) } else { .null }
          }
        }
        receivers[index].stage = .prepared(old: old)
        guard observance.wantsPrior, observance.passes(key, info, sending: true) else { continue }
        receivers[index].stage = .owed(old: old)
        send(.notRequested, to: receivers[index], isPrior: true, object, info)
      }
      if info.counter != counter { info.withLock { findReceivers(info, .priorCalls) } }
    } while receivers.count > count
    // A collection that is retained would be copied when it is mutated.
    own.value = nil
  }

  /// Notifies Foundation, if it has observers of the key, that the value is about to change.
  ///
  /// From here to the end of the change no observer of the engine's may be called, because it might change the property within the
  /// change that Foundation knows of.
  mutating func notifyFoundation(_ object: KeyValueObject) {
    isForFoundation = key.notifiesAutomatically
    if isForFoundation { object.notifyFoundation(.before, key.name, mutation) }
  }

  // MARK: The change

  /// Calls `store`, which replaces the value, with the object's lock. Observances that have come by then join.
  mutating func store(_ info: ObservationInfo, _ store: () -> Void) {
    info.withLock {
      if info.counter != counter { findReceivers(info, .storing) }
      // The in-place mutation, of another object perhaps, may have ended, and won't notify them of this change.
      for index in receivers.indices {
        if case .passedOver = receivers[index].stage, receivers[index].observance.isReceptive {
          receivers[index].stage = .late
        }
      }
      if receivers.contains(where: { $0.isLate && $0.seesKey && $0.observance.wantsOld }),
        let field = key.field, case .value(let value) = info.read(field)
      {
        replaced = ChangedValue(value)
      }
      store()
      info.counter &+= 1
      counter = info.counter
    }
  }

  /// Adds the observances that other threads have registered since the change began, when the value was replaced without
  /// ``store(_:_:)``. The value before is known if it was read for another observance.
  mutating func didStore(_ info: ObservationInfo) {
    if mutation.hasOld, let known = receivers.first(where: { $0.seesKey && $0.old?.isRequested == true })?.old {
      replaced = known
    }
    info.withLock {
      if info.counter != counter { findReceivers(info, .stored) }
      info.counter &+= 1
    }
  }

  /// Calls `body`. The receivers aren't notified of the changes that it makes, because they are notified of this change.
  func coding(_ body: () -> Void) {
    _ = ThreadFrame.run(.coding(Set(receivers.map { $0.observance.receiver(of: key) })), body)
    for receiver in receivers { receiver.observance.reroute() }
  }

  /// Leaves the receivers to an in-place mutation. Those that a prior call has led away have reported that already.
  mutating func `defer`(_ info: ObservationInfo) {
    receivers.removeAll { [key] in !$0.isOwed && !$0.observance.hasEnded && !$0.observance.passes(key, info) }
    for receiver in receivers { receiver.observance.defer() }
  }

  /// Ends what ``defer(_:)`` has begun: makes paths follow the objects that are on them now.
  mutating func endDeferral(_ info: ObservationInfo) {
    for index in receivers.indices where receivers[index].observance.endDeferral() {
      let observance = receivers[index].observance
      observance.reroute()
      if !observance.passes(key, info) { receivers[index].stage = .owed(old: old(of: receivers[index])) }
    }
  }

  /// Adds an observance that reads the key's value while it is being mutated in place.
  mutating func join(_ observance: Observance, old: ChangedValue) {
    guard !receivers.contains(where: { $0.observance === observance }) else { return }
    receivers.append(Receiver(observance: observance, seesKey: false, stage: .prepared(old: old)))
    receivers.sort { $0.observance.rank < $1.observance.rank }
    // The read may have been that of a path.
    observance.defer(isStale: true)
  }

  // MARK: After the change

  /// Ends the change: notifies Foundation, updates the paths that lead through the key, and makes the calls.
  mutating func end(of object: KeyValueObject, _ info: ObservationInfo) {
    if isForFoundation { object.notifyFoundation(.after, key.name, mutation) }
    // Paths that lead through the key follow the objects that are on them now. The value that the last receiver is sent is read on
    // the way, and known if nothing has run since.
    var valueForLast: Reading?
    for entry in info.entries(of: key) where entry.role.reroutes {
      guard let observance = entry.observance else { continue }
      let isLast = observance === receivers.last?.observance && observance.wantsNew && !observance.readsNewValue
      let reading = observance.reroute(readsEnd: isLast)
      valueForLast = isLast ? reading : nil
    }
    var objects = newObjects
    if objects == nil, !mutation.isSetting, mutation.hasNew, receivers.contains(where: \.observance.needsValues) {
      objects = ChangedValue(mutation.new(in: readOwn(object, info)))
    }
    for receiver in receivers.reversed() {
      let observance = receiver.observance
      let known = valueForLast
      valueForLast = nil
      // An observance whose path has left the object meanwhile has reported its new value already, or is silent because
      // of a deallocation.
      guard observance.takesStoredChange, receiver.isOwed || observance.passes(key, info, sending: true) else {
        continue
      }
      if receiver.isLate, observance.wantsPrior {
        send(.notRequested, to: receiver, isPrior: true, object, info)
      }
      var new = ChangedValue.notRequested
      if observance.wantsNew {
        // A removal has no new value. The path may lead to another collection than the one whose objects have changed.
        if receiver.seesKey, !mutation.isSetting, !mutation.hasNew || observance.isEndpoint(key, of: info) {
          new = objects ?? .notRequested
        } else if !observance.readsNewValue {
          let reading = known ?? newValue(for: receiver, object, info)
          guard let value = observance.value(reading, old: old(of: receiver)) else { continue }
          new = value
        }
      }
      send(new, to: receiver, isPrior: false, object, info)
    }
  }

  func isOf(_ key: ObservedKey, _ thread: UInt) -> Bool { self.key === key && self.thread == thread }

  func hasReceiver(_ observance: Observance?) -> Bool {
    observance == nil || receivers.contains { $0.observance === observance }
  }

  private mutating func newValue(
    for receiver: Receiver, _ object: KeyValueObject, _ info: ObservationInfo
  ) -> Reading {
    if receiver.seesKey, receiver.observance.isEndpoint(key, of: info) { return .value(readOwn(object, info)) }
    return receiver.observance.root(at: object, info).map { receiver.observance.read(from: $0) } ?? .ended
  }

  private func old(of receiver: Receiver) -> ChangedValue {
    if let old = receiver.old { return old }
    guard receiver.observance.wantsOld else { return .notRequested }
    return receiver.isLate ? (receiver.seesKey ? replaced : .notRequested) : .null
  }

  /// The key's own value, unwrapped; nil for nil.
  private mutating func readOwn(_ object: KeyValueObject, _ info: ObservationInfo) -> Any? {
    if let value = own.value, own.counter == info.counter { return value }
    own.counter = info.counter
    guard case .value(let value) = object.read(key) else { return nil }
    own.value = .some(value)
    return value
  }

  private mutating func send(
    _ new: ChangedValue, to receiver: Receiver, isPrior: Bool, _ object: KeyValueObject, _ info: ObservationInfo
  ) {
    // Only a property of the object has a counter that shows whether the observer changes it.
    if key.field == nil { own.value = nil }
    guard let root = receiver.observance.root(at: object, info) else { return }
    // For observers of another value than the key's own, the change is a setting.
    let mutation = receiver.seesKey ? mutation : .setting
    KeyValueChange.lend(
      to: receiver.observance, of: root, ChangeAttributes(kind: mutation.kind, isPrior: isPrior),
      old: old(of: receiver), new: new, indexes: mutation.indexes.map { Box($0) }, key: key, source: info
    ) { receiver.observance.send($0) }
  }
}
