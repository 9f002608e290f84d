import KVOController
import Testing
import _KVOTestSupport

/// Replacing the object before the end of a path.
@Suite struct ReplacedChildTests {
  private let root = Station()
  let recorder = Recorder()
  let controller: KVOController

  init() {
    controller = KVOController(observer: recorder)
  }

  @Test func anEqualChildIsAReplacementToo() {
    let child = Station(1)
    root.child = child
    let (numbers, _) = controller.listen(to: root, \.child?.number)
    root.child = child
    child.number = 2
    #expect(numbers.old == [1, 1])
    #expect(numbers.new == [1, 2])
  }

  /// With many paths, the list of the child's observers has an empty place for the one that has left.
  @Test(arguments: [3, 8, 9, 20]) func pathLedBackByHandlerNotifiesOnce(count: Int) {
    let (shared, other) = (Station(1), Station(77))
    let roots = (0..<count).map { _ in Station() }
    var received: [[Int?]] = []
    for root in roots {
      root.child = shared
      controller.observe(root, \.child?.number, options: [.old, .new]) { root, change in
        if root === roots[1] { received.append([change.oldValue ?? nil, change.newValue ?? nil]) }
        // It is notified first.
        if root === roots[count - 1], roots[1].child === other { roots[1].child = shared }
      }
    }
    roots[1].child = other
    received = []
    shared.number = 2
    #expect(received == [[77, 2]])
  }

  /// Its computed key brings as many other keys as there are behind the child.
  @Test func theChildMayBeReplacedLongBeforeTheEnd() {
    let (junction, chosen, end) = (Junction(), Junction(), Junction())
    junction.child = chosen
    end.number = 7
    let form = Form(way: .changeAction)
    controller.observe(junction, "chosen.child.kids.@max.number", as: form, options: [.old, .new])
    chosen.child = end
    #expect(recorder.changes == [.setting(new: null, old: null)])
    let kid = Junction()
    kid.number = 8
    end.kids = [kid]
    #expect(recorder.changes.last == .setting(new: 8, old: null))
  }

  @Test func childCanBeRemovedAndReturn() {
    let children = [Station(1), Station(2)]
    root.child = children[0]
    let (numbers, _) = controller.listen(to: root, \.child?.number)
    root.child = nil
    children[0].number = 10
    root.child = nil
    root.child = children[1]
    children[1].number = 20
    root.child = children[0]
    children[1].number = 200
    #expect(numbers.old == [1, .some(nil), .some(nil), 2, 20])
    #expect(numbers.new == [.some(nil), .some(nil), 2, 20, 10])
  }

  @Test func theChildMayBeOfAnotherClass() {
    let (express, closed) = (Express(1), Closed(2))
    root.child = Station(0)
    let (numbers, _) = controller.listen(to: root, \.child?.number)
    root.child = express
    express.number = 3
    // Its number isn't that of the property.
    root.child = closed
    closed.isOpen = true
    root.child = express
    closed.isOpen = false
    express.number = 4
    #expect(numbers.old == [0, 1, 3, -1, 2, 3])
    #expect(numbers.new == [1, 3, -1, 2, 3, 4])
  }

  @Test func theChildMayBeTheRoot() {
    root.number = 5
    root.child = Station(1)
    let (numbers, _) = controller.listen(to: root, \.child?.number)
    let (children, _) = controller.listen(to: root, \.child?.child?.number)
    root.child = root
    root.number = 6
    root.child = nil
    root.number = 7
    #expect(numbers.new == [5, 6, .some(nil)])
    #expect(children.new == [5, 6, .some(nil)])
  }

  /// The child isn't the property that was observed first.
  @Test(.watched) func theChildMayBeTheRootOfWhichMoreIsObserved() {
    let (names, _) = controller.listen(to: root, \.name)
    let (numbers, _) = controller.listen(to: root, \.child?.number)
    root.child = root
    root.child = root
    root.number = 6
    root.child = Station(1)
    root.child = Station(2)
    root.child?.number = 3
    root.child = nil
    root.name = "b"
    #expect(numbers.new == [0, 0, 6, 1, 2, 3, .some(nil)])
    #expect(names.new == ["b"])
  }

