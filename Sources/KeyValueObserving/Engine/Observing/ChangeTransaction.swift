#if !canImport(ObjectiveC)
/// A change of one key of one object, from before it happens until all observers have been notified.
///
/// It makes the prior calls in the order of registration, and the calls after the change in the reverse order. The
/// affected observances are determined when it begins; values are read when the turn of each observance comes.
///
/// It is used for every change that isn't a plain replacement of a property, for which see ``DirectNotification``:
/// setters with observers that need a prior call or receive another value, in-place mutations, Key-Value Coding,
/// proxies, and pairs of manual calls.
///
/// A transaction doesn't retain its object.
@usableFromInline
struct ChangeTransaction {
  /// An observance that the change affects.
  private struct Receiver {
    /// Valid as long as the transaction delivers, or retains it.
    let observance: Unmanaged<Observance>
    /// Whether the observer receives the key's own value.
    let seesKey: Bool
    var old = ChangedValue.notRequested
    /// Whether the prior call was made.
    var isPriorSent = false
    /// Whether it has registered since the change began, and its old value must still be read.
    var needsOld = false
  }

  private var receivers: [Receiver] = []
  private var requirements: ObserverList.Requirements
  private unowned(unsafe) let key: ObservedKey
  private let mutation: Mutation
  /// The list's version when the receivers were found.
  private var version: UInt32
  /// The list of the key, while the transaction delivers.
  private let list: ObserverList?
  /// Retains the observances if the transaction doesn't deliver all the time.
  private let retained: RetainedObservances?
  private var newBefore: ChangedValue?

  /// Begins a change: determines the affected observances, reads the old values, and makes the prior calls.
  ///
  /// - Parameters:
  ///   - isManual: Whether the change may never end. Then the transaction retains its observances, and blocks nothing.
  ///   - onlyAutomatic: Whether to ignore a key that doesn't notify automatically.
  /// - Returns: The transaction; nil if the change affects no observance.
  init?(
    at index: Int, of object: KeyValueObject, _ info: ObservationInfo, _ mutation: Mutation = .setting,
    isManual: Bool, onlyAutomatic: Bool
  ) {
    info.gate.enter()
    guard let list = info.list(at: index), Self.isNeeded(for: list, onlyAutomatic: onlyAutomatic) else {
      info.leaveWithoutDelivery()
      return nil
    }
    let entries = list.entries
    (key, requirements, version) = (list.key, list.requirements, list.currentVersion)
    info.gate.endStoring()
    self.mutation = mutation
    receivers = Self.receivers(of: entries)
    self.list = isManual ? nil : list
    retained = isManual ? RetainedObservances(receivers.map(\.observance)) : nil
    if isManual { info.leave() }
    begin(object, info)
  }

  /// Creates a change that affects no observance, so that its end isn't mistaken for that of another change.
  init(ofNobody key: ObservedKey) {
    self.key = key
    requirements = ObserverList.Requirements()
    version = 0
    mutation = .setting
    list = nil
    retained = RetainedObservances([])
  }

  private static func receivers(of entries: ObserverList.Entries) -> [Receiver] {
    var receivers: [Receiver] = []
    receivers.reserveCapacity(entries.count)
    for index in 0..<entries.count {
      guard !entries.first[index].isRemoved, let observance = entries.first[index].observance,
        !observance._withUnsafeGuaranteedRef(isSuppressed)
      else { continue }
      receivers.append(Receiver(observance: observance, seesKey: entries.first[index].role == .endpoint))
    }
    return receivers
  }

  private static func isSuppressed(_ observance: Observance) -> Bool {
    (SuppressedObservances.areThere && SuppressedObservances.shared.contains(observance))
      || (Evaluation.isUnderWay && Evaluation.noteChange(for: observance))
  }

  // MARK: Before the change

