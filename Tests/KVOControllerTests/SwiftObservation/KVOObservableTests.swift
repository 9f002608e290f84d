#if canImport(Observation)
import KVOController
import _KVOTestSupport
import Observation
import Testing

/// What readers of a wrapper see of an object that doesn't support Observation.
@Suite(.watched) struct KVOObservableTests {
  let circle = Circle()
  let tracking = Tracking()

  // MARK: Reading and writing

  @Test func readsAndWritesTheObjectsProperties() {
    let observed = KVOObservable(circle)
    #expect(observed.object === circle)
    observed.radius = 2
    #expect(circle.radius == 2)
    #expect(observed.radius == 2)
    #expect(observed.diameter == 4)
    observed.radius += 1
    #expect(circle.radius == 3)
  }

  @Test func aWriteThroughTheWrapperNotifiesKeyValueObserversOnce() {
    let observed = KVOObservable(circle)
    let recorder = Recorder()
    recorder.kvoController.observe(circle, keyPath: "radius") { [unowned recorder] _, _, _ in recorder.redraw() }
    observed.radius = 1
    #expect(recorder.count == 1)
    observed.radius += 1
    #expect(recorder.count == 2)
  }

  // MARK: Tracking

  @Test func aChangeNotifiesOnceForEachTracking() {
    let observed = KVOObservable(circle)
    tracking.track { observed.radius }
    circle.radius = 1
    #expect(tracking.count == 1)
    circle.radius = 2
    #expect(tracking.count == 1)
    tracking.track { observed.radius }
    circle.radius = 3
    #expect(tracking.count == 2)
  }

  @Test(arguments: [false, true]) func nothingIsKeptOfAKeyPathThatIsNotTracked(isTrackedFirst: Bool) {
    let observed = KVOObservable(BookShelf())
    let label = readLabel(of: observed, isTracked: isTrackedFirst)
    observed.count += 1
    #expect(tracking.count == (isTrackedFirst ? 1 : 0))
    #expect(!label.isAlive)
  }

  private func readLabel(of observed: KVOObservable<BookShelf>, isTracked: Bool) -> Weak<Label> {
    let label = Label()
    let keyPath = \BookShelf.[label]
    if isTracked {
      tracking.track { observed[dynamicMember: keyPath] }
    } else {
      _ = observed[dynamicMember: keyPath]
    }
    return Weak(label)
  }

  @Test func aBindingReadsAndWritesThroughAKeyPathOfTheWrapper() {
    // As SwiftUI's `@Bindable` makes it.
    let radius: ReferenceWritableKeyPath<KVOObservable<Circle>, Int> = \.radius
    let observed = KVOObservable(circle)
    tracking.track { observed[keyPath: radius] }
    observed[keyPath: radius] = 2
    #expect(tracking.count == 1)
    #expect(circle.radius == 2)
  }

  @Test func aChangeThroughKeyValueCodingNotifies() {
    let observed = KVOObservable(circle)
    tracking.track { observed.radius }
    circle.setValue(1, forKey: "radius")
    #expect(tracking.count == 1)
  }

  @Test func aPairOfManualCallsNotifies() {
    let observed = KVOObservable(circle)
    tracking.track { observed.radius }
    circle.willChangeValue(forKey: "radius")
    #expect(tracking.count == 1)
    circle.didChangeValue(forKey: "radius")
    #expect(tracking.count == 1)
  }

  @Test func onlyWhatWasReadNotifies() {
    let observed = KVOObservable(circle)
    tracking.track { observed.radius }
    circle.borderWidth = 1
    #expect(tracking.count == 0)
    circle.radius = 1
    #expect(tracking.count == 1)
  }

  @Test func anOuterTrackingNotifiesOfWhatAnInnerOneRead() {
    let observed = KVOObservable(circle)
    let inner = Tracking()
    tracking.track { inner.track { observed.radius } }
    circle.radius = 1
    #expect(inner.count == 1)
    #expect(tracking.count == 1)
  }

