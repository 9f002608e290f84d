/// The observations of one controller, and how they begin and end.
///
/// - Thread safety: The table is guarded by the lock, which is never held while foreign code runs.
final class ObservationStore: @unchecked Sendable {
  /// The controller's observer, unless its `deinit` has begun.
  let observer: WeakReference
  private let observerAddress: ObjectIdentifier?
  private let retainsObserved: Bool
  private let table: LockedState<MapTable>
  private let shared: KVOSharedController

  init(
    observer: AnyObject?, retainsObserved: Bool, table: LockedState<MapTable>, forwardingTo shared: KVOSharedController
  ) {
    self.observer = WeakReference(observer.flatMap { isInDeinit($0) ? nil : $0 })
    observerAddress = observer.map { ObjectIdentifier($0) }
    self.retainsObserved = retainsObserved
    self.table = table
    self.shared = shared
  }

  /// All observations.
  var all: [KVOInfo] { table.withLock { $0.all } }

  /// The object of an observation; nil if the observation has ended, or the object is deallocated.
  func object(of info: KVOInfo) -> KeyValueObservable? { table.withLock { $0.entry(of: info)?.object } }

  private func retains(_ object: KeyValueObservable) -> Bool {
    retainsObserved && ObjectIdentifier(object) != observerAddress
  }

  // MARK: Beginning

  /// Begins the observation of a path, unless there is an equal one.
  ///
  /// An object whose `deinit` has begun isn't observed, because it can be neither retained nor referenced weakly. The
  /// returned observation has then ended already.
  ///
  /// - Parameter queue: The queue for the destination, if it is a sequence, or if several observations are to keep their order.
  /// - Returns: The new observation, or the equal one that existed.
  @discardableResult
  func begin(
    _ path: ObservedPath, of object: KeyValueObservable, _ options: NSKeyValueObservingOptions,
    _ identity: Identity, _ destination: Destination, _ call: KVOInfo.Call,
    queue: ChangeQueue? = nil, at site: CallSite? = nil
  ) -> KVOInfo {
    let info = makeInfo(path, of: object, options, identity, destination, call, queue)
    guard !isInDeinit(object) else {
      shared.end(info)
      return info
    }
    if let present = insert(info, of: object) {
      if ObservationLog.isOn { ObservationLog.log(.ignore, present, of: object, at: site) }
      return present
    }
    start(info, of: object, at: site)
    return info
  }

  /// Begins observations of several paths, without those that are observed already. What ends all of an object on another
  /// thread ends all of them or none, and an actor gets the changes in their order.
  ///
  /// - Parameters:
  ///   - identity: That of each. Those of a list are one observation, which is equal as a whole.
  /// - Returns: The new observations; and all, with the equal ones that existed.
  func begin(
    _ paths: [ObservedPath], of object: KeyValueObservable, _ options: NSKeyValueObservingOptions,
    _ identity: Identity, _ destination: Destination, _ call: KVOInfo.Call,
    at site: CallSite? = nil
  ) -> (new: [KVOInfo], all: [KVOInfo]) {
    guard !isInDeinit(object) else { return ([], []) }
    let queue = destination.isElsewhere ? ChangeQueue(destination, isShared: true) : nil
    let infos = distinct(paths, at: object).map {
      makeInfo($0, of: object, options, identity, destination, call, queue)
    }
    let (new, equal) = insert(infos, of: object)
    for info in new { start(info, of: object, at: site) }
    for info in equal where ObservationLog.isOn { ObservationLog.log(.ignore, info, of: object, at: site) }
    return (new, new + equal)
  }

  private func makeInfo(
    _ path: ObservedPath, of object: KeyValueObservable, _ options: NSKeyValueObservingOptions,
    _ identity: Identity, _ destination: Destination, _ call: KVOInfo.Call, _ queue: ChangeQueue?
  ) -> KVOInfo {
    let number = KVOSharedController.context(for: path, of: object, isRetained: retains(object))
    let info = KVOInfo(path, options: options, identity, destination, contextNumber: number, call, of: self)
    if let queue { info.makeQueue(queue) }
    return info
  }

