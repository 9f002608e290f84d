/// What distinguishes an observation from others of the same key path of an object.
///
/// Comparing two, and hashing, runs foreign code, so it is done outside of all locks. The hash is computed once.
///
/// - Thread safety: Immutable. The values are used on several threads, as in any dictionary that is shared.
indirect enum Identity: @unchecked Sendable {
  /// That of most observations.
  case none
  /// An identifier that was passed to `observe`.
  case identifier(AnyHashable, hash: Int)
  /// The observation of all of an object.
  case allKeys
  /// The observation of a collection on behalf of a key path of its elements, which has the options.
  case elements(AnyKeyPath, hash: Int, NSKeyValueObservingOptions, text: String)
  /// The observations of the key paths of one call, whose handler is called once for each change.
  case list(KeyPathList)
  /// A binding of a property. It is equal only to itself.
  case binding(AnyKeyPath)
  /// Equal only to itself.
  case unique

  init(_ identifier: AnyHashable?) {
    self = identifier.map { .identifier($0, hash: $0.hashValue) } ?? .none
  }

  /// The identity of an observation of elements, whatever class their key path begins at.
  init(elements keyPath: AnyKeyPath, _ options: NSKeyValueObservingOptions) {
    let canonical = ObservedPath.canonical(keyPath)
    self = .elements(canonical, hash: canonical.hashValue, options, text: ObservedPath.description(of: keyPath))
  }

  /// The identifier that was passed to `observe`, if any.
  var identifier: AnyHashable? {
    switch self {
    case .identifier(let identifier, _): identifier
    case .list(let list): list.identifier
    case .none, .allKeys, .elements, .binding, .unique: nil
    }
  }

  /// A hash that equal ones have, and those with equal identifiers; nil without one. Many unique ones can be of one key path, so
  /// each has that of its own observation.
  func hash(of info: AnyObject) -> Int? {
    switch self {
    case .none: nil
    case .identifier(_, let hash), .elements(_, let hash, _, _): hash
    case .list(let list): list.hash
    case .allKeys: 0
    case .binding, .unique: ObjectIdentifier(info).hashValue
    }
  }

  /// Whether an equal one can exist.
  var isUnique: Bool {
    switch self {
    case .binding, .unique: true
    case .none, .identifier, .allKeys, .elements, .list: false
    }
  }

  /// Whether both identify the same observation of a key path: also those of lists of the same key paths, in any order. Runs
  /// foreign code.
  func isEqual(to other: Identity, at object: KeyValueObservable) -> Bool {
    switch (self, other) {
    case (.none, .none), (.allKeys, .allKeys): true
    case (.identifier(let left, _), .identifier(let right, _)): left == right
    case (.elements(let left, _, _, _), .elements(let right, _, _, _)): left == right
    case (.list(let left), .list(let right)): left.isEqual(to: right, at: object)
    default: false
    }
  }
}

/// The different key paths that one call observes with a handler that is called once for each change. Their observations aren't
/// equal to any that was made alone. They begin and end together, and the engine notifies one of them of a change.
final class KeyPathList: @unchecked Sendable {
  let paths: [ObservedPath]
  let identifier: AnyHashable?
  /// The hash of the identifier; nil if there is none.
  let hash: Int?

  init(_ paths: [ObservedPath], _ identifier: AnyHashable?) {
    self.paths = paths
    self.identifier = identifier
    hash = identifier?.hashValue
  }

  fileprivate func isEqual(to other: KeyPathList, at object: KeyValueObservable) -> Bool {
    if self === other { return true }
    guard identifier == other.identifier, paths.count == other.paths.count else { return false }
    return paths.allSatisfy { path in other.paths.contains { $0.isSame(as: path, at: object) } }
  }
}