  @Test func twoWrappersOfAnObjectAreIndependent() {
    let (first, second) = (KVOObservable(circle), KVOObservable(circle))
    let other = Tracking()
    tracking.track { first.radius }
    other.track { second.borderWidth }
    circle.radius = 1
    #expect(tracking.count == 1)
    #expect(other.count == 0)
    circle.borderWidth = 1
    #expect(other.count == 1)
  }

  @Test func aWrapperInAModelTracksBoth() {
    let desk = Desk()
    desk.circle = KVOObservable(circle)
    tracking.track { desk.circle?.radius }
    circle.radius = 1
    #expect(tracking.count == 1)
    tracking.track { desk.circle?.radius }
    desk.circle = nil
    #expect(tracking.count == 2)
    #expect(circle.registrationCount == 0)
  }

  @Test func aWrapperOfAnObservableModelNotifiesOnce() {
    let desk = Desk()
    let observed = KVOObservable(desk)
    tracking.track { (observed.name, desk.name) }
    observed.name = "a"
    #expect(tracking.count == 1)
    desk.name = "b"
    #expect(tracking.count == 1)
    #expect(desk.registrationCount == 0)
  }

  @Test func manyTrackingsMayReadManyKeyPaths() {
    let observed = KVOObservable(circle)
    let trackings = (0..<500).map { _ in Tracking() }
    for tracking in trackings { tracking.track { (observed.radius, observed.diameter, observed.area) } }
    circle.radius = 1
    #expect(trackings.allSatisfy { $0.count == 1 })
    #expect(circle.registrationCount == 0)
  }

  @Test func equalKeyPathsAreOne() {
    let observed = KVOObservable(circle)
    let keyPaths = (0..<1000).map { _ in (\Circle.center).appending(path: \Point?.?.x) }
    tracking.track { for keyPath in keyPaths { _ = observed[dynamicMember: keyPath] } }
    circle.center = Point()
    #expect(tracking.count == 1)
    #expect(circle.registrationCount == 0)
  }

  // MARK: Values

  @Test func theChangeNotifiesBeforeTheValueChanges() {
    nonisolated(unsafe) let observed = KVOObservable(circle)
    let seen = Locked<[Int]>([])
    tracking.track {
      observed.radius
    } whenChanged: {
      seen.append(observed.radius)
    }
    circle.radius = 1
    #expect(seen.current == [0])
  }

  @available(macOS 26.0, iOS 26.0, tvOS 26.0, watchOS 26.0, *)
  @Test func observationsGiveTheValuesAfterTheirChanges() async {
    nonisolated(unsafe) let observed = KVOObservable(circle)
    let values = Observations { observed.radius }
    var seen: [Int] = []
    for await value in values {
      seen.append(value)
      if value == 3 { break }
      circle.radius = value + 1
    }
    #expect(seen == [0, 1, 2, 3])
  }

  // MARK: Rearming

  @Test func readingAgainAsTheChangeBeginsTracksTheNextOne() {
    nonisolated(unsafe) let observed = KVOObservable(circle)
    tracking.keepTracking { _ = observed.radius }
    for radius in 1...5 { circle.radius = radius }
    #expect(tracking.count == 5)
    #expect(circle.registrationCount > 0)
  }

  @Test func aChangeAsTheChangeBeginsNotifiesOfItself() {
    nonisolated(unsafe) let observed = KVOObservable(circle)
    let other = Tracking()
    let circle = circle
    tracking.track {
      observed.radius
    } whenChanged: {
      circle.borderWidth += 1
    }
    other.track { observed.borderWidth }
    circle.radius = 1
    #expect(tracking.count == 1)
    #expect(other.count == 1)
  }

  @Test func readingFirstAsTheChangeOfAnotherPropertyBeginsIsTracked() {
    nonisolated(unsafe) let observed = KVOObservable(circle)
    let other = Tracking()
    tracking.track {
      observed.radius
    } whenChanged: {
      other.keepTracking { _ = observed.borderWidth }
    }
    circle.radius = 1
    circle.borderWidth = 1
    #expect(other.count == 1)
  }

  // MARK: What is observed, and for how long

  @Test func readingWithoutTrackingObservesNothing() {
    let observed = KVOObservable(circle)
    _ = observed.radius
    _ = observed.diameter
    observed.radius += 1
    #expect(circle.registrationCount == 0)
  }

