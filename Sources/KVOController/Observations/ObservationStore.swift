/// The observations of one controller, and how they begin and end.
///
/// - Thread safety: The table is guarded by the lock, which is never held while foreign code runs.
final class ObservationStore: @unchecked Sendable {
  let links: ControllerLinks
  private let retainsObserved: Bool
  private let table: LockedState<MapTable>
  private let shared: KVOSharedController

  init(
    observer: AnyObject?, retainsObserved: Bool, table: LockedState<MapTable>, forwardingTo shared: KVOSharedController
  ) {
    links = ControllerLinks(observer)
    self.retainsObserved = retainsObserved
    self.table = table
    self.shared = shared
    links.connect(self)
  }

  var observer: AnyObject? { links.observer.object }

  /// All objects with their observations; nil for an object in its `deinit`.
  var all: [(object: KeyValueObservable?, infos: [KVOInfo])] {
    table.withLock { $0.entries.map { ($0.object, $0.infos.all) } }
  }

  /// The object of an observation; nil if the observation has ended, or the object is deallocated.
  func object(of info: KVOInfo) -> KeyValueObservable? { table.withLock { $0.entry(of: info)?.object } }

  private func retains(_ object: KeyValueObservable) -> Bool {
    retainsObserved && !links.observer.refers(to: object)
  }

  // MARK: Beginning

  /// Begins the observation of a path, unless there is an equal one.
  ///
  /// An object whose `deinit` has begun isn't observed, because it can be neither retained nor referenced weakly. The
  /// returned observation has then ended already.
  ///
  /// - Parameters:
  ///   - token: The token of an observation by a typed key path.
  ///   - queue: The queue for the destination, if several observations are to keep their order.
  ///   - site: Where the client called `observe`, if the form knows it.
  /// - Returns: The new observation, or the equal one that existed.
  @discardableResult
  func begin(
    _ path: ObservedPath, of object: KeyValueObservable, _ options: NSKeyValueObservingOptions,
    _ identifier: HashedIdentifier?, _ destination: Destination, _ call: KVOReceiver.Call,
    token: (any KVOInfoToken)? = nil, queue: ChangeQueue? = nil, at site: CallSite? = nil
  ) -> KVOInfo {
    let isRetained = retains(object)
    let info = KVOInfo(
      path, options: options, call.form,
      KVOReceiver(
        links, identifier, destination,
        context: KVOSharedController.context(for: path, of: object, isRetained: isRetained),
        token, call))
    token?.connect(info)
    if let queue { info.makeQueue(queue) }
    if case .sequence = destination { info.makeQueue(ChangeQueue(destination)) }
    guard !isInDeinit(object) else {
      shared.end(info)
      return info
    }
    if let present = insert(info, of: object, isRetained: isRetained) {
      if ObservationLog.isOn { ObservationLog.log(.ignore, present, of: object, at: site) }
      return present
    }
    if ObservationLog.isOn { ObservationLog.log(.begin, info, of: object, at: site) }
    shared.begin(info, of: object)
    return info
  }

  /// Begins observations of several paths, without those that are observed already. What ends all of an object on another
  /// thread ends all of them or none, and an actor gets the changes in their order.
  ///
  /// - Parameter identifier: The identifier of each. If it has a list, they are one observation, which is equal as a whole.
  /// - Returns: The new observations; and all, with the equal ones that existed.
  @discardableResult
  func begin(
    _ paths: [ObservedPath], of object: KeyValueObservable, _ options: NSKeyValueObservingOptions,
    _ identifier: HashedIdentifier?, _ destination: Destination, _ call: KVOReceiver.Call, at site: CallSite? = nil
  ) -> (new: [KVOInfo], all: [KVOInfo]) {
    guard !isInDeinit(object) else { return ([], []) }
    let isRetained = retains(object)
    let queue = destination.isElsewhere ? ChangeQueue(destination, isShared: true) : nil
    let infos = distinct(paths, at: object).map { path in
      let context = KVOSharedController.context(for: path, of: object, isRetained: isRetained)
      let info = KVOInfo(
        path, options: options, call.form, KVOReceiver(links, identifier, destination, context: context, nil, call))
      if let queue { info.makeQueue(queue) }
      return info
    }
    let (new, equal) = insert(infos, identifier?.list, of: object, isRetained: isRetained)
    if ObservationLog.isOn {
      for info in new { ObservationLog.log(.begin, info, of: object, at: site) }
      for info in equal { ObservationLog.log(.ignore, info, of: object, at: site) }
    }
    for info in new { shared.begin(info, of: object) }
    return (new, new + equal)
  }

