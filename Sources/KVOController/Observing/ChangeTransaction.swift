import CKeyValueObserving

/// A change of one key of one object, from before it happens until all observers have been notified.
///
/// It makes the prior calls in the order of registration, and the calls after the change in the reverse order. The
/// affected observances are determined when it begins; values are read when the turn of each observance comes.
///
/// Observances that come to the key before the value is stored join the change, because they may have read the former value,
/// and would miss the new one: those that another thread registers, and those whose path is led there, by a prior call for
/// instance. Those that this thread registers meanwhile don't. Of a change without ``store(_:_:_:)`` only the end is seen: all
/// join that another thread has brought to the key by then.
///
/// It is used for every change that isn't a ``DirectChange``, and doesn't retain its object.
struct ChangeTransaction {
  /// An observance that the change affects.
  private struct Receiver {
    let observance: Observance
    /// Whether the observer receives the key's own value.
    let seesKey: Bool
    var old = ChangedValue.notRequested
    /// Whether it is ready for the change: its old value was read, and its prior call made.
    var isPrepared = false
    /// Whether it was passed over then, because an in-place mutation, of a property that it may read, has yet to notify it.
    var isPassedOver = false
    var isPriorSent = false
    /// Whether it hasn't reported yet that another change has led its path elsewhere.
    var isLedAway = false
  }

  let key: ObservedKey
  private let mutation: Mutation
  /// Whether observers are notified; if not, only paths are updated.
  private let notifies: Bool
  /// Whether Foundation was notified that the value is about to change.
  private var isForFoundation = false
  /// The thread on which the change began.
  let thread = ThreadIdentity.current
  /// The latest registration when the change began.
  private let latestSequence: UInt64
  private var receivers: [Receiver] = []
  /// The info's counter when the receivers were found.
  private var counter: UInt32 = 0
  /// The objects that are new in a set, which are known before the change.
  private var newObjects: ChangedValue?
  /// The lists of which an observance was sent a prior call.
  private var priorLists: [ObjectIdentifier] = []

  /// Finds the affected observances. Call ``prepare(_:_:)`` afterwards.
  ///
  /// - Parameters:
  ///   - isManual: Whether the change is notified even if the key doesn't notify automatically.
  ///   - latestSequence: The latest registration when the change began, before Observation was notified.
  init(
    of key: ObservedKey, _ mutation: Mutation = .setting, in info: ObservationInfo, isManual: Bool = false,
    after latestSequence: UInt64
  ) {
    self.key = key
    self.mutation = mutation
    self.latestSequence = latestSequence
    notifies = isManual || key.notifiesAutomatically
    info.withLock { findReceivers(info) }
  }

  /// Adds the observances in the list of the key that haven't been found yet. Called with the object's lock.
  ///
  /// - Parameter isOver: Whether the value was stored, so that only those join that other threads have brought here.
  private mutating func findReceivers(_ info: ObservationInfo, isOver: Bool = false) {
    counter = info.counter
    guard notifies, let entries = info.list(at: key.place)?.entries else { return }
    let known = Set(receivers.map { ObjectIdentifier($0.observance) })
    for entry in entries {
      guard let observance = entry.observance, !known.contains(ObjectIdentifier(observance)),
        joins(observance, isOver: isOver)
      else { continue }
      receivers.append(Receiver(observance: observance, seesKey: entry.role.isEnd))
    }
    if !known.isEmpty { receivers.sort { $0.observance.sequence < $1.observance.sequence } }
  }

  private func joins(_ observance: Observance, isOver: Bool) -> Bool {
    // Another thread may have drawn the number of an earlier one before the change began, and have inserted it since.
    let isLate = observance.sequence > latestSequence
    guard observance.isActive,
      isLate ? observance.thread != thread : !(isOver && observance.wasPlaced(by: thread))
    else { return false }
    return !ThreadFrame.areThere || (!observance.noteChangeWhileReading() && !ThreadFrame.isCoding(for: observance))
  }

  /// As often observances may come while others are prepared, by getters that register them for instance.
  private static let mostAttempts = 16
}

// MARK: Before the change

extension ChangeTransaction {
  /// Reads the old values, and makes the prior calls.
  mutating func prepare(_ object: KeyValueObject, _ info: ObservationInfo) {
    for _ in 0..<Self.mostAttempts {
      prepareReceivers(object, info)
      guard info.counter != counter else { return }
      info.withLock { findReceivers(info) }
    }
  }

