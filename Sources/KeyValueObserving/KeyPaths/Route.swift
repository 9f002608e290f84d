#if !canImport(ObjectiveC)
import Synchronization

/// The way of an observance through the objects that it concerns: those on its path, and those its keys depend on.
///
/// The way is found by walking it, which runs foreign getters and so holds no lock. Two threads that replace objects on the
/// path may walk at the same time; the walk that began last knows of both replacements, so its result stands, whichever
/// arrives first, and each thread has a result that includes its own replacement before its setter goes on.
final class Route: @unchecked Sendable {
  /// How the way is found.
  enum Course {
    /// By the keys of the path.
    case components([String])
    /// By reading the value, and noting what is read.
    case reads((KeyValueObject) -> Any?)
  }

  private let course: Course
  private let walks = Atomic<UInt64>(0)

  private let lock = UnfairLock()
  private var stops: [Stop] = []
  private var latestWalk: UInt64 = 0
  private var isLeft = false

  /// A key of an object that the way passes.
  struct Stop {
    let info: ObservationInfo
    unowned(unsafe) let key: Key
    var role: Link.Role
  }

  init(_ course: Course) {
    self.course = course
  }

  /// Ties `observance` to all stops that are on the way now, and unties it from those that no longer are.
  func follow(from root: KeyValueObject, for observance: Observance) {
    let walk = walks.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue
    var stops = Walk(course, from: root).stops
    lock.withLock {
      guard walk > latestWalk, !isLeft else { return }
      latestWalk = walk
      swap(&stops, &self.stops)
      link(self.stops, insteadOf: stops, for: observance)
    }
  }

  /// Unties `observance` from everything, for good.
  func leave(for observance: Observance) {
    var stops: [Stop] = []
    lock.withLock {
      isLeft = true
      swap(&stops, &self.stops)
      link([], insteadOf: stops, for: observance)
    }
  }

  func value(from root: KeyValueObject) -> Any? {
    switch course {
    case .components(let components): KeyPathReader.observedValue(components[...], of: root)
    case .reads(let read): read(root)
    }
  }

  /// Both lists are in the order of ``Stop``; `observance` is held by the caller, so that nothing is released here.
  private func link(_ new: [Stop], insteadOf old: [Stop], for observance: Observance) {
    var old = old[...]
    for stop in new {
      while let gone = old.first, gone < stop {
        _ = gone.info.removeLink(observance.sequence, gone.key)
        old.removeFirst()
      }
      if let same = old.first, same == stop {
        old.removeFirst()
        if same.role == stop.role { continue }
      }
      stop.info.insert(Link(observance, stop.role), stop.key)
    }
    for gone in old {
      _ = gone.info.removeLink(observance.sequence, gone.key)
    }
  }
}

extension Route.Stop: Comparable {
  static func == (left: Self, right: Self) -> Bool {
    left.info === right.info && left.key === right.key
  }

  static func < (left: Self, right: Self) -> Bool {
    ObjectIdentifier(left.info) == ObjectIdentifier(right.info)
      ? left.key.index < right.key.index : ObjectIdentifier(left.info) < ObjectIdentifier(right.info)
  }
}
#endif
