#if !canImport(ObjectiveC)
/// What ties a key of an object to an observance that a change of the key concerns.
struct Link {
  struct Role: OptionSet {
    let rawValue: UInt8
    /// The key is the last of the observance's path: unless it is also on the way there, its value is the path's.
    static let value = Role(rawValue: 1)
    /// A change of the key may put another object on the observance's path.
    static let route = Role(rawValue: 2)
  }

  /// The observance's place in the order of registration.
  let sequence: UInt64
  /// Nil in the place of a link that was taken out of its table.
  var observance: Observance?
  var role: Role

  /// Whether the value that the observance reports is the key's own.
  var seesKey: Bool { role == .value }

  init(_ observance: Observance, _ role: Role) {
    sequence = observance.sequence
    self.observance = observance
    self.role = role
  }
}
#endif
