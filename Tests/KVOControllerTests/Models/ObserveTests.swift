import KVOController
import Testing
import _KVOTestSupport

/// Foundation's `observe(_:options:changeHandler:)`.
@Suite struct ObserveTests {
  enum Color: String {
    case red, green
  }

  class Lamp: KeyValueObject, @unchecked Sendable {
    @Observed var power = 0
    @Observed var color: Color?
    @Observed var name: String?
    @Observed var shades: [String] = []
    @Observed var next: Lamp?
    var whenReleased: (() -> Void)?
    var token: NSKeyValueObservation?

    deinit { whenReleased?() }
  }

  final class Torch: Lamp, @unchecked Sendable {
    @Observed var battery = 100
  }

  let lamp = Lamp()

  init() { relayClosuresIfRequested() }

  @Test func theHandlerGetsTheObjectAndTheChange() {
    // All calls are made on this thread.
    nonisolated(unsafe) var received: [(Lamp, NSKeyValueObservedChange<Int>)] = []
    let token = lamp.observe(\.power, options: [.old, .new]) { lamp, change in received.append((lamp, change)) }
    lamp.power = 1
    #expect(received.count == 1)
    #expect(received.first?.0 === lamp)
    #expect(received.first?.1.kind == .setting)
    #expect(received.first?.1.oldValue == 0)
    #expect(received.first?.1.newValue == 1)
    #expect(received.first?.1.isPrior == false)
    #expect(received.first?.1.indexes == nil)
    token.invalidate()
  }

  @Test func withoutOptionsTheChangeHoldsNoValues() {
    // One of an Optional type is `.some(nil)` on Apple platforms.
    nonisolated(unsafe) var changes: [NSKeyValueObservedChange<Int>] = []
    let token = lamp.observe(\.power) { _, change in changes.append(change) }
    lamp.power = 1
    #expect(changes.map(\.newValue) == [nil])
    #expect(changes.map(\.oldValue) == [nil])
    token.invalidate()
  }

  @Test func requestedNilIsSomeNil() {
    nonisolated(unsafe) var changes: [NSKeyValueObservedChange<String?>] = []
    let token = lamp.observe(\.name, options: [.old, .new]) { _, change in changes.append(change) }
    lamp.name = "a"
    lamp.name = nil
    #expect(changes.map(\.newValue) == ["a", .some(nil)])
    #expect(changes.map(\.oldValue) == [.some(nil), "a"])
    token.invalidate()
  }

  @Test func initialAndPriorCallsAreMade() {
    nonisolated(unsafe) var lines: [String] = []
    let token = lamp.observe(\.power, options: [.initial, .prior, .old, .new]) { _, change in
      let sides = [change.oldValue, change.newValue].map { $0.map(String.init) ?? "-" }
      lines.append("\(change.isPrior ? "prior " : "")\(sides.joined(separator: " "))")
    }
    lamp.power = 1
    #expect(lines == ["- 0", "prior 0 -", "0 1"])
    token.invalidate()
  }

  @Test func rawRepresentableEnumsArriveAsEnums() {
    nonisolated(unsafe) var colors: [Color??] = []
    let token = lamp.observe(\.color, options: .new) { _, change in colors.append(change.newValue) }
    lamp.color = .green
    lamp.setValue("red", forKey: "color")
    lamp.color = nil
    #expect(colors == [.green, .red, .some(nil)])
    token.invalidate()
  }

  @Test func changesOfCollectionsHaveIndexes() {
    nonisolated(unsafe) var changes: [NSKeyValueObservedChange<[String]>] = []
    let token = lamp.observe(\.shades, options: [.old, .new]) { _, change in changes.append(change) }
    let shades = lamp.mutableArrayValue(forKey: "shades")
    shades.add("a")
    shades.replaceObject(at: 0, with: "b")
    shades.removeObject(at: 0)
    #expect(changes.map(\.kind) == [.insertion, .replacement, .removal])
    #expect(changes.map(\.indexes) == [[0], [0], [0]])
    #expect(changes.map(\.newValue) == [["a"], ["b"], nil])
    #expect(changes.map(\.oldValue) == [nil, ["a"], ["b"]])
    token.invalidate()
  }