  /// Begins an observation that was inserted, unless it has ended meanwhile.
  private func start(_ info: KVOInfo, of object: KeyValueObservable, at site: CallSite?) {
    if ObservationLog.isOn { ObservationLog.log(.begin, info, of: object, at: site) }
    if !retains(object), FoundationWay.isTaken(with: object) { ObjectLifelines.insert(self, of: object) }
    shared.begin(info, of: object)
  }

  func distinct(_ paths: [ObservedPath], at object: KeyValueObservable) -> [ObservedPath] {
    var namesakes: [String: [ObservedPath]] = [:]
    return paths.filter { path in
      let name = path.currentName
      guard namesakes[name]?.contains(where: { $0.isSame(as: path, at: object) }) != true else { return false }
      namesakes[name, default: []].append(path)
      return true
    }
  }

  /// Inserts an observation, or returns the equal one that exists. Usually there is none to compare it with.
  private func insert(_ info: KVOInfo, of object: KeyValueObservable) -> KVOInfo? {
    let isRetained = retains(object)
    let (path, hash) = (info.path.currentPathName, info.identityHash)
    let displaced = table.withLock { table -> [KVOInfo]? in
      let mayHaveEqual = table[object]?.infos(path, identifierHash: hash).isEmpty == false
      return mayHaveEqual ? nil : table.insert(info, of: object, isRetained: isRetained)
    }
    guard let displaced else { return insert([info], of: object).equal.first }
    for info in displaced { shared.endWithoutObject(info) }
    return nil
  }

  /// Inserts observations, without those that have equal ones. Those of a list are inserted as a whole.
  ///
  /// Identifiers and paths are compared outside of the lock, because that runs foreign code. If there are others to compare
  /// with by then, it starts over.
  ///
  /// - Returns: Those that were inserted, and the equal ones that existed.
  private func insert(
    _ infos: [KVOInfo], of object: KeyValueObservable
  ) -> (new: [KVOInfo], equal: [KVOInfo]) {
    let isRetained = retains(object)
    let isList = infos.first?.list != nil
    // The first one stands for its list.
    let names = (isList ? infos.prefix(1) : infos[...]).map { ($0.path.currentPathName, $0.identityHash) }
    var (new, equal) = (infos, [KVOInfo]())
    var compared = names.map { _ in [KVOInfo]() }
    while true {
      var displaced: [KVOInfo] = []
      let others = table.withLock { table -> [[KVOInfo]]? in
        let present = table[object]
        let others = names.map { present?.infos($0.0, identifierHash: $0.1) ?? [] }
        guard zip(others, compared).allSatisfy({ $0.elementsEqual($1, by: ===) }) else { return others }
        for info in new { displaced += table.insert(info, of: object, isRetained: isRetained) }
        return nil
      }
      guard let others else {
        for info in displaced { shared.endWithoutObject(info) }
        return (new, equal)
      }
      compared = others
      if isList {
        equal = equalList(infos[0], among: others[0], of: object)
        new = equal.isEmpty ? infos : []
      } else {
        let found = zip(infos, others).map { info, others in others.first { areEqual($0, info, at: object) } }
        new = zip(infos, found).compactMap { $1 == nil ? $0 : nil }
        equal = found.compactMap { $0 }
      }
    }
  }

  /// The observations of a whole list that is equal to that of an observation; empty if there is none.
  private func equalList(_ info: KVOInfo, among candidates: [KVOInfo], of object: KeyValueObservable) -> [KVOInfo] {
    for candidate in candidates where areEqual(candidate, info, at: object) {
      let infos = self.infos(of: object).filter { $0.list === candidate.list }
      if case .list(let list) = candidate.identity, list.paths.count == infos.count { return infos }
    }
    return []
  }

  private func areEqual(_ info: KVOInfo, _ other: KVOInfo, at object: KeyValueObservable) -> Bool {
    info.identity.isEqual(to: other.identity, at: object) && info.path.isSame(as: other.path, at: object)
  }

