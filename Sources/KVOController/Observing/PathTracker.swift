import CKeyValueObserving

/// Tracks what affects an observance of a path: the keys of the objects on it, and those on which these depend.
///
/// They are found by traversing the path, which runs foreign getters, and so without a lock. Two threads that replace
/// objects on the path may traverse it at the same time. The traversal that began last has seen both replacements, so its
/// result stays, whichever ends first. What other traversals have found is removed when none is under way.
///
/// - Thread safety: The lock guards the state. Under it, one object's lock at a time is taken. The number is that of the
///   thread that has followed the path last, and is read without the lock.
final class PathTracker: LockedObject, @unchecked Sendable {
  /// A key of an object that affects the observance.
  enum Dependency {
    case own(ObservationInfo, ObservedKey)
    case foreign(ForeignWaypoint)

    func isOf(_ key: ObservedKey, _ info: ObservationInfo) -> Bool {
      if case .own(let ownInfo, let ownKey) = self { ownInfo === info && ownKey === key } else { false }
    }

    func isOf(_ info: ObservationInfo) -> Bool {
      if case .own(let ownInfo, _) = self { ownInfo === info } else { false }
    }

    func isOf(_ key: String, _ foreign: KeyValueObservable) -> Bool {
      if case .foreign(let waypoint) = self { waypoint.isFor(key, of: foreign) } else { false }
    }
  }

  /// The state that the lock guards.
  struct State {
    /// The dependencies that the latest traversal has found.
    var dependencies: [Dependency] = []
    /// Whether they are the steps of a plain path, in order, so that each lies behind the one before it.
    var areSteps = false
    /// Their end, if they are the steps of a plain path that leads to its end.
    var plainEnd: PlainEnd?
    /// The dependencies that other traversals have found.
    var others: [Dependency] = []
    var begunTraversals = State.firstTraversal
    var latestTraversal: UInt64 = 0
    var traversalsUnderWay = 0
    /// Whether any change of what the latest traversal has found traverses the path again.
    var isOutdated = false
    /// The latest traversal that has found an object that was deallocated since.
    var latestDeath: UInt64 = 0
    var hasEnded = false

    #if DEBUG
    // Where numbers of 32 bits end, so that every test goes beyond.
    private static let firstTraversal: UInt64 = (1 << 32) - 3
    #else
    private static let firstTraversal: UInt64 = 0
    #endif

    /// - Returns: The number of the traversal; nil if the observance has ended.
    mutating func beginTraversal() -> UInt64? {
      guard !hasEnded else { return nil }
      traversalsUnderWay += 1
      begunTraversals += 1
      return begunTraversals
    }

    /// - Returns: The dependencies to remove, unless a later traversal has found them too.
    mutating func endTraversal(
      _ number: UInt64, _ found: [Dependency], areSteps: Bool, _ plainEnd: PlainEnd?
    ) -> [Dependency] {
      traversalsUnderWay -= 1
      if number > latestTraversal {
        others += dependencies
        (dependencies, self.areSteps, self.plainEnd, latestTraversal) = (found, areSteps, plainEnd, number)
        isOutdated = number <= latestDeath
      } else {
        others += found
      }
      return takeOthers()
    }

    /// Takes out what lay behind the object with `info`, which was deallocated.
    ///
    /// - Returns: The dependencies to remove; none if it isn't known what lay behind the object.
    mutating func takeUnreachable(behind info: ObservationInfo?) -> [Dependency] {
      guard areSteps, let info, let index = dependencies.firstIndex(where: { $0.isOf(info) }) else { return [] }
      plainEnd = nil
      defer { dependencies.removeSubrange(index...) }
      return Array(dependencies[(index + 1)...])
    }

    /// - Returns: The objects to remove.
    mutating func end() -> [Dependency] {
      hasEnded = true
      return takeOthers()
    }

    private mutating func takeOthers() -> [Dependency] {
      guard traversalsUnderWay == 0 else { return [] }
      if hasEnded {
        others += dependencies
        (dependencies, plainEnd, latestTraversal) = ([], nil, .max)
      }
      defer { others = [] }
      return others
    }
  }

  let path: ObservedPath
  private let weakRoot: WeakReference
  // The lock excludes what the compiler would otherwise check at run time.
  @exclusivity(unchecked) private var guardedState = State()
  /// The position in the table of registrations of the object at which the path begins, whose lock guards it.
  @exclusivity(unchecked) var registrationIndex = 0

