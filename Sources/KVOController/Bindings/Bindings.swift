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

  private static let key = AssociationKey()
  /// The entries by each hash of the properties.
  private let entries = LockedState<[Int: [Entry]]>([:])

  /// The bindings of an object; nil if its `deinit` has begun.
  fileprivate static func of(_ object: KeyValueObservable) -> Bindings? {
    if let bindings = object.associatedObject(key) as? Bindings { return bindings }
    guard !isInDeinit(object) else { return nil }
    return object.associate(Bindings(), key, replacing: false) as? Bindings
  }

  // The object is deallocated, perhaps without the observer of its controller.
  deinit {
    for entry in entries.withLock({ $0.values.flatMap { $0 } }) { entry.binding?.end() }
  }

  /// The bindings that may be of the same property.
  fileprivate func bindings(like binding: Binding) -> [Binding] {
    entries.withLock { entries in binding.hashes.flatMap { entries[$0] ?? [] } }.compactMap(\.binding)
  }

  /// Inserts a binding, and returns those before it that may be of the same property.
  fileprivate func insert(_ binding: Binding) -> [Binding] {
    let entry = Entry(identity: ObjectIdentifier(binding), binding: binding)
    let former = entries.withLock { entries in
      let former = binding.hashes.flatMap { entries[$0] ?? [] }
      for hash in binding.hashes { entries[hash, default: []].append(entry) }
      return former
    }
    return former.compactMap(\.binding)
  }

  fileprivate func remove(_ identity: ObjectIdentifier, _ hashes: Set<Int>) {
    entries.withLock { entries in
      for hash in hashes {
        entries[hash]?.removeAll { $0.identity == identity }
        if entries[hash]?.isEmpty == true { entries[hash] = nil }
      }
    }
  }
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
  private let target: AnyKeyPath
  private let property: OverridableProperty?
  fileprivate let hashes: Set<Int>
  /// nil for a transformed value, whose closure distinguishes it from all others.
  private let source: Source?
  private let weakObject: WeakReference
  /// Whether reading the bound property is an access for Observation. What the binding reads is none.
  private let isOfObservable: Bool
  private weak let bindings: Bindings?
  private let state = LockedState(State())

  init(_ target: AnyKeyPath, of object: KeyValueObservable, _ source: Source?) {
    self.target = ObservedPath.canonical(target)
    property = OverridableProperty(target, in: type(of: object))
    hashes = Set([self.target.hashValue, property?.getter.hashValue].compactMap { $0 })
    self.source = source
    bindings = Bindings.of(object)
    weakObject = WeakReference(isInDeinit(object) ? nil : object)
    isOfObservable = object.own?.isObservable == true
  }

  deinit {
    bindings?.remove(ObjectIdentifier(self), hashes)
  }

  /// The object that has the property; nil if it is deallocated.
  var object: AnyObject? { weakObject.object }

  /// Ends the former binding of the property, and begins this one, unless an equal one exists, whose token it returns then.
  func begin(
    at object: KeyValueObservable, by controller: KVOController, _ site: CallSite,
    _ makeInfo: (ObservationStore) -> KVOInfo
  ) -> KVOObservation {
    let present = bindings?.bindings(like: self).first {
      $0.assignsSame(as: self) && $0.hasSameSource(as: self, object)
    }
    if let token = present?.state.withLock({ $0.token }), token.isValid { return token }
    for former in bindings?.insert(self) ?? [] where former.assignsSame(as: self) { former.end() }
    let info = makeInfo(controller.store)
    let token = KVOObservation(info)
    state.withLock { $0.token = token }
    if isActive { _ = controller.whileRetained { $0.observe(object, [info], at: site) } }
    if !isActive { token.invalidate() }
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

  private func assignsSame(as other: Binding) -> Bool {
    target == other.target || (property.flatMap { other.property?.isSame(as: $0) } ?? false)
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
  func look(after side: Looks.Side, _ body: (Looks.Side) -> Void) {
    var next = state.withLock { $0.looks.begin(after: side, on: CurrentThread.identity) }
    while let look = next {
      // An assignment through a Swift key path also reads the property.
      if isActive { ThreadFrame.shielded { if isOfObservable { reading { body(look) } } else { body(look) } } }
      next = state.withLock { $0.looks.end() }
    }
  }

  private func reading(_ body: () -> Void) { _ = ThreadFrame.run(.reading(ObjectIdentifier(self)), body) }

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
