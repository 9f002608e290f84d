#if !canImport(ObjectiveC)
/// Tracks the objects that affect an observance: those on its path, and those on which its keys depend.
///
/// They are found by traversing the path, which runs foreign getters, and so without a lock. Two threads that replace
/// objects on the path may traverse it concurrently. The traversal that began last has seen both replacements, so its
/// result is used, whichever finishes first. Keys to which a traversal has added the observance, and that aren't
/// dependencies, are removed when there is no traversal in progress.
final class PathTracker: @unchecked Sendable {
  /// How the dependencies are found.
  enum Strategy {
    /// By the keys of the path.
    case keys([HashedKey])
    /// By reading the value, and recording the properties that are read; and by the first keys of the path, if reading
    /// doesn't find them.
    case reads((KeyValueObject) -> Any?, beginning: [HashedKey])
  }

  private let path: ObservedPath
  private let weakRoot: WeakReference

  private let lock = Lock()
  // The lock excludes what the compiler would otherwise check at run time.

  /// The dependencies that the latest traversal found, in order.
  @exclusivity(unchecked) private var dependencies: [Dependency] = []
  /// Other keys to which the observance may have been added.
  @exclusivity(unchecked) private var stale: [Dependency] = []
  @exclusivity(unchecked) private var traversalCount = 0
  @exclusivity(unchecked) private var latestTraversal = 0
  @exclusivity(unchecked) private var traversalsUnderWay = 0
  @exclusivity(unchecked) private var hasEnded = false

  /// A key of an object on which the observance depends.
  struct Dependency {
    let info: ObservationInfo
    /// The key, which is never deallocated.
    let borrowedKey: Unmanaged<ObservedKey>
    var role: ObserverList.Entry.Role

    var key: ObservedKey { borrowedKey.takeUnretainedValue() }
  }

  init(_ path: ObservedPath, from root: KeyValueObject) {
    self.path = path
    weakRoot = WeakReference(root)
  }

  /// The object at which the path begins; nil if it is deallocated.
  var root: KeyValueObject? { weakRoot.object.map { unsafeDowncast($0, to: KeyValueObject.self) } }

  /// Switches a path with a nil step to its keys, once they are known.
  private var strategy: Strategy {
    if let path = path.named { return .keys(path.keys) }
    return .reads(path.read ?? { _ in nil }, beginning: path.keysBesidesReads)
  }

  /// Adds `observance` to all its current dependencies, and removes it from others.
  ///
  /// - Parameter requiresKeys: Whether to read a key that its class doesn't have, so that it is reported.
  func follow(from root: KeyValueObject, for observance: Observance, requiresKeys: Bool = false) {
    let isStale = Evaluation.run(observance) {
      traverse(from: root, for: observance, requiresKeys: requiresKeys)
    }
    // Repeated if a getter has changed something that was read before.
    if isStale { _ = Evaluation.run(observance) { traverse(from: root, for: observance) } }
  }

  private func traverse(from root: KeyValueObject, for observance: Observance, requiresKeys: Bool = false) {
    let begun: (number: Int, base: Int, previous: [Dependency])? = lock.withLock {
      guard !hasEnded else { return nil }
      traversalsUnderWay += 1
      traversalCount += 1
      return (traversalCount, latestTraversal, dependencies)
    }
    guard case (let number, let base, var previous)? = begun else { return }
    // While a traversal is in progress, the observance isn't removed from anything.
    let (result, leftovers) = PathTraversal.run(
      strategy, from: root, for: observance, after: previous, requiresKeys: requiresKeys)
    let left = lock.withLock { () -> [Dependency] in
      traversalsUnderWay -= 1
      if base == latestTraversal, let leftovers {
        latestTraversal = number
        // Released before it is changed, so that it isn't copied.
        previous = []
        result.apply(to: &dependencies)
        // No other traversal has finished meanwhile, so the leftovers are all that it doesn't need.
        if traversalsUnderWay == 0, stale.isEmpty, !hasEnded { return remove(observance, from: leftovers) }
        stale += leftovers
        return untie(observance)
      }
      result.apply(to: &previous)
      if number > latestTraversal {
        latestTraversal = number
        swap(&dependencies, &previous)
      }
      if previous != dependencies { stale += previous }
      return untie(observance)
    }
    sweep(left)
  }

  /// - Returns: The keys, whose objects have to be swept after the lock.
  private func remove(_ observance: Observance, from dependencies: [Dependency]) -> [Dependency] {
    for dependency in dependencies {
      dependency.info.removeObservance(observance.sequence, dependency.key, sweeps: false)
    }
    return dependencies
  }