  /// The same for observances that aren't prepared yet.
  private mutating func prepareReceivers(_ object: KeyValueObject, _ info: ObservationInfo) {
    var own = OwnValue(of: key)
    // The objects of a collection are read at once, because later they may be others.
    var objects: ChangedValue?
    if !mutation.isSetting, receivers.contains(where: { !$0.isPrepared && $0.observance.needsValues }) {
      let value = own.read(object, info)
      if mutation.hasOld { objects = ChangedValue(mutation.old(in: value)) }
      if mutation.knowsNewBefore, mutation.hasNew, newObjects == nil {
        newObjects = ChangedValue(mutation.new(in: value))
      }
    }
    for index in receivers.indices where !receivers[index].isPrepared {
      receivers[index].isPrepared = true
      let observance = receivers[index].observance
      receivers[index].isPassedOver = observance.isActive && !observance.isReceptive
      guard observance.isReceptive else {
        if observance.options.contains(.old) { receivers[index].old = .null }
        continue
      }
      if observance.options.contains(.old) {
        if receivers[index].seesKey, !mutation.isSetting {
          receivers[index].old = objects ?? .notRequested
        } else {
          receivers[index].old = .null
          if case .value(let value) = value(for: receivers[index], &own, object, info) {
            receivers[index].old = ChangedValue(value)
          }
        }
      }
      guard observance.options.contains(.prior), observance.passes(key, info),
        Self.isFirst(observance, in: &priorLists)
      else { continue }
      receivers[index].isPriorSent = true
      own.observerIsCalled()
      send(.notRequested, to: receivers[index], isPrior: true, object, info)
    }
  }

  /// Notifies Foundation, if it has observers of the key, that the value is about to change.
  ///
  /// From here to the end of the change no observer of the engine's may be called, because it might change the property within the
  /// change that Foundation knows of.
  mutating func notifyFoundation(_ object: KeyValueObject) {
    isForFoundation = key.notifiesAutomatically && object.isObservedByFoundation
    if isForFoundation { object.notifyFoundation(.before, key.name, mutation) }
  }

  // MARK: The change

  /// Calls `store`, which replaces the value, with the object's lock, once all receivers are prepared.
  mutating func store(_ object: KeyValueObject, _ info: ObservationInfo, _ store: () -> Void) {
    for attempt in 0... {
      info.lock()
      if info.counter != counter { findReceivers(info) }
      // The in-place mutation, of another object perhaps, may have ended, and won't notify them of this change.
      for index in receivers.indices where receivers[index].isPassedOver && receivers[index].observance.isReceptive {
        receivers[index].isPrepared = false
      }
      guard attempt < Self.mostAttempts, receivers.contains(where: { !$0.isPrepared }) else { break }
      info.unlock()
      prepareReceivers(object, info)
    }
    store()
    info.count()
    counter = info.counter
    info.unlock()
  }

  /// Adds the observances that other threads have registered since the change began, when the value was replaced without
  /// ``store(_:_:_:)``. The value before is known if it was read for another observance.
  mutating func didStore(_ info: ObservationInfo) {
    let old = receivers.first { $0.seesKey && $0.old.isRequested }?.old ?? .null
    info.withLock {
      info.count()
      findReceivers(info, isOver: true)
    }
    for index in receivers.indices where !receivers[index].isPrepared {
      receivers[index].isPrepared = true
      guard receivers[index].observance.options.contains(.old) else { continue }
      receivers[index].old = receivers[index].seesKey ? (mutation.hasOld ? old : .notRequested) : .null
    }
  }

  /// Calls `body`. The receivers aren't notified of the changes that it makes, because they are notified of this change.
  func coding(_ body: () -> Void) {
    _ = ThreadFrame.run(.coding(Set(receivers.map { ObjectIdentifier($0.observance) })), body)
    for receiver in receivers { receiver.observance.reroute() }
  }

  /// Leaves the receivers to an in-place mutation. Those that a prior call has led away have reported that already.
  mutating func `defer`(_ info: ObservationInfo) {
    receivers.removeAll { [key] in !$0.isPriorSent && !$0.observance.passes(key, info) }
    for receiver in receivers { receiver.observance.defer() }
  }

