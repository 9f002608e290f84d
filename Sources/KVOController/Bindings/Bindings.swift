/// The bindings of an object, by the properties that they assign. Each property has one source.
///
/// The object retains it as an associated object, and the observation of a binding retains the binding.
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

  /// The bindings of an object; nil if its `deinit` has begun.
  fileprivate static func of(_ object: KeyValueObservable) -> Bindings? {
    if let bindings = object.associatedObject(.bindings) as? Bindings { return bindings }
    guard !isInDeinit(object) else { return nil }
    return object.associate(Bindings(), .bindings, replacing: false) as? Bindings
  }

  // The object is deallocated, perhaps without the observer of its controller.
  deinit {
    for entry in entries.withLock({ $0.values.flatMap { $0 } }) { entry.binding?.end() }
  }

  /// The bindings of a property, which are several only while one replaces another.
  fileprivate func bindings(like binding: Binding) -> [Binding] {
    all(binding.hash).bindings.filter { $0.assignsSame(as: binding) }
  }

  /// Inserts a binding, and returns the former ones of the property, which the caller ends.
  fileprivate func insert(_ binding: Binding) -> [Binding] {
    let hash = binding.hash
    while true {
      let (identities, bindings) = all(hash)
      let former = bindings.filter { $0.assignsSame(as: binding) }
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

/// A binding of a property of the object on which `bind` was called. It may end before its observation has begun.
///
/// - Thread safety: The state is guarded by the lock.
@usableFromInline
final class Binding: @unchecked Sendable {
  enum Source {
    case value(ObjectIdentifier, ObservedPath)
    /// A closure distinguishes it from all others.
    case transformedValue
    case bothWays(ObjectIdentifier, ObservedPath)
  }

  private struct State {
    var token: KVOObservation?
    var hasEnded = false
    var looks = Looks()
  }

  /// The key path of the bound property, which is equal from whatever class it begins.
  let target: AnyKeyPath
  /// The getter of the property in the object's class, which is that of an override; nil if it isn't known.
  private let getter: UnsafeRawPointer?
  fileprivate let hash: Int
  private let source: Source
  private let weakObject: WeakReference
  private weak let bindings: Bindings?
  private let state = LockedState(State())

  init(_ target: AnyKeyPath, of object: KeyValueObservable, _ source: Source) {
    self.target = ObservedPath.canonical(target)
    getter = KeyPathComponent.getter(of: target, in: type(of: object))
    hash = getter?.hashValue ?? self.target.hashValue
    self.source = source
    bindings = Bindings.of(object)
    weakObject = WeakReference(isInDeinit(object) ? nil : object)
  }

  deinit {
    bindings?.remove(ObjectIdentifier(self), hash)
  }

  /// The object that has the property; nil if it is deallocated.
  var object: AnyObject? { weakObject.object }

  /// Ends the former binding of the property, and begins this one, unless an equal one exists, whose token it returns then.
  func begin(at object: KeyValueObservable, _ start: () -> KVOInfo) -> KVOObservation {
    let present = bindings?.bindings(like: self).first { $0.isEqual(to: self, at: object) }
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

  /// Whether no other binding has taken the property, and the observation hasn't ended, or hasn't begun.
  @usableFromInline
  var isActive: Bool {
    let (token, hasEnded) = state.withLock { ($0.token, $0.hasEnded) }
    return !hasEnded && token?.hasEnded != true
  }

  fileprivate func end() {
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

  /// Whether both assign the same property. Two different ones may have one getter, if the linker has found that both do the same.
  fileprivate func assignsSame(as other: Binding) -> Bool {
    target == other.target
      || (getter != nil && getter == other.getter && type(of: target).valueType == type(of: other.target).valueType)
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

extension Binding {
  /// Calls `assign` for a change, and for what comes while it assigns.
  func look(
    _ change: borrowing KeyValueChange,
    _ assign: (_ object: AnyObject, _ change: borrowing KeyValueChange, _ isFirst: Bool) -> Void
  ) {
    let begun = state.withLock { $0.looks.begin(after: .source, on: CurrentThread.identity) }
    guard let first = begun else { return }
    if isActive, let object { assign(object, change, first.isFirst) }
    let info = change.info
    while let look = state.withLock({ $0.looks.end() }) {
      guard isActive, let object, let source = info.store.object(of: info), let value = info.currentValue(at: source)
      else { continue }
      KeyValueChange.lend(to: info, of: source, .setting, new: value) { assign(object, $0, look.isFirst) }
    }
  }
}