  private mutating func begin(_ object: KeyValueObject, _ info: ObservationInfo) {
    if requirements.new > 0, mutation.knowsNewBefore { newBefore = readNew(object) }
    guard requirements.old > 0 || requirements.prior > 0 else { return }
    var own = OwnValue()
    for index in receivers.indices {
      receivers[index].observance._withUnsafeGuaranteedRef { observance in
        guard observance.isActive else { return }
        readOld(of: observance, at: index, &own, object, info)
        guard observance.options.contains(.prior), observance.passes(key, info) else { return }
        receivers[index].isPriorSent = true
        own.mayChange(list, isKept: !isSetting)
        send(.notRequested, toReceiverAt: index, isPrior: true, object, info)
      }
    }
  }

  private mutating func readOld(
    of observance: Observance, at index: Int, _ own: inout OwnValue, _ object: KeyValueObject, _ info: ObservationInfo
  ) {
    guard observance.options.contains(.old) else { return }
    if receivers[index].seesKey, !mutation.hasOld { return }
    if receivers[index].seesKey, !isSetting || observance.ends(at: key, info) {
      receivers[index].old = own.value(list) { ChangedValue(mutation.old(in: key.value(of: object))) }
    } else if let root = observance.root(at: object, info) {
      receivers[index].old = ChangedValue(observance.value(from: root))
    }
  }

  // MARK: The change

  /// Adds the observances that have registered since the change began, because they would miss it, unless prior calls
  /// were made: an observance that registers during those isn't notified. Called where the value is stored.
  ///
  /// - Returns: Whether nothing is left to do before the value is stored. If not, call ``readOldValues(_:_:)``.
  mutating func includeLatecomers(_ list: ObserverList?) -> Bool {
    guard let list, list.currentVersion != version, !receivers.contains(where: \.isPriorSent) else { return true }
    let known = Dictionary(receivers.map { ($0.observance.toOpaque(), $0) }, uniquingKeysWith: { first, _ in first })
    receivers = Self.receivers(of: list.entries)
    for index in receivers.indices {
      let observance = receivers[index].observance
      if let receiver = known[observance.toOpaque()], receiver.seesKey == receivers[index].seesKey {
        receivers[index] = receiver
      } else {
        receivers[index].needsOld = observance._withUnsafeGuaranteedRef { $0.options.contains(.old) }
      }
    }
    (requirements, version) = (list.requirements, list.currentVersion)
    return !receivers.contains(where: \.needsOld)
  }

  /// Reads the old values of observances that were added.
  mutating func readOldValues(_ object: KeyValueObject, _ info: ObservationInfo) {
    var own = OwnValue()
    for index in receivers.indices where receivers[index].needsOld {
      receivers[index].needsOld = false
      receivers[index].observance._withUnsafeGuaranteedRef { observance in
        if observance.isActive { readOld(of: observance, at: index, &own, object, info) }
      }
    }
  }

  /// Whether a change of the list's key affects an observance.
  ///
  /// - Parameter onlyAutomatic: Whether to ignore a key that doesn't notify automatically.
  static func isNeeded(for list: ObserverList?, onlyAutomatic: Bool = true) -> Bool {
    list.map { !$0.isEmpty && (!onlyAutomatic || $0.key.notifiesAutomatically) } ?? false
  }

  /// Calls `body`. The receivers aren't notified of the changes that it makes, because they are notified of this
  /// change.
  func suppressing(_ body: () -> Void) {
    let suppressed = receivers.filter { $0.observance._withUnsafeGuaranteedRef(SuppressedObservances.shared.insert) }
    body()
    for receiver in suppressed {
      receiver.observance._withUnsafeGuaranteedRef { observance in
        SuppressedObservances.shared.remove(observance)
        observance.reroute()
      }
    }
  }

  // MARK: After the change

