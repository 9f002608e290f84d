/// The bindings of an object, by the properties that they assign. Each property has one source.
///
/// The object retains it as an associated object, and the observation of a binding retains the binding.
///
/// - Thread safety: The entries are guarded by the lock. Properties are compared without it, which may run foreign code.
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

  /// The bindings of the properties with a hash, in the order in which they were inserted.
  fileprivate func bindings(_ hash: Int) -> [Binding] {
    entries.withLock { $0[hash] ?? [] }.compactMap(\.binding)
  }

  /// Returns the bindings that were there before, of which the caller ends those of the same property.
  fileprivate func insert(_ binding: Binding) -> [Binding] {
    let entry = Entry(identity: ObjectIdentifier(binding), binding: binding)
    let former = entries.withLock { entries in
      defer { entries[binding.hash, default: []].append(entry) }
      return entries[binding.hash] ?? []
    }
    return former.compactMap(\.binding)
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
  /// What distinguishes a source from others.
  typealias Source = (object: ObjectIdentifier, path: ObservedPath, isBothWays: Bool)

  private struct State {
    var token: KVOObservation?
    var hasEnded = false
    var looks = Looks()
  }

  /// The key path of the bound property, which is equal from whatever class it begins.
  let target: AnyKeyPath
  private let root: Any.Type
  /// The getter of the property in the object's class, which is that of an override; nil if it isn't known.
  private let getter: UnsafeRawPointer?
  fileprivate let hash: Int
  /// nil for a transformed value, whose closure distinguishes it from all others.
  private let source: Source?
  private let weakObject: WeakReference
  private weak let bindings: Bindings?
  private let state = LockedState(State())

  init(_ target: AnyKeyPath, of object: KeyValueObservable, _ source: Source?) {
    self.target = ObservedPath.canonical(target)
    root = type(of: target).rootType
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
    let present = bindings?.bindings(hash).first { $0.assignsSame(as: self) && $0.hasSameSource(as: self, object) }
    if let token = present?.state.withLock({ $0.token }), token.isValid { return token }
    for former in bindings?.insert(self) ?? [] where former.assignsSame(as: self) { former.end() }
    let token = KVOObservation(start())
    let hasEnded = state.withLock { state in
      state.token = token
      return state.hasEnded
    }
    if hasEnded { token.invalidate() }
    return token
  }

  /// Whether no other binding has taken the property, and nobody has ended it. What the source changes in its `deinit` still counts.
  @usableFromInline
  var isActive: Bool {
    let (token, hasEnded) = state.withLock { ($0.token, $0.hasEnded) }
    return !hasEnded && token?.isDismissed != true
  }

  fileprivate func end() {
    let token = state.withLock { state in
      state.hasEnded = true
      return state.token
    }
    token?.invalidate()
  }

  /// Whether both assign the same property. Different ones may have one getter, if the compiler has found that both do the same, but
  /// key paths from one class are equal if they lead to one property.
  private func assignsSame(as other: Binding) -> Bool {
    target == other.target || (getter != nil && getter == other.getter && root != other.root)
  }

  private func hasSameSource(as other: Binding, _ root: KeyValueObservable) -> Bool {
    guard let source, let otherSource = other.source else { return false }
    return source.object == otherSource.object && source.isBothWays == otherSource.isBothWays
      && source.path.isSame(as: otherSource.path, at: root)
  }
}

// MARK: Looking

extension Binding {
  /// Calls `body` now, and again as long as something comes meanwhile, unless another thread does so already.
  func look(after side: Looks.Side, _ body: (Looks.Look) -> Void) {
    var next = state.withLock { $0.looks.begin(after: side, on: CurrentThread.identity) }
    while let look = next {
      if isActive { body(look) }
      next = state.withLock { $0.looks.end() }
    }
  }

  /// Calls `assign` for a change, and with the value at that moment for what comes while it assigns.
  func look(
    _ change: borrowing KeyValueChange,
    _ assign: (_ object: AnyObject, _ change: borrowing KeyValueChange, _ isFirst: Bool) -> Void
  ) {
    let info = change.info
    var isAgain = false
    look(after: .source) { look in
      defer { isAgain = true }
      guard let object else { return }
      guard isAgain else { return assign(object, change, !look.isEmpty) }
      guard let source = info.store.object(of: info), let value = info.currentValue(at: source) else { return }
      KeyValueChange.lend(to: info, of: source, .setting, new: value) { assign(object, $0, !look.isEmpty) }
    }
  }
}