  @Test func whatIsTrackedIsObservedUntilItChanges() {
    let observed = KVOObservable(circle)
    tracking.track { observed.radius }
    #expect(circle.registrationCount > 0)
    _ = observed.radius
    circle.radius = 1
    #expect(circle.registrationCount == 0)
    tracking.track { observed.radius }
    #expect(circle.registrationCount > 0)
  }

  @Test func propertyTrackedByAnotherStaysObserved() {
    nonisolated(unsafe) let observed = KVOObservable(circle)
    let other = Tracking()
    other.keepTracking { _ = observed.radius }
    tracking.track { observed.radius }
    circle.radius = 1
    #expect(circle.registrationCount > 0)
    circle.radius = 2
    #expect(tracking.count == 1)
    #expect(other.count == 2)
  }

  @Test func aChangeWhileReadingGoesOnLeavesTheReadTracked() {
    let observed = KVOObservable(circle)
    tracking.track {
      _ = observed.radius
      circle.radius = 1
    }
    #expect(circle.registrationCount > 0)
    circle.radius = 2
    #expect(tracking.count == 1)
    #expect(circle.registrationCount == 0)
  }

  @Test func theWrapperTakesItsObservationsAlong() {
    var observed: KVOObservable<Circle>? = KVOObservable(circle)
    tracking.track { (observed?.radius, observed?.area) }
    #expect(circle.registrationCount > 0)
    observed = nil
    #expect(circle.registrationCount == 0)
    circle.radius = 1
    #expect(tracking.count == 0)
  }

  @Test func wrapperCanBeReleasedAsTheChangeBegins() {
    let observed = Locked<KVOObservable<Circle>?>(KVOObservable(circle))
    tracking.track {
      observed.withLock { _ = $0?.radius }
    } whenChanged: {
      _ = observed.take()
    }
    circle.radius = 1
    #expect(tracking.count == 1)
    #expect(circle.registrationCount == 0)
  }

  @Test func theWrapperKeepsTheObjectAliveAndLetsItGo() {
    var circle: Circle? = Circle()
    let life = Weak(circle)
    var observed = circle.map { KVOObservable($0) }
    circle = nil
    tracking.track { observed?.radius }
    #expect(life.isAlive)
    observed = nil
    #expect(!life.isAlive)
  }

  @Test func theObjectMayChangeInItsDeinitAfterTheWrapper() {
    var circle: Circle? = Circle()
    let life = Weak(circle)
    var observed = circle.map { KVOObservable($0) }
    let other = Tracking()
    circle?.whenReleased = { $0.radius = 9 }
    other.track { observed?.radius }
    circle = nil
    observed = nil
    #expect(!life.isAlive)
    #expect(other.count == 0)
  }

  // MARK: Key paths

  @Test func aDependentKeyNotifiesWhenWhatItDependsOnChanges() {
    let observed = KVOObservable(circle)
    tracking.track { observed.diameter }
    circle.borderWidth = 1
    #expect(tracking.count == 0)
    circle.radius = 1
    #expect(tracking.count == 1)
  }

  @Test func aPathNotifiesOfItsEndAndOfTheObjectsOnTheWay() {
    nonisolated(unsafe) let observed = KVOObservable(circle)
    let point = Point()
    tracking.keepTracking { _ = observed[dynamicMember: \.center?.x] }
    circle.center = point
    #expect(tracking.count == 1)
    point.x = 1
    #expect(tracking.count == 2)
    circle.center = Point()
    #expect(tracking.count == 3)
    point.x = 2
    #expect(tracking.count == 3)
    circle.center = nil
    #expect(tracking.count == 4)
  }

  @Test func thePathsChangeNotifiesBeforeAnObjectOnTheWayIsReplaced() {
    nonisolated(unsafe) let observed = KVOObservable(circle)
    circle.center = Point(x: 1)
    let seen = Locked<[Int?]>([])
    tracking.track {
      observed[dynamicMember: \.center?.x]
    } whenChanged: {
      seen.append(observed[dynamicMember: \.center?.x])
    }
    circle.center = Point(x: 2)
    #expect(seen.current == [1])
  }

