/// What distinguishes an observation from others of the same key path of an object.
///
/// Comparing two, and hashing, runs foreign code, so it is done outside of all locks. The hash is computed once.
///
/// - Thread safety: Immutable. The values are used on several threads, as in any dictionary that is shared.
indirect enum Identity {
  /// That of most observations by strings.
  case none
  /// That of most observations by typed forms. It is equal only to itself.
  case typed
  case identifier(AnyHashable, hash: Int, isTyped: Bool)
  /// That of a list of key paths, with the options that were passed to `observe`.
  case list(AnyHashable?, hash: Int?, NSKeyValueObservingOptions)
  /// That of a collection on behalf of a key path of its elements, with the options for these.
  case elements(AnyKeyPath, AnyHashable?, hash: Int?, NSKeyValueObservingOptions, text: String)
  /// That of a binding of a property. It is equal only to itself.
  case binding(AnyKeyPath)
  /// Equal only to itself.
  case unique

  /// The identity of an observation of a key path, or of all of an object.
  init(_ identifier: AnyHashable?, isTyped: Bool) {
    requireNoLock("an identifier is hashed")
    if let identifier {
      self = .identifier(identifier, hash: identifier.hashValue, isTyped: isTyped)
    } else {
      self = isTyped ? .typed : .none
    }
  }

  init(list identifier: AnyHashable?, _ options: NSKeyValueObservingOptions) {
    requireNoLock("the identifier of a list is hashed")
    self = .list(identifier, hash: identifier?.hashValue, options)
  }

  /// The identity of an observation of elements, whatever class their key path begins at.
  init(elements keyPath: AnyKeyPath, _ identifier: AnyHashable?, _ options: NSKeyValueObservingOptions) {
    self = .elements(
      ObservedPath.canonical(keyPath), identifier, hash: identifier?.hashValue, options,
      text: ObservedPath.description(of: keyPath))
  }

  /// The identifier that was passed to `observe`, if any.
  var identifier: AnyHashable? {
    switch self {
    case .identifier(let identifier, _, _): identifier
    case .list(let identifier, _, _), .elements(_, let identifier, _, _, _): identifier
    case .none, .typed, .binding, .unique: nil
    }
  }

  /// Whether an observation ends an equal one, and takes its place. Otherwise the equal one stays.
  var replacesEqual: Bool {
    switch self {
    case .none, .identifier(_, _, isTyped: false): false
    default: true
    }
  }

  /// A hash that equal ones have, and those with equal identifiers; nil for those without one that are equal to each other. Many
  /// can be of one key path that are equal only to themselves, so each has that of its own observation.
  func hash(of info: AnyObject) -> Int? {
    switch self {
    case .none: return nil
    case .identifier(_, let hash, _): return hash
    case .list(_, let hash, _), .elements(_, _, let hash, _, _):
      return hash ?? ObjectIdentifier(info).hashValue
    case .typed, .binding, .unique: return ObjectIdentifier(info).hashValue
    }
  }

  /// Whether observations of one key path with both would be the same. Runs foreign code.
  func isEqual(to other: Identity) -> Bool {
    requireNoLock("identifiers are compared")
    if case (.none, .none) = (self, other) { return true }
    return isSameForm(as: other) && identifier != nil && identifier == other.identifier
  }

  /// Whether observations of one key path with both are of the same typed form, whatever their identifiers. Runs foreign code.
  func isSameForm(as other: Identity) -> Bool {
    switch (self, other) {
    case (.typed, .typed), (.list, .list): true
    case (.identifier(_, _, let isTyped), .identifier(_, _, let isOtherTyped)): isTyped == isOtherTyped
    case (.elements(let left, _, _, _, _), .elements(let right, _, _, _, _)): left == right
    default: false
    }
  }
}
