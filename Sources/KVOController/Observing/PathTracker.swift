import CKeyValueObserving

/// Tracks what affects an observance of a path: the keys of the objects on it, and those on which these depend.
///
/// They are found by traversing the path, which runs foreign getters, and so without a lock. Two threads that replace
/// objects on the path may traverse it at the same time. The traversal that began last has seen both replacements, so its
/// result stays, whichever ends first. What other traversals have found is removed when none is under way.
///
/// A traversal that finds what the one before has found, in the same order, changes nothing, and the result of that one stays.
///
/// - Thread safety: The lock guards the state. Under it, one object's lock at a time is taken.
final class PathTracker: LockedObject, @unchecked Sendable {
  /// A key of an object that affects the observance.
  enum Dependency {
    /// The reader is the place, among all that was found, of the listed key whose getter has led there; -1 if there is none.
    case own(ObservationInfo, ObservedKey, ObserverList.Role, reader: Int32)
    case foreign(ForeignWaypoint)

    func isOf(_ info: ObservationInfo) -> Bool {
      if case .own(let ownInfo, _, _, _) = self { ownInfo === info } else { false }
    }

    var isWeak: Bool { if case .own(_, let key, _, _) = self { key.field?.isWeak == true } else { false } }

    var mark: Mark {
      switch self {
      case .own(let info, let key, let role, let reader): Mark(info, key, role, reader: reader)
      case .foreign(let waypoint): Mark(waypoint, waypoint, [], reader: -1)
      }
    }

    func isOf(_ key: String, _ foreign: KeyValueObservable) -> Bool {
      if case .foreign(let waypoint) = self { waypoint.isFor(key, of: foreign) } else { false }
    }
  }

  /// The paths of a list that each key of an object affects. It retains neither key nor object.
  struct ListedPaths {
    private struct Key: Hashable {
      let key: ObjectIdentifier
      let info: ObjectIdentifier
    }

    private var paths: [Key: [ObservedPath]] = [:]

    subscript(key: ObservedKey, info: ObservationInfo) -> [ObservedPath]? {
      paths[Key(key: ObjectIdentifier(key), info: ObjectIdentifier(info))]
    }

    /// Returns whether the path was inserted.
    mutating func insert(_ path: ObservedPath, _ key: ObservedKey, _ info: ObservationInfo) -> Bool {
      let key = Key(key: ObjectIdentifier(key), info: ObjectIdentifier(info))
      guard paths[key]?.contains(where: { $0 === path }) != true else { return false }
      paths[key, default: []].append(path)
      return true
    }
  }

  /// What identifies a dependency, for comparisons that retain nothing.
  struct Mark: Equatable {
    let info: ObjectIdentifier
    let key: ObjectIdentifier
    private let role: ObserverList.Role
    fileprivate let reader: Int32

    init(_ info: AnyObject, _ key: AnyObject, _ role: ObserverList.Role, reader: Int32) {
      (self.info, self.key) = (ObjectIdentifier(info), ObjectIdentifier(key))
      (self.role, self.reader) = (role, reader)
    }
  }

  /// What a traversal has found, in order, and the marks of that.
  typealias Findings = (traversal: UInt64, dependencies: [Dependency], marks: [Mark])

  /// The state that the lock guards.
  struct State {
    enum Phase {
      /// What the latest traversal has found is what affects the observance.
      case current
      /// An object that it has found was deallocated since, so any change of what it has found traverses the path again.
      case outdated
      /// No traversal begins any longer.
      case ended
    }

    private(set) var phase = Phase.current
    /// The dependencies that the latest traversal has found.
    var dependencies: [Dependency] = []
    /// Their marks, unless they are steps.
    private(set) var marks: [Mark] = []
    /// Whether they are the steps of a plain path, in order, so that each lies behind the one before it.
    var areSteps = false
    var listed = ListedPaths()
    /// The dependencies that other traversals have found.
    var others: [Dependency] = []
    var begunTraversals: UInt64 = 0
    var latestTraversal: UInt64 = 0
    var traversalsUnderWay = 0
    /// The latest traversal that has found an object that was deallocated since.
    private var latestDeath: UInt64 = 0

