import KVOController
import Testing
import _KVOTestSupport

/// A registration with `.initial` on one thread, while another thread sets the property, receives the new value: either the
/// initial call reports it already, or there is another call.
@Suite(.serialized, .watched) struct LateRegistrationTests {
  private static let rounds = isSanitized ? 100 : 400
  private let circle = Circle()
  private let recorder = Recorder()

  /// The first observation of an unobserved object would need synchronization.
  @Test func propertyIsUnobserved() {
    let controller = KVOController(observer: recorder)
    controller.observe(circle, \.center) { _, _ in }
    raceOverRadius()
  }

  @Test(arguments: [false, true]) func manyValuesWereSetBefore(hasTheLastObserverLeft: Bool) {
    let controller = KVOController(observer: recorder)
    controller.observe(circle, \.radius) { _, _ in }
    if hasTheLastObserverLeft { controller.unobserveAll() }
    raceOverRadius(sets: 300)
  }

  @Test func anObservationHasEndedDuringAChangeThatIsStillDelivered() {
    let (controller, other) = (KVOController(observer: recorder), KVOController(observer: recorder))
    circle.borderWidth = 0
    other.observe(circle, \.radius) { _, _ in }
    other.observe(circle, \.borderWidth) { _, _ in }
    controller.observe(circle, \.borderWidth) { circle, _ in
      other.unobserve(circle, \.radius)
      raceOverRadius()
    }
    controller.observe(circle, \.radius) { _, _ in }
    circle.borderWidth = 1
  }

  @Test func anotherObjectIsCodedMeanwhile() {
    let coded = Circle()
    let controller = KVOController(observer: recorder)
    controller.observe(coded, \.anchor) { _, _ in }
    controller.observe(circle, \.radius) { _, _ in }
    let (start, end) = (Gate(), Gate())
    Thread.detachNewThread {
      let coder = CodedCircle {
        start.arrive()
        end.wait()
      }
      let controller = KVOController(observer: coder)
      controller.observe(coder, keyPath: "scale") { _, _, _ in }
      coder.setValue(2, forKey: "scale")
      start.arrive()
    }
    start.wait()
    raceOverRadius()
    end.arrive()
    start.wait(for: 2)
  }

  @Test(arguments: [1, 2]) func pathsLeadThroughTheProperty(count: Int) {
    let controller = KVOController(observer: recorder)
    let points = (0..<Self.rounds).map { Point(x: $0) }
    circle.center = points[0]
    for identifier in 0..<count { controller.observe(circle, \.center?.x, identifier: identifier) { _, _ in } }
    race(Self.rounds, points, \.center)
  }

  @Test func oldValuesAreReadMeanwhile() {
    let controller = KVOController(observer: recorder)
    controller.observe(circle, keyPath: "area", options: .old) { _, _, _ in }
    circle.whenAreaIsRead = { Thread.sleep(forTimeInterval: 0.0001) }
    raceOverRadius()
  }

  @Test(arguments: [NSKeyValueObservingOptions.new, [.new, .old]], ["radius", "area"])
  func registrationWhileAnOldValueIsReadIsNotified(options: NSKeyValueObservingOptions, keyPath: String) {
    // Controllers and tokens can be used on any thread.
    nonisolated(unsafe) let controller = KVOController(observer: recorder)
    controller.observe(circle, keyPath: "area", options: .old) { _, _, _ in }
    let received = Locked<[[Int?]]>([])
    circle.whenAreaIsRead = {
      circle.whenAreaIsRead = nil
      onThreads(1) { _ in
        controller.observe(circle, keyPath: keyPath, options: options, identifier: "late") { _, _, change in
          received.append([change[.oldKey] as? Int, change[.newKey] as? Int])
        }
      }
    }
    circle.radius = 2
    #expect(
      received.current == [[options.contains(.old) && keyPath == "radius" ? 0 : nil, keyPath == "area" ? 12 : 2]])
  }

  private func raceOverRadius(sets: Int = 1) {
    race(Self.rounds / sets + 100, Array(0..<(Self.rounds / sets + 100)), \.radius, sets: sets)
  }

  /// In each round one thread sets a value, `sets` times, and another registers meanwhile.
  private func race<Value: Equatable & Sendable>(
    _ rounds: Int, _ values: [Value], _ property: ReferenceWritableKeyPath<Circle, Value> & Sendable, sets: Int = 1
  ) {
    let circle = circle
    let (setter, latecomer) = (Locked(0), Locked(0))
    let missed = Locked(0)
    onThreads(2) { thread in
      for round in 1..<rounds {
        guard thread == 1 else {
          setter.add()
          wait(for: 2 * round - 1, latecomer)
          for _ in 0..<sets { circle[keyPath: property] = values[round] }
          setter.add()
          wait(for: 2 * round, latecomer)
          continue
        }
        let received = Locked<[Value?]>([])
        let recorder = Recorder()
        let controller = KVOController(observer: recorder)
        latecomer.add()
        wait(for: 2 * round - 1, setter)
        controller.observe(circle, property, options: [.initial, .new], isolation: nil) { _, change in
          received.append(change.newValue)
        }
        wait(for: 2 * round, setter)
        if !received.current.contains(values[round]) { missed.add() }
        controller.unobserveAll()
        latecomer.add()
      }
    }
    #expect(missed.current == 0)
  }

  /// Waits without sleeping, so that both threads go on at the same time.
  private func wait(for count: Int, _ counter: Locked<Int>) {
    while counter.current < count { Thread.sleep(forTimeInterval: 0) }
  }
}

/// A model with a property that is set by a method, during which something else happens.
private final class CodedCircle: KeyValueObject, @unchecked Sendable {
  private let whenSet: () -> Void
  private var factor = 1

  init(whenSet: @escaping () -> Void) {
    self.whenSet = whenSet
  }

  var scale: Int {
    get { factor }
    set {
      factor = newValue
      whenSet()
    }
  }

  override class var keyPaths: [String: AnyKeyPath] { ["scale": \CodedCircle.scale] }
}