  private func distinct(_ paths: [ObservedPath], at object: KeyValueObservable) -> [ObservedPath] {
    var namesakes: [String: [ObservedPath]] = [:]
    return paths.filter { path in
      let name = path.currentName
      guard namesakes[name]?.contains(where: { $0.isSame(as: path, at: object) }) != true else { return false }
      namesakes[name, default: []].append(path)
      return true
    }
  }

  /// Inserts an observation, unless there is an equal one, which is returned.
  private func insert(_ info: KVOInfo, of object: KeyValueObservable, isRetained: Bool) -> KVOInfo? {
    let (path, hash) = (info.path.currentPathName, info.identifier?.hash)
    // Usually there is nothing to compare it with.
    let displaced = table.withLock { table -> [KVOInfo]? in
      let mayHaveEqual = table[object]?.infos(path, identifierHash: hash).isEmpty == false
      return mayHaveEqual ? nil : table.insert(info, of: object, isRetained: isRetained)
    }
    guard let displaced else { return insert([info], nil, of: object, isRetained: isRetained).equal.first }
    didInsert(1, displaced, of: object, isRetained: isRetained)
    return nil
  }

  /// An observation to insert, and those that it was compared with, and differs from.
  private struct Insertion {
    let info: KVOInfo
    let path: KVOInfoSet.PathName
    var others: [KVOInfo] = []

    init(_ info: KVOInfo) { (self.info, path) = (info, info.path.currentPathName) }
  }

  /// Inserts observations, without those that have equal ones.
  ///
  /// Identifiers and paths are compared outside of the lock, because that runs foreign code. If there are others to compare
  /// with by then, it starts over.
  ///
  /// - Parameter list: The list that they are; its first one stands for all.
  /// - Returns: Those that were inserted, and the equal ones that existed.
  private func insert(
    _ infos: [KVOInfo], _ list: KeyPathList?, of object: KeyValueObservable, isRetained: Bool
  ) -> (new: [KVOInfo], equal: [KVOInfo]) {
    var insertions = (list == nil ? infos[...] : infos.prefix(1)).map(Insertion.init)
    var equal: [KVOInfo] = []
    while true {
      let new = list == nil ? insertions.map(\.info) : infos
      var displaced: [KVOInfo] = []
      let candidates = table.withLock { table -> [[KVOInfo]]? in
        let present = table[object]
        let candidates = insertions.map { present?.infos($0.path, identifierHash: $0.info.identifier?.hash) ?? [] }
        guard zip(candidates, insertions).allSatisfy({ $0.elementsEqual($1.others, by: ===) }) else {
          return candidates
        }
        for info in new { displaced += table.insert(info, of: object, isRetained: isRetained) }
        return nil
      }
      guard let candidates else {
        didInsert(new.count, displaced, of: object, isRetained: isRetained)
        return (new, equal)
      }
      insertions = zip(insertions, candidates).compactMap { insertion, candidates in
        if let present = candidates.first(where: { areEqual($0, insertion.info, at: object) }) {
          equal.append(present)
          return nil
        }
        var insertion = insertion
        insertion.others = candidates
        return insertion
      }
      if let list = equal.first?.identifier?.list {
        return ([], table.withLock { $0[object]?.all.filter { $0.identifier?.list === list } } ?? [])
      }
    }
  }

  private func didInsert(
    _ count: Int, _ displaced: [KVOInfo], of object: KeyValueObservable, isRetained: Bool
  ) {
    if !isRetained, KVOSharedController.needsLifeline(object) {
      for _ in 0..<count { ObjectLifelines.insert(self, of: object) }
    }
    for info in displaced { shared.endWithoutObject(info) }
  }

  private func areEqual(_ info: KVOInfo, _ other: KVOInfo, at object: KeyValueObservable) -> Bool {
    HashedIdentifier.areEqual(info.identifier, other.identifier, at: object)
      && info.path.isSame(as: other.path, at: object)
  }

  // MARK: Ending

  /// Ends an observation. Does nothing if it has ended.
  func end(_ info: KVOInfo) { end(info, of: nil) }