  /// Ends the change: updates the paths, and makes the calls.
  func end(of object: KeyValueObject, _ info: ObservationInfo) {
    info.reroute(at: key.index)
    var own = OwnValue(newBefore)
    // Objects of a collection are read immediately, because later their indexes may be those of other objects.
    if !isSetting, newBefore == nil, requirements.new > 0, mutation.hasNew { own = OwnValue(readNew(object)) }
    for index in receivers.indices.reversed() {
      receivers[index].observance._withUnsafeGuaranteedRef { observance in
        // An observance whose path has left the object meanwhile has reported its new value already.
        guard observance.isActive, receivers[index].isPriorSent || observance.passes(key, info) else { return }
        let new = new(of: observance, at: index, &own, object, info)
        own.mayChange(list, isKept: !isSetting)
        send(new, toReceiverAt: index, isPrior: false, object, info)
      }
    }
    if retained == nil { info.leave() }
  }

  private func new(
    of observance: Observance, at index: Int, _ own: inout OwnValue, _ object: KeyValueObject, _ info: ObservationInfo
  ) -> ChangedValue {
    guard observance.options.contains(.new) else { return .notRequested }
    if receivers[index].seesKey {
      guard mutation.hasNew else { return .notRequested }
      if observance.ends(at: key, info) { return own.value(list) { readNew(object) } }
    }
    return observance.root(at: object, info).map { ChangedValue(observance.value(from: $0)) } ?? .notRequested
  }

  private var isSetting: Bool { if case .setting = mutation { true } else { false } }

  private func readNew(_ object: KeyValueObject) -> ChangedValue {
    ChangedValue(mutation.new(in: key.value(of: object)))
  }

  private func send(
    _ new: ChangedValue, toReceiverAt index: Int, isPrior: Bool, _ object: KeyValueObject, _ info: ObservationInfo
  ) {
    let receiver = receivers[index]
    receiver.observance._withUnsafeGuaranteedRef { observance in
      guard let root = observance.root(at: object, info) else { return }
      // For observers of another value than the key's own, the change is a setting.
      let mutation = receiver.seesKey ? mutation : .setting
      KeyValueChange.lend(
        of: .passUnretained(observance.path), of: .passUnretained(root),
        ChangeAttributes(kind: mutation.kind, isPrior: isPrior), old: receiver.old, new: new,
        indexes: mutation.indexes.map(Box.init), to: observance.send)
      withExtendedLifetime(root) {}
    }
  }
}

/// The key's own value, which is read once for consecutive receivers unless it may have changed between their turns.
private struct OwnValue {
  private var value: ChangedValue?
  private var version: UInt32?

  init(_ value: ChangedValue? = nil) {
    self.value = value
  }

  /// The value, which is read by `read` the first time, and whenever it may have changed.
  mutating func value(_ list: ObserverList?, read: () -> ChangedValue) -> ChangedValue {
    if let value, version == nil || version == Self.version(of: list) { return value }
    let value = read()
    (self.value, version) = (value, nil)
    return value
  }

  /// Records that an observer is called, which may change the property.
  ///
  /// - Parameter isKept: Whether to keep the value nevertheless.
  mutating func mayChange(_ list: ObserverList?, isKept: Bool) {
    // The count from the first read stays, because the property may have changed since.
    guard !isKept, value != nil, version == nil else { return }
    version = Self.version(of: list)
    if version == nil { value = nil }
  }

  /// A count that changes with the property; nil if there is none, because the key isn't a property of the object.
  private static func version(of list: ObserverList?) -> UInt32? {
    list.flatMap { $0.plainField == nil ? nil : $0.currentVersion }
  }
}

/// Retains the observances of a transaction that doesn't deliver all the time.
private final class RetainedObservances {
  private let observances: [Observance]

  init(_ observances: [Unmanaged<Observance>]) {
    self.observances = observances.map { $0.takeUnretainedValue() }
  }
}

/// A change that was begun manually and must be ended on the same thread.
struct ManualTransaction {
  let thread: ThreadIdentity
  let key: String
  let transaction: ChangeTransaction
}
#endif