  init(_ path: ObservedPath, from root: KeyValueObservable) {
    self.path = path
    weakRoot = WeakReference(root)
  }

  /// The state, under the lock.
  var state: State {
    @inline(__always) _read {
      requireLock()
      yield guardedState
    }
    @inline(__always) _modify {
      requireLock()
      yield &guardedState
    }
  }

  /// The object at which the path begins; nil if its `deinit` has begun.
  var root: KeyValueObservable? { weakRoot.object.map { unsafeDowncast($0, to: KeyValueObservable.self) } }
}

// MARK: Traversing

extension PathTracker {
  /// Inserts the observance wherever a change affects it now, and removes it everywhere else.
  ///
  /// - Parameters:
  ///   - requiresKeys: Whether to read a key that its class doesn't have, so that it is reported.
  ///   - readsEnd: Whether to read the value of the last key.
  ///   - isAgain: Whether it is the second traversal, because the first one found something that had changed.
  /// - Returns: The value at the end, if it was read, and whether it may have changed since.
  @discardableResult
  func follow(
    from root: KeyValueObservable, for observance: Observance, requiresKeys: Bool = false, readsEnd: Bool = false,
    isAgain: Bool = false
  ) -> (reading: Reading, isOutdated: Bool) {
    guard let number = withLock({ state.beginTraversal() }) else { return (.ended, false) }
    isFollowedByThisThread()
    let wasNamed = path.isNamed
    let traversal = PathTraversal(of: observance, number, requiresKeys: requiresKeys, readsEnd: readsEnd)
    let reading = traversal.run(path, from: root)
    var (isLatest, isOutdated) = (true, false)
    let hasCalled = remove(observance) {
      isLatest = state.begunTraversals == number
      let removed = state.endTraversal(
        number, traversal.dependencies, areSteps: traversal.isPlain,
        traversal.isPlain ? PlainEnd(of: traversal.dependencies, lastIndex: path.lastIndex) : nil)
      isOutdated = state.isOutdated
      if isOutdated { markAsStale(observance) }
      return removed
    }
    // Repeated if a getter has changed something that was read before, or if the keys have become known.
    if !isAgain, traversal.isStale || isOutdated || (hasCalled && readsEnd) || wasNamed != path.isNamed {
      return follow(from: root, for: observance, readsEnd: readsEnd, isAgain: true)
    }
    return (reading, !isLatest || hasCalled || isOutdated)
  }

  /// Records that this thread follows the path.
  func isFollowedByThisThread() { kvo_set_number(lockAddress, ThreadIdentity.current.shortNumber) }

  /// Whether a thread has followed the path last.
  func wasFollowed(by thread: ThreadIdentity) -> Bool { number == thread.shortNumber }

  /// The value at the end of the path.
  func read(from root: KeyValueObservable, for observance: Observance) -> Reading {
    let traversal = PathTraversal(of: observance, nil, requiresKeys: false, readsEnd: true)
    let reading = traversal.run(path, from: root)
    // There may be an object on the path that the observance doesn't follow yet, and which isn't observed. What is read then
    // is new enough, even if it has changed since: the other change notifies the observance too.
    if case .ended = reading, !observance.hasEnded {
      return follow(from: root, for: observance, readsEnd: true).reading
    }
    if traversal.isStale { follow(from: root, for: observance) }
    return reading
  }

  /// Removes the observance from all keys, permanently.
  func end(for observance: Observance) {
    remove(observance) { state.end() }
  }

  /// Removes the observance from the keys that `choose` returns, unless the latest traversal has found them.
  ///
  /// - Returns: Whether the observer may have been called, because a foreign object was being changed.
  @discardableResult
  private func remove(_ observance: Observance, _ choose: () -> [Dependency]) -> Bool {
    let (dependencies, removals, foreign) = withLock {
      () -> ([Dependency], [ObserverList.Removal], [ForeignWaypoint]) in
      let dependencies = choose()
      let latest = state.latestTraversal
      let foreign = dependencies.compactMap { dependency -> ForeignWaypoint? in
        if case .foreign(let waypoint) = dependency, waypoint.traversal < latest { waypoint } else { nil }
      }
      return (dependencies, removeFromLists(observance, dependencies, before: latest), foreign)
    }
    let hasCalled = foreign.reduce(false) { $1.end() || $0 }
    return withExtendedLifetime((dependencies, removals)) { hasCalled }
  }

