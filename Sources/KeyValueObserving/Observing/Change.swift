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
  private var old = Values()
  private var concerns: Concerns = []

  /// What any of the receivers needs, so that nothing is done that none does.
  private struct Concerns: OptionSet {
    let rawValue: UInt8
    static let old = Concerns(rawValue: 1)
    static let new = Concerns(rawValue: 2)
    static let prior = Concerns(rawValue: 4)
    static let route = Concerns(rawValue: 8)
    static let covering = Concerns(rawValue: 16)
  }

  /// The values on one side of the change: that of the key, and those of receivers that see another.
  private struct Values {
    var own: Any??
    var others: [UInt64: Any?] = [:]

    mutating func read(_ receiver: Observance, _ link: Link, _ key: Key, _ object: KeyValueObject, _ info: ObservationInfo) {
      if link.role == .value {
        if own == nil { own = .some(key.value(of: object)) }
      } else if let root = receiver.root(at: object, info) {
        others[link.sequence] = .some(receiver.value(from: root))
      }
    }

    func value(for link: Link) -> Any? {
      link.role == .value ? own ?? nil : others[link.sequence] ?? nil
    }
  }

  /// Begins a change of the key to which `table` belongs: reads the old values and makes the prior calls.
  init(_ table: LinkTable, of object: KeyValueObject, _ info: ObservationInfo) {
    key = table.key
    var concerns: Concerns = []
    for link in table.places {
      guard let observance = link.observance else { continue }
      concerns.formUnion(Self.concerns(of: observance, link))
    }
    receivers = concerns.contains(.covering)
      ? table.places.filter { $0.observance?.isCovered == false } : table.places
    self.concerns = concerns
    if concerns.contains(.old) { readOld(object, info) }
    if concerns.contains(.prior) { sendPrior(object, info) }
  }

  /// Ends the change: follows the new objects on the receivers' paths, reads the new values and makes the calls.
  func end(of object: KeyValueObject, _ info: ObservationInfo) {
    if concerns.contains(.route) {
      for link in receivers where link.role.contains(.route) { link.observance?.reroute() }
    }
    var new = Values()
    if concerns.contains(.new) {
      for link in receivers {
        guard let observance = link.observance, observance.options.contains(.new), observance.isActive else { continue }
        new.read(observance, link, key, object, info)
      }
    }
    for link in receivers.reversed() {
      guard let observance = link.observance, observance.isActive, let root = observance.root(at: object, info) else {
        continue
      }
      var change = KeyValueChange(object: root, keyPath: observance.keyPath)
      if observance.options.contains(.old) { change.old = .some(old.value(for: link)) }
      if observance.options.contains(.new) { change.new = .some(new.value(for: link)) }
      observance.send(change)
    }
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

  private static func concerns(of observance: Observance, _ link: Link) -> Concerns {
    var concerns: Concerns = []
    if observance.options.contains(.old) { concerns.insert(.old) }
    if observance.options.contains(.new) { concerns.insert(.new) }
    if observance.options.contains(.prior) { concerns.insert(.prior) }
    if link.role.contains(.route) { concerns.insert(.route) }
    if observance.isCovered { concerns.insert(.covering) }
    return concerns
  }

  private mutating func readOld(_ object: KeyValueObject, _ info: ObservationInfo) {
    for link in receivers {
      guard let observance = link.observance, observance.options.contains(.old), observance.isActive else { continue }
      old.read(observance, link, key, object, info)
    }
  }

  private func sendPrior(_ object: KeyValueObject, _ info: ObservationInfo) {
    for link in receivers {
      guard let observance = link.observance, observance.options.contains(.prior), observance.isActive,
        let root = observance.root(at: object, info)
      else { continue }
      var change = KeyValueChange(object: root, keyPath: observance.keyPath)
      change.isPrior = true
      if observance.options.contains(.old) { change.old = .some(old.value(for: link)) }
      observance.send(change)
    }
  }
}
#endif
