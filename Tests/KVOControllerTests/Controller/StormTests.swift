import KVOController
import Testing
import _KVOTestSupport

/// Everything at once, counted. Observers that stay receive every change exactly once, whatever others come and go.
@Suite(.watched) struct StormTests {
  static let writers = 2
  static let passers = 2
  static let rounds = isSanitized ? 100 : 500

  /// The objects that writers change. Each writer has its own, and a point that stays on the path.
  private struct Target: Sendable {
    let circle = Circle()
    let points = [Point(), Point()]
  }

  @Test func lastingObserverReceivesEachChangeOnceWhileOthersComeAndGo() async {
    let targets = (0..<Self.writers).map { _ in Target() }
    let census = Census()
    let received = Locked<[String: Int]>([:])
    let recorder = Recorder()
    let controller = KVOController(observer: recorder)
    for (number, target) in targets.enumerated() {
      Self.observe(target, number, controller, received)
    }
    let streams = targets.map { controller.changes(of: $0.circle, \.radius) }
    onThreads(Self.writers + Self.passers) { thread in
      if thread < Self.writers {
        Self.change(targets[thread])
      } else {
        Self.comeAndGo(targets, census)
      }
    }
    for number in 0..<Self.writers {
      for form in Form.all { #expect(received.current["\(form) \(number)"] == Self.rounds) }
      #expect(received.current["typed \(number)"] == Self.rounds)
      // Each round replaces the object on the path and changes it.
      #expect(received.current["path \(number)"] == 2 * Self.rounds)
    }
    controller.unobserveAll()
    for stream in streams {
      var numbers: [Int?] = []
      for await change in stream { numbers.append(change.newValue) }
      #expect(numbers == Array(1...Self.rounds))
    }
    #expect(census.living == 0)
    #expect(targets.allSatisfy { $0.circle.registrationCount == 0 })
    #expect(targets.flatMap(\.points).allSatisfy { $0.registrationCount == 0 })
  }

  /// Observes the radius in every form, and a path.
  private static func observe(
    _ target: Target, _ number: Int, _ controller: KVOController, _ received: Locked<[String: Int]>
  ) {
    @Sendable func receive(_ name: String) { received.withLock { $0["\(name) \(number)", default: 0] += 1 } }
    for form in Form.all {
      // Each form has its own observer, which a later observation retains.
      let listener = Recorder()
      listener.whenCalled = { _, _ in receive("\(form)") }
      listener.kvoController.observe(target.circle, "radius", as: form, options: [.old, .new])
      controller.observe(target.circle, keyPath: "borderWidth", identifier: ObjectIdentifier(listener)) { _, _, _ in
        withExtendedLifetime(listener) {}
      }
    }
    controller.observe(target.circle, \.radius, isolation: nil) { _, _ in receive("typed") }
    controller.observe(target.circle, keyPath: "center.x") { _, _, _ in receive("path") }
  }

  private static func change(_ target: Target) {
    for round in 1...rounds {
      target.circle.radius = round
      target.circle.center = target.points[round % 2]
      target.points[round % 2].x = round
      // Off the path.
      target.points[(round + 1) % 2].x = round
    }
  }

  /// Observes everything briefly, and stops in different ways.
  private static func comeAndGo(_ targets: [Target], _ census: Census) {
    for round in 0..<rounds {
      let target = targets[round % targets.count]
      let recorder = Recorder()
      let controller = KVOController(observer: recorder, retainObserved: round % 3 == 0)
      let resident = Resident(census)
      for path in ["radius", "center.x", "diameter"] {
        controller.observe(target.circle, keyPath: path, options: [.old, .new, .prior, .initial]) { _, _, _ in
          resident.stay()
        }
      }
      let token = controller.observe(target.circle, \.borderWidth) { _, _ in resident.stay() }
      let stream = controller.values(of: target.circle, \.radius)
      recorder.kvoController.observe(target.circle, "radius", as: Form.all[round % Form.all.count])
      switch round % 5 {
      case 0: controller.unobserveAll()
      case 1: controller.unobserve(target.circle)
      case 2: for path in ["radius", "center.x"] { controller.unobserve(target.circle, keyPath: path) }
      case 3: token.invalidate()
      default: break
      }
      withExtendedLifetime((recorder, stream)) {}
    }
  }

  @Test func objectReachedThroughReplacedOnesNotifiesEveryTime() {
    let recorder = Recorder()
    let controller = KVOController(observer: recorder)
    let song = Song()
    let band = Band("band")
    // Whichever of the two is on the path, the band is.
    let middles = [Song(), Song()]
    for middle in middles { middle.band = band }
    song.next = middles[0]
    let count = Locked(0)
    controller.observe(song, keyPath: "next.band.name") { _, _, _ in count.add() }
    onThreads(2) { thread in
      for round in 1...Self.rounds {
        if thread == 0 { song.next = middles[round % 2] } else { band.name = "\(round)" }
      }
    }
    #expect(count.current == 2 * Self.rounds)
    controller.unobserveAll()
    #expect((middles as [KeyValueObject] + [band, song]).allSatisfy { $0.registrationCount == 0 })
  }
}