  // MARK: Ending

  /// Ends an observation. Does nothing if it has ended.
  ///
  /// - Parameter object: Its object, if the caller has it, which may be in its `deinit`, on this thread.
  func end(_ info: KVOInfo, of object: KeyValueObservable? = nil) {
    guard let removal = table.withLock({ $0.remove(info, of: object) }) else { return shared.end(info) }
    shared.end(info, of: removal.object)
    if case .unretained = removal.released, let object = removal.object, FoundationWay.isTaken(with: object) {
      ObjectLifelines.remove(self, of: object)
    }
  }

  /// Ends the observations of a path, with an identifier, or with any.
  func end(_ path: ObservedPath, of object: KeyValueObservable, _ identifier: AnyHashable? = nil) {
    // Usually there is only one.
    if identifier == nil, let only = table.withLock({ $0[object]?.only }) {
      if only.path.isSame(as: path, at: object) { end(only, of: object) }
      return
    }
    for info in infos(path.currentPathName, of: object, identifier) where info.path.isSame(as: path, at: object) {
      end(info, of: object)
    }
  }

  /// Ends the observations of a name, with an identifier, or with any: those of the path that it means, or all if it means
  /// none of them.
  func end(named name: String, of object: KeyValueObservable, _ identifier: AnyHashable? = nil) {
    if identifier == nil, let only = table.withLock({ $0[object]?.only }) {
      if only.path.currentName == name { end(only, of: object) }
      return
    }
    let infos = infos(named: name, of: object, identifier)
    let path = ObservedPath.named(name, of: object)
    let meant = infos.filter { $0.path.isSame(as: path, at: object) }
    for info in meant.isEmpty ? infos : meant { end(info, of: object) }
  }

  /// Ends all observations of an object.
  func end(_ object: KeyValueObservable) {
    for info in infos(of: object) { end(info, of: object) }
  }

  /// Ends all observations.
  func endAll() {
    let infos = table.withLock { table in
      table.endings += 1
      return table.all
    }
    for info in infos { end(info) }
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

  var endings: Int { table.withLock { $0.endings } }

  func removeOfDeallocatedObject(_ info: KVOInfo) {
    // Released after the lock.
    withExtendedLifetime(table.withLock { $0.remove(info) }) {}
  }

  // MARK: Finding

  /// The observations of a name, with an identifier, or with any. Runs foreign code.
  private func infos(named name: String, of object: KeyValueObservable, _ identifier: AnyHashable?) -> [KVOInfo] {
    // The text of a path without a name is that of many.
    let path = name.utf8.first == UInt8(ascii: "\\") ? nil : KVOInfoSet.PathName(name: name, hash: nil)
    return infos(path, of: object, identifier).filter { $0.path.currentName == name }
  }

  /// The observations that may be of a path, or of any, with an identifier, or with any. Runs foreign code for an identifier.
  private func infos(
    _ path: KVOInfoSet.PathName? = nil, of object: KeyValueObservable, _ identifier: AnyHashable? = nil
  ) -> [KVOInfo] {
    let hash = identifier?.hashValue
    let infos = table.withLock { table in
      guard let path else { return table[object]?.all ?? [] }
      guard let hash else { return table[object]?.infos(path) ?? [] }
      return table[object]?.infos(path, identifierHash: hash) ?? []
    }
    guard let identifier else { return infos }
    return infos.filter { $0.identity.identifier == identifier }
  }
}

extension ObservationStore: ObjectLifeline {
  func objectIsDeallocated(_ object: Unmanaged<KeyValueObservable>) {
    object._withUnsafeGuaranteedRef { object in
      if ObjectIdentifier(object) == observerAddress, table.withLock({ $0.endsWithObserver }) { endAll() }
      for info in infos(of: object) {
        if table.withLock({ $0.remove(info, of: object) }) != nil { shared.end(info, ofDeallocated: object) }
      }
    }
  }
}
