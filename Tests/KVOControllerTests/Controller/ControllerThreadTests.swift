import KVOController
import Testing
import _KVOTestSupport

/// Registration, removal, change and delivery at the same time. Writes of one property take turns, as they must.
@Suite struct ControllerThreadTests {
  let threads = 4
  let rounds = 500

  /// Addresses go from thread to thread; a call that was meant for another would be wrong.
  @Test(arguments: [true, false]) func aSharedControllerObservesTheObjectsOfAllThreads(retaining: Bool) {
    let recorder = Recorder()
    // Controllers and tokens can be used on any thread.
    nonisolated(unsafe) let controller = KVOController(observer: recorder, retainObserved: retaining)
    let (census, wrong) = (Census(), Locked(0))
    let counts = (0..<threads).map { _ in Locked(0) }
    onThreads(threads) { [rounds] thread in
      for round in 0..<rounds {
        let circle = Circle(thread, resident: Resident(census))
        controller.observe(circle, keyPath: "radius", options: [.new, .initial]) { _, object, change in
          let isRight = object as? Circle === circle && change[.newKey] as? Int == circle.radius
          if isRight { counts[thread].add() } else { wrong.add() }
        }
        circle.radius = round
        controller.unobserve(circle)
        circle.radius = -1
      }
    }
    #expect(counts.map(\.current) == Array(repeating: 2 * rounds, count: threads))
    #expect(wrong.current == 0)
    #expect(census.living == 0)
    #expect(!controller.debugDescription.contains("radius"))
  }

  @Test(arguments: [true, false]) func everyThreadReceivesItsChangesOfASharedObjectOnce(sharesController: Bool) {
    let recorder = Recorder()
    nonisolated(unsafe) let shared = KVOController(observer: recorder)
    let circle = Locked(Circle())
    let wrong = Locked(0)
    onThreads(threads) { [rounds, threads] thread in
      let target = circle.current
      for round in 0..<rounds {
        let mine = thread + threads * round + 1
        let received = Locked(0)
        let controller = sharesController ? shared : KVOController(observer: recorder)
        controller.observe(target, keyPath: "radius", options: .new, identifier: thread) { _, _, change in
          if change[.newKey] as? Int == mine { received.add() }
        }
        circle.withLock { $0.radius = mine }
        controller.unobserve(target, keyPath: "radius", identifier: thread)
        circle.withLock { $0.radius = mine }
        if received.current != 1 { wrong.add() }
      }
    }
    #expect(wrong.current == 0)
    #expect(circle.current.registrationCount == 0)
  }

  @Test func ofThreadsThatObserveTheSameOneWins() {
    let recorder = Recorder()
    let initial = Locked(0)
    let changes = Locked(0)
    for _ in 0..<rounds {
      let circle = Circle()
      nonisolated(unsafe) let controller = KVOController(observer: recorder)
      onThreads(threads) { _ in
        controller.observe(circle, keyPath: "radius", options: [.initial, .new]) { _, _, change in
          if change[.newKey] as? Int == 0 { initial.add() } else { changes.add() }
        }
      }
      circle.radius = 1
    }
    #expect(initial.current == rounds)
    #expect(changes.current == rounds)
  }

  @Test func threadsThatUnobserveTheSameEndItOnce() {
    let recorder = Recorder()
    let circle = Circle()
    nonisolated(unsafe) let controller = KVOController(observer: recorder)
    for _ in 0..<rounds {
      for path in ["radius", "borderWidth"] { controller.observe(circle, path, as: Form(way: .block)) }
      onThreads(threads) { thread in
        switch thread {
        case 0: controller.unobserve(circle)
        case 1: controller.unobserveAll()
        default: controller.unobserve(circle, keyPath: "radius")
        }
      }
      circle.radius += 1
      #expect(circle.registrationCount == 0)
    }
    #expect(recorder.calls == [])
  }

  @Test func observingAndUnobservingTheSameOnAllThreadsEndsInOrder() {
    let recorder = Recorder()
    let circle = Circle()
    nonisolated(unsafe) let controller = KVOController(observer: recorder)
    onThreads(threads) { [rounds] _ in
      for _ in 0..<rounds {
        controller.observe(circle, "radius", as: Form(way: .block))
        controller.unobserve(circle, keyPath: "radius")
      }
    }
    #expect(circle.registrationCount == 0)
    controller.observe(circle, "radius", as: Form(way: .block))
    circle.radius = 1
    #expect(recorder.count == 1)
  }

  @Test func nothingIsLostWhileOthersComeAndGo() {
    let recorder = Recorder()
    nonisolated(unsafe) let controller = KVOController(observer: recorder)
    let circle = Circle()
    let count = Locked(0)
    controller.observe(circle, keyPath: "radius") { _, _, _ in count.add() }
    onThreads(threads) { [rounds] thread in
      for round in 0..<rounds {
        if thread == 0 {
          circle.radius = round
        } else {
          let passing = KVOController(observer: recorder)
          passing.observe(circle, keyPath: "radius") { _, _, _ in }
          controller.observe(circle, keyPath: "radius", identifier: thread) { _, _, _ in }
          controller.unobserve(circle, keyPath: "radius", identifier: thread)
        }
      }
    }
    #expect(count.current == rounds)
  }

  // MARK: Paths

  // MARK: Computed properties

  private final class Person: KeyValueObject, @unchecked Sendable {
    final class Name: Sendable {
      let length: Int
      init(_ length: Int) { self.length = length }
    }

    @Observed var first = Name(0)
    @Observed var last = Name(0)
    var declared: Int { sum }
    var undeclared: Int { sum }
    private var sum: Int { (0..<20).reduce(0) { sum, _ in sum &+ first.length &+ last.length } }

    override class var keyPaths: [String: AnyKeyPath] { ["declared": \Person.declared] }
    override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
      key == "declared" ? ["first", "last"] : super.keyPathsForValuesAffectingValue(forKey: key)
    }
  }

  /// Setting a property makes the engine read those that other threads set.
  @Test func aGetterThatTheEngineCallsReadsWhatOtherThreadsSet() {
    let (person, recorder) = (Person(), Recorder())
    let controller = KVOController(observer: recorder)
    let count = Locked(0)
    controller.observe(person, \.declared) { _, _ in count.add() }
    controller.observe(person, \.undeclared, options: [.old, .new, .prior]) { _, change in
      if !change.isPrior { count.add() }
    }
    onThreads(2) { [rounds] thread in
      for round in 0..<rounds {
        if thread == 0 { person.first = Person.Name(round) } else { person.last = Person.Name(round) }
      }
    }
    #expect(count.current == 4 * rounds)
  }
}
