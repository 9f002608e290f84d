/// The observations of one controller, and how they begin and end.
///
/// - Thread safety: The table is guarded by the lock, which is never held while foreign code runs.
final class ObservationStore: Sendable {
  /// The controller's observer, unless its `deinit` has begun.
  let observer: WeakReference
  private let observerAddress: ObjectIdentifier?
  private let retainsObserved: Bool
  private let table: LockedState<MapTable>

  init(observer: AnyObject?, retainsObserved: Bool, table: LockedState<MapTable>) {
    self.observer = WeakReference(observer.flatMap { isInDeinit($0) ? nil : $0 })
    observerAddress = observer.map { ObjectIdentifier($0) }
    self.retainsObserved = retainsObserved
    self.table = table
  }

  var all: [KVOInfo] { table.withLock { $0.all } }

  /// The object of an observation; nil if the observation has ended, or the object is deallocated.
  func object(of info: KVOInfo) -> KeyValueObservable? { table.withLock { $0.object(of: info) } }

  var endings: Int { table.withLock { $0.endings } }

  // MARK: Beginning

  /// Begins an observation of an object, unless there is an equal one.
  ///
  /// - Parameter queue: The queue for the destination, if it is a sequence, or if several observations are to keep their order.
  /// - Returns: The new observation, or the equal one that existed.
  @discardableResult
  func observe(
    _ object: KeyValueObservable, _ path: ObservedPath, _ options: NSKeyValueObservingOptions, _ identity: Identity,
    _ destination: Destination, _ call: KVOInfo.Call, queue: ChangeQueue? = nil, at site: CallSite? = nil
  ) -> KVOInfo {
    let info = KVOInfo(path, options: options, identity, destination, call, of: self)
    if let queue { info.makeQueue(queue) }
    return observe(object, [info], at: site)[0]
  }

  /// Begins observations of several paths, which differ. An actor gets their changes in order.
  ///
  /// - Returns: The new ones, and the equal ones that existed, in the order of the paths.
  func observe(
    _ object: KeyValueObservable, _ paths: [ObservedPath], _ options: NSKeyValueObservingOptions, _ identity: Identity,
    _ destination: Destination, _ call: KVOInfo.Call, at site: CallSite? = nil
  ) -> [KVOInfo] {
    let queue = destination.isElsewhere ? ChangeQueue(destination, isShared: true) : nil
    let infos = paths.map { path in
      let info = KVOInfo(path, options: options, identity, destination, call, of: self)
      if let queue { info.makeQueue(queue) }
      return info
    }
    return observe(object, infos, at: site)
  }

  /// Begins observations of an object, unless there are equal ones. What ends all of an object on another thread ends all of them
  /// or none.
  ///
  /// An object whose `deinit` has begun isn't observed, because it can be neither retained nor referenced weakly. The
  /// returned observations have then ended already.
  ///
  /// Identities and paths are compared outside of the lock, because that runs foreign code. If there are others to compare
  /// with by then, it starts over.
  ///
  /// - Returns: Each, or the equal one that existed.
  func observe(_ object: KeyValueObservable, _ infos: [KVOInfo], at site: CallSite?) -> [KVOInfo] {
    guard !isInDeinit(object) else {
      for info in infos { end(info) }
      return infos
    }
    #if DEBUG
    for info in infos { info.site = site }
    #endif
    let isRetained = retainsObserved && ObjectIdentifier(object) != observerAddress
    var results = infos
    // The candidates by the indexes of the infos, most of which have none.
    var compared: [Int: [KVOInfo]] = [:]
    while true {
      var displaced: [KVOInfo] = []
      let others = table.withLock { table -> [Int: [KVOInfo]]? in
        var others: [Int: [KVOInfo]] = [:]
        if let present = table[object] {
          for (index, info) in infos.enumerated() {
            let candidates = present.candidates(for: info)
            if !candidates.isEmpty { others[index] = candidates }
          }
        }
        guard others.count == compared.count,
          others.allSatisfy({ compared[$0]?.elementsEqual($1, by: ===) == true })
        else { return others }
        for (index, info) in infos.enumerated() where info === results[index] {
          displaced = table.insert(info, of: object, isRetained: isRetained) ?? displaced
        }
        return nil
      }
      for info in displaced { end(info) }
      guard let others else { break }
      (results, compared) = (infos, others)
      for (index, candidates) in others {
        results[index] = candidates.first { $0.isEqual(to: infos[index], at: object) } ?? infos[index]
      }
    }
    for (info, result) in zip(infos, results) {
      let isNew = info === result
      #if DEBUG
      if !isNew { result.noteIgnored(at: site, of: object) }
      #endif
      if ObservationLog.isOn { ObservationLog.log(isNew ? .begin : .ignore, result, of: object, at: site) }
      if isNew { info.begin(at: object) }
    }
    return results
  }

  // MARK: Ending

