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
/// 1. ``begin(at:)`` has the store insert it. Then it ends the former binding of the target, and is registered.
/// 2. ``deliver(_:)`` notes on the thread that makes a change whether an own assignment does.
/// 3. Whatever comes makes it look, one thread at a time, and again until nothing has come: see ``Looks``.
///
/// - Thread safety: The looks are guarded by the lock. Only the thread that looks uses what was assigned, and only code on the actor,
///   if there is one, what was delivered.
final class Binding: KVOInfo, @unchecked Sendable {
  enum Kind { case plain, transformed, bothWays }

  /// Assigns what a value of the source makes of the target, or the reverse, if they differ.
  typealias Assignment = (_ binding: Binding, _ value: ChangedValue, _ object: AnyObject) -> Void

  /// The other direction of a binding in both.
  struct Opposite {
    /// The path of the target.
    let path: ObservedPath
    /// Whether a step of the source's path is nil; nil if none can be.
    let isCut: ((AnyObject) -> Bool)?
    let assign: Assignment
  }

  private let kind: Kind
  private let source: ObjectIdentifier
  /// The key path of the target, which is equal from whatever class it begins.
  private let target: AnyKeyPath
  private let hash: Int
  private let object: Weak<AnyObject>
  /// Whether reading one of the objects is an access for Observation. What the binding reads is none.
  private let isOfObservable: Bool
  private let bindings: Weak<AnyObject>?
  private let assign: Assignment
  private let opposite: Opposite?
  private let callSite: CallSite?
  private var targetInfo: TargetInfo?

  @exclusivity(unchecked) private var looks = Looks()
  /// The source's value of which the latest assignment to the target was made; nil if something else has come since.
  @exclusivity(unchecked) private var assigned: RememberedValue?
  /// What the latest assignment has assigned to the source; nil if it was to the target.
  @exclusivity(unchecked) private var returned: RememberedValue?
  /// What is being assigned, in both directions, for the thread that does it.
  @exclusivity(unchecked) private var assigning: Any?
  /// What was delivered last of each side, if there is an actor.
  @exclusivity(unchecked) private var delivered: [Looks.Side: RememberedValue] = [:]

  /// - Parameter request: That of the source, without what a binding chooses itself.
  init(
    _ kind: Kind, _ source: KeyValueObservable, _ request: Request, to target: AnyKeyPath,
    of object: KeyValueObservable, in store: ObservationStore, _ opposite: Opposite?, _ assign: @escaping Assignment
  ) {
    (self.kind, self.source, self.assign, callSite) = (kind, ObjectIdentifier(source), assign, request.site)
    self.opposite = opposite
    self.target = ObservedPath.canonical(target)
    hash = self.target.hashValue
    self.object = Weak<AnyObject>(object)
    isOfObservable = object.own?.isObservable == true || (opposite != nil && source.own?.isObservable == true)
    bindings = Bindings.of(object).map { Weak<AnyObject>($0) }
    var request = request
    request.form = .binding
    request.handler = { unsafeDowncast($1.info, to: Binding.self).take($1, of: .source) }
    if opposite != nil {
      (request.requestedOptions, request.options) = (request.options, [.initial, .old, .new])
      request.lane = store.sharedLane(for: request.destination)
    }
    super.init(request, in: store)
    targetInfo = opposite.map { TargetInfo($0.path, of: self) }
  }

  deinit { (bindings?.object as? Bindings)?.remove(ObjectIdentifier(self), hash) }

  private var isOnActor: Bool { destination.isActor }

  // MARK: Beginning and ending

  /// Begins, unless there is an equal binding, whose token it returns then.
  func begin(at source: KeyValueObservable) -> KVOObservation {
    let present = (bindings?.object as? Bindings)?.bindings(of: hash)
      .first { $0.target == target && $0.hasSameSource(as: self, source) }
    if let present, present.isLive { return KVOObservation(present) }
    store.observe(source, [self], at: callSite)
    return KVOObservation(self)
  }

