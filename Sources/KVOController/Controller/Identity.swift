/// What distinguishes an observation from others of the same key path of an object.
///
/// Comparing two, and hashing, runs foreign code, so it is done outside of all locks. The hash is computed once.
///
/// - Thread safety: Immutable. The values are used on several threads, as in any dictionary that is shared.
indirect enum Identity {
  /// That of most observations.
  case none
  case identifier(AnyHashable, hash: Int)
  /// That of a list of key paths, with the identifier, if any, and the options that were passed to `observe`.
  case list(AnyHashable?, hash: Int?, NSKeyValueObservingOptions)
  /// That of all of an object.
  case allKeys
  /// That of a collection on behalf of a key path of its elements, with the options for these.
  case elements(AnyKeyPath, hash: Int, NSKeyValueObservingOptions, text: String)
  /// That of a binding of a property. It is equal only to itself.
  case binding(AnyKeyPath)
  /// Equal only to itself.
  case unique

  init(_ identifier: AnyHashable?) {
    if let identifier { self = .identifier(identifier, hash: identifier.hashValue) } else { self = .none }
  }

  init(list identifier: AnyHashable?, _ options: NSKeyValueObservingOptions) {
    self = .list(identifier, hash: identifier?.hashValue, options)
  }

  /// The identity of an observation of elements, whatever class their key path begins at.
  init(elements keyPath: AnyKeyPath, _ options: NSKeyValueObservingOptions) {
    let canonical = ObservedPath.canonical(keyPath)
    self = .elements(canonical, hash: canonical.hashValue, options, text: ObservedPath.description(of: keyPath))
  }

  /// Whether it is that of a key path, or of a list, without an identifier.
  var isDefault: Bool {
    switch self {
    case .none, .list(nil, _, _): true
    default: false
    }
  }

  /// The identifier that was passed to `observe`, if any.
  var identifier: AnyHashable? {
    switch self {
    case .identifier(let identifier, _): identifier
    case .list(let identifier, _, _): identifier
    case .none, .allKeys, .elements, .binding, .unique: nil
    }
  }

  /// A hash that equal ones have, and those with equal identifiers; nil without one. Many unique ones can be of one key path, so
  /// each has that of its own observation.
  func hash(of info: AnyObject) -> Int? {
    switch self {
    case .none: nil
    case .identifier(_, let hash), .elements(_, let hash, _, _): hash
    case .list(_, let hash, _): hash
    case .allKeys: 0
    case .binding, .unique: ObjectIdentifier(info).hashValue
    }
  }

  /// Whether observations of one key path with both would be the same. Runs foreign code.
  func isEqual(to other: Identity) -> Bool {
    switch (self, other) {
    case (.none, .none), (.allKeys, .allKeys): true
    case (.identifier(let left, _), .identifier(let right, _)): left == right
    case (.list(let left, _, _), .list(let right, _, _)): left == right
    case (.elements(let left, _, _, _), .elements(let right, _, _, _)): left == right
    default: false
    }
  }
}