  /// The class is asked when the first of its objects is on a path.
  @Test func classCanReplaceTheChildWhileItReturnsItsKeys() {
    let newest = Station(9)
    root.child = Station(1)
    let (numbers, _) = controller.listen(to: root, \.child?.number)
    Asked.whenAsked = { [root] in
      Asked.whenAsked = nil
      root.child = newest
    }
    defer { Asked.whenAsked = nil }
    let asked = Asked(2)
    root.child = asked
    #expect(Asked.whenAsked == nil)
    #expect(root.child === newest)
    #expect(numbers.new.last == 9)
    asked.number = 3
    newest.number = 10
    #expect(numbers.new.last == 10)
    #expect(!numbers.new.contains(3))
  }

  @Test func aValueOnTheWayIsWhatItWasWhenTheChildChanged() {
    let children = [Station(1), Station(2)]
    root.child = children[0]
    var received: [[Int?]] = []
    controller.observe(root, \.child?.number) { root, change in
      received.append([change.oldValue ?? nil, change.newValue ?? nil])
      if received.count == 1 { children[1].number = 20 }
      if received.count == 2 { root.child = children[0] }
    }
    root.child = children[1]
    #expect(received == [[1, 2], [2, 20], [20, 1]])
  }

  @Test func theMiddleOfALongPathMayBeReplaced() {
    let (near, far) = (Station(0), Station(1))
    root.child = near
    near.child = far
    let (numbers, _) = controller.listen(to: root, \.child?.child?.number)
    near.child = Station(2)
    far.number = -1
    near.child?.number = 3
    let other = Station(0)
    other.child = Station(4)
    root.child = other
    near.child = Station(-1)
    other.child = Station(5)
    other.child?.number = 6
    #expect(numbers.old == [1, 2, 3, 4, 5])
    #expect(numbers.new == [2, 3, 4, 5, 6])
  }

  @Test func valuesOfAnySizeArrive() {
    let children = [Station(1), Station(2)]
    root.child = children[0]
    let (names, _) = controller.listen(to: root, \.child?.name)
    let (plans, _) = controller.listen(to: root, \.child?.plan)
    let (notes, _) = controller.listen(to: root, \.child?.note)
    root.child = children[1]
    root.child = nil
    #expect(names.old == ["a station with the number 1", "a station with the number 2"])
    #expect(names.new == ["a station with the number 2", .some(nil)])
    #expect(plans.old.map { $0??[8] } == [1, 2])
    #expect(plans.new.map { $0??[8] } == [2, nil])
    #expect(notes.old == ["1", "2"])
    #expect(notes.new == ["2", .some(nil)])
  }

  @Test(arguments: [[], .new, .old, .prior, [.old, .new, .prior]] as [NSKeyValueObservingOptions])
  func theOptionsSayWhichValuesArrive(options: NSKeyValueObservingOptions) {
    let children = [Station(1), Station(2)]
    root.child = children[0]
    let (numbers, _) = controller.listen(to: root, \.child?.number, options: options)
    root.child = children[1]
    let last = numbers.all.last
    #expect(numbers.count == (options.contains(.prior) ? 2 : 1))
    #expect(last?.oldValue == (options.contains(.old) ? 1 : nil))
    #expect(last?.newValue == (options.contains(.new) ? 2 : nil))
  }

  @Test func whatTheHandlerDoesIsDeliveredAtOnce() {
    root.child = Station(1)
    let received = ReceivedChanges<Int?>()
    controller.observe(root, \.child?.number) { root, change in
      received.record(change)
      if change.newValue == 2 { root.child = Station(3) }
      if change.newValue == 3 { root.child?.number = 4 }
    }
    root.child = Station(2)
    root.child?.number = 5
    #expect(received.old == [1, 2, 3, 4])
    #expect(received.new == [2, 3, 4, 5])
  }

  @Test func theHandlerMayEndTheObservation() {
    let children = [Station(1), Station(2)]
    root.child = children[0]
    var token: KVOObservation?
    var calls = 0
    token = controller.observe(root, \.child?.number) { _, _ in
      calls += 1
      token?.invalidate()
    }
    root.child = children[1]
    root.child = children[0]
    for child in children { child.number = 3 }
    #expect(calls == 1)
    #expect(children.allSatisfy { $0.registrationCount == 0 })
    #expect(root.registrationCount == 0)
  }