  private func hasSameSource(as other: Binding, _ root: KeyValueObservable) -> Bool {
    kind == other.kind && kind != .transformed && source == other.source && path.isSame(as: other.path, at: root)
  }

  override func begin(at source: KeyValueObservable, _ didRegister: () -> Void) {
    let present = (bindings?.object as? Bindings)?.bindings(of: hash, inserting: self) ?? []
    for former in present where former.target == target { former.cancel() }
    if let object = object.object as? KeyValueObservable { targetInfo?.begin(at: object) }
    super.begin(at: source, didRegister)
  }

  fileprivate func cancel() { store.end(self) }

  override func didEnd() {
    targetInfo?.end()
    targetInfo?.endLane()
  }

  // MARK: Being notified

  override func deliver(_ change: borrowing KeyValueChange) { note(change, of: self) { super.deliver($0) } }

  /// Calls `body` with a change of one side, of the whole value, and with a note whether an own assignment makes it. The echo of what
  /// is being assigned to the target is left out.
  fileprivate func note(
    _ change: borrowing KeyValueChange, of info: KVOInfo, _ body: (borrowing KeyValueChange) -> Void
  ) {
    let isOwn = withLock { looks.areAssigning(on: CurrentThread.identity) }
    let isWhole = !info.wantsNew || change.attributes.kind == .setting
    if !isOwn, isWhole { return body(change) }
    guard let new = isWhole ? change.new.kept : info.readsNewValue ? .notRequested : info.newValue(of: change) else {
      return
    }
    if isOwn, info !== self, RememberedValue(assigning).hasSame(new.unwrapped) { return }
    let old = isWhole ? change.old.kept : .notRequested
    KeyValueChange.lend(to: info, of: change.object, isOwn ? .own : .setting, old: old, new: new, body)
  }

  fileprivate func take(_ change: borrowing KeyValueChange, of side: Looks.Side) {
    let (old, new) = (change.old.kept.unwrapped, change.new.kept.unwrapped)
    // Another part of a property that is bound in both directions has changed. A step that was nil may have come to a nil value.
    let mayBeCut = side == .source && old == nil && opposite?.isCut != nil
    let isUnchanged = change.old.isRequested && !mayBeCut && RememberedValue(old).hasSame(new)
    let isOwn = change.attributes.isOwn
    if isOnActor {
      // What the opposite direction has assigned may have waited while it assigned more.
      let there = isOwn && side == .source && opposite != nil ? value(of: self, change.object)?.unwrapped : new
      delivered[side] = RememberedValue(there)
    }
    guard withLock({ looks.come(side, isOwn: isOwn, isUnchanged: isUnchanged) }) else { return }
    look(at: side == .source ? change.object : nil)
  }

  // MARK: Looking

  /// Looks because something has come, and again until nothing has.
  private func look(at source: KeyValueObservable?) {
    while let (look, count) = withLock({ looks.next().map { ($0, looks.count) } }) {
      guard !isDismissed, let object = object.object else { continue }
      let source = source ?? observed
      guard count <= (opposite == nil ? Looks.most : Looks.mostBothWays) else {
        stopLooking(source, after: count)
        continue
      }
      ThreadFrame.shielded {
        func lookOnce() { self.look(look, source, object) }
        // An assignment through a Swift key path also reads the property. The frame isn't that of an observance.
        if isOfObservable { _ = ThreadFrame.run(.reading(ObjectIdentifier(object)), lookOnce) } else { lookOnce() }
      }
    }
  }

