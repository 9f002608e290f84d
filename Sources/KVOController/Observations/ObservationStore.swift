/// The observations of one controller, and how they begin and end.
///
/// - Thread safety: The objects are guarded by the lock, which is never held while foreign code runs.
final class ObservationStore: ObservationOwner, @unchecked Sendable {
  let links: ControllerLinks
  private let retainsObserved: Bool
  private let objects = LockedState(ObservedObjects())

  init(observer: AnyObject?, retainsObserved: Bool) {
    links = ControllerLinks(observer)
    self.retainsObserved = retainsObserved
    super.init()
    links.connect(self)
  }

  var observer: AnyObject? { links.observer.object }

  /// Whether observations of an object retain it.
  func retains(_ object: KeyValueObservable) -> Bool { retainsObserved && !links.observer.refers(to: object) }

  /// All objects with their observations; nil for an object in its `deinit`.
  var all: [(object: KeyValueObservable?, infos: [KVOInfo])] {
    objects.withLock { $0.all.map { ($0.any?.existingObject, $0.all) } }
  }

  override func object(of info: KVOInfo) -> KeyValueObservable? { objects.withLock { _ in info.existingObject } }

  /// Inserts an observation, unless there is an equal one, which is returned.
  func insert(_ info: KVOInfo, of object: KeyValueObservable) -> KVOInfo? {
    insert(checked: [info], of: object).equal.first
  }

  /// Inserts observations, without those that have equal ones.
  ///
  /// - Returns: Those that were inserted, and the equal ones that existed.
  func insert(_ infos: [KVOInfo], of object: KeyValueObservable) -> (new: [KVOInfo], equal: [KVOInfo]) {
    var different: [KVOInfo] = []
    var namesakes: [String: [KVOInfo]] = [:]
    for info in infos {
      let name = info.path.currentName
      if namesakes[name]?.contains(where: { areEqual($0, info, of: object) }) == true { continue }
      namesakes[name, default: []].append(info)
      different.append(info)
    }
    return insert(checked: different, of: object)
  }

  /// Identifiers and paths are compared, and paths are named, outside the lock, because that runs foreign code. If the
  /// observations to compare with have changed by then, it starts over.
  private func insert(
    checked infos: [KVOInfo], of object: KeyValueObservable
  ) -> (new: [KVOInfo], equal: [KVOInfo]) {
    let isRetained = retains(object)
    var insertion = ObservedObjects.Insertion(infos)
    var equal: [KVOInfo] = []
    while !insertion.isEmpty {
      switch objects.withLock({ $0.insert(&insertion, of: object, isRetained: isRetained) }) {
      case .inserted(let isFirst):
        if isFirst, !isRetained, KVOSharedController.needsLifeline(object) { ObjectLifelines.insert(self, of: object) }
        return (insertion.infos, equal)
      case .compare(let candidates):
        equal += insertion.compare(candidates) { areEqual($0, $1, of: object) }
        // A list is equal as a whole.
        if equal.first?.identifier?.list != nil { return ([], equal) }
      case .name(let unnamed):
        name(unnamed, of: object)
        insertion.areOthersNamed = true
      case .end(let infos):
        for info in infos { KVOSharedController.shared.unobserve(info) }
      }
    }
    return ([], equal)
  }

  private func areEqual(_ info: KVOInfo, _ other: KVOInfo, of object: KeyValueObservable) -> Bool {
    HashedIdentifier.areEqual(info.identifier, other.identifier, at: object)
      && info.path.isSame(as: other.path, at: object)
  }

  // MARK: Ending

  /// Ends all observations of `object`.
  func end(_ object: KeyValueObservable) {
    end(of: object) { $0.all }
  }

  /// Ends the observations of a key path of `object`, with any identifier.
  func end(_ object: KeyValueObservable, _ keyPath: String) {
    if let removal = objects.withLock({ $0.removeOnly(keyPath, of: object) }) { return end(removal, of: object) }
    endMeant(named(keyPath, of: object), of: object)
  }

  /// Ends the observation of a key path of `object` with this identifier.
  func end(_ object: KeyValueObservable, _ keyPath: String, _ identifier: HashedIdentifier) {
    endMeant(named(keyPath, of: object, identifier), of: object)
  }