  /// Removes `observance` from all keys, permanently.
  func end(for observance: Observance) {
    let left = lock.withLock {
      hasEnded = true
      return untie(observance)
    }
    sweep(left)
  }

  /// Makes the observance traverse its path again before its next call, because an object on the path was deallocated.
  func objectDied(for observance: Observance) {
    let entered = lock.withLock { () -> [Dependency] in
      guard !hasEnded else { return [] }
      for dependency in dependencies {
        dependency.info.insert(observance, dependency.role.union(.waypoint), dependency.key, sweeps: false)
      }
      return dependencies
    }
    sweep(entered)
  }

  /// Sweeps, outside the lock, what became due under it.
  private func sweep(_ dependencies: [Dependency]) {
    for dependency in dependencies { dependency.info.sweepIfDue() }
  }

  /// Whether the value that the observance reports is currently that for `key` of the object with `info`.
  func ends(at key: ObservedKey, _ info: ObservationInfo) -> Bool {
    lock.withLock { dependencies.contains { $0.role == .endpoint && $0.info === info && $0.key === key } }
  }

  /// Whether `key` of the object with `info` is currently a dependency.
  func passes(_ key: ObservedKey, _ info: ObservationInfo) -> Bool {
    lock.withLock { dependencies.contains { $0.info === info && $0.key === key } }
  }

  func value(from root: KeyValueObject, for observance: Observance) -> Any? {
    var value: Any?
    let isStale = Evaluation.run(observance) {
      switch strategy {
      case .keys(let keys): value = ObservedPath.value(of: keys, from: root)
      case .reads(let read, _): value = read(root)
      }
    }
    if isStale { follow(from: root, for: observance) }
    return value
  }

  /// Removes the observance from all stale keys that aren't dependencies, unless a traversal is in progress, which may
  /// need them.
  ///
  /// The caller retains the observance, so nothing is deallocated here.
  ///
  /// - Returns: The keys that were left, whose objects have to be swept after the lock.
  private func untie(_ observance: Observance) -> [Dependency] {
    guard traversalsUnderWay == 0 else { return [] }
    if hasEnded {
      stale += dependencies
      dependencies = []
    }
    guard !stale.isEmpty else { return [] }
    let current = dependencies.sorted()
    var index = 0
    for dependency in stale.sorted() {
      while index < current.count, current[index] < dependency { index += 1 }
      if index < current.count, current[index].isSame(as: dependency) {
        let next = current[index]
        // An earlier traversal may have set another role.
        if next.role != dependency.role { dependency.info.insert(observance, next.role, dependency.key, sweeps: false) }
      } else {
        dependency.info.removeObservance(observance.sequence, dependency.key, sweeps: false)
      }
    }
    defer { stale = [] }
    return stale
  }
}

// MARK: Moving the end

extension PathTracker {
  /// Replaces the property at `place`, which leads to the object that has the last key, moves the observance from the
  /// former object to the new one, and notifies.
  ///
  /// That isn't possible unless the key at `place` is the one before the last, the only dependencies are the path's own
  /// keys, all of them are plain, and no traversal is in progress.
  ///
  /// - Parameters:
  ///   - object: The new object, which the caller retains.
  ///   - old: For a copy of the value at the former end.
  ///   - new: For a copy of the value at the new end.
  ///   - store: Stores the new object. Returns false if that isn't possible, as in an object that leads to itself. The
  ///     caller retains the former object.
  ///   - notify: Notifies the observer.
  /// - Returns: Whether that was done; if not, nothing was.
  func move(
    _ observance: Observance, at place: Place, to object: Unmanaged<KeyValueObject>?, _ old: inout ValueCopy,
    _ new: inout ValueCopy, _ store: () -> Bool, _ notify: (_ old: ValueCopy, _ new: ValueCopy) -> Void
  ) -> Bool {
    let count = path.isNamed ? path.keys.count : path.named?.keys.count ?? 0
    guard count > 1, Self.isPlain(place.key) else { return false }
    // Outside the lock, because classes are called for keys that aren't known yet.
    let nextInfo = object.flatMap { $0._withUnsafeGuaranteedRef { $0.madeBorrowedInfo } }
    let nextKey = nextInfo.flatMap { lastKey(of: $0, unlessOf: place.childInfo) }
    var former: Last?
    let isMoved = lock.withLock {
      guard let end = end(before: place, count) else { return false }
      former = end.last
      guard let next = self.end(at: object, nextInfo, nextKey ?? former?.key, after: place, count),
        nextKey != nil || former?.isOfSameClass(as: next.last) != false
      else { return false }
      return move(observance, from: former, to: next.last, &old, &new, store)
    }
    // Sweeping runs foreign code, so the observer is notified before, and the new object may not exist afterwards.
    let sweptInfo = isMoved ? nextInfo.flatMap { $0._withUnsafeGuaranteedRef { $0.isSweepDue ? $0 : nil } } : nil
    if isMoved { notify(old, new) }
    former?.info._withUnsafeGuaranteedRef { $0.sweepIfDue() }
    sweptInfo?.sweepIfDue()
    return isMoved
  }