  @Test func aKeyPathThatCannotBeObservedReadsThrough() {
    let observed = KVOObservable(Circle(7))
    #expect(tracking.track { observed.number } == 7)
    #expect(observed.object.registrationCount == 0)
  }

  @Test func nothingIsKeptOfAKeyPathThatCannotBeObserved() {
    let observed = KVOObservable(BookShelf())
    var labels: [Weak<Label>] = []
    tracking.track {
      for _ in 0..<3 {
        let label = Label()
        labels.append(Weak(label))
        #expect(observed[dynamicMember: \.[constantFor: label]] == 1)
      }
      #expect(observed.count == 0)
    }
    observed.count = 1
    #expect(tracking.count == 1)
    #expect(!labels.contains { $0.isAlive })
  }

  @Test func debugBuildsReportOnceWhatCannotBeObserved() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      for _ in 0..<2 {
        let observed = KVOObservable(Circle(7))
        withObservationTracking {
          _ = observed.number
          _ = observed.number
        } onChange: {
        }
      }
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #if DEBUG
    // The names of other properties come from descriptions, which key paths may lack with Foundation.
    let text = "doesn't track \\Circle.number of <Circle 0x"
    #expect(message.components(separatedBy: text).count == 2)
    #else
    #expect(!message.contains("number"))
    #endif
  }

  // MARK: Threads

  @Test func aChangeOnAnotherThreadNotifiesThere() {
    let observed = KVOObservable(circle)
    let circle = circle
    let isNotified = tracking.isNotified({ _ = observed.radius }, onTheThreadOf: { circle.radius = 1 })
    #expect(isNotified)
  }

  @Test func anotherThreadMayReadAndChangeAsTheChangeBegins() {
    nonisolated(unsafe) let observed = KVOObservable(circle)
    let other = Tracking()
    tracking.track {
      observed.radius
    } whenChanged: {
      onThreads(1) { _ in
        other.track { (observed.radius, observed.borderWidth) }
        observed.borderWidth = 1
      }
    }
    circle.radius = 1
    #expect(other.count == 1)
  }

  @Test func readersOnManyThreadsLoseNoChangeForGood() {
    // Keeps the object observed, so that the engine guards reads against writes.
    let recorder = Recorder()
    recorder.kvoController.observe(circle, keyPath: "radius") { _, _, _ in }
    nonisolated(unsafe) let observed = KVOObservable(circle)
    let circle = circle
    let (haveEnded, calls) = Tracking.readOnThreads {
      _ = observed.radius
    } whileChanging: {
      circle.radius += 1
    }
    #expect(haveEnded)
    recorder.kvoController.unobserveAll()
    let callsBefore = calls.current
    circle.radius = 0
    // Observation keeps a tracking if a change on another thread comes while it installs it, and calls it again with each
    // change. The wrapper observes what Observation still tracks, and nothing else.
    #expect((circle.registrationCount > 0) == (calls.current > callsBefore))
  }

  @Test func wrappersMayComeAndGoWhileTheirObjectChanges() {
    let recorder = Recorder()
    recorder.kvoController.observe(circle, keyPath: "radius") { _, _, _ in }
    let circle = circle
    let reading = Locked(2)
    onThreads(3) { number in
      guard number > 0 else {
        while reading.current > 0 { circle.radius += 1 }
        return
      }
      for _ in 0..<(isSanitized ? 100 : 1000) {
        let observed = KVOObservable(circle)
        withObservationTracking {
          _ = (observed.radius, observed.diameter)
        } onChange: {
        }
      }
      reading.add(-1)
    }
    recorder.kvoController.unobserveAll()
    #expect(circle.registrationCount == 0)
  }
}

/// A model with a property for each label.
private final class BookShelf: KeyValueObject {
  @Observed var count = 0

  subscript(label: Label) -> Int { count }
  subscript(constantFor label: Label) -> Int { 1 }
}

/// An argument of a key path.
private final class Label: Hashable, Sendable {
  static func == (left: Label, right: Label) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A model that is Observable itself.
private final class Desk: KeyValueObject, Observable {
  @Observed var name = ""
  @Observed var circle: KVOObservable<Circle>?
}
#endif