  /// Ends what ``defer(_:)`` has begun: makes paths follow the objects that are on them now.
  mutating func endDeferral(_ info: ObservationInfo) {
    for index in receivers.indices where receivers[index].observance.endDeferral() {
      let observance = receivers[index].observance
      observance.reroute()
      receivers[index].isLedAway = !observance.passes(key, info)
    }
  }

  /// Adds an observance that reads the key's value while it is being mutated in place.
  mutating func join(_ observance: Observance, old: ChangedValue) {
    guard !receivers.contains(where: { $0.observance === observance }) else { return }
    receivers.append(Receiver(observance: observance, seesKey: false, old: old, isPrepared: true))
    receivers.sort { $0.observance.sequence < $1.observance.sequence }
    // The read may have been that of a path.
    observance.defer(isStale: true)
  }
}

// MARK: After the change

extension ChangeTransaction {
  /// Ends the change: notifies Foundation, updates the paths that lead through the key, and makes the calls.
  func end(of object: KeyValueObject, _ info: ObservationInfo) {
    if isForFoundation { object.notifyFoundation(.after, key.name, mutation) }
    var valueForLast = reroute(info)
    var own = OwnValue(of: key)
    var objects = newObjects
    var lists: [ObjectIdentifier] = []
    if objects == nil, !mutation.isSetting, mutation.hasNew, receivers.contains(where: \.observance.needsValues) {
      objects = ChangedValue(mutation.new(in: own.read(object, info)))
    }
    for receiver in receivers.reversed() {
      let observance = receiver.observance
      let known = valueForLast
      valueForLast = nil
      // An observance whose path has left the object meanwhile has reported its new value already, or is silent because
      // of a deallocation.
      guard observance.takesStoredChange,
        receiver.isPriorSent || receiver.isLedAway || observance.passes(key, info),
        Self.isFirst(observance, in: &lists)
      else { continue }
      var new = ChangedValue.notRequested
      if observance.options.contains(.new) {
        // A removal has no new value. The path may lead to another collection than the one whose objects have changed.
        if receiver.seesKey, !mutation.isSetting, !mutation.hasNew || observance.ends(at: key, info) {
          new = objects ?? .notRequested
        } else if !observance.readsNewValue {
          let reading = known ?? value(for: receiver, &own, object, info)
          guard let value = observance.value(reading, old: receiver.old) else { continue }
          new = value
        }
      }
      own.observerIsCalled()
      send(new, to: receiver, isPrior: false, object, info)
    }
  }

  /// Makes all observances whose paths lead through the key follow the objects that are on them now.
  ///
  /// - Returns: The value that the last receiver is sent, if it was read, and nothing has run since.
  private func reroute(_ info: ObservationInfo) -> Reading? {
    var value: Reading?
    for entry in info.entries(of: key) where entry.role.reroutes {
      guard let observance = entry.observance else { continue }
      let isLast = observance === receivers.last?.observance && observance.options.contains(.new)
      let reading = observance.reroute(readsEnd: isLast)
      value = isLast ? reading : nil
    }
    return value
  }

  /// Notes the list of an observance that is about to be notified.
  ///
  /// - Returns: Whether no other observance of that list was notified.
  private static func isFirst(_ observance: Observance, in lists: inout [ObjectIdentifier]) -> Bool {
    guard let list = observance.list.map(ObjectIdentifier.init) else { return true }
    guard !lists.contains(list) else { return false }
    lists.append(list)
    return true
  }

  private func value(
    for receiver: Receiver, _ own: inout OwnValue, _ object: KeyValueObject, _ info: ObservationInfo
  ) -> Reading {
    if receiver.seesKey, receiver.observance.ends(at: key, info) { return .value(own.read(object, info)) }
    return receiver.observance.root(at: object, info).map(receiver.observance.read) ?? .ended
  }

  private func send(
    _ new: ChangedValue, to receiver: Receiver, isPrior: Bool, _ object: KeyValueObject, _ info: ObservationInfo
  ) {
    guard let root = receiver.observance.root(at: object, info) else { return }
    // For observers of another value than the key's own, the change is a setting.
    let mutation = receiver.seesKey ? mutation : .setting
    KeyValueChange.lend(
      to: receiver.observance, of: root, ChangeAttributes(kind: mutation.kind, isPrior: isPrior), old: receiver.old,
      new: new, indexes: mutation.indexes)
  }
}