  /// Removes the observance from the lists of keys, unless a traversal with at least that number has found them. Called with the
  /// lock.
  ///
  /// - Returns: The references that the caller has to release after the lock.
  private func removeFromLists(
    _ observance: Observance, _ dependencies: [Dependency], before traversal: UInt64 = .max
  ) -> [ObserverList.Removal] {
    dependencies.compactMap { dependency in
      guard case .own(let info, let key) = dependency else { return nil }
      return info.remove(observance, key, before: traversal)
    }
  }

  /// The waypoint for a key of a foreign object, which a traversal has come to.
  ///
  /// - Returns: The waypoint, and whether it is to be registered.
  func waypoint(
    _ key: String, of object: KeyValueObservable, isEnd: Bool, for observance: Observance, traversal: UInt64
  ) -> (ForeignWaypoint, isNew: Bool) {
    withLock {
      for case .foreign(let waypoint) in state.dependencies
      where waypoint.isEnd == isEnd && waypoint.isFor(key, of: object) {
        waypoint.traversal = max(waypoint.traversal, traversal)
        return (waypoint, false)
      }
      return (ForeignWaypoint(key, of: object, isEnd: isEnd, traversal: traversal, for: observance), true)
    }
  }
}

// MARK: The objects on the path

extension PathTracker {
  /// Whether `key` of the object with `info` affects the observance, according to the latest traversal.
  func passes(_ key: ObservedKey, _ info: ObservationInfo, for observance: Observance) -> Bool {
    withLock {
      guard let entry = info.entry(of: observance, key) else { return false }
      return entry.traversal >= state.latestTraversal
    }
  }

  /// Makes the next change of anything that affects the observance traverse the path again, because an object on the path
  /// was deallocated. Removes the observance from the keys of a plain path that lay behind the object.
  ///
  /// - Parameters:
  ///   - info: That of the object, if the engine observed it.
  ///   - traversal: The latest traversal that has found the object.
  func objectOnPathDied(_ info: ObservationInfo?, for observance: Observance, traversal: UInt64 = .max) {
    let released = withLock { () -> ([Dependency], [ObserverList.Removal]) in
      guard traversal >= state.latestTraversal else { return ([], []) }
      state.latestDeath = max(state.latestDeath, min(traversal, state.begunTraversals))
      let unreachable = state.takeUnreachable(behind: info)
      let removals = removeFromLists(observance, unreachable)
      if !state.isOutdated {
        state.isOutdated = true
        markAsStale(observance)
      }
      return (unreachable, removals)
    }
    withExtendedLifetime(released) {}
  }

  /// Makes a change of any key that the latest traversal has found traverse the path again. Called with the lock.
  private func markAsStale(_ observance: Observance) {
    for case .own(let info, let key) in state.dependencies {
      info.insert(observance, .stale, key, traversal: state.latestTraversal)
    }
  }
}

// The shorter way along plain paths, for the rows "replacing the child" of the budget. Each key of a plain path is an
// `@Observed` property that notifies automatically and depends on no other key, and all but the last hold objects that the
// engine observes. So following it runs no foreign code, and can be done with locks.

extension ObservedKey {
  /// Whether a plain path can lead through the key, or end there.
  func isPlainStep(isLast: Bool) -> Bool {
    guard isPlain, isIndependent, let field, !field.isZeroSized else { return false }
    return isLast || field.isObject
  }
}

extension Observance {
  /// Calls `store`, which replaces the object that is the value for the key at a place in `object`, and notifies the observer.
  ///
  /// - Returns: Whether it was done, which isn't possible if it takes a ``ChangeTransaction``.
  final func replaceOnPath(
    at place: UInt, of object: KeyValueObject, _ info: ObservationInfo, _ store: () -> Void
  ) -> Bool {
    guard isReceptive, let tracker, let root = root(at: object, info),
      let (old, new) = tracker.replaceOwnerOfEnd(at: place, of: info, for: self, store)
    else { return false }
    if let new {
      KeyValueChange.lend(to: self, of: root, .setting, old: old, new: options.contains(.new) ? new : .notRequested)
    } else {
      sendSetting(old: old, reroute(readsEnd: options.contains(.new)), of: root)
    }
    return true
  }
}

extension PathTracker {
  /// The end of a plain path: its last key, and the one whose value owns that. The tracker's lock guards it.
  final class PlainEnd {
    let waypoint: ObservedKey
    let waypointInfo: ObservationInfo
    let key: ObservedKey
    @exclusivity(unchecked) var info: ObservationInfo