  /// Ends the observations of `path`, if there are others of the same name that mean other properties.
  ///
  /// - Parameter identifier: The identifier of the observation; nil for all.
  /// - Returns: Whether there are.
  func endAmongNamesakes(
    _ object: KeyValueObservable, _ path: ObservedPath, _ identifier: HashedIdentifier? = nil
  ) -> Bool {
    // Usually there is one observation.
    let only = objects.withLock { $0[object].only }
    if let only, only.path.isSame(as: path, at: object) { return false }
    let isNamed = path.isNamed
    let all =
      isNamed ? named(path.currentName, of: object, identifier) : candidates(for: path, of: object, identifier)
    let infos = all.filter { $0.path.isSame(as: path, at: object) }
    guard !isNamed || infos.count < all.count else { return false }
    end(infos, of: object)
    return true
  }

  /// The observations of paths that may be the same as one whose keys aren't known. Runs foreign code.
  private func candidates(
    for path: ObservedPath, of object: KeyValueObservable, _ identifier: HashedIdentifier?
  ) -> [KVOInfo] {
    guard let identifier else { return objects.withLock { $0[object].infos(path) } }
    return objects.withLock { $0[object].infos(path, identifierHash: identifier.hash) }
      .filter { HashedIdentifier.haveEqualValues($0.identifier, identifier) }
  }

  /// The observations of a key path of that name. Runs foreign code.
  private func named(
    _ keyPath: String, of object: KeyValueObservable, _ identifier: HashedIdentifier? = nil
  ) -> [KVOInfo] {
    if let unnamed = objects.withLock({ $0[object].unnamed }) { name(unnamed, of: object) }
    guard let identifier else { return objects.withLock { $0[object][keyPath] } }
    return objects.withLock { $0[object].infos(keyPath, identifierHash: identifier.hash) }
      .filter { HashedIdentifier.haveEqualValues($0.identifier, identifier) }
  }

  /// Ends those of `infos` that the name means, or all if it means none of them.
  private func endMeant(_ infos: [KVOInfo], of object: KeyValueObservable) {
    guard infos.count > 1 else { return end(infos, of: object) }
    let name = ObservedPath.named(infos[0].path.currentName, of: object)
    let meant = infos.filter { $0.path.isSame(as: name, at: object) }
    end(meant.isEmpty ? infos : meant, of: object)
  }

  private func end(_ infos: [KVOInfo], of object: KeyValueObservable) {
    guard !infos.isEmpty else { return }
    end(of: object) { _ in
      let haveEndedMeanwhile = infos.contains { $0.owner == nil }
      return haveEndedMeanwhile ? infos.filter { $0.owner != nil } : infos
    }
  }

  override func end(_ info: KVOInfo) {
    if let (removal, object) = objects.withLock({ $0.remove(info) }) {
      end(removal, of: object)
    } else {
      KVOSharedController.shared.unobserve(info)
    }
  }

  /// Ends all observations.
  func endAll() {
    for (removal, object) in objects.withLock({ $0.removeAll() }) { end(removal, of: object) }
  }

  override var endings: Int { objects.withLock { $0.endings } }

  override func removeOfDeallocatedObject(_ info: KVOInfo) {
    // Released after the lock.
    let removal = objects.withLock { $0.removeOfDeallocatedObject(info) }
    withExtendedLifetime(removal) {}
  }

  private func end(of object: KeyValueObservable, _ choose: (KVOInfoSet) -> [KVOInfo]) {
    guard let removal = objects.withLock({ $0.remove(of: object, choose) }) else { return }
    end(removal, of: object)
  }

  private func end(_ removal: ObservedObjects.Removal, of object: KeyValueObservable?) {
    removal.infos.forEach { KVOSharedController.shared.unobserve($0, of: object) }
    if let object, removal.isLast, !removal.isRetained, KVOSharedController.needsLifeline(object) {
      ObjectLifelines.remove(self, of: object)
    }
  }

  /// Renames observations whose paths have got a name.
  private func name(_ unnamed: KVOInfoSet.Unnamed, of object: KeyValueObservable) {
    for info in unnamed.infos {
      let name = info.path.currentName
      if name != info.keyPath { objects.withLock { $0.rename(info, to: name) } }
    }
    objects.withLock { $0.note(asked: unnamed, of: object) }
  }
}

extension ObservationStore: ObjectLifeline {
  func objectIsDeallocated(_ object: Unmanaged<KeyValueObservable>) {
    object._withUnsafeGuaranteedRef { object in
      let removal = objects.withLock { $0.remove(of: object) { $0.all } }
      removal?.infos.forEach { KVOSharedController.shared.unobserve($0, ofDeallocated: object) }
    }
  }
}
