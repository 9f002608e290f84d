#if !canImport(ObjectiveC)
/// The way of an observance through the objects that it concerns: those on its path, and those its keys depend on.
///
/// The way is found by walking it, which runs foreign getters and so holds no lock. Two threads that replace objects on
/// the path may walk at the same time; the walk that began last knows of both replacements, so its result stands,
/// whichever arrives first. What a walk has tied the observance to is untied, if it isn't on the way, when no walk is
/// under way.
final class Route: @unchecked Sendable {
  /// How the way is found.
  enum Course {
    /// By the keys of the path.
    case components([KeyName])
    /// By reading the value, and noting what is read.
    case reads((KeyValueObject) -> Any?)
  }

  private let course: Course
  private let weakRoot: WeakReference

  private let lock = UnfairLock()
  /// The stops that the latest walk found.
  private var stops: [Stop] = []
  /// Where the observance may be tied besides, in the order of the stops.
  private var passed: [Stop] = []
  private var walkCount = 0
  private var latestWalk = 0
  private var walksUnderWay = 0
  private var isLeft = false

  /// A key of an object that the way passes.
  struct Stop {
    let info: ObservationInfo
    /// The key, which lives as long as the process.
    let lentKey: Unmanaged<Key>
    var role: ObserverList.Entry.Role

    var key: Key { lentKey.takeUnretainedValue() }
  }

  init(_ course: Course, from root: KeyValueObject) {
    self.course = course
    weakRoot = WeakReference(root)
  }

  /// The object at which the way begins; nil if it was deallocated.
  var root: KeyValueObject? { weakRoot.object.map { unsafeDowncast($0, to: KeyValueObject.self) } }

  /// Ties `observance` to all stops that are on the way now, and unties it from those that no longer are.
  func follow(from root: KeyValueObject, for observance: Observance) {
    let walk: Int? = lock.withLock {
      guard !isLeft else { return nil }
      walksUnderWay += 1
      walkCount += 1
      return walkCount
    }
    guard let walk else { return }
    let found = Walk(course, from: root, for: observance).stops
    lock.withLock {
      walksUnderWay -= 1
      var left = found
      if walk > latestWalk {
        latestWalk = walk
        swap(&stops, &left)
      }
      if passed.isEmpty { passed = left } else { passed = (passed + left).sorted() }
      untie(observance)
    }
  }

  /// Unties `observance` from everything, for good.
  func leave(for observance: Observance) {
    lock.withLock {
      isLeft = true
      untie(observance)
    }
  }

  /// Whether the value that the observance reports is now that of `key` of the object with `info`.
  func ends(at key: Key, _ info: ObservationInfo) -> Bool {
    lock.withLock { stops.contains { $0.role == .endpoint && $0.info === info && $0.key === key } }
  }

  /// Whether the way passes `key` of the object with `info` now.
  func passes(_ key: Key, _ info: ObservationInfo) -> Bool {
    lock.withLock { stops.contains { $0.info === info && $0.key === key } }
  }

  func value(from root: KeyValueObject) -> Any? {
    switch course {
    case .components(let components): KeyPathReader.observedValue(components, of: root)
    case .reads(let read): read(root)
    }
  }

  /// Unties from all that was passed and isn't on the way, unless a walk is under way, which may need it.
  ///
  /// The observance is held by the caller, so that nothing is released here.
  private func untie(_ observance: Observance) {
    guard walksUnderWay == 0 else { return }
    if isLeft {
      passed = (passed + stops).sorted()
      stops = []
    }
    var index = 0
    for stop in passed {
      while index < stops.count, stops[index] < stop { index += 1 }
      if index < stops.count, stops[index] == stop {
        let next = stops[index]
        // A walk that was overtaken may have given it another role.
        if next.role != stop.role { stop.info.insert(observance, next.role, stop.key) }
      } else {
        stop.info.removeObservance(observance.sequence, stop.key)
      }
    }
    passed = []
  }
}

extension Route.Stop: Comparable {
  static func == (left: Self, right: Self) -> Bool {
    left.info === right.info && left.lentKey.toOpaque() == right.lentKey.toOpaque()
  }

  static func < (left: Self, right: Self) -> Bool {
    ObjectIdentifier(left.info) == ObjectIdentifier(right.info)
      ? left.key.index < right.key.index : ObjectIdentifier(left.info) < ObjectIdentifier(right.info)
  }
}
#endif
