#if canImport(Observation)
import KVOController
import _KVOTestSupport
import Observation
import _RandomPrograms
import Testing

/// Wrappers in random use: a tracking ends if, and only if, something that it has read through them changes, and an object
/// is observed just as long as someone tracks it.
@Suite(.watched) struct RandomWrapperTests {
  @Test func trackingsOfWrappersEndExactlyWhenWhatTheyHaveReadChanges() {
    let failure = RandomRun.failure(operations: 10_000) { choices, steps in
      var world = WrapperWorld(choices)
      return steps.firstFailure {
        let operation = world.step()
        return world.difference().map { "\(operation): \($0)" }
      }
    }
    #expect(failure == nil, "\(failure ?? "")")
  }
}

/// Circles, wrappers of them, and what is tracked.
private struct WrapperWorld {
  enum Key: CaseIterable {
    case radius, borderWidth, diameter, area, center, centerX
  }

  /// A key path of a wrapper, which is distinguished from all others, past ones included.
  struct Reading: Hashable {
    let wrapper: Int
    let key: Key
  }

  /// A wrapper with its number, and that of its circle.
  final class Wrapper: @unchecked Sendable {
    let number: Int
    let circle: Int
    let observed: KVOObservable<Circle>

    init(_ number: Int, of circle: Circle, _ index: Int) {
      self.number = number
      self.circle = index
      observed = KVOObservable(circle)
    }

    func read(_ key: Key) {
      switch key {
      case .radius: _ = observed.radius
      case .borderWidth: _ = observed.borderWidth
      case .diameter: _ = observed.diameter
      case .area: _ = observed.area
      case .center: _ = observed.center
      case .centerX: _ = observed[dynamicMember: \.center?.x]
      }
    }
  }

  struct Tracker {
    let tracking = Tracking()
    let reads: Set<Reading>
    /// Whether it reads again with each change.
    let isKept: Bool
    var expectedCount = 0
    /// Whether Observation itself may have ended it together with a wrapper.
    var hasLostWrapper = false

    var isWaiting: Bool { isKept || tracking.count == 0 }
  }

  private var choices: Choices
  private let circles = (0..<3).map { _ in Circle() }
  private let points = (0..<2).map { _ in Point() }
  private var wrappers: [Wrapper] = []
  private var latestWrapper = 0
  private var trackers: [Tracker] = []
  /// What is observed: what was read under tracking, and has not changed since, or is still tracked.
  private var observed: Set<Reading> = []

  init(_ choices: Choices) {
    self.choices = choices
    for circle in [0, 0, 1, 2] { addWrapper(of: circle) }
  }

  private mutating func addWrapper(of circle: Int) {
    latestWrapper += 1
    wrappers.append(Wrapper(latestWrapper, of: circles[circle], circle))
  }

  /// Does one operation, and gives its name.
  mutating func step() -> String {
    switch choices.below(12) {
    case 0...2: return track()
    case 3: return keepTracking()
    case 4: return readWithoutTracking()
    case 5 where choices.below(8) == 0: return replaceWrapper()
    default: return change()
    }
  }

  /// The first difference between what should be and what is.
  mutating func difference() -> String? {
    for tracker in trackers where tracker.tracking.count != tracker.expectedCount && !tracker.hasLostWrapper {
      return "\(tracker.reads.map(\.key)): \(tracker.tracking.count) changes instead of \(tracker.expectedCount)"
    }
    trackers.removeAll { !$0.isWaiting }
    for (index, circle) in circles.enumerated() {
      let isObserved = wrappers.contains { wrapper in
        wrapper.circle == index && observed.contains { $0.wrapper == wrapper.number }
      }
      if (circle.registrationCount > 0) != isObserved {
        return "Circle \(index) is \(isObserved ? "not observed" : "still observed")"
      }
    }
    return nil
  }

  // MARK: Reading

  private mutating func choose() -> (Wrapper, Key) {
    (choices.pick(wrappers), choices.pick(Key.allCases))
  }