  /// Ends an observation. Does nothing if it has ended. The observation of all of an object ends as a whole.
  func end(_ info: KVOInfo) {
    guard case .allKeys = info.identity, let object = object(of: info) else { return endAlone(info) }
    for info in infos(of: object) { if case .allKeys = info.identity { endAlone(info) } }
  }

  private func endAlone(_ info: KVOInfo) {
    let removal = table.withLock { $0.remove(info) }
    if info.end() {
      if ObservationLog.isOn { ObservationLog.log(.end, info, of: removal?.object) }
      info.queue?.observationEnded()
      if case .elements = info.identity { info.isOver() }
    }
    withExtendedLifetime(removal) {}
  }

  /// Ends the observations of a path, with an identifier, or with any, and takes it out of lists.
  func end(_ path: ObservedPath, of object: KeyValueObservable, _ identifier: AnyHashable? = nil) {
    let hash = identifier?.hashValue
    let (infos, lists) = table.withLock { table -> ([KVOInfo], [KVOInfo]) in
      guard let present = table[object] else { return ([], []) }
      return (present.infos(of: path, identifierHash: hash), present[listsWithIdentifierHash: hash])
    }
    for info in infos where info.endsByPath(identifier) && info.path.isSame(as: path, at: object) { endAlone(info) }
    if !lists.isEmpty { take(out: { $0.isSame(as: path, at: object) }, of: lists, identifier) }
  }

  /// Ends the observations that show a name, with an identifier, or with any. Takes paths of that name out of lists.
  func end(named name: String, of object: KeyValueObservable, _ identifier: AnyHashable? = nil) {
    let hash = identifier?.hashValue
    let (infos, lists) = table.withLock { table -> ([KVOInfo], [KVOInfo]) in
      guard let present = table[object] else { return ([], []) }
      return (present.infos(named: name, identifierHash: hash), present[listsWithIdentifierHash: hash])
    }
    for info in infos where info.endsByPath(identifier) {
      _ = info.path.followed?.learnKeys(wasRead: false)
      if info.path.currentName == name { endAlone(info) }
    }
    if !lists.isEmpty { take(out: { $0.currentName == name }, of: lists, identifier) }
  }

  /// Takes paths out of lists, of which those end that have none left.
  private func take(out isTaken: (ObservedPath) -> Bool, of lists: [KVOInfo], _ identifier: AnyHashable?) {
    for info in lists where info.endsByPath(identifier) {
      guard let list = info.path.list else { continue }
      let hasChanged = list.paths.filter(isTaken).reduce(false) { list.remove($1) || $0 }
      if list.paths.isEmpty { endAlone(info) } else if hasChanged { info.reroute() }
    }
  }

  /// Ends all observations of an object.
  func end(_ object: KeyValueObservable) {
    for info in infos(of: object) { endAlone(info) }
  }

  func endAll() {
    let infos = table.withLock { table in
      table.endings += 1
      return table.all
    }
    for info in infos { endAlone(info) }
  }

  /// Ends all observations, because the controller is deallocated.
  func close() {
    endAll()
    guard table.withLock({ $0.endsWithObserver }), let observer = observer.object as? KeyValueObservable else { return }
    ObjectLifelines.remove(self, of: observer)
  }

  /// Ends all observations when the observer is deallocated, even if the controller is still referenced. Otherwise a task that
  /// waits for an element of a sequence would wait forever.
  func endWithObserver() {
    guard let observer = observer.object as? KeyValueObservable else { return }
    let isFirst = table.withLock { table in
      defer { table.endsWithObserver = true }
      return !table.endsWithObserver
    }
    if isFirst { ObjectLifelines.insert(self, of: observer) }
  }

  /// Called when the observed object of an observation is deallocated, which has ended it.
  func removeOfDeallocatedObject(_ info: KVOInfo) {
    // Released after the lock.
    withExtendedLifetime(table.withLock { $0.remove(info) }) {}
  }

  private func infos(of object: KeyValueObservable) -> [KVOInfo] { table.withLock { $0[object]?.all ?? [] } }
}

/// The observer is deallocated.
extension ObservationStore: ObjectLifeline {
  func objectIsDeallocated(_ object: DyingObject) { endAll() }
}

extension KVOInfo {
  /// Whether both identify the same observation. Runs foreign code.
  fileprivate func isEqual(to other: KVOInfo, at object: KeyValueObservable) -> Bool {
    identity.isEqual(to: other.identity) && path.isSame(as: other.path, at: object)
  }

  /// Whether it ends when a key path is unobserved with an identifier, or whatever that is. Runs foreign code.
  fileprivate func endsByPath(_ identifier: AnyHashable?) -> Bool {
    if let identifier { return self.identifier == identifier }
    switch identity {
    case .none, .identifier, .list, .unique: return true
    case .allKeys, .elements, .binding: return false
    }
  }
}
