#if !canImport(ObjectiveC)
/// The way of an observance through the objects that it concerns: those on its path, and those its keys depend on.
///
/// The way is found by traversing it, which runs foreign getters and so holds no lock. Two threads that replace objects
/// on the path may do so at the same time; the traversal that began last knows of both replacements, so its result
/// stands, whichever arrives first. What a traversal has tied the observance to is untied, if it isn't on the way, when
/// no traversal is under way.
final class PathTracker: @unchecked Sendable {
  /// How the way is found.
  enum Strategy {
    /// By the keys of the path.
    case keys([KeyName])
    /// By reading the value, and noting what is read.
    case reads((KeyValueObject) -> Any?)
  }

  private let path: ObservedPath
  private let weakRoot: WeakReference

  private let lock = UnfairLock()
  /// What the latest traversal found, in its order.
  private var dependencies: [Dependency] = []
  /// Where the observance may be tied besides.
  private var stale: [Dependency] = []
  private var traversalCount = 0
  private var latestTraversal = 0
  private var traversalsUnderWay = 0
  private var hasEnded = false

  /// A key of an object that the way passes.
  struct Dependency {
    let info: ObservationInfo
    /// The key, which lives as long as the process.
    let lentKey: Unmanaged<Key>
    var role: ObserverList.Entry.Role

    var key: Key { lentKey.takeUnretainedValue() }
  }

  init(_ path: ObservedPath, from root: KeyValueObject) {
    self.path = path
    weakRoot = WeakReference(root)
  }

  /// The object at which the way begins; nil if it was deallocated.
  var root: KeyValueObject? { weakRoot.object.map { unsafeDowncast($0, to: KeyValueObject.self) } }

  /// A path that met nil is followed by its keys once they are known.
  private var strategy: Strategy {
    if let path = path.named { return .keys(path.keys) }
    return .reads(path.read ?? { _ in nil })
  }

  /// Ties `observance` to all that is on the way now, and unties it from what no longer is.
  ///
  /// - Parameter requiresKeys: Whether a key that its class doesn't have is read, which reports it.
  func follow(from root: KeyValueObject, for observance: Observance, requiresKeys: Bool = false) {
    let isStale = Evaluation.run(observance) {
      traverse(from: root, for: observance, requiresKeys: requiresKeys)
    }
    // Once more, if what was called has changed what had been read before.
    if isStale { _ = Evaluation.run(observance) { traverse(from: root, for: observance) } }
  }

  private func traverse(from root: KeyValueObject, for observance: Observance, requiresKeys: Bool = false) {
    let traversal: Int? = lock.withLock {
      guard !hasEnded else { return nil }
      traversalsUnderWay += 1
      traversalCount += 1
      return traversalCount
    }
    guard let traversal else { return }
    let found = PathTraversal(strategy, from: root, for: observance, requiresKeys: requiresKeys).dependencies
    lock.withLock {
      traversalsUnderWay -= 1
      var left = found
      if traversal > latestTraversal {
        latestTraversal = traversal
        swap(&dependencies, &left)
      }
      if left != dependencies { stale += left }
      untie(observance)
    }
  }

  /// Unties `observance` from everything, for good.
  func end(for observance: Observance) {
    lock.withLock {
      hasEnded = true
      untie(observance)
    }
  }

  /// Has the observance follow its path again before it is called the next time, because an object on it has died.
  func objectDied(for observance: Observance) {
    lock.withLock {
      guard !hasEnded else { return }
      for dependency in dependencies {
        dependency.info.insert(observance, dependency.role.union(.waypoint), dependency.key)
      }
    }
  }

  /// Whether the value that the observance reports is now that of `key` of the object with `info`.
  func ends(at key: Key, _ info: ObservationInfo) -> Bool {
    lock.withLock { dependencies.contains { $0.role == .endpoint && $0.info === info && $0.key === key } }
  }

  /// Whether the way passes `key` of the object with `info` now.
  func passes(_ key: Key, _ info: ObservationInfo) -> Bool {
    lock.withLock { dependencies.contains { $0.info === info && $0.key === key } }
  }

  func value(from root: KeyValueObject, for observance: Observance) -> Any? {
    var value: Any?
    let isStale = Evaluation.run(observance) {
      switch strategy {
      case .keys(let keys): value = ObservedPath.value(of: keys, from: root)
      case .reads(let read): value = read(root)
      }
    }
    if isStale { follow(from: root, for: observance) }
    return value
  }

  /// Unties from all that is stale and isn't on the way, unless a traversal is under way, which may need it.
  ///
  /// The observance is held by the caller, so that nothing is released here.
  private func untie(_ observance: Observance) {
    guard traversalsUnderWay == 0 else { return }
    if hasEnded {
      stale += dependencies
      dependencies = []
    }
    guard !stale.isEmpty else { return }
    let current = dependencies.sorted()
    var index = 0
    for dependency in stale.sorted() {
      while index < current.count, current[index] < dependency { index += 1 }
      if index < current.count, current[index].isSame(as: dependency) {
        let next = current[index]
        // A traversal that was overtaken may have given it another role.
        if next.role != dependency.role { dependency.info.insert(observance, next.role, dependency.key) }
      } else {
        dependency.info.removeObservance(observance.sequence, dependency.key)
      }
    }
    stale = []
  }
}

extension PathTracker.Dependency: Equatable {
  static func == (left: Self, right: Self) -> Bool {
    left.isSame(as: right) && left.role == right.role
  }

  /// Whether it is the same key of the same object.
  func isSame(as other: Self) -> Bool {
    info === other.info && lentKey.toOpaque() == other.lentKey.toOpaque()
  }

  static func < (left: Self, right: Self) -> Bool {
    ObjectIdentifier(left.info) == ObjectIdentifier(right.info)
      ? left.lentKey.toOpaque() < right.lentKey.toOpaque() : ObjectIdentifier(left.info) < ObjectIdentifier(right.info)
  }
}

extension PathTracker.Dependency: Comparable {}

/// The observances whose paths are being read on this thread.
///
/// What such a path reads may be a getter that changes an observed property: one that fills a cache, for instance. That
/// change is part of the reading. The observance isn't called for it and doesn't begin to read again, or there would be
/// no end to it; it reads once more when it has finished.
struct Evaluation {
  private let observance: Unmanaged<Observance>
  private let outer: UnsafeMutablePointer<Evaluation>?
  /// Whether a change under way concerned the observance.
  private var isStale = false

  /// The address of the running thread's latest one, which is in the frame of ``run(_:_:)`` below.
  private static let current = ThreadLocal()

  private init(_ observance: Observance) {
    self.observance = .passUnretained(observance)
    outer = Self.latest
  }

  private static var latest: UnsafeMutablePointer<Evaluation>? { UnsafeMutablePointer(bitPattern: current.value) }

  /// Whether any path is being read on this thread.
  static var isUnderWay: Bool { current.value != 0 }

  /// Runs `body`, which reads the path of `observance`.
  ///
  /// - Returns: Whether `body` changed what the observance depends on, so that its path may lead elsewhere now.
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

  /// Whether the path of `observance` is being read on this thread: if so, it is noted that a change concerns it.
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
