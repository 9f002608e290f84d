import KVOController

/// Programs about sequences, and about objects that change in their deinit.
let sequencePrograms: [Program] = [
  Program(
    "sequence-two-producers", "A sequence gets the values of two threads, and none that is older than the one before."
  ) {
    run in
    let stage = Stage()
    let values = stage.controller.values(of: stage.node, \.sum)
    run.thread { stage.node.number = 1 }
    run.thread { stage.node.other = 2 }
    run.check {
      stage.finish()
      let values = elements(of: values)
      expectInOrder(values)
      expect(values.count, equals: 3, as: "elements")
      expect(values.last!, equals: 3, as: "the last value")
    }
  },

  Program("sequence-begins", "A sequence that begins while two threads make changes ends with the newest value.") {
    run in
    let stage = Stage()
    let keeping = watch(stage.node, \.sum, Log<Int>())
    var values: AsyncStream<Int>?
    run.thread { values = stage.controller.values(of: stage.node, \.sum) }
    run.thread { stage.node.number = 1 }
    run.thread { stage.node.other = 2 }
    run.check {
      keeping.invalidate()
      stage.finish()
      let elements = elements(of: values!)
      expectInOrder(elements)
      expect(elements.last!, equals: 3, as: "the last value")
    }
  },

  Program(
    "sequence-begins-with-initial",
    "A sequence that begins while another thread sets has no initial change after another."
  ) {
    run in
    let stage = Stage()
    let keeping = watch(stage.node, \.number, Log<Int>())
    var changes: AsyncStream<KVOChange<Int>>?
    run.thread { changes = stage.controller.changes(of: stage.node, \.number, options: [.initial, .new]) }
    run.thread { stage.node.number = 1 }
    run.check {
      keeping.invalidate()
      stage.finish()
      let elements = elements(of: changes!)
      expect(!elements.dropFirst().contains(where: \.isInitial), "an initial change after another")
      expectInOrder(elements.map { $0.newValue! })
      expect(elements.last!.newValue!, equals: 1, as: "the last value")
    }
  },

  Program("sequence-unobserved", "A sequence ends when its object is unobserved, while two threads make changes.") {
    run in
    let stage = Stage()
    let values = stage.controller.values(of: stage.node, \.sum)
    run.thread { stage.node.number = 1 }
    run.thread { stage.node.other = 2 }
    run.thread { stage.controller.unobserve(stage.node) }
    run.check {
      expect(stage.controller.observations.count, equals: 0, as: "observations")
      let elements = elements(of: values)
      expectInOrder(elements)
      expect(elements.first!, equals: 0, as: "the first value")
      stage.finish()
    }
  },

  Program("sequence-left", "A task leaves a sequence's loop while two threads make changes: the object is released.") {
    run in
    let stage = Stage()
    let received = Log<Int>()
    run.thread { Executor.shared.runAll() }
    do {
      let values = stage.controller.values(of: stage.node, \.sum)
      Task.detached {
        for await value in values {
          received.record(value)
          if value != 0 { break }
        }
      }
    }
    run.thread { stage.node.number = 1 }
    run.thread { stage.node.other = 2 }
    run.check {
      Executor.shared.runAll()
      expect(received.all, equals: [0, 1], [0, 2], [0, 3])
      expect(stage.controller.observations.count, equals: 0, as: "observations")
      stage.finish()
    }
  },

  Program(
    "sequence-of-actor-left", "A sequence of an actor releases its object there, even if another task leaves the loop."
  ) {
    run in
    let actor = StubActor()
    let watcher = Watcher()
    let controller = KVOController(observer: watcher)
    let releases = Log<Bool>()
    actor.perform { actor in
      let values = controller.values(of: Witness(releases), \.number, isolation: actor)
      Task.detached {
        for await _ in values { break }
      }
    }
    run.thread { Executor.shared.runAll() }
    run.thread { controller.unobserveAll() }
    run.check {
      Executor.shared.runAll()
      withExtendedLifetime((actor, watcher)) {}
      expect(releases.count, equals: 1, as: "releases")
    }
  },

  Program("deinit-and-sequence", "An object changes in its deinit while another thread ends its sequence.") { run in
    let stage = Stage(retainsObserved: false)
    var mayfly: Mayfly? = Mayfly()
    let values = stage.controller.values(of: mayfly!, \.number)
    run.thread { mayfly = nil }
    run.thread { stage.controller.unobserveAll() }
    run.check {
      withExtendedLifetime(mayfly) {}
      expect(elements(of: values), equals: [0], [0, 7], as: "elements")
      stage.finish()
    }
  },

  Program(
    "deinit-change-and-set", "An object changes in its deinit after another thread has changed it, for a sequence."
  ) { run in
    let stage = Stage(retainsObserved: false)
    var (first, second): (Mayfly?, Mayfly?) = (Mayfly(), nil)
    second = first
    let values = stage.controller.values(of: first!, \.number)
    run.thread { first = nil }
    run.thread {
      second!.number = 1
      second = nil
    }
    run.check {
      withExtendedLifetime((first, second)) {}
      stage.controller.unobserveAll()
      expect(elements(of: values), equals: [0, 1, 7], [0, 7, 7], as: "elements")
      stage.finish()
    }
  },

  Program("deinit-and-actor", "What an object changes in its deinit reaches an actor, unless the binding was ended.") {
    run in
    let (stage, mirror) = (Stage(), Mirror())
    var mayfly: Mayfly? = Mayfly()
    let token = bind(mirror, to: mayfly!, on: stage)
    run.actor(stage)
    run.thread { mayfly = nil }
    run.check {
      withExtendedLifetime((mayfly, token)) {}
      expect(mirror.number, equals: 7, as: "the target")
      mirror.kvoController.unobserveAll()
      stage.finish()
    }
  },

  Program("deinit-and-end-on-actor", "A binding is ended on the actor while its object changes in its deinit.") { run in
    let (stage, mirror) = (Stage(), Mirror())
    var mayfly: Mayfly? = Mayfly()
    let token = bind(mirror, to: mayfly!, on: stage)
    var number = 0
    run.actor(stage) { _ in
      token.invalidate()
      number = mirror.number
    }
    run.thread { mayfly = nil }
    run.check {
      withExtendedLifetime(mayfly) {}
      expect(mirror.number, equals: number, as: "the target after the end")
      expect(mirror.number, equals: 0, 7, as: "the target")
      stage.finish()
    }
  },
]

/// A model that changes in its deinit.
private final class Mayfly: Counted {
  @Observed var number = 0

  deinit { number = 7 }
}

/// Binds a mirror's number to that of a mayfly, which isn't retained, on the actor of a stage.
private func bind(_ mirror: Mirror, to mayfly: Mayfly, on stage: Stage) -> KVOObservation {
  mirror.kvoController = KVOController(observer: mirror, retainObserved: false)
  var token: KVOObservation?
  stage.actor.perform { actor in token = mirror.bind(mayfly, \.number, to: \.number, isolation: actor) }
  Executor.shared.runAll()
  return token!
}

/// A model that records its release.
private final class Witness: Counted {
  @Observed var number = 0
  private let releases: Log<Bool>

  init(_ releases: Log<Bool>) {
    self.releases = releases
    super.init()
  }

  deinit { releases.record(true) }
}
