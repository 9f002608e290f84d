/// The observations of one controller, and how they begin and end.
///
/// - Thread safety: The state is guarded by the lock, which is never held while foreign code runs.
final class ObservationStore: Sendable {
  private struct State: InvariantChecking {
    var table = MapTable()
    /// How often all observations were ended.
    var endings = 0
    /// Whether all observations end with the observer.
    var endsWithObserver = false
    /// Those of the actors for which there are observations, and of some for which there were.
    private var mailboxes: [Mailbox] = []

    /// The mailbox of an actor, which the caller retains; nil if there is none.
    func mailbox(of actor: any Actor) -> Mailbox? { mailboxes.first { $0.actor.refers(to: actor) } }

    /// Inserts a mailbox. Returns those that nothing else refers to any longer, which are removed.
    mutating func insert(_ mailbox: Mailbox) -> [Mailbox] {
      var removed: [Mailbox] = []
      for index in mailboxes.indices.reversed() where isKnownUniquelyReferenced(&mailboxes[index]) {
        removed.append(mailboxes.remove(at: index))
      }
      mailboxes.append(mailbox)
      return removed
    }

    func checkInvariants() { table.checkInvariants() }
  }

  /// The controller's observer, unless its `deinit` has begun.
  let observer: WeakReference
  private let observerAddress: ObjectIdentifier?
  private let retainsObserved: Bool
  private let state = LockedState(State())

  init(observer: AnyObject?, retainsObserved: Bool) {
    self.observer = WeakReference(observer.flatMap { isInDeinit($0) ? nil : $0 })
    observerAddress = observer.map { ObjectIdentifier($0) }
    self.retainsObserved = retainsObserved
  }

  deinit { requireNoLock("a store is released") }

  var all: [KVOInfo] { state.withLock { $0.table.all } }

  /// The object of an observation; nil if the observation has ended, or the object is deallocated.
  func object(of info: KVOInfo) -> KeyValueObservable? { state.withLock { $0.table.key(of: info) }?.object }

  var endings: Int { state.withLock { $0.endings } }

  /// The mailbox of an actor, which observations for it share; nil if the actor is deallocated.
  func mailbox(of reference: WeakActor) -> Mailbox? {
    guard let actor = reference.object else { return nil }
    if let mailbox = state.withLock({ $0.mailbox(of: actor) }) { return mailbox }
    let made = Mailbox(reference)
    let (mailbox, removed) = state.withLock { state -> (Mailbox, [Mailbox]) in
      if let mailbox = state.mailbox(of: actor) { return (mailbox, []) }
      return (made, state.insert(made))
    }
    return withExtendedLifetime((made, removed)) { mailbox }
  }

  /// A lane for observations that begin together; nil if they aren't for an actor.
  func sharedLane(for destination: Destination) -> Lane? {
    guard case .actor(let actor) = destination else { return nil }
    return mailbox(of: actor).map { Lane(.mailbox($0), isShared: true) }
  }

  // MARK: Beginning