  /// Stores and moves under the lock. The former object keeps its value from the copy until it is left, so that the
  /// observance isn't notified of a later change of it.
  private func move(
    _ observance: Observance, from former: Last?, to next: Last?, _ old: inout ValueCopy, _ new: inout ValueCopy,
    _ store: () -> Bool
  ) -> Bool {
    guard former.map({ old.fits($0.key) }) ?? true, next.map({ new.fits($0.key) }) ?? true else { return false }
    let oldSource = former.flatMap { old.source($0.key, of: $0.object) }
    let newSource = next.flatMap { new.source($0.key, of: $0.object) }
    if let former, let next, former.info.toOpaque() == next.info.toOpaque() {
      return former.info._withUnsafeGuaranteedRef { info in
        info.locked {
          old.copy(former.key, at: oldSource)
          guard store() else { return false }
          new.copy(next.key, at: newSource)
          return true
        }
      }
    }
    var removed: Unmanaged<Observance>?
    if let former {
      let isStored = former.info._withUnsafeGuaranteedRef { info in
        former.key._withUnsafeGuaranteedRef { key in
          let isStored: Bool
          (isStored, removed) = info.removeObservance(observance.sequence, key) {
            old.copy(former.key, at: oldSource)
            return store()
          }
          return isStored
        }
      }
      guard isStored else { return false }
    } else {
      guard store() else { return false }
    }
    guard let next else {
      // Not deallocated, because the caller retains it too.
      removed?.release()
      if former != nil { dependencies.removeLast() }
      return true
    }
    next.info._withUnsafeGuaranteedRef { info in
      next.key._withUnsafeGuaranteedRef { key in
        info.insert(observance, isRetained: removed != nil, key) { new.copy(next.key, at: newSource) }
      }
    }
    if former == nil {
      dependencies.append(next.dependency)
    } else {
      dependencies[dependencies.count - 1] = next.dependency
    }
    return true
  }

  /// The end of the path before a change at `place`; nil if the change may affect more than the end.
  private func end(before place: Place, _ count: Int) -> End? {
    let (child, index) = (place.child, count - 1)
    // As many plain keys as the path has are its own. One that isn't plain may have brought others.
    guard !hasEnded, traversalsUnderWay == 0, stale.isEmpty, dependencies.count == (child == nil ? index : count),
      dependencies[index - 1].isWaypoint(place.info, place.key),
      index == 1 || dependencies.prefix(index - 1).allSatisfy({ Self.isPlain($0.borrowedKey) })
    else { return nil }
    guard let child else { return .null }
    guard let info = place.childInfo, dependencies[index].isEndpoint(info),
      Self.isPlain(dependencies[index].borrowedKey)
    else { return nil }
    return .object(Last(object: child, info: info, key: dependencies[index].borrowedKey))
  }

  /// The end of the path after the change; nil if its key isn't a plain property, or if it is on the path already.
  private func end(
    at object: Unmanaged<KeyValueObject>?, _ info: Unmanaged<ObservationInfo>?, _ key: Unmanaged<ObservedKey>?,
    after place: Place, _ count: Int
  ) -> End? {
    guard let object else { return .null }
    guard let info, let key, Self.isPlain(key),
      !(place.info.toOpaque() == info.toOpaque() && place.key.toOpaque() == key.toOpaque()),
      count == 2 || !dependencies.prefix(count - 1).contains(where: { $0.isSame(as: info, key) })
    else { return nil }
    return .object(Last(object: object, info: info, key: key))
  }

  private static func isPlain(_ key: Unmanaged<ObservedKey>) -> Bool {
    key._withUnsafeGuaranteedRef { $0.plainField != nil && $0.isIndependent }
  }

