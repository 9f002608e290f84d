/// The bindings of an object, by the hashes of the properties that they assign. The object retains it, and it retains no binding.
///
/// - Thread safety: The entries are guarded by the lock. Properties are compared without it, which may run foreign code.
private final class Bindings: Sendable {
  private typealias Entry = (identity: ObjectIdentifier, binding: Weak<AnyObject>)

  private static let key = AssociationKey()
  private let entries = LockedState<[Int: [Entry]]>([:])

  /// The bindings of an object; nil if its `deinit` has begun.
  static func of(_ object: KeyValueObservable) -> Bindings? {
    if let bindings = object.associatedObject(key) as? Bindings { return bindings }
    guard !isInDeinit(object) else { return nil }
    return object.associate(Bindings(), key, replacing: false) as? Bindings
  }

  // The object is deallocated, perhaps without the observer of its controller.
  deinit {
    for entry in entries.withLock({ $0.values.flatMap { $0 } }) { (entry.binding.object as? Binding)?.cancel() }
  }

  /// The bindings of properties with a hash, before one of them is inserted.
  func bindings(of hash: Int, inserting binding: Binding? = nil) -> [Binding] {
    let entry = binding.map { (ObjectIdentifier($0), Weak<AnyObject>($0)) }
    let present = entries.withLock { entries in
      defer { if let entry { entries[hash, default: []].append(entry) } }
      return entries[hash] ?? []
    }
    return present.compactMap { $0.binding.object as? Binding }
  }

  func remove(_ identity: ObjectIdentifier, _ hash: Int) {
    let former = entries.withLock { entries in
      let former = entries[hash]
      let others = former?.filter { $0.identity != identity }
      entries[hash] = others?.isEmpty == false ? others : nil
      return former
    }
    withExtendedLifetime(former) {}
  }
}

/// A binding of a property, the target, of the object on which `bind` was called. It is the observation of the source; one in both
/// directions has another one of the target.
///
/// 1. ``begin(at:by:_:)`` ends the former binding of the target, and observes. It may be ended before.
/// 2. Whatever comes makes it look, one thread at a time, and again until nothing has come: see ``Looks``.
///
/// - Thread safety: The looks are guarded by the lock. What was delivered is used on the actor only.
final class Binding: KVOInfo, @unchecked Sendable {
  enum Kind { case plain, transformed, bothWays }

  /// Looks once at both sides, because of a notification, or just of an own assignment. The source is nil if it is deallocated.
  typealias Look = (_ binding: Binding, _ source: KeyValueObservable?, _ target: AnyObject, _ isNotified: Bool) -> Void

  /// A value of the source, with the object that has it, if it lies behind the one at which the path begins; nil if a step is nil.
  private struct Located {
    let value: RememberedValue
    let owner: Weak<AnyObject>?

    init(_ value: Any?, of owner: AnyObject? = nil) {
      (self.value, self.owner) = (RememberedValue(value), owner.map { Weak<AnyObject>($0) })
    }

    init(_ value: ChangedValue) {
      // A cast takes long where it fails.
      if case .value(let any) = value, type(of: any) == Located.self, let located = any as? Located {
        self = located
      } else {
        self = Located(value.unwrapped)
      }
    }
  }

  private let kind: Kind
  private let source: ObjectIdentifier
  /// Reads the object that has the source, if it lies behind another one.
  private let owner: ((AnyObject) -> AnyObject?)?
  /// The key path of the target, which is equal from whatever class it begins.
  private let target: AnyKeyPath
  private let hash: Int
  private let object: Weak<AnyObject>
  /// Whether reading the target is an access for Observation. What the binding reads is none.
  private let isOfObservable: Bool
  private let bindings: Weak<AnyObject>?
  private let look: Look
  private let callSite: CallSite
  /// Observes the target.
  private var targetController: KVOController?
  private var targetInfo: KVOInfo?

  @exclusivity(unchecked) private var looks = Looks()
  /// What was delivered last, if there is an actor.
  @exclusivity(unchecked) private var delivered: Located?

  init(
    _ kind: Kind, _ source: KeyValueObservable, _ path: ObservedPath, owner: ((AnyObject) -> AnyObject?)? = nil,
    _ target: AnyKeyPath, of object: KeyValueObservable, _ isolation: (any Actor)?, _ site: CallSite,
    by controller: KVOController, _ look: @escaping Look
  ) {
    (self.kind, self.source, self.owner, self.look, callSite) = (kind, ObjectIdentifier(source), owner, look, site)
    self.target = ObservedPath.canonical(target)
    hash = self.target.hashValue
    self.object = Weak<AnyObject>(object)
    isOfObservable = object.own?.isObservable == true
    bindings = Bindings.of(object).map { Weak<AnyObject>($0) }
    super.init(
      path, options: isolation == nil ? .initial : [.initial, .new], .binding(target),
      controller.store.destination(for: isolation),
      .handler({ unsafeDowncast($1.info, to: Binding.self).take($1) }, .binding),
      lane: kind == .bothWays && isolation != nil ? Lane(isShared: true) : nil, of: controller.store)
  }

