/// The observations of one controller, and how they begin and end.
///
/// - Thread safety: The objects are guarded by the lock, which is never held while foreign code runs.
final class ObservationStore: @unchecked Sendable {
  let links: ControllerLinks
  private let retainsObserved: Bool
  private let lock = Lock()
  // The lock excludes what the compiler would otherwise check at run time.
  @exclusivity(unchecked) private var objects = ObservedObjects()

  init(observer: AnyObject?, retainsObserved: Bool) {
    links = ControllerLinks(observer)
    self.retainsObserved = retainsObserved
    links.connect(self)
  }

  var observer: AnyObject? { links.observer.object }

  /// All objects with their observations; nil for an object in its `deinit`.
  var all: [(object: KeyValueObservable?, infos: [KVOInfo])] {
    lock.withLock { objects.all.map { ($0.any?.existingObject, $0.all) } }
  }

  /// Inserts an observation, unless there is an equal one, which is returned.
  ///
  /// Identifiers and paths are compared, and paths are named, outside the lock, because that runs foreign code. If the
  /// observations to compare with have changed by then, it starts over.
  func insert(_ info: KVOInfo, of object: KeyValueObservable) -> KVOInfo? {
    let isRetained = retainsObserved && !links.observer.refers(to: object)
    var unequal: [KVOInfo] = []
    var areNamed = false
    while true {
      let insertion = lock.withLock {
        objects.insert(info, of: object, isRetained: isRetained, unequal: unequal, areNamed: areNamed)
      }
      switch insertion {
      case .inserted(let isFirst):
        if isFirst, !isRetained, KVOSharedController.needsLifelines { ObjectLifelines.insert(self, of: object) }
        return nil
      case .compare(let candidates):
        let equal = candidates.first {
          HashedIdentifier.areEqual($0.identifier, info.identifier) && $0.path.isSame(as: info.path, at: object)
        }
        if let equal { return equal }
        unequal = candidates
      case .name(let infos):
        name(infos)
        areNamed = true
      case .end(let infos):
        for info in infos { KVOSharedController.shared.unobserve(info) }
      }
    }
  }

  // MARK: Ending

  /// Ends all observations of `object`.
  func end(_ object: KeyValueObservable) {
    end(of: object) { $0.all }
  }

  /// Ends the observations of a key path of `object`, with any identifier.
  func end(_ object: KeyValueObservable, _ keyPath: String) {
    if let removal = lock.withLock({ objects.removeOnly(keyPath, of: object) }) { return end(removal, of: object) }
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
    let only = lock.withLock { objects[object].only }
    if let only, only.path.isSame(as: path, at: object) { return false }
    let all = named(path.currentName, of: object, identifier)
    let infos = all.filter { $0.path.isSame(as: path, at: object) }
    guard infos.count < all.count else { return false }
    end(infos, of: object)
    return true
  }

  /// The observations of a key path of that name. Runs foreign code.
  private func named(
    _ keyPath: String, of object: KeyValueObservable, _ identifier: HashedIdentifier? = nil
  ) -> [KVOInfo] {
    name(lock.withLock { objects[object].unnamed })
    guard let identifier else { return lock.withLock { objects[object][keyPath] } }
    return lock.withLock { objects[object].infos(keyPath, identifierHash: identifier.hash) }
      .filter { HashedIdentifier.areEqual($0.identifier, identifier) }
  }

  /// Ends those of `infos` that the name means, or all if it means none of them.
  private func endMeant(_ infos: [KVOInfo], of object: KeyValueObservable) {
    let meant = infos.count > 1 ? infos.filter { $0.path.isSame(as: nil, at: object) } : []
    end(meant.isEmpty ? infos : meant, of: object)
  }

  private func end(_ infos: [KVOInfo], of object: KeyValueObservable) {
    guard !infos.isEmpty else { return }
    end(of: object) { _ in
      let haveEndedMeanwhile = infos.contains { $0.borrowedOwner == nil }
      return haveEndedMeanwhile ? infos.filter { $0.borrowedOwner != nil } : infos
    }
  }

  /// Ends this observation only. Does nothing if it has ended.
  func end(_ info: KVOInfo) {
    if let (removal, object) = lock.withLock({ objects.remove(info) }) {
      end(removal, of: object)
    } else {
      KVOSharedController.shared.unobserve(info)
    }
  }

  /// Ends all observations.
  func endAll() {
    for (removal, object) in lock.withLock({ objects.removeAll() }) {
      if let object {
        end(removal, of: object)
      } else {
        removal.infos.forEach { KVOSharedController.shared.unobserve($0) }
      }
    }
  }

  /// Removes an observation that has ended because its object is in its `deinit`.
  func removeOfDeallocatedObject(_ info: KVOInfo) {
    // Released after the lock.
    let removal = lock.withLock { objects.removeOfDeallocatedObject(info) }
    withExtendedLifetime(removal) {}
  }

  private func end(of object: KeyValueObservable, _ choose: (KVOInfoSet) -> [KVOInfo]) {
    guard let removal = lock.withLock({ objects.remove(of: object, choose) }) else { return }
    end(removal, of: object)
  }

  private func end(_ removal: ObservedObjects.Removal, of object: KeyValueObservable) {
    removal.infos.forEach { KVOSharedController.shared.unobserve(object, $0) }
    if removal.isLast, !removal.isRetained, KVOSharedController.needsLifelines {
      ObjectLifelines.remove(self, of: object)
    }
  }

  /// Renames observations whose paths have got a name.
  private func name(_ infos: [KVOInfo]) {
    for info in infos {
      let name = info.path.currentName
      if name != info.keyPath { lock.withLock { objects.rename(info, to: name) } }
    }
  }
}

extension ObservationStore: ObjectLifeline {
  func objectIsDeallocated(_ object: Unmanaged<KeyValueObservable>, isReadable: Bool) {
    object._withUnsafeGuaranteedRef { object in
      let removal = lock.withLock { objects.remove(of: object) { $0.all } }
      removal?.infos.forEach { info in
        // Foundation reads the first key of a dotted path to remove its observer. A path without a name is registered
        // key by key.
        let canUnregister = isReadable || !info.path.isNamed || !info.keyPath.contains(".")
        if canUnregister {
          KVOSharedController.shared.unobserve(object, info)
        } else {
          KVOSharedController.shared.unobserve(info)
        }
      }
    }
  }
}