  /// Ends an observation.
  ///
  /// - Parameter object: Its object, if the caller has it, which may be in its `deinit`, on this thread.
  private func end(_ info: KVOInfo, of object: KeyValueObservable?) {
    guard let removal = table.withLock({ $0.remove(info, of: object) }) else { return shared.end(info) }
    shared.end(info, of: removal.object)
    if let object = removal.object, KVOSharedController.needsLifeline(object), !retains(object) {
      ObjectLifelines.remove(self, of: object)
    }
  }

  /// Ends the observations of a path, with an identifier, or with any.
  func end(_ path: ObservedPath, of object: KeyValueObservable, _ identifier: HashedIdentifier? = nil) {
    if identifier == nil, let only = only(of: object) {
      if only.path.isSame(as: path, at: object) { end(only, of: object) }
      return
    }
    for info in infos(path.currentPathName, of: object, identifier) where info.path.isSame(as: path, at: object) {
      end(info, of: object)
    }
  }

  /// Ends the observations of a name, with an identifier, or with any: those of the path that it means, or all if it means
  /// none of them.
  func end(named name: String, of object: KeyValueObservable, _ identifier: HashedIdentifier? = nil) {
    if identifier == nil, let only = only(of: object) {
      if only.path.currentName == name { end(only, of: object) }
      return
    }
    let infos = infos(named: name, of: object, identifier)
    guard infos.count > 1 else { return infos.forEach { end($0, of: object) } }
    let path = ObservedPath.named(name, of: object)
    let meant = infos.filter { $0.path.isSame(as: path, at: object) }
    for info in meant.isEmpty ? infos : meant { end(info, of: object) }
  }

  /// Ends all observations of an object.
  func end(_ object: KeyValueObservable) {
    for info in table.withLock({ $0[object]?.all }) ?? [] { end(info, of: object) }
  }

  /// Ends all observations.
  func endAll() {
    let infos = table.withLock { table in
      table.endings += 1
      return table.entries.flatMap(\.infos.all)
    }
    for info in infos { end(info, of: nil) }
  }

  var endings: Int { table.withLock { $0.endings } }

  func removeOfDeallocatedObject(_ info: KVOInfo) {
    // Released after the lock.
    let removal = table.withLock { $0.remove(info) }
    withExtendedLifetime(removal) {}
  }

  // MARK: Finding

  /// The observation of an object, if there is only one, as usual.
  private func only(of object: KeyValueObservable) -> KVOInfo? { table.withLock { $0[object]?.only } }

  /// Whether a path has the name of other observed ones, which it doesn't mean.
  func hasNamesakes(_ path: ObservedPath, of object: KeyValueObservable) -> Bool {
    infos(named: path.currentName, of: object).contains { !$0.path.isSame(as: path, at: object) }
  }

  /// The observations of a name, with an identifier, or with any. Runs foreign code.
  private func infos(
    named name: String, of object: KeyValueObservable, _ identifier: HashedIdentifier? = nil
  ) -> [KVOInfo] {
    // The text of a path without a name is that of many.
    let infos =
      name.utf8.first == UInt8(ascii: "\\")
      ? (table.withLock { $0[object]?.all } ?? []).filter { identifier == nil || isOf($0, identifier) }
      : infos(KVOInfoSet.PathName(name: name, hash: nil), of: object, identifier)
    return infos.filter { $0.path.currentName == name }
  }

  private func infos(
    _ path: KVOInfoSet.PathName, of object: KeyValueObservable, _ identifier: HashedIdentifier?
  ) -> [KVOInfo] {
    guard let identifier else { return table.withLock { $0[object]?.infos(path) } ?? [] }
    return (table.withLock { $0[object]?.infos(path, identifierHash: identifier.hash) } ?? [])
      .filter { isOf($0, identifier) }
  }

  private func isOf(_ info: KVOInfo, _ identifier: HashedIdentifier?) -> Bool {
    HashedIdentifier.haveEqualValues(info.identifier, identifier)
  }
}

extension ObservationStore: ObjectLifeline {
  func objectIsDeallocated(_ object: Unmanaged<KeyValueObservable>) {
    object._withUnsafeGuaranteedRef { object in
      for info in table.withLock({ $0[object]?.all }) ?? [] {
        let removal = table.withLock { $0.remove(info, of: object) }
        if removal != nil { shared.end(info, ofDeallocated: object) }
      }
    }
  }
}