  fileprivate func cancel() { store.end(self) }
  deinit { (bindings?.object as? Bindings)?.remove(ObjectIdentifier(self), hash) }

  /// Begins, unless there is an equal binding, whose token it returns then. It observes the target if its path is passed.
  func begin(
    at source: KeyValueObservable, by controller: KVOController, observing targetPath: ObservedPath? = nil
  ) -> KVOObservation {
    let bindings = bindings?.object as? Bindings
    let present = bindings?.bindings(of: hash).first { $0.target == target && $0.hasSameSource(as: self, source) }
    if let present, present.isLive { return KVOObservation(present) }
    for former in bindings?.bindings(of: hash, inserting: self) ?? [] where former.target == target { former.cancel() }
    if let targetPath, let object = object.object as? KeyValueObservable {
      let controller = KVOController(observer: object, retainObserved: false)
      let reference = Weak<AnyObject>(self)
      let info = KVOInfo(
        targetPath, options: [], .none, destination,
        .handler({ _, _ in (reference.object as? Binding)?.come(nil) }, .binding), lane: lane, of: controller.store)
      (targetController, targetInfo) = (controller, info)
      controller.store.observe(object, [info], at: callSite)
    }
    if !isDismissed { _ = controller.whileRetained { $0.observe(source, [self], at: callSite) } }
    if isDismissed { cancel() }
    return KVOObservation(self)
  }

  private func hasSameSource(as other: Binding, _ root: KeyValueObservable) -> Bool {
    kind == other.kind && kind != .transformed && source == other.source && path.isSame(as: other.path, at: root)
  }

  override func readsAgain(_ change: borrowing KeyValueChange) -> Bool {
    super.readsAgain(change) || (owner != nil && !change.attributes.isInitial)
  }

  override func sent(_ value: Any?) -> ChangedValue {
    guard let owner, let root = tracker?.root else { return ChangedValue(value) }
    return .value(Located(value, of: owner(root)))
  }

  private func take(_ change: borrowing KeyValueChange) {
    if wantsNew { delivered = Located(change.new.kept) }
    come(change.object)
  }

  /// Looks because something has come, and again until nothing has, unless a look is under way, which another one follows then.
  private func come(_ source: KeyValueObservable?) {
    guard withLock({ looks.begin(on: CurrentThread.identity) }) else { return }
    while let (isNotified, isEndless) = withLock({ looks.next().map { ($0, looks.count > Looks.most) } }) {
      guard !isDismissed, let object = object.object else { continue }
      let source = source ?? observed
      if isEndless {
        misuse(
          "Cannot go on with the binding \(debugReference(to: source, else: "a deallocated object")) -> \(text)",
          because: "its assignments have changed one of both properties again, \(Looks.most) times in a row",
          remedy: "A change of one property must not make the other one change it again and again.", site: callSite)
      }
      ThreadFrame.shielded {
        func look() { self.look(self, source, object, isNotified) }
        // An assignment through a Swift key path also reads the property. The frame isn't that of an observance.
        if isOfObservable { _ = ThreadFrame.run(.reading(ObjectIdentifier(object)), look) } else { look() }
      }
    }
  }

  /// Assigns one side, which causes another look, unless foreign code has ended the binding.
  func assign(_ body: () -> Void) {
    guard !isDismissed else { return }
    withLock { looks.willAssign(on: CurrentThread.identity) }
    body()
    withLock { looks.didAssign() }
  }

  /// What the source has, or what was delivered last on the actor; nil if it can't be read now.
  func value(of source: KeyValueObservable?) -> ChangedValue? {
    wantsNew ? delivered.map { ChangedValue($0.value.current) } : source.flatMap { currentValue(at: $0) }
  }

  static func lookBothWays<Source: KeyValueObservable, Target: KeyValueObservable, Bound: Equatable>(
    _ keyPath: ReferenceWritableKeyPath<Source, Bound>, _ target: ReferenceWritableKeyPath<Target, Bound>
  ) -> Look {
    var agreement = Agreement<Bound>()
    return { binding, source, object, _ in
      let object = unsafeDowncast(object, to: Target.self)
      guard let source,
        let read = binding.wantsNew ? binding.delivered : binding.currentValue(at: source).map(Located.init),
        let targetValue: Bound = binding.targetInfo?.currentValue(at: object)?.typed()
      else { return }
      let owner = read.owner?.object
      guard binding.owner == nil || owner != nil, let value: Bound = ChangedValue(read.value.current).typed() else {
        return agreement = Agreement()
      }
      switch agreement.look(value, targetValue, of: owner) {
      case (let new, .target)?: binding.assign { object[keyPath: target] = new }
      case (let new, .source)?:
        binding.assign { unsafeDowncast(source, to: Source.self)[keyPath: keyPath] = new }
        if binding.wantsNew { binding.delivered = binding.currentValue(at: source).map { Located($0) } }
      case nil: break
      }
    }
  }
}