    /// - Returns: The number of the traversal, and what the one before has found, if it may find the same; nil if the observance has
    ///   ended.
    mutating func beginTraversal() -> (number: UInt64, known: Findings?)? {
      guard phase != .ended else { return nil }
      // A plain path is usually traversed because it leads to another object.
      let isKnown = phase == .current && traversalsUnderWay == 0 && !areSteps && !dependencies.isEmpty
      traversalsUnderWay += 1
      begunTraversals += 1
      return (begunTraversals, isKnown ? (latestTraversal, dependencies, marks) : nil)
    }

    /// - Parameters:
    ///   - found: What the traversal has found; nil if it is what it knew.
    ///   - hasLost: See ``PathTraversal/hasLost``.
    /// - Returns: The dependencies to remove, unless a later traversal has found them too; whether no other traversal has begun since;
    ///   whether an object that was found has been deallocated since; and what else is to be released.
    mutating func endTraversal(
      _ number: UInt64, _ found: [Dependency]?, _ listed: ListedPaths, areSteps: Bool, hasLost: Bool
    ) -> (removed: [Dependency], isLatest: Bool, isOutdated: Bool, released: ListedPaths) {
      traversalsUnderWay -= 1
      let former = self.listed
      if let found, number > latestTraversal {
        others += dependencies
        (dependencies, self.listed, self.areSteps, latestTraversal) = (found, listed, areSteps, number)
        marks = areSteps ? [] : found.map { $0.mark }
        if phase != .ended { phase = hasLost || number <= latestDeath ? .outdated : .current }
      } else if let found {
        others += found
      }
      return (takeOthers(), begunTraversals == number, phase == .outdated, former)
    }

    /// Takes out what lay behind the object with `info`, which was deallocated.
    ///
    /// - Returns: The dependencies to remove; nil if it isn't known what lay behind the object.
    mutating func takeUnreachable(behind info: ObservationInfo?) -> [Dependency]? {
      guard areSteps, let info, let index = dependencies.firstIndex(where: { $0.isOf(info) }) else { return nil }
      defer { dependencies.removeSubrange(index...) }
      return Array(dependencies[(index + 1)...])
    }

    /// - Returns: Whether what the latest traversal has found becomes outdated by the death of an object that was found up to that one.
    mutating func noteDeath(foundBy traversal: UInt64) -> Bool {
      latestDeath = max(latestDeath, min(traversal, begunTraversals))
      guard phase == .current else { return false }
      phase = .outdated
      return true
    }

    /// - Returns: The objects to remove.
    mutating func end() -> [Dependency] {
      phase = .ended
      return takeOthers()
    }

    func checkInvariants() {
      precondition(traversalsUnderWay >= 0 && (others.isEmpty || traversalsUnderWay > 0), "Others are left.")
      precondition(phase != .ended || traversalsUnderWay > 0 || dependencies.isEmpty, "Dependencies are left.")
      precondition(marks.count == (areSteps ? 0 : dependencies.count), "The marks are those of others.")
      precondition(latestTraversal == .max || latestTraversal <= begunTraversals, "The latest hasn't begun.")
    }

    private mutating func takeOthers() -> [Dependency] {
      guard traversalsUnderWay == 0 else { return [] }
      if phase == .ended {
        others += dependencies
        (dependencies, marks, latestTraversal) = ([], [], .max)
      }
      defer { others = [] }
      return others
    }
  }

  override class var lockRank: Rank { .tracker }

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

  deinit { requireNoLock("a tracker is released") }

  override func checkInvariants() { guardedState.checkInvariants() }

  /// The state, under the lock.
  var state: State {
    @inline(__always) _read {
      kvo_require_lock(lockAddress)
      yield guardedState
    }
    @inline(__always) _modify {
      kvo_require_lock(lockAddress)
      yield &guardedState
    }
  }