  private func stopLooking(_ source: KeyValueObservable?, after count: Int) {
    let binding = "the binding \(debugReference(to: source, else: "a deallocated object")) -> \(text)"
    let reason = "its assignments have changed one of both properties again, \(count - 1) times in a row"
    guard opposite == nil else {
      let line = callSite.map { "\($0.fileID):\($0.line)" } ?? "A call"
      return DebugNotice.send(about: "binding at \(line)") {
        "\(line) leaves both properties as they are in \(binding), because \(reason). One of them should accept what the other has."
      }
    }
    misuse(
      "Cannot go on with \(binding)", because: reason,
      remedy: "A change of one property must not make the other one change it again and again.", site: callSite)
  }

  /// The value of one side, unless it is mutated in place, or isn't observed yet, or any longer.
  private func value(of info: KVOInfo?, _ object: AnyObject?) -> ChangedValue? {
    (object as? KeyValueObservable).flatMap { info?.isActive == true ? info?.currentValue(at: $0) : nil }
  }

  private func look(_ look: Looks.Look, _ source: KeyValueObservable?, _ object: AnyObject) {
    if look.isNotified { assigned = nil }
    // What is mutated in place can't be read, and is looked at when it is notified.
    let present = isOnActor ? delivered[.source].map { ChangedValue($0.current) } : value(of: self, source)
    let there = opposite == nil ? .notRequested : value(of: targetInfo, object)
    guard let present, let there else { return withLock { looks.miss(present == nil ? .source : .target) } }
    // The source has what the target has given it, so only the target may have changed since.
    let isReturned = !isOnActor && returned?.hasSame(present.unwrapped) == true
    switch isReturned ? .target : look.side {
    case .source:
      // What the target has made of it is its own affair.
      if !look.isNotified, assigned?.hasSame(present.unwrapped) == true { return }
      if case .null = present, let source, opposite?.isCut?(source) == true {
        // What comes there next is another object's.
        returned = nil
        return
      }
      assign(self, present, object)
    case .target:
      let new = isOnActor ? delivered[.target].map { ChangedValue($0.current) } : there
      guard let opposite, let source, let new, !RememberedValue(present.unwrapped).hasSame(new.unwrapped),
        !isOnActor || value(of: self, source) != nil, opposite.isCut?(source) != true
      else { return }
      returned = RememberedValue(new.unwrapped)
      opposite.assign(self, new, source)
      // What it has assigned is notified. What the source has refused may not be.
      guard isOnActor, let value = value(of: self, source),
        !RememberedValue(value.unwrapped).hasSame(new.unwrapped)
      else { return }
      delivered[.source] = RememberedValue(value.unwrapped)
      _ = withLock { looks.come(.source, isOwn: true) }
    }
  }

  /// Assigns a value to one side, which causes another look, unless foreign code has ended the binding.
  ///
  /// - Parameter value: The source's value of which that of the target was made; nil for the opposite direction.
  func assign(_ new: Any, madeOf value: ChangedValue? = nil, _ body: () -> Void) {
    guard !isDismissed else { return }
    if let value { (assigned, returned) = (RememberedValue(value.unwrapped), nil) }
    if opposite != nil { assigning = unwrapped(new) }
    withLock { looks.willAssign(on: CurrentThread.identity) }
    body()
    withLock { looks.didAssign(looksAgain: value != nil || !isOnActor) }
    assigning = nil
  }
}

/// The observation of the target of a binding in both directions, which begins and ends it.
private final class TargetInfo: KVOInfo, @unchecked Sendable {
  private let reference: Weak<AnyObject>
  private var binding: Binding? { reference.object as? Binding }

  init(_ path: ObservedPath, of binding: Binding) {
    reference = Weak<AnyObject>(binding)
    let request = Request(
      path: path, options: [.old, .new], identity: .unique, destination: binding.destination, form: .binding,
      lane: binding.lane
    ) { unsafeDowncast($1.info, to: TargetInfo.self).binding?.take($1, of: .target) }
    super.init(request, in: binding.store)
  }

  override func deliver(_ change: borrowing KeyValueChange) {
    binding?.note(change, of: self) { super.deliver($0) }
  }
}