  /// Begins observations of an object, and returns each, or the equal one that stays. An equal one that is replaced
  /// ends when the new one is registered, so the object is observed all the time; both, or neither, may hear of a change
  /// that is under way. What ends all of an object on another thread ends all of them or none.
  ///
  /// An object whose `deinit` has begun isn't observed: the returned observations have then ended already. Identities
  /// and paths are compared outside of the lock, because that runs foreign code, and again if there are others by then.
  @discardableResult
  func observe(_ object: KeyValueObservable, _ infos: [KVOInfo], at site: CallSite? = nil) -> [KVOInfo] {
    guard !isInDeinit(object) else {
      for info in infos { end(info) }
      return infos
    }
    #if DEBUG
    for info in infos { noteRepetition(of: info, at: object) }
    if observer.object == nil, let first = infos.first { noteMissingObserver(of: first, at: object) }
    #endif
    let isRetained = retainsObserved && ObjectIdentifier(object) != observerAddress
    let key = isRetained ? MapTable.Key.retained(object) : .unretained(Weak(object))
    // The candidates, and the equal ones among them, by the indexes of the infos, most of which have none. Lists from which paths were
    // taken out may be equal to each other.
    var compared: [Int: [KVOInfo]] = [:]
    var equals: [Int: [KVOInfo]] = [:]
    while true {
      var displaced: [KVOInfo] = []
      var released: [MapTable.Key] = []
      let others = state.withLock { state -> [Int: [KVOInfo]]? in
        var others: [Int: [KVOInfo]] = [:]
        if let present = state.table[object] {
          for (index, info) in infos.enumerated() {
            let candidates = present.candidates(for: info)
            if !candidates.isEmpty { others[index] = candidates }
          }
        }
        guard others.count == compared.count,
          others.allSatisfy({ compared[$0]?.elementsEqual($1, by: ===) == true })
        else { return others }
        for (index, info) in infos.enumerated() where equals[index] == nil || info.identity.replacesEqual {
          let formers = equals[index] ?? []
          if let former = formers.first { _ = info.takeOver(from: former) }
          displaced = state.table.insert(info, of: object, key) ?? displaced
          released += formers.compactMap { state.table.remove($0) }
        }
        return nil
      }
      for info in displaced { end(info) }
      withExtendedLifetime(released) {}
      guard let others else { break }
      compared = others
      equals = [:]
      for (index, candidates) in others {
        let formers = candidates.filter { $0.isEqual(to: infos[index], at: object) }
        if let former = formers.first {
          equals[index] = formers
          if infos[index].canTakeOver(from: former) { _ = former.madeLane }
        }
      }
    }
    var kept = infos
    for (index, info) in infos.enumerated() {
      let formers = equals[index] ?? []
      if let former = formers.first, !info.identity.replacesEqual {
        if ObservationLog.isOn { ObservationLog.log(.ignore, former, of: object, at: site) }
        kept[index] = former
        continue
      }
      if ObservationLog.isOn { ObservationLog.log(formers.isEmpty ? .begin : .replace, info, of: object, at: site) }
      let begin = { info.begin(at: object) { for former in formers { self.end(former, replacedBy: info) } } }
      #if DEBUG
      DebugNotice.site.withValue(site, operation: begin)
      #else
      begin()
      #endif
    }
    return kept
  }

  /// Begins the observation that is asked for, and returns it. One that it replaces ends. Traps if it can't be delivered so.
  func observe(_ object: KeyValueObservable, _ request: Request) -> KVOInfo {
    let info =
      request.isOfEachChange ? KVOInfo(request, in: self) : SelectiveInfo(request, of: object, in: self)
    return observe(object, [info], at: request.site)[0]
  }

  // MARK: Delivering

  /// Delivers what waits for an actor, on which this is called.
  func deliverNow(on actor: any Actor) { state.withLock { $0.mailbox(of: actor) }?.deliverNow() }

  // MARK: Ending

  /// Ends an observation. Does nothing if it has ended.
  ///
  /// - Parameters:
  ///   - dying: The object that has asked for it, which may be in its `deinit`.
  ///   - other: The observation that has taken its place in the table.
  func end(_ info: KVOInfo, of dying: DyingObject? = nil, replacedBy other: KVOInfo? = nil) {
    let removal = state.withLock { $0.table.remove(info) }
    if let lane = info.lane, let other, lane === other.lane { lane.pass(to: other) }
    guard info.end(of: dying) else { return withExtendedLifetime(removal) {} }
    if ObservationLog.isOn { ObservationLog.log(.end, info, of: removal?.object ?? other?.observed) }
    if info.lane !== other?.lane { info.endLane() }
    withExtendedLifetime(removal) { info.didEnd() }
  }

  /// Ends the observations of each path, and the lists of just these. Takes nothing out of other lists.
  func end(_ paths: [ObservedPath], of object: KeyValueObservable) {
    let all = ObservedPath(several: paths)
    for info in infos(of: object) where info.endsByPath(nil) {
      let isObserved =
        info.path.list == nil
        ? paths.contains { info.path.isSame(as: $0, at: object) } : info.path.isSame(as: all, at: object)
      if isObserved { end(info, of: DyingObject(object)) }
    }
  }

  /// Ends what is observed of a path or by a name, with an identifier, or with any. Takes it out of lists, of which those end that have
  /// nothing left.
  func end(_ selection: PathSelection, of object: KeyValueObservable, _ identifier: AnyHashable? = nil) {
    let hash = identifier?.hashValue
    let (infos, lists) = state.withLock { state -> ([KVOInfo], [KVOInfo]) in
      guard let present = state.table[object] else { return ([], []) }
      return (present.infos(for: selection, identifierHash: hash), present[listsWithIdentifierHash: hash])
    }
    let dying = DyingObject(object)
    for info in infos where info.endsByPath(identifier) && selection.matches(info.path, at: object) {
      end(info, of: dying)
    }
    for info in lists where info.endsByPath(identifier) {
      guard let list = info.path.list else { continue }
      let hasChanged = list.paths.filter { selection.matches($0, at: object) }.reduce(false) { list.remove($1) || $0 }
      if list.paths.isEmpty { end(info, of: dying) } else if hasChanged { info.reroute() }
    }
  }