  /// The last key of the path for an object; nil if it is that for another object, because their class is the same.
  private func lastKey(
    of info: Unmanaged<ObservationInfo>, unlessOf other: Unmanaged<ObservationInfo>?
  ) -> Unmanaged<ObservedKey>? {
    let keys = info._withUnsafeGuaranteedRef { $0.borrowedKeys }
    guard other?._withUnsafeGuaranteedRef({ $0.borrowedKeys.toOpaque() }) != keys.toOpaque() else { return nil }
    return path.named?.keys.last.map { name in keys._withUnsafeGuaranteedRef { .passUnretained($0.key(name)) } }
  }
}

extension PathTracker.Dependency: Equatable {
  static func == (left: Self, right: Self) -> Bool {
    left.isSame(as: right) && left.role == right.role
  }

  /// Whether this is that key of the object with that info, which only leads to the path's value.
  @inline(__always)
  func isWaypoint(_ info: Unmanaged<ObservationInfo>, _ key: Unmanaged<ObservedKey>) -> Bool {
    isSame(as: info, key) && role == .waypoint
  }

  /// Whether this is a key of the object with that info, which only is the path's value.
  @inline(__always)
  func isEndpoint(_ info: Unmanaged<ObservationInfo>) -> Bool {
    Unmanaged.passUnretained(self.info).toOpaque() == info.toOpaque() && role == .endpoint
  }

  /// Whether this is that key of the object with that info.
  @inline(__always)
  func isSame(as info: Unmanaged<ObservationInfo>, _ key: Unmanaged<ObservedKey>) -> Bool {
    Unmanaged.passUnretained(self.info).toOpaque() == info.toOpaque() && borrowedKey.toOpaque() == key.toOpaque()
  }

  /// Whether this is the same key of the same object.
  func isSame(as other: Self) -> Bool {
    info === other.info && borrowedKey.toOpaque() == other.borrowedKey.toOpaque()
  }

  static func < (left: Self, right: Self) -> Bool {
    ObjectIdentifier(left.info) == ObjectIdentifier(right.info)
      ? left.borrowedKey.toOpaque() < right.borrowedKey.toOpaque()
      : ObjectIdentifier(left.info) < ObjectIdentifier(right.info)
  }
}

extension PathTracker.Dependency: Comparable {}

/// The observances whose paths are being read on this thread.
///
/// Reading such a path may call a getter that changes an observed property, for instance to fill a cache. That change
/// is part of the read: the observance isn't notified, and doesn't read its path again immediately, which would recurse
/// without end. It reads the path once more when it has finished.
struct Evaluation {
  private let observance: Unmanaged<Observance>
  private let outer: UnsafeMutablePointer<Evaluation>?
  /// Whether a change during the read affects the observance.
  private var isStale = false

  /// The address of the thread's latest evaluation, which is in the stack frame of ``run(_:_:)``.
  private static let current = ThreadLocal()

  private init(_ observance: Observance) {
    self.observance = .passUnretained(observance)
    outer = Self.latest
  }

  private static var latest: UnsafeMutablePointer<Evaluation>? { UnsafeMutablePointer(bitPattern: current.value) }

  /// Whether a path is being read on this thread.
  static var isUnderWay: Bool { current.value != 0 }

  /// Calls `body`, which reads the path of `observance`.
  ///
  /// - Returns: Whether `body` changed something that the observance depends on, so that its path may have changed.
  static func run(_ observance: Observance, _ body: () -> Void) -> Bool {
    var evaluation = Evaluation(observance)
    return withUnsafeMutablePointer(to: &evaluation) { pointer in
      current.value = UInt(bitPattern: pointer)
      body()
      current.value = UInt(bitPattern: pointer.pointee.outer)
      return pointer.pointee.isStale && !contains(observance)
    }
  }

  /// Whether the path of `observance` is being read on this thread.
  static func contains(_ observance: Observance) -> Bool {
    find(observance) != nil
  }

  /// Whether the path of `observance` is being read on this thread. If so, this records that a change affects it.
  static func noteChange(for observance: Observance) -> Bool {
    guard let evaluation = find(observance) else { return false }
    evaluation.pointee.isStale = true
    return true
  }

  private static func find(_ observance: Observance) -> UnsafeMutablePointer<Evaluation>? {
    var next = latest
    while let evaluation = next {
      if evaluation.pointee.observance.toOpaque() == Unmanaged.passUnretained(observance).toOpaque() {
        return evaluation
      }
      next = evaluation.pointee.outer
    }
    return nil
  }
}
#endif
