import KVOController

/// Programs about the elements of a collection that is mutated in place while they change.
let elementPrograms: [Program] = [
  Program("elements-mutate-on-actor", "The actor mutates a collection in place while a thread changes an element.") {
    run in
    let crowd = Crowd()
    run.actor(crowd.stage) { _ in
      mutate(&crowd.members) {
        $0[0].number = 1
        $0.swapAt(0, 1)
        $0[1].number = 2
      }
    }
    run.thread {
      crowd.nodes[1].number = 11
      crowd.nodes[1].number = 12
    }
    run.check {
      expect(crowd.heard(of: 0), equals: [1, 2])
      expect(crowd.heard(of: 1), equals: [11, 12])
      crowd.finish()
    }
  },

  Program("elements-mutate-elsewhere", "One thread mutates a collection in place, another one changes its elements.") {
    run in
    let crowd = Crowd()
    run.actor(crowd.stage)
    run.thread {
      mutate(&crowd.members) {
        $0[0].number = 1
        $0.removeFirst()
        $0.append(crowd.nodes[2])
      }
      crowd.nodes[0].number = 2
      crowd.nodes[2].number = 21
    }
    run.thread {
      crowd.nodes[1].number = 11
      crowd.nodes[1].number = 12
    }
    run.check {
      // What waits for the actor is dropped if its element has left.
      expect(crowd.heard(of: 0), equals: [], [1])
      expect(crowd.heard(of: 1), equals: [11, 12])
      expect(crowd.heard(of: 2), equals: [21])
      crowd.finish()
    }
  },

  Program("elements-end-while-mutating", "Their observation ends while the collection is mutated and one changes.") {
    run in
    let crowd = Crowd()
    run.actor(crowd.stage) { _ in crowd.observer.unobserve(crowd) }
    run.thread {
      mutate(&crowd.members) {
        $0[0].number = 1
        $0.append(crowd.nodes[2])
      }
      crowd.nodes[2].number = 21
    }
    run.check { crowd.finish() }
  },

  Program(
    "replace-elements-and-set",
    "Two threads replace the observation of elements, with initial calls, while a third one sets one."
  ) {
    run in
    let (crowd, log) = (Crowd(), Log<Int>())
    let observe: @Sendable () -> Void = {
      crowd.observer.observe(
        crowd, elements: \.members, \.number, options: [.initial, .new], identifier: 1, isolation: nil
      ) {
        _, _, change in log.record(change.newValue!)
      }
    }
    observe()
    run.actor(crowd.stage)
    for _ in 0..<2 { run.thread(observe) }
    run.thread { crowd.nodes[0].number = 1 }
    run.check {
      expect(log.all.contains(1), "1 was not heard")
      expect(crowd.heard(of: 0), equals: [1])
      crowd.finish()
    }
  },
]

/// Mutates a property in place, for as long as `body` runs.
private func mutate<Value>(_ value: inout Value, _ body: (inout Value) -> Void) { body(&value) }

/// A collection of two of three nodes, whose numbers an actor observes.
private final class Crowd: Counted {
  @Observed var members: [Node]
  let nodes = [Node(), Node(), Node()]
  let stage = Stage()
  let observer = Mirror()
  private let log = Log<(ObjectIdentifier, Int)>()
  /// So that the nodes are observed all the time.
  private var keeping: [NSKeyValueObservation] = []

  override init() {
    members = Array(nodes[..<2])
    super.init()
    keeping = nodes.map { watch($0, \.other, Log<Int>()) }
    stage.actor.perform { [unowned self] actor in observe(on: actor) }
    Executor.shared.runAll()
  }

  private func observe(on actor: isolated StubActor) {
    observer.observe(self, elements: \.members, \.number, options: .new, isolation: actor) {
      [unowned self] _, node, change in
      log.record((ObjectIdentifier(node), change.newValue ?? -1))
    }
  }

  func heard(of index: Int) -> [Int] { log.all.filter { $0.0 == ObjectIdentifier(nodes[index]) }.map(\.1) }

  /// Ends all observations, and expects that nobody observes the nodes.
  func finish() {
    observer.kvoController.unobserveAll()
    end(keeping, of: nodes[0], nodes[1], nodes[2])
    keeping = []
    expect(observationInfo == nil, "the collection is observed")
    stage.finish()
  }
}