  @Test func theDeinitOfTheReplacedChildMayUseThePath() {
    let next = Station(2)
    root.child = Station(1)
    root.child?.whenReleased = { [root] in
      root.child?.number = 3
      root.child = Station(4)
    }
    let (numbers, _) = controller.listen(to: root, \.child?.number)
    root.child = next
    #expect(numbers.old == [1, 2, 3])
    #expect(numbers.new == [2, 3, 4])
    next.number = -1
    #expect(numbers.count == 3)
  }

  @Test func theRootMayBeReleasedByTheHandler() {
    var root: Station? = Station(0)
    let weak = Weak(root)
    let child = Station(1)
    root?.child = child
    let held = Locked(root)
    let controller = KVOController(observer: recorder, retainObserved: false)
    let (numbers, _) = controller.listen(to: held.current!, \.child?.number)
    controller.observe(held.current!, \.child?.number, options: .new, identifier: 1) { _, _ in
      _ = held.take()
    }
    root = nil
    held.current?.child = Station(2)
    child.number = 3
    #expect(numbers.new == [2])
    #expect(!weak.isAlive)
  }

  @Test func whileOneThreadReplacesTheChildOthersSetItsValuesAndEndObservations() {
    let children = [Station(1), Station(2)]
    let rounds = isSanitized ? 300 : 2000
    onThreads(4) { [root, recorder] thread in
      let controller = KVOController(observer: recorder)
      for round in 0..<rounds {
        // Without values nothing is read of the children, so each property is used by one thread.
        switch thread {
        case 0: root.child = round % 5 == 0 ? nil : children[round % 2]
        case 1, 2: children[thread - 1].number = round
        default:
          controller.observe(root, keyPath: "child.number") { _, _, _ in }
          controller.unobserve(root, keyPath: "child.number")
        }
      }
    }
    #expect(children.allSatisfy { $0.registrationCount == 0 })
    let (numbers, _) = controller.listen(to: root, \.child?.number)
    root.child = children[0]
    children[0].number = -1
    children[1].number = -1
    #expect(numbers.count == 2)
  }

  /// Each has the other as its child; or each of three has the next one.
  @Test(.watched, arguments: [2, 3], [false, true])
  func childrenOfACycleAreReplacedOnThreads(count: Int, numberIsObservedFirst: Bool) {
    let stations = (0..<count).map { Station($0) }
    let calls = (0..<count).map { _ in Locked(0) }
    for (index, station) in stations.enumerated() {
      if numberIsObservedFirst { controller.observe(station, \.number) { _, _ in } }
      station.child = stations[(index + 1) % count]
    }
    for (station, calls) in zip(stations, calls) {
      controller.observe(station, \.child?.number) { _, _ in calls.add() }
    }
    let rounds = isSanitized ? 500 : 5_000
    onThreads(count) { thread in
      for _ in 0..<rounds { stations[thread].child = stations[(thread + 1) % count] }
    }
    #expect(calls.map(\.current) == Array(repeating: rounds, count: count))
    stations[0].number = 7
    #expect(calls.last?.current == rounds + 1)
    controller.unobserveAll()
    #expect(stations.allSatisfy { $0.registrationCount == 0 })
    for station in stations { station.child = nil }
  }

  @Test(arguments: [false, true]) func theChildIsReadWhileItIsReplaced(numberIsObservedFirst: Bool) {
    if numberIsObservedFirst { controller.observe(root, \.number) { _, _ in } }
    root.child = Station(0)
    controller.observe(root, \.child?.number) { _, _ in }
    let rounds = isSanitized ? 1_000 : 20_000
    let strangers = Locked(0)
    onThreads(3) { [root] thread in
      for round in 1...rounds {
        if thread == 0 {
          root.child = Station(round)
        } else if (root.value(forKey: "child") as? Station)?.name.hasPrefix("a station") != true {
          strangers.add()
        }
      }
    }
    #expect(strangers.current == 0)
    #expect(root.child?.number == rounds)
  }

