import KVOController
import Testing
import _KVOTestSupport

/// An object that counts the observers that are registered with it, as long as they are.
private class Ledger: KeyValueObject, @unchecked Sendable {
  private let balance: Locked<Int>

  init(_ balance: Locked<Int> = Locked(0)) {
    self.balance = balance
  }

  override func addObserver(
    _ observer: KeyValueObservable, forKeyPath keyPath: String, options: NSKeyValueObservingOptions = [],
    context: UnsafeMutableRawPointer?
  ) {
    balance.add()
    super.addObserver(observer, forKeyPath: keyPath, options: options, context: context)
  }

  override func removeObserver(
    _ observer: KeyValueObservable, forKeyPath keyPath: String, context: UnsafeMutableRawPointer?
  ) {
    balance.add(-1)
    super.removeObserver(observer, forKeyPath: keyPath, context: context)
  }
}

private final class Station: Ledger, @unchecked Sendable {
  @Observed var next: Station?
  @Observed var number = 0
  /// Declares what it depends on, though it is stored.
  @Observed var total = 0
  @Observed var first = 0
  @Observed var second = 0

  var doubled: Int { 2 * number }
  var sum: Int { number + total }
  var sumOfNext: Int { (next?.number ?? 0) + total }
  var pair: Int { first + second }

  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    switch key {
    case "total": ["number", "next.number"]
    case "first": ["second"]
    case "second": ["first"]
    default: super.keyPathsForValuesAffectingValue(forKey: key)
    }
  }
}

private final class Harbor: KeyValueObject, @unchecked Sendable {
  @Observed var next: Harbor?
  weak var beacon: Beacon?

  override class var keyPaths: [String: AnyKeyPath] { ["beacon": \Harbor.beacon] }
}

private final class Beacon: KeyValueObject, @unchecked Sendable {
  @Observed var number = 0
  @Observed var height = 0
}

/// Paths without a name, which are followed from property to property where Foundation does the observing.
@Suite(.watched) struct FollowedRegistrationTests {
  private let watcher = Watcher()
  private let controller: KVOController
  private let station = Station()

  init() {
    controller = KVOController(observer: watcher)
  }

  @Test func aTypedPathThroughAListedWeakPropertyHasItsName() {
    let harbor = Harbor()
    let beacon = Beacon()
    harbor.beacon = beacon
    let (heights, token) = controller.listen(to: harbor, \.beacon?.height)
    beacon.height = 1
    harbor.setValue(nil, forKey: "beacon")
    #expect(heights.take() == [1, .some(nil)])
    controller.unobserve(harbor, keyPath: "beacon.height")
    #expect(!token.isValid)
  }

  @Test func anObjectBehindAListedWeakPropertyIsFollowedOnceThePathReachesIt() {
    let harbor = Harbor()
    let (numbers, _) = controller.listen(to: harbor, \.next?.beacon?.number)
    let beacon = Beacon()
    let next = Harbor()
    next.beacon = beacon
    harbor.next = next
    beacon.number = 1
    #expect(numbers.take() == [0, 1])
    let other = Beacon()
    next.setValue(other, forKey: "beacon")
    beacon.number = 2
    other.number = 3
    #expect(numbers.take() == [0, 3])
  }

  // MARK: One change is one call

  @Test func aPathThatReadsAKeyAndOneThatDeclaresToDependOnItIsOneCall() {
    let (sums, _) = controller.listen(to: station, \.sum)
    station.number = 1
    #expect(sums.take() == [1])
    station.total = 5
    #expect(sums.take() == [6])
  }

  @Test func thatHoldsForAKeyOfAnotherObjectToo() {
    let next = Station()
    station.next = next
    let (sums, _) = controller.listen(to: station, \.sumOfNext)
    next.number = 1
    #expect(sums.take() == [1])
    let replacement = Station()
    replacement.number = 3
    station.next = replacement
    #expect(sums.take() == [3])
    next.number = 2
    #expect(sums.take() == [])
    replacement.number = 4
    #expect(sums.take() == [4])
    station.total = 5
    #expect(sums.take() == [9])
  }

  @Test func keysThatDependOnEachOtherAreOneCall() {
    let (pairs, _) = controller.listen(to: station, \.pair)
    station.first = 1
    station.second = 2
    #expect(pairs.take() == [1, 3])
  }

  // MARK: Changes inside a change

  @Test func anObjectThatLeavesThePathWhileItChangesIsReleasedAndItsPriorCallHasItsPartner() {
    let balance = Locked(0)
    let life: Weak<Station>
    var calls: [Bool] = []
    do {
      let leaving = Station(balance)
      life = Weak(leaving)
      station.next = leaving
      controller.observe(station, \.next?.doubled, options: [.prior]) { [station] _, change in
        calls.append(change.isPrior)
        if calls.count == 1 { station.next = nil }
      }
      leaving.number = 1
    }
    // The change of the number, and inside of it the whole change of `next`.
    #expect(calls == [true, true, false, false])
    #expect(!life.isAlive)
    #expect(balance.current == 0)
    station.next = Station()
    #expect(calls.count == 6)
    controller.unobserveAll()
    #expect(station.observationInfo == nil)
  }

  @Test func anObjectThatLeavesThePathWhileItChangesIsNotCalledFor() {
    let leaving = Station()
    station.next = leaving
    leaving.kvoController.observe(leaving, \.number, options: .prior) { [station] _, change in
      if change.isPrior, station.next != nil { station.next = nil }
    }
    let (heard, _) = controller.listen(to: station, \.next?.doubled)
    leaving.number = 1
    #expect(heard.take() == [.some(nil)])
    leaving.number = 2
    #expect(heard.take() == [])
  }

  @Test func aChangeThatIsAnnouncedAndNeverMadeKeepsNoObjectAlive() {
    let life: Weak<Station>
    let nonRetaining = KVOController(observer: watcher, retainObserved: false)
    var token: KVOObservation?
    do {
      let station = Station()
      life = Weak(station)
      station.next = Station()
      token = nonRetaining.observe(station, \.next?.doubled) { _, _ in }
      station.willChangeValue(forKey: "next")
    }
    #expect(!life.isAlive)
    #expect(token?.isValid == false)
  }

  // MARK: Threads

  @Test func objectsOnThePathDieWhileTheObservationEndsOnAnotherThread() {
    let balance = Locked(0)
    for _ in 0..<(isSanitized ? 100 : 1000) {
      let (root, middle) = (Station(balance), Station(balance))
      root.next = middle
      middle.next = Station(balance)
      let token = controller.observe(root, \.next?.next?.doubled) { _, _ in }
      onThreads(3) { number in
        // Each property is used by one thread only.
        switch number {
        case 0: root.next = nil
        case 1: token.invalidate()
        default: middle.next = nil
        }
      }
    }
    controller.unobserveAll()
    #expect(balance.current == 0)
  }
}