  /// The object at which the path begins; nil if its `deinit` has begun.
  var root: KeyValueObservable? { weakRoot.object.map { unsafeDowncast($0, to: KeyValueObservable.self) } }

  // MARK: Traversing

  /// Inserts the observance wherever a change affects it now, and removes it everywhere else. Returns the value at the end,
  /// if it was read, and whether it may have changed since.
  @discardableResult
  func follow(
    from root: KeyValueObservable, for observance: Observance, requiresKeys: Bool = false, readsEnd: Bool = false,
    isAgain: Bool = false
  ) -> (reading: Reading, isOutdated: Bool) {
    guard let (number, known) = withLock({ state.beginTraversal() }) else { return (.ended, false) }
    follower = UInt32(truncatingIfNeeded: CurrentThread.identity)
    // Of a list whose values are read, each path is followed by itself.
    let isCompared = path.list == nil || !observance.wantsNew
    let traversal = PathTraversal(
      of: observance, number, knowing: isCompared ? known : nil, requiresKeys: requiresKeys, readsEnd: readsEnd)
    let reading = traversal.run(path, from: root)
    let found = traversal.takeFindings()
    let (end, removal) = withLock {
      let end = state.endTraversal(
        number, found, traversal.listed, areSteps: traversal.isPlain, hasLost: traversal.hasLost)
      if end.isOutdated { markAsStale(observance) }
      return (end, remove(observance, end.removed, before: state.latestTraversal))
    }
    // The observer may have been called, because a foreign object was being changed.
    let hasCalled = removal.foreign.reduce(false) { $1.end() || $0 }
    let hasLearned = path.followed?.learnKeys(wasRead: reading.value != nil) == true
    // Repeated if a getter has changed something that was read before, or if the keys have become known.
    if !isAgain, traversal.isStale || end.isOutdated || (hasCalled && readsEnd) || hasLearned {
      return follow(from: root, for: observance, readsEnd: readsEnd, isAgain: true)
    }
    return (reading, !end.isLatest || hasCalled || end.isOutdated)
  }

  /// The thread that has followed the path last.
  private var follower: UInt32 {
    get { sharedNumber }
    set { sharedNumber = newValue }
  }

  /// Whether a change of a key is part of one that this thread has begun by hand, of a listed key whose getter has found it, and of
  /// which the observance is notified in any case: nothing that was found later has led there. Called with the lock.
  func isWithinPair(_ key: ObservedKey, _ info: ObservationInfo, of observance: Observance) -> Bool {
    var isFound = false
    for mark in state.marks where mark.key == ObjectIdentifier(key) && mark.info == ObjectIdentifier(info) {
      isFound = false
      var place = mark.reader
      while !isFound, place >= 0, case .own(let info, let key, _, let outer) = state.dependencies[Int(place)] {
        isFound = info.hasManualChange(of: key, for: observance)
        place = outer
      }
      if !isFound { return false }
    }
    return isFound
  }

  func wasFollowed(by thread: UInt) -> Bool { follower == UInt32(truncatingIfNeeded: thread) }

  /// - Parameter paths: The paths of a list to read; nil for all of them.
  func read(from root: KeyValueObservable, for observance: Observance, paths: [ObservedPath]? = nil) -> Reading {
    let traversal = PathTraversal(of: observance, nil, requiresKeys: false, readsEnd: true, paths: paths)
    let reading = traversal.run(path, from: root)
    // There may be an object on the path that the observance doesn't follow yet, and which isn't observed. What is read then
    // is new enough, even if it has changed since: the other change notifies the observance too.
    if case .ended = reading, !observance.hasEnded {
      return follow(from: root, for: observance, readsEnd: true).reading
    }
    if traversal.isStale { follow(from: root, for: observance) }
    return reading
  }

  /// The paths of a list that are affected by a change of a key; nil if that isn't known.
  func listedPaths(affectedBy key: ObservedKey?, _ info: ObservationInfo?) -> [ObservedPath]? {
    guard let key, let info, path.list != nil else { return nil }
    return withLock { state.listed[key, info] }
  }

