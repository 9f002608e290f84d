import Foundation
import KVOController
import Testing
import _KVOTestSupport

/// Changes reach sequences and actors in their order, and none ends with a value that isn't the last one.
@Suite(.watched) struct DeliveryOrderTests {
  /// A model with a computed property whose getter can be made to wait.
  private final class Meter: KeyValueObject, @unchecked Sendable {
    @Observed var number = 0
    @Observed var x = 0
    @Observed var y = 0
    @Observed var z = 0
    /// Runs on the thread that reads `gated`, once it has read the number.
    let whenRead = Locked<(@Sendable () -> Void)?>(nil)

    var gated: Int {
      defer { whenRead.current?() }
      return number
    }

    override class var keyPaths: [String: AnyKeyPath] { ["gated": \Meter.gated] }
    override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
      key == "gated" ? ["number"] : super.keyPathsForValuesAffectingValue(forKey: key)
    }

    /// Makes the first reading on the current thread wait, after it has read the number, until `body` has run on another thread.
    func whileReading(_ body: @escaping @Sendable () -> Void) {
      // Released once it runs, because it may retain the meter.
      let (reader, waiting) = (ObjectIdentifier(Thread.current), Locked<(@Sendable () -> Void)?>(body))
      whenRead.withLock { whenRead in
        whenRead = {
          guard ObjectIdentifier(Thread.current) == reader, let body = waiting.take() else { return }
          let done = Gate()
          Thread.detachNewThread {
            body()
            done.arrive()
          }
          done.wait()
        }
      }
    }
  }

  private let meter = Meter()
  private let recorder = Recorder()

  // MARK: A value that is stale when it is read

  @Test func theInitialValueOfASequenceIsNotStale() async {
    let controller = KVOController(observer: recorder)
    meter.whileReading { [meter] in meter.number = 1 }
    let values = controller.values(of: meter, \.gated)
    meter.number = 2
    controller.unobserve(meter)
    var received: [Int] = []
    for await value in values { received.append(value) }
    // The initial value was read again after the change that was made meanwhile.
    #expect(received == [1, 1, 2])
  }

  @Test func aChangeThatIsReadLateIsNotStale() async {
    let controller = KVOController(observer: recorder)
    let values = controller.values(of: meter, \.gated)
    meter.whileReading { [meter] in meter.number = 2 }
    meter.number = 1
    controller.unobserve(meter)
    var received: [Int] = []
    for await value in values { received.append(value) }
    #expect(received == received.sorted())
    #expect(received.last == 2)
  }

  private actor Collector {
    private let recorder = Recorder()
    private let values = Locked<[Int]>([])
    private lazy var controller = KVOController(observer: recorder)

    var received: [Int] { values.current }

    func listen(to meter: Meter, _ keyPaths: [String], options: NSKeyValueObservingOptions = .new) {
      controller.observe(meter, keyPaths: keyPaths, options: options) { [values] _, _, change in
        let offset = ["x": 0, "y": 1000, "z": 2000][change[.keyPathKey] as? String ?? ""] ?? 0
        values.append(offset + (change[.newKey] as? Int ?? -1))
      }
    }

    /// The values, once there are so many.
    func all(_ count: Int) async -> [Int] {
      while received.count < count { await Task.yield() }
      return received
    }
  }

  @Test func theInitialValueOfAnActorIsNotStale() async {
    let collector = Collector()
    await collector.listen(to: meter, ["gated"], options: [.initial, .new])
    // Changes on other threads wait for the actor.
    meter.whileReading { [meter] in meter.number = 2 }
    meter.number = 1
    meter.number = 3
    while await collector.received.last != 3 { await Task.yield() }
    let received = await collector.received
    #expect(received == received.sorted())
  }

  @Test func aChangeOfAChildThatIsReplacedMeanwhileIsNotQueued() async {
    let (circle, old, new) = (ObservedRecorder(), Circle(), Circle())
    (circle.circle, new.radius) = (old, 9)
    let (controller, other) = (KVOController(observer: recorder), KVOController(observer: recorder))
    let values = controller.values(of: circle, \.circle?.radius)
    // Registered later, so called earlier.
    other.observe(old, keyPath: "radius", isolation: nil) { _, _, _ in
      onThreads(1) { _ in circle.circle = new }
    }
    old.radius = 5
    controller.unobserveAll()
    var received: [Int?] = []
    for await value in values { received.append(value) }
    #expect(received == [0, 9])
    other.unobserveAll()
  }

  // MARK: Several key paths

  @Test func changesOfSeveralKeyPathsReachAnActorInTheirOrder() async {
    let collector = Collector()
    await collector.listen(to: meter, ["x", "y", "z"])
    for number in 1...100 {
      meter.x = number
      meter.y = number
      meter.z = number
    }
    let received = await collector.all(300)
    let expected = (1...100).flatMap { number in [number, 1000 + number, 2000 + number] }
    #expect(received == expected)
  }

  @Test func initialCallsOfSeveralKeyPathsComeInTheirOrder() async {
    let collector = Collector()
    await collector.listen(to: meter, ["z", "x", "y"], options: [.initial, .new])
    #expect(await collector.received == [2000, 0, 1000])
  }

  @Test func severalKeyPathsEndTogether() {
    // Controllers and tokens can be used on any thread.
    nonisolated(unsafe) let controller = KVOController(observer: recorder)
    let count = Locked(0)
    // Ended on another thread in the first of three initial calls.
    controller.observe(meter, keyPaths: ["x", "y", "z"], options: .initial, isolation: nil) { [meter] _, _, _ in
      count.add()
      onThreads(1) { _ in controller.unobserve(meter) }
    }
    #expect(count.current == 1)
    (meter.x, meter.y, meter.z) = (1, 1, 1)
    #expect(count.current == 1)
    #expect(meter.registrationCount == 0)
  }

  @Test func severalKeyPathsAreObservedAllOrNone() {
    let rounds = isSanitized ? 200 : 2000
    for _ in 0..<rounds {
      let received = Locked<[String]>([])
      nonisolated(unsafe) let controller = KVOController(observer: recorder)
      onThreads(2) { [meter] thread in
        if thread == 0 {
          controller.observe(meter, keyPaths: ["x", "y", "z"], isolation: nil) { _, _, change in
            received.append(change[.keyPathKey] as? String ?? "")
          }
        } else {
          controller.unobserve(meter)
        }
      }
      (meter.x, meter.y, meter.z) = (1, 1, 1)
      let keys = received.current
      #expect(keys == [] || keys == ["x", "y", "z"])
      controller.unobserveAll()
    }
  }

  // MARK: Random

  @Test func noSequenceEndsWithAStaleValue() async {
    for round in 0..<(isSanitized ? 100 : 1000) {
      nonisolated(unsafe) let controller = KVOController(observer: recorder)
      let meter = Meter()
      let other = KVOController(observer: recorder)
      other.observe(meter, keyPath: "number", isolation: nil) { _, _, _ in }
      let values = Locked<AsyncStream<Int>?>(nil)
      onThreads(2) { thread in
        if thread == 0 {
          values.withLock { $0 = controller.values(of: meter, \.number) }
        } else {
          meter.number = round + 1
        }
      }
      controller.unobserveAll()
      var received: [Int] = []
      if let values = values.current {
        for await value in values { received.append(value) }
      }
      #expect(received.last == round + 1 && received == received.sorted())
    }
  }
}