  @Test func pathsLeadThroughOptionals() {
    nonisolated(unsafe) var numbers: [Int??] = []
    let token = lamp.observe(\.next?.power, options: .new) { _, change in numbers.append(change.newValue) }
    lamp.next = Lamp()
    lamp.next?.power = 5
    lamp.next = nil
    #expect(numbers == [0, 5, .some(nil)])
    token.invalidate()
  }

  @Test func theHandlerOfASubclassGetsTheSubclass() {
    let torch = Torch()
    nonisolated(unsafe) var charges: [Int] = []
    let token = torch.observe(\.power) { torch, _ in charges.append(torch.battery) }
    torch.power = 1
    #expect(charges == [100])
    token.invalidate()
  }

  @Test func theSameKeyPathMayBeObservedSeveralTimes() {
    nonisolated(unsafe) var lines: [String] = []
    let first = lamp.observe(\.power) { _, _ in lines.append("first") }
    let second = lamp.observe(\.power) { _, _ in lines.append("second") }
    lamp.power = 1
    #expect(Set(lines) == ["first", "second"])
    first.invalidate()
    lamp.power = 2
    #expect(lines.count == 3)
    #expect(lines.last == "second")
    second.invalidate()
  }

  @Test func deliveryIsOnTheThreadOfTheChange() {
    let lamp = lamp
    let threads = Locked<[ObjectIdentifier]>([])
    let token = lamp.observe(\.power) { _, _ in threads.append(ObjectIdentifier(Thread.current)) }
    onThreads(1) { _ in
      lamp.power = 1
      #expect(threads.withLock { $0 } == [ObjectIdentifier(Thread.current)])
    }
    token.invalidate()
  }

  @Test func aPlainPropertyStopsTheProcess() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = Lamp().observe(\.token) { _, _ in }
    }
    #expect(said(#"Cannot observe the key path \\Lamp\..* Mark the property @Observed"#, result))
  }
}

/// How long an observation lasts.
extension ObserveTests {
  @Test func itStopsAtInvalidate() {
    nonisolated(unsafe) var count = 0
    let token = lamp.observe(\.power) { _, _ in count += 1 }
    token.invalidate()
    token.invalidate()
    lamp.power = 1
    #expect(count == 0)
    #expect(lamp.registrationCount == 0)
  }

  @Test func itStopsWhenTheTokenIsReleased() {
    nonisolated(unsafe) var count = 0
    var token: NSKeyValueObservation? = lamp.observe(\.power) { _, _ in count += 1 }
    lamp.power = 1
    #expect(token != nil)
    token = nil
    lamp.power = 2
    #expect(count == 1)
    #expect(lamp.registrationCount == 0)
  }

  @Test func theTokenMayOutliveTheObject() {
    var object: Lamp? = Lamp()
    weak let life = object
    let token = object?.observe(\.power) { _, _ in }
    object = nil
    #expect(life == nil)
    token?.invalidate()
  }

  @Test func theTokenMayBelongToTheObject() {
    var object: Lamp? = Lamp()
    weak let life = object
    object?.token = object?.observe(\.power) { _, _ in }
    object = nil
    #expect(life == nil)
  }

  @Test func itMayBeInvalidatedInTheObjectsDeinit() {
    var object: Lamp? = Lamp()
    nonisolated(unsafe) var count = 0
    let token = object?.observe(\.power) { _, _ in count += 1 }
    unowned(unsafe) let dying = object
    object?.whenReleased = {
      dying?.power = 1
      token?.invalidate()
      dying?.power = 2
    }
    object = nil
    #expect(count == 1)
  }