    /// - Parameters:
    ///   - steps: The steps of a plain path, all of them unless one is nil.
    ///   - lastIndex: The index of the last key.
    /// - Returns: nil if the path doesn't lead to its end, or if it leads through one of the two before that as well. A weak
    ///   property doesn't keep the object that owns the last key, so that object must not be read without a reference.
    init?(of steps: [Dependency], lastIndex: Int) {
      guard lastIndex > 0, steps.count == lastIndex + 1,
        case .own(let waypointInfo, let waypoint) = steps[lastIndex - 1], waypoint.field?.isWeak == false,
        case .own(let info, let key) = steps[lastIndex],
        !steps[..<lastIndex].contains(where: { $0.isOf(key, info) }),
        !steps[..<(lastIndex - 1)].contains(where: { $0.isOf(waypoint, waypointInfo) })
      else { return nil }
      (self.waypointInfo, self.waypoint, self.info, self.key) = (waypointInfo, waypoint, info, key)
    }
  }

  /// Replaces the object that owns the last key of a plain path, and leads the path to the new one.
  ///
  /// It is a traversal with the lock, while no other one is under way, so two threads that replace the object take turns.
  ///
  /// - Returns: The values at the end before and after, if the options request them; nil, before anything is stored, if it
  ///   can't be done. The path has yet to be traversed if the new value is nil.
  func replaceOwnerOfEnd(
    at place: UInt, of info: ObservationInfo, for observance: Observance, _ store: () -> Void
  ) -> (old: ChangedValue, new: ChangedValue?)? {
    let (needsOld, needsNew) = (observance.options.contains(.old), observance.options.contains(.new))
    // Released after the locks.
    var next: KeyValueObject?
    var released: (ObservationInfo?, ObserverList.Removal?)
    let values = withLock { () -> (ChangedValue, ChangedValue?)? in
      guard let end = state.plainEnd, end.waypoint.place == place, end.waypointInfo === info,
        state.traversalsUnderWay == 0, !state.isOutdated,
        info.replaceObject(end.waypoint, onlyFor: observance, &next, store)
      else { return nil }
      let (former, key) = (end.info, end.key)
      let nextInfo = next?.observationInfoIfMade
      if let nextInfo, nextInfo === former {
        guard let value = former.withLock({ former.value(of: key) }) else { return (.null, nil) }
        return (needsOld ? value : .notRequested, needsNew ? value : .notRequested)
      }
      isFollowedByThisThread()
      let (old, removal) = former.withLock {
        (needsOld ? former.value(of: key) ?? .null : .notRequested, former.removeLocked(observance, key))
      }
      released = (former, removal)
      // Usually the new object is of the same class. The path must not lead through its property already.
      if let nextInfo, nextInfo.properties === former.properties,
        let new = nextInfo.withLock({ () -> ChangedValue? in
          guard nextInfo.list(at: key.place)?.entry(of: observance) == nil,
            nextInfo.insertLocked(observance, .endpoint, key, traversal: state.latestTraversal)
          else { return nil }
          return needsNew ? nextInfo.value(of: key) : .notRequested
        })
      {
        state.dependencies[path.lastIndex] = .own(nextInfo, key)
        end.info = nextInfo
        return (old, new)
      }
      state.dependencies.removeLast()
      state.plainEnd = nil
      return (old, next == nil ? (needsNew ? .null : .notRequested) : nil)
    }
    return withExtendedLifetime((next, released)) { values }
  }
}

extension ObservationInfo {
  /// Calls `store`, which replaces the object that a property holds, if the property affects no other observance.
  ///
  /// - Parameter object: Becomes the new object.
  /// - Returns: Whether it was done.
  fileprivate final func replaceObject(
    _ key: ObservedKey, onlyFor observance: Observance, _ object: inout KeyValueObject?, _ store: () -> Void
  ) -> Bool {
    withLock {
      // The setter has checked for exclusive access.
      guard list(at: key.place)?.onlyWaypoint === observance, let field = key.field, let address = storage(of: field)
      else {
        return false
      }
      store()
      count()
      object = field.object(at: address)
      return true
    }
  }

  /// The value of a property, under the lock; nil if it can't be read now.
  fileprivate final func value(of key: ObservedKey) -> ChangedValue? {
    guard let field = key.field, case .value(let value) = read(field) else { return nil }
    return ChangedValue(value)
  }
}
