#if !canImport(ObjectiveC)
/// One change of one key of one object, from before it happens until all have heard of it.
///
/// Whatever starts a change (a setter, Key-Value Coding, a pair of manual calls) makes one of these, and here alone is
/// decided who is told what, and in which order: prior calls in the order of registration, the calls after the change
/// in the reverse order. The receivers are fixed when it begins; values are read before the first of them is called.
///
/// A change doesn't hold on to its object.
@usableFromInline
struct Change {
  private let receivers: [Link]
  private let demand: LinkDemand
  private unowned(unsafe) let key: Key
  private let mutation: Mutation
  private var old = Values()
  private var new = Values()

  /// The values on one side of the change: that of the key, and those of receivers that see another.
  private struct Values {
    var own = ChangedValue.unasked
    /// One for each receiver, nil for those that see the key's own; empty if all of them do.
    private var others: [ChangedValue?] = []

    func value(forReceiverAt index: Int) -> ChangedValue {
      others.isEmpty ? own : others[index] ?? own
    }

    mutating func set(_ value: Any?, forReceiverAt index: Int, of count: Int) {
      if others.isEmpty { others = Array(repeating: nil, count: count) }
      others[index] = ChangedValue(value)
    }
  }

  /// Begins a change of the key to which the links of `table` belong: reads the old values and makes the prior calls.
  init(
    of key: Key, _ table: LinkTable, of object: KeyValueObject, _ info: ObservationInfo, _ mutation: Mutation = .setting
  ) {
    self.key = key
    demand = table.demand
    receivers =
      Covers.areThere
      ? table.places.filter { $0.observance.map { !Covers.shared.contains($0) } == true } : table.places
    self.mutation = mutation
    if demand.old > 0 { readOld(object, info) }
    if demand.new > 0, mutation.knowsNewBefore { new.own = ChangedValue(mutation.new(in: key.value(of: object))) }
    if demand.prior > 0 { sendPrior(object, info) }
  }

  /// Ends the change: reads the new values, at the ends of the receivers' paths as they are now, and makes the calls.
  func end(of object: KeyValueObject, _ info: ObservationInfo) {
    info.reroute(at: key.index)
    var new = new
    if demand.new > 0 { readNew(&new, object, info) }
    for index in receivers.indices.reversed() { send(new, toReceiverAt: index, object, info) }
    info.endReading()
  }

  /// Runs `body`, whose own changes the receivers hear nothing of, since they will hear of this one.
  func covering(_ body: () -> Void) {
    let covered = receivers.compactMap(\.observance).filter(Covers.shared.insert)
    body()
    for observance in covered {
      Covers.shared.remove(observance)
      observance.reroute()
    }
  }

  private mutating func readOld(_ object: KeyValueObject, _ info: ObservationInfo) {
    if demand.isForKey, mutation.hasOld { old.own = ChangedValue(mutation.old(in: key.value(of: object))) }
    guard demand.others > 0 else { return }
    for (index, link) in receivers.enumerated() where !link.seesKey {
      guard let observance = link.observance, observance.options.contains(.old), observance.isActive,
        let root = observance.root(at: object, info)
      else { continue }
      old.set(observance.value(from: root), forReceiverAt: index, of: receivers.count)
    }
  }

  private func readNew(_ new: inout Values, _ object: KeyValueObject, _ info: ObservationInfo) {
    if demand.isForKey, mutation.hasNew, !mutation.knowsNewBefore {
      new.own = ChangedValue(mutation.new(in: key.value(of: object)))
    }
    guard demand.others + demand.passing > 0 else { return }
    for (index, link) in receivers.enumerated() {
      // A receiver may have been led elsewhere since the change began.
      guard let observance = link.observance, observance.options.contains(.new), observance.isActive,
        !link.seesKey || !observance.ends(at: key, info), let root = observance.root(at: object, info)
      else { continue }
      new.set(observance.value(from: root), forReceiverAt: index, of: receivers.count)
    }
  }

  private func sendPrior(_ object: KeyValueObject, _ info: ObservationInfo) {
    for (index, link) in receivers.enumerated() where link.observance?.options.contains(.prior) == true {
      send(nil, toReceiverAt: index, object, info)
    }
  }

  /// - Parameter new: The new values; nil before the change.
  private func send(
    _ new: Values?, toReceiverAt index: Int, _ object: KeyValueObject, _ info: ObservationInfo
  ) {
    let link = receivers[index]
    guard let observance = link.observance, observance.isActive, let root = observance.root(at: object, info) else {
      return
    }
    // Who sees another value than the key's own sees it set.
    let mutation = link.seesKey ? mutation : .setting
    let isOldAsked = observance.options.contains(.old) && mutation.hasOld
    let isNewAsked = observance.options.contains(.new) && mutation.hasNew
    observance.send(
      KeyValueChange(
        of: .passUnretained(observance.path), of: .passUnretained(root), kind: mutation.kind,
        old: isOldAsked ? old.value(forReceiverAt: index) : .unasked,
        new: isNewAsked ? new?.value(forReceiverAt: index) ?? .unasked : .unasked,
        indexes: mutation.indexes.map(IndexBox.init),
        isPrior: new == nil))
    withExtendedLifetime(root) {}
  }
}
#endif
