/// The bindings of an observer, by the properties that they assign. Each property has one source.
///
/// The observer retains it as an associated object, and the observation of a binding retains the binding.
///
/// - Thread safety: The entries are guarded by the lock. Properties are compared without it, because that may run foreign
///   code.
final class Bindings: Sendable {
  private struct Entry {
    let identity: ObjectIdentifier
    weak let binding: Binding?
  }

  /// The entries by the hashes of the properties.
  private let entries = LockedState<[Int: [Entry]]>([:])

  /// The bindings of an observer; nil if its `deinit` has begun.
  static func of(_ observer: KeyValueObservable) -> Bindings? {
    if let bindings = observer.associatedObject(.bindings) as? Bindings { return bindings }
    guard !isInDeinit(observer) else { return nil }
    return observer.associate(Bindings(), .bindings, replacing: false) as? Bindings
  }

  /// The bindings of a property, which are several only while one replaces another.
  func bindings(of target: AnyKeyPath, hash: Int) -> [Binding] {
    all(hash).bindings.filter { $0.target == target }
  }

  /// Inserts a binding, and returns the former ones of the property, which the caller ends.
  func insert(_ binding: Binding) -> [Binding] {
    let hash = binding.hash
    while true {
      let (identities, bindings) = all(hash)
      let former = bindings.filter { $0.target == binding.target }
      let replaced = Set(former.map(ObjectIdentifier.init))
      let isInserted = entries.withLock { entries in
        let present = entries[hash] ?? []
        guard present.map(\.identity) == identities else { return false }
        entries[hash] =
          present.filter { !replaced.contains($0.identity) }
          + [Entry(identity: ObjectIdentifier(binding), binding: binding)]
        return true
      }
      if isInserted { return former }
    }
  }

  private func all(_ hash: Int) -> (identities: [ObjectIdentifier], bindings: [Binding]) {
    let entries = entries.withLock { $0[hash] ?? [] }
    return (entries.map(\.identity), entries.compactMap(\.binding))
  }

  fileprivate func remove(_ identity: ObjectIdentifier, _ hash: Int) {
    entries.withLock { entries in
      entries[hash]?.removeAll { $0.identity == identity }
      if entries[hash]?.isEmpty == true { entries[hash] = nil }
    }
  }
}

extension AssociationKey {
  fileprivate static let bindings = AssociationKey()
}

/// A binding of a property. It may end before its observation has begun.
///
/// - Thread safety: The token is guarded by the lock.
final class Binding: @unchecked Sendable {
  enum Source {
    case value(ObjectIdentifier, ObservedPath)
    /// A closure distinguishes it from all others.
    case transformedValue
    case bothWays(ObjectIdentifier, ObservedPath)
  }

  /// The key path of the bound property, which is equal from whatever class it begins.
  fileprivate let target: AnyKeyPath
  fileprivate let hash: Int
  private let source: Source
  private weak let bindings: Bindings?
  private let state = LockedState<(token: KVOObservation?, hasEnded: Bool)>((nil, false))

  init(_ target: AnyKeyPath, of observer: AnyObject?, _ source: Source) {
    self.target = ObservedPath.canonical(target)
    hash = self.target.hashValue
    self.source = source
    bindings = (observer as? KeyValueObservable).flatMap(Bindings.of)
  }

  deinit {
    bindings?.remove(ObjectIdentifier(self), hash)
  }

  /// Ends the former binding of the property, and begins this one, unless an equal one exists, whose token it returns then.
  func begin(at object: KeyValueObservable, _ start: () -> KVOInfo) -> KVOObservation {
    let present = bindings?.bindings(of: target, hash: hash).first { $0.isEqual(to: self, at: object) }
    if let token = present?.validToken { return token }
    for former in bindings?.insert(self) ?? [] { former.end() }
    let token = KVOObservation(start())
    let hasEnded = state.withLock { state in
      state.token = token
      return state.hasEnded
    }
    if hasEnded { token.invalidate() }
    return token
  }

  /// Whether another binding has taken the property.
  var hasEnded: Bool { state.withLock { $0.hasEnded } }

  /// Whether no other binding has taken the property, and the observation hasn't ended, or hasn't begun.
  var isActive: Bool {
    let (token, hasEnded) = state.withLock { $0 }
    return !hasEnded && token?.hasEnded != true
  }

  private func end() {
    let token = state.withLock { state in
      state.hasEnded = true
      return state.token
    }
    token?.invalidate()
  }

  private var validToken: KVOObservation? {
    guard let token = state.withLock({ $0.token }), token.isValid else { return nil }
    return token
  }

  private func isEqual(to other: Binding, at object: KeyValueObservable) -> Bool {
    switch (source, other.source) {
    case (.value(let object1, let path), .value(let object2, let otherPath)),
      (.bothWays(let object1, let path), .bothWays(let object2, let otherPath)):
      object1 == object2 && path.isSame(as: otherPath, at: object)
    default: false
    }
  }
}
