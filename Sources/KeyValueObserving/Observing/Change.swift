#if !canImport(ObjectiveC)
/// One change of one key of one object, from before it happens until all have heard of it.
///
/// Whatever starts a change (a setter, Key-Value Coding, a pair of manual calls) makes one of these, and here alone is
/// decided who is told what, and in which order: prior calls in the order of registration, the calls after the change in
/// the reverse order. The receivers are fixed when it begins; values are read before the first of them is called.
///
/// A change doesn't hold on to its object.
@usableFromInline
struct Change {
  private let receivers: [Link]
  private unowned(unsafe) let key: Key
  private let mutation: Mutation
  private var old = Values()
  private var new = Values()
  private var concerns: Concerns = []

  /// What any of the receivers needs, so that nothing is done that none does.
  private struct Concerns: OptionSet {
    let rawValue: UInt8
    static let old = Concerns(rawValue: 1)
    static let new = Concerns(rawValue: 2)
    static let prior = Concerns(rawValue: 4)
    static let covering = Concerns(rawValue: 8)
  }

  /// The values on one side of the change: that of the key, and those of receivers that see another.
  private struct Values {
    var own: Any??
    var others: [UInt64: Any?] = [:]

    func value(for link: Link) -> Any? {
      others[link.sequence] ?? own ?? nil
    }
  }

  /// Begins a change of the key to which `table` belongs: reads the old values and makes the prior calls.
  init(_ table: LinkTable, of object: KeyValueObject, _ info: ObservationInfo, _ mutation: Mutation = .setting) {
    key = table.key
    self.mutation = mutation
    for link in table.places {
      if let observance = link.observance { concerns.formUnion(Self.concerns(of: observance)) }
    }
    receivers =
      concerns.contains(.covering) ? table.places.filter { $0.observance?.isCovered == false } : table.places
    if concerns.contains(.old) { readOld(object, info) }
    if concerns.contains(.new), mutation.knowsNewBefore { new.own = .some(mutation.new(in: key.value(of: object))) }
    if concerns.contains(.prior) { send(isPrior: true, object, info) }
  }

  /// Ends the change: reads the new values, at the ends of the receivers' paths as they are now, and makes the calls.
  func end(of object: KeyValueObject, _ info: ObservationInfo) {
    info.reroute(at: key.index)
    var change = self
    if concerns.contains(.new) { change.readNew(object, info) }
    change.send(isPrior: false, object, info)
  }

  /// Runs `body`, whose own changes the receivers hear nothing of, since they will hear of this one.
  func covering(_ body: () -> Void) {
    let covered = receivers.compactMap(\.observance).filter { $0.cover() }
    body()
    for observance in covered {
      observance.uncover()
      observance.reroute()
    }
  }

  private static func concerns(of observance: Observance) -> Concerns {
    var concerns: Concerns = []
    if observance.options.contains(.old) { concerns.insert(.old) }
    if observance.options.contains(.new) { concerns.insert(.new) }
    if observance.options.contains(.prior) { concerns.insert(.prior) }
    if observance.isCovered { concerns.insert(.covering) }
    return concerns
  }

  private mutating func readOld(_ object: KeyValueObject, _ info: ObservationInfo) {
    for link in receivers {
      guard let observance = link.observance, observance.options.contains(.old), observance.isActive else { continue }
      if !link.seesKey {
        guard let root = observance.root(at: object, info) else { continue }
        old.others[link.sequence] = .some(observance.value(from: root))
      } else if old.own == nil, mutation.hasOld {
        old.own = .some(mutation.old(in: key.value(of: object)))
      }
    }
  }

  private mutating func readNew(_ object: KeyValueObject, _ info: ObservationInfo) {
    for link in receivers {
      guard let observance = link.observance, observance.options.contains(.new), observance.isActive else { continue }
      // A receiver may have been led elsewhere since the change began.
      if !link.seesKey || !observance.ends(at: key, info) {
        guard let root = observance.root(at: object, info) else { continue }
        new.others[link.sequence] = .some(observance.value(from: root))
      } else if new.own == nil, mutation.hasNew {
        new.own = .some(mutation.new(in: key.value(of: object)))
      }
    }
  }

  private func send(isPrior: Bool, _ object: KeyValueObject, _ info: ObservationInfo) {
    if isPrior {
      for link in receivers where link.observance?.options.contains(.prior) == true {
        send(to: link, isPrior: true, object, info)
      }
    } else {
      for link in receivers.reversed() { send(to: link, isPrior: false, object, info) }
    }
  }

  private func send(to link: Link, isPrior: Bool, _ object: KeyValueObject, _ info: ObservationInfo) {
    guard let observance = link.observance, observance.isActive, let root = observance.root(at: object, info) else {
      return
    }
    // Who sees another value than the key's own sees it set.
    let mutation = link.seesKey ? mutation : .setting
    var change = KeyValueChange(object: root, keyPath: observance.keyPath)
    change.kind = mutation.kind
    change.indexes = mutation.indexes
    change.isPrior = isPrior
    if observance.options.contains(.old), mutation.hasOld { change.old = .some(old.value(for: link)) }
    if observance.options.contains(.new), mutation.hasNew, !isPrior { change.new = .some(new.value(for: link)) }
    observance.send(change)
  }
}
#endif
