/// What distinguishes an observation from others of the same key path of an object.
///
/// Comparing two, and hashing, runs foreign code, so it is done outside of all locks. The hash is computed once.
///
/// - Thread safety: Immutable. The values are used on several threads, as in any dictionary that is shared.
indirect enum Identity {
  /// What is observed by a call.
  enum Form {
    case strings, typed
    /// A list of key paths.
    case list
    /// A collection on behalf of a key path of its elements, whatever class that begins at.
    case elements(AnyKeyPath, text: String)
  }

  /// That of most observations by strings.
  case none
  /// That of most observations by typed forms. It is equal only to itself.
  case typed
  case identified(Form, AnyHashable?, hash: Int?)
  /// That of a binding of a property. It is equal only to itself.
  case binding(AnyKeyPath)
  /// Equal only to itself.
  case unique

  init(_ identifier: AnyHashable?, _ form: Form) {
    requireNoLock("an identifier is hashed")
    switch (form, identifier) {
    case (.strings, nil): self = .none
    case (.typed, nil): self = .typed
    default: self = .identified(form, identifier, hash: identifier?.hashValue)
    }
  }

  /// The identifier that was passed to `observe`, if any.
  var identifier: AnyHashable? { if case .identified(_, let identifier, _) = self { identifier } else { nil } }

  /// Whether it is that of one key path, or of a list.
  var isOfPathOrList: Bool { if case .identified(.elements, _, _) = self { false } else { true } }

  /// Whether an observation ends an equal one, and takes its place. Otherwise the equal one stays.
  var replacesEqual: Bool {
    switch self {
    case .none, .identified(.strings, _, _): false
    default: true
    }
  }

  /// A hash that equal ones have, and those with equal identifiers; nil for those without one that are equal to each other. Many
  /// can be of one key path that are equal only to themselves, so each has that of its own observation.
  func hash(of info: AnyObject) -> Int? {
    switch self {
    case .none: nil
    case .identified(_, _, let hash?): hash
    default: ObjectIdentifier(info).hashValue
    }
  }

  /// Whether observations of one key path with both would be the same. Runs foreign code.
  func isEqual(to other: Identity) -> Bool {
    requireNoLock("identifiers are compared")
    if case (.none, .none) = (self, other) { return true }
    return isSameForm(as: other) && identifier != nil && identifier == other.identifier
  }

  /// Whether observations of one key path with both are of the same form, whatever their identifiers. Runs foreign code.
  func isSameForm(as other: Identity) -> Bool {
    switch (self, other) {
    case (.typed, .typed): true
    case (.identified(let form, _, _), .identified(let otherForm, _, _)):
      switch (form, otherForm) {
      case (.strings, .strings), (.typed, .typed), (.list, .list): true
      case (.elements(let left, _), .elements(let right, _)): left == right
      default: false
      }
    default: false
    }
  }
}