  @Test func nothingIsRetainedByObjectsThatWereOnThePath() {
    let children = [Station(1), Station(2), Station(3)]
    weak let captured: Station?
    do {
      let station = Station(4)
      captured = station
      controller.observe(root, \.child?.number) { _, _ in _ = station.number }
    }
    for _ in 1...3 {
      for child in children + [nil] { root.child = child }
    }
    root.child = children[0]
    #expect(captured != nil)
    controller.unobserveAll()
    #expect(captured == nil)
    #expect(children.allSatisfy { $0.registrationCount == 0 })
  }

  /// Whichever thread is first, the observation follows the path.
  @Test func registrationDuringReplacementFollowsTheNewChild() {
    let children = [Station(1), Station(2)]
    root.child = children[0]
    controller.observe(root, \.child?.number) { _, _ in }
    let missed = Locked(0)
    for round in 1...(isSanitized ? 200 : 3_000) {
      let child = children[round % 2]
      let calls = Locked(0)
      // Controllers can be used on any thread.
      nonisolated(unsafe) let other = KVOController(observer: recorder)
      onThreads(2) { [root] thread in
        if thread == 0 {
          root.child = child
        } else {
          other.observe(root, \.child?.number) { _, change in
            if change.newValue == round + 10 { calls.add() }
          }
        }
      }
      child.number = round + 10
      if calls.current != 1 { missed.add() }
      other.unobserveAll()
    }
    #expect(missed.current == 0)
  }

  @Test func twoPlacesOfAPathAreReplacedOnTwoThreads() {
    let middles = [Station(0), Station(1)]
    let ends = [Station(2), Station(3)]
    for middle in middles { middle.child = ends[0] }
    root.child = middles[0]
    let calls = Locked(0)
    controller.observe(root, \.child?.child?.number, options: []) { _, _ in calls.add() }
    let rounds = isSanitized ? 300 : 2000
    onThreads(3) { [root] thread in
      for round in 0..<rounds {
        if thread == 0 {
          root.child = middles[round % 2]
        } else {
          middles[thread - 1].child = ends[round % 2]
        }
      }
    }
    // One call for each change of what is on the path now, and none for what isn't.
    root.child = middles[1]
    middles[1].child = ends[0]
    let before = calls.current
    ends[1].number = 10
    middles[0].child = nil
    #expect(calls.current == before)
    ends[0].number = 11
    middles[1].child = ends[1]
    ends[1].number = 12
    ends[0].number = 13
    #expect(calls.current == before + 3)
    controller.unobserveAll()
    #expect((middles + ends).allSatisfy { $0.registrationCount == 0 })
  }
}

/// An object on a path, with values of several sizes.
private final class Junction: KeyValueObject {
  @Observed var number = 0
  @Observed var child: Junction?
  @Observed var kids: [Junction] = []
  var chosen: Junction? { number == 0 ? child : self }

  override class var keyPaths: [String: AnyKeyPath] { ["chosen": \Junction.chosen] }

  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    key == "chosen" ? ["number", "child"] : []
  }
}

private class Station: KeyValueObject, @unchecked Sendable {
  struct Plan {
    var tracks: (Int, Int, Int, Int, Int, Int, Int, Int)
    var last: Int

    subscript(index: Int) -> Int { index == 8 ? last : tracks.0 }
  }

  @Observed var child: Station?
  @Observed var number: Int
  @Observed var name: String
  @Observed var plan: Plan
  @Observed var note: String?
  var whenReleased: (() -> Void)?

  init(_ number: Int = 0) {
    self.number = number
    name = "a station with the number \(number)"
    plan = Plan(tracks: (0, 0, 0, 0, 0, 0, 0, 0), last: number)
    note = "\(number)"
  }

  deinit { whenReleased?() }
}

private final class Asked: Station, @unchecked Sendable {
  // One test sets and uses it, on one thread.
  nonisolated(unsafe) static var whenAsked: (() -> Void)?

  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    whenAsked?()
    return super.keyPathsForValuesAffectingValue(forKey: key)
  }
}

private final class Express: Station, @unchecked Sendable {
  @Observed var speed = 100
}

/// A station whose number depends on another property.
private final class Closed: Station, @unchecked Sendable {
  @Observed var isOpen = false

  override var number: Int {
    get { isOpen ? super.number : -1 }
    set { super.number = newValue }
  }

  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    key == "number" ? ["isOpen"] : super.keyPathsForValuesAffectingValue(forKey: key)
  }
}