  private mutating func track() -> String {
    var plan: [(Wrapper, Key)] = []
    for _ in 0...choices.below(3) { plan.append(choose()) }
    let tracker = Tracker(reads: Set(plan.map { Reading(wrapper: $0.number, key: $1) }), isKept: false)
    tracker.tracking.track { for (wrapper, key) in plan { wrapper.read(key) } }
    observed.formUnion(tracker.reads)
    trackers.append(tracker)
    return "track \(tracker.reads)"
  }

  private mutating func keepTracking() -> String {
    guard trackers.count(where: \.isKept) < 4 else {
      trackers.remove(at: trackers.firstIndex(where: \.isKept)!).tracking.stop()
      return "keep tracking no longer"
    }
    let (wrapper, key) = choose()
    let tracker = Tracker(reads: [Reading(wrapper: wrapper.number, key: key)], isKept: true)
    tracker.tracking.keepTracking { [weak wrapper] in wrapper?.read(key) }
    observed.formUnion(tracker.reads)
    trackers.append(tracker)
    return "keep tracking \(tracker.reads)"
  }

  private mutating func readWithoutTracking() -> String {
    let (wrapper, key) = choose()
    wrapper.read(key)
    return "read \(key)"
  }

  private mutating func replaceWrapper() -> String {
    let wrapper = wrappers.remove(at: choices.below(wrappers.count))
    for index in trackers.indices where trackers[index].reads.contains(where: { $0.wrapper == wrapper.number }) {
      trackers[index].hasLostWrapper = true
    }
    trackers.removeAll { tracker in
      tracker.reads.allSatisfy { read in !wrappers.contains { $0.number == read.wrapper } }
    }
    observed = observed.filter { $0.wrapper != wrapper.number }
    addWrapper(of: wrapper.circle)
    return "replace wrapper \(wrapper.number)"
  }

  // MARK: Changing

  private mutating func change() -> String {
    let wrapper = choices.pick(wrappers)
    let way = choices.below(9)
    let circle = circles[wrapper.circle]
    let point = choices.pick(points)
    var changed: [(circle: Int, keys: Set<Key>)] = []
    let radius: Set<Key> = [.radius, .diameter, .area]
    switch way {
    case 0:
      circle.radius += 1
      changed = [(wrapper.circle, radius)]
    case 1:
      wrapper.observed.radius = 7
      changed = [(wrapper.circle, radius)]
    case 2:
      circle.setValue(3, forKey: "radius")
      changed = [(wrapper.circle, radius)]
    case 3:
      circle.willChangeValue(forKey: "radius")
      circle.didChangeValue(forKey: "radius")
      changed = [(wrapper.circle, radius)]
    case 4:
      wrapper.observed.borderWidth += 1
      changed = [(wrapper.circle, [.borderWidth])]
    case 5:
      circle.center = point
      changed = [(wrapper.circle, [.center, .centerX])]
    case 6:
      circle.center = nil
      changed = [(wrapper.circle, [.center, .centerX])]
    case 7:
      circle.setValue(5, forKeyPath: "center.x")
      let center = circle.center
      changed = circles.indices.filter { center != nil && circles[$0].center === center }.map { ($0, [.centerX]) }
    default:
      point.x += 1
      changed = circles.indices.filter { circles[$0].center === point }.map { ($0, [.centerX]) }
    }
    didChange(changed)
    return "change \(way) of \(wrapper.circle)"
  }

  private mutating func didChange(_ changed: [(circle: Int, keys: Set<Key>)]) {
    var readings: Set<Reading> = []
    for (circle, keys) in changed {
      for wrapper in wrappers where wrapper.circle == circle {
        readings.formUnion(keys.map { Reading(wrapper: wrapper.number, key: $0) })
      }
    }
    for index in trackers.indices where !trackers[index].reads.isDisjoint(with: readings) {
      trackers[index].expectedCount += 1
    }
    for reading in readings where !trackers.contains(where: { $0.isWaiting && $0.reads.contains(reading) }) {
      observed.remove(reading)
    }
  }
}
#endif