  /// The value at the end of a plain path, before a change that may lead the path to another object; nil if it isn't known where the
  /// path ends, or if a weak step may lead nowhere by now.
  func readKnownEnd() -> Reading? {
    let count = path.keys?.count
    let end = withLock { () -> (ObservationInfo, ObservedField)? in
      guard state.areSteps, state.traversalsUnderWay == 0, state.phase == .current, state.dependencies.count == count,
        !state.dependencies.contains(where: \.isWeak),
        case .own(let info, let key, _, _) = state.dependencies.last, let field = key.field
      else { return nil }
      return (info, field)
    }
    return end.map { info, field in info.withLock { info.read(field) } }
  }

  /// Removes the observance from all keys, permanently.
  func end(for observance: Observance, of dying: DyingObject? = nil) {
    let removal = withLock { remove(observance, state.end(), before: state.latestTraversal) }
    for waypoint in removal.foreign { waypoint.end(of: dying) }
  }

  /// Removes the observance from keys, unless a traversal with at least that number has found them. Called with the lock.
  ///
  /// - Returns: The waypoints to end, and what else the caller has to release after the lock.
  private func remove(
    _ observance: Observance, _ dependencies: [Dependency], before traversal: UInt64
  ) -> (foreign: [ForeignWaypoint], released: ([Dependency], [ObserverList.Removal])) {
    var (foreign, removals): ([ForeignWaypoint], [ObserverList.Removal]) = ([], [])
    for dependency in dependencies {
      switch dependency {
      case .own(let info, let key, _, _):
        if let removal = info.remove(observance, key, before: traversal) { removals.append(removal) }
      case .foreign(let waypoint):
        if waypoint.traversal < traversal { foreign.append(waypoint) }
      }
    }
    return (foreign, (dependencies, removals))
  }

  /// The waypoint for a key of a foreign object, which a traversal has come to, and whether it is to be registered.
  func waypoint(
    _ key: String, of object: KeyValueObservable, isEnd: Bool, isRoot: Bool, for observance: Observance,
    traversal: UInt64
  ) -> (ForeignWaypoint, isNew: Bool) {
    let present = withLock { () -> ForeignWaypoint? in
      for case .foreign(let waypoint) in state.dependencies
      where waypoint.isEnd == isEnd && waypoint.isFor(key, of: object) {
        waypoint.note(traversal)
        return waypoint
      }
      return nil
    }
    if let present { return (present, false) }
    return (ForeignWaypoint(key, of: object, isEnd: isEnd, isRoot: isRoot, traversal: traversal, for: observance), true)
  }

  // MARK: The objects on the path

  /// Makes the next change of anything that affects the observance traverse the path again, because an object on the path
  /// was deallocated. Removes the observance from the keys of a plain path that lay behind the object.
  ///
  /// - Parameter traversal: The latest traversal that has found the object.
  func objectOnPathDied(_ info: ObservationInfo?, for observance: Observance, traversal: UInt64 = .max) {
    let (isCut, removal) = withLock {
      () -> (Bool, (foreign: [ForeignWaypoint], released: ([Dependency], [ObserverList.Removal]))?) in
      guard traversal >= state.latestTraversal else { return (false, nil) }
      let unreachable = state.takeUnreachable(behind: info)
      let removal = remove(observance, unreachable ?? [], before: .max)
      if state.noteDeath(foundBy: traversal) { markAsStale(observance) }
      return (unreachable != nil, removal)
    }
    withExtendedLifetime(removal) {}
    if isCut { observance.pathWasCut() }
  }

  /// Makes a change of any key that the latest traversal has found traverse the path again. Called with the lock.
  private func markAsStale(_ observance: Observance) {
    for case .own(let info, let key, _, _) in state.dependencies {
      info.insert(observance, .stale, key, traversal: state.latestTraversal)
    }
  }
}