  @Test func aDyingObjectsChangesHaveItsValues() {
    var object: Lamp? = Lamp()
    nonisolated(unsafe) var log: [[Int?]] = []
    let token = object?.observe(\.power, options: [.old, .new, .prior]) { lamp, change in
      log.append([change.oldValue, change.newValue, lamp.power])
    }
    unowned(unsafe) let dying = object
    object?.whenReleased = { dying?.power = 1 }
    object = nil
    #expect(log == [[0, nil, 0], [0, 1, 1]])
    token?.invalidate()
  }

  @Test func changesMadeInAHandlerAreNotifiedWithin() {
    nonisolated(unsafe) var log: [[Int?]] = []
    let token = lamp.observe(\.power, options: [.old, .new]) { lamp, change in
      log.append([change.oldValue, change.newValue])
      if lamp.power < 3 { lamp.power += 1 }
      log.append([])
    }
    lamp.power = 1
    #expect(log == [[0, 1], [1, 2], [2, 3], [], [], []])
    token.invalidate()
  }

  @Test func anObserverThatComesDuringAnotherThreadsChangeIsToldOfItsEndAtMostOnce() {
    nonisolated(unsafe) var log: [[Int?]] = []
    nonisolated(unsafe) var late: NSKeyValueObservation?
    let early = lamp.observe(\.power, options: .prior) { [lamp] _, change in
      guard change.isPrior, late == nil else { return }
      onThreads(1) { _ in
        late = lamp.observe(\.power, options: [.old, .new]) { _, change in
          log.append([change.oldValue, change.newValue])
        }
      }
    }
    lamp.power = 1
    #expect(log.isEmpty || log == [[0, 1]])
    log = []
    lamp.power = 2
    #expect(log == [[1, 2]])
    late?.invalidate()
    early.invalidate()
  }

  @Test func itBeginsDuringAnInPlaceMutationOfAnotherThread() {
    nonisolated(unsafe) var log: [[String]?] = []
    nonisolated(unsafe) var token: NSKeyValueObservation?
    func mutate(_ shades: inout [String]) {
      shades.append("a")
      onThreads(1) { [lamp] _ in
        token = lamp.observe(\.shades, options: [.initial, .new]) { _, change in log.append(change.newValue) }
      }
    }
    let other = lamp.observe(\.shades) { _, _ in }
    mutate(&lamp.shades)
    #expect(log == [["a"]])
    token?.invalidate()
    other.invalidate()
  }

  @Test func aChangeInTheInitialCallIsNotified() {
    nonisolated(unsafe) var values: [Int?] = []
    let token = lamp.observe(\.power, options: [.initial, .new]) { lamp, change in
      values.append(change.newValue)
      if lamp.power < 2 { lamp.power += 1 }
    }
    #expect(values == [0, 1, 2])
    token.invalidate()
    #expect(lamp.registrationCount == 0)
  }

  @Test(arguments: [false, true]) func theHandlerMayInvalidateOrReleaseIt(isReleased: Bool) {
    nonisolated(unsafe) var token: NSKeyValueObservation?
    nonisolated(unsafe) var count = 0
    token = lamp.observe(\.power) { _, _ in
      count += 1
      if isReleased { token = nil } else { token?.invalidate() }
    }
    #expect(token != nil)
    lamp.power = 1
    lamp.power = 2
    #expect(count == 1)
    token = nil
  }

  @Test func theHandlerIsReleasedWithTheToken() {
    final class Resource: Sendable {}
    var resource: Resource? = Resource()
    weak let life = resource
    var token: NSKeyValueObservation? = lamp.observe(\.power) { [resource] _, _ in withExtendedLifetime(resource) {} }
    resource = nil
    #expect(life != nil)
    #expect(token != nil)
    token = nil
    #expect(life == nil)
  }

  @Test func severalThreadsMayInvalidateIt() {
    let lamp = lamp
    for _ in 0..<100 {
      let token = Locked(lamp.observe(\.power) { _, _ in })
      // Foundation's token isn't safe without a lock.
      onThreads(3) { _ in token.withLock { $0.invalidate() } }
    }
    #expect(lamp.registrationCount == 0)
  }
}