  /// Ends all observations of an object.
  func end(_ object: KeyValueObservable) {
    for info in infos(of: object) { end(info, of: DyingObject(object)) }
  }

  /// Ends all observations.
  ///
  /// - Parameter isAsked: Whether the observer may ask for it, in its `deinit`, in which it can still be removed from itself.
  func endAll(isAsked: Bool = false) {
    let dying = isAsked ? observerAddress.flatMap { DyingObject($0) } : nil
    let infos = state.withLock { state in
      state.endings += 1
      return state.table.all
    }
    for info in infos { end(info, of: dying) }
  }

  /// Ends all observations, because the controller is deallocated.
  func close() {
    endAll()
    guard state.withLock({ $0.endsWithObserver }), let observer = observer.object as? KeyValueObservable else { return }
    ObjectLifelines.remove(self, of: observer)
  }

  /// Ends all observations when the observer is deallocated, even if the controller is still referenced. Otherwise a task that
  /// waits for an element of a sequence would wait forever.
  func endWithObserver() {
    guard let observer = observer.object as? KeyValueObservable else { return }
    let isFirst = state.withLock { state in
      defer { state.endsWithObserver = true }
      return !state.endsWithObserver
    }
    if isFirst { ObjectLifelines.insert(self, of: observer) }
  }

  /// Called when the observed object of an observation is deallocated, which has ended it.
  func removeOfDeallocatedObject(_ info: KVOInfo) {
    // Released after the lock.
    withExtendedLifetime(state.withLock { $0.table.remove(info) }) {}
  }

  private func infos(of object: KeyValueObservable) -> [KVOInfo] { state.withLock { $0.table[object]?.all ?? [] } }
}

/// The observer is deallocated.
extension ObservationStore: ObjectLifeline {
  func objectIsDeallocated(_ object: DyingObject) { endAll() }
}

#if DEBUG
extension ObservationStore {
  /// Says that there is no observer, without which no handler is called.
  private func noteMissingObserver(of info: KVOInfo, at object: KeyValueObservable) {
    let line = info.site.map { "\($0.fileID):\($0.line)" }
    DebugNotice.send(about: "\(line ?? "\(type(of: object)).\(info.path.currentName)") without an observer") {
      "\(line ?? "A call") observes \(info.path.currentName) of <\(debugName(of: object))> with a controller whose observer is "
        + "nil or deallocated, so nothing is called. Create the controller with an observer that exists while it observes."
    }
  }

  /// Says that a line observes a key path once more, while what it has begun before goes on.
  private func noteRepetition(of info: KVOInfo, at object: KeyValueObservable) {
    guard let site = info.site, info.identifier == nil else { return }
    // No more others than that, so that many observations of one key path don't slow each other down.
    let others = state.withLock {
      $0.table[object]?.infos(for: .path(info.path), identifierHash: nil, atMost: 100) ?? []
    }
    let isRepeated = others.contains { other in
      guard let otherSite = other.site, otherSite.line == site.line,
        otherSite.fileID.utf8Start == site.fileID.utf8Start, other.identifier == nil, !other.hasEnded
      else { return false }
      return info.identity.isSameForm(as: other.identity) && info.path.isSame(as: other.path, at: object)
    }
    guard isRepeated else { return }
    let line = "\(site.fileID):\(site.line)"
    DebugNotice.send(about: line) {
      "\(line) observes \(info.path.currentName) of <\(debugName(of: object))> again for the same observer, while its former "
        + "observation goes on, so both handlers are called. Pass an identifier, with which the new observation replaces "
        + "the former, or keep the token, and call invalidate() before you observe again."
    }
  }
}
#endif

extension KVOInfo {
  /// Whether both identify the same observation. Runs foreign code.
  fileprivate func isEqual(to other: KVOInfo, at object: KeyValueObservable) -> Bool {
    identity.isEqual(to: other.identity) && path.isSame(as: other.path, at: object)
  }

  /// Whether it ends when a key path is unobserved with an identifier, or whatever that is. Runs foreign code.
  fileprivate func endsByPath(_ identifier: AnyHashable?) -> Bool {
    !path.isOfAllKeys && (identifier == nil || self.identifier == identifier)
  }
}
