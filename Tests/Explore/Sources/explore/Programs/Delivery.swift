import KVOController
import Scheduler

/// Programs about changes that are made off the actor of their handler.
let deliveryPrograms: [Program] = [
  Program("actor-two-threads", "Two threads make the first changes off the actor: each is a call, and none is older.") {
    run in
    let stage = Stage()
    stage.observe(\.sum)
    run.actor(stage)
    run.thread { stage.node.number = 1 }
    run.thread { stage.node.other = 2 }
    run.check {
      expectInOrder(stage.log.all)
      expect(stage.log.all, equals: [1, 3], [2, 3], [3, 3])
      stage.finish()
    }
  },

  Program("actor-sets-too", "A set on the actor is delivered before it returns, and isn't overtaken by an older value.")
  {
    run in
    let stage = Stage()
    stage.observe(\.sum)
    run.actor(stage) { _ in
      stage.node.number = 1
      expect(stage.log.last == 1 || stage.log.last == 3, "the set has returned first: \(stage.log.all)")
      stage.node.number = 5
      expect(stage.log.last == 5 || stage.log.last == 7, "the set has returned first: \(stage.log.all)")
    }
    run.thread { stage.node.other = 2 }
    run.check {
      expectInOrder(stage.log.all)
      expect(stage.log.last!, equals: 7, as: "the last value")
      expect(stage.log.count, equals: 3, as: "calls")
      stage.finish()
    }
  },

  Program("actor-and-plain-property", "A plain property that a thread and the actor change has its newest value last.")
  {
    run in
    let stage = Stage()
    stage.observe(\.number)
    run.actor(stage) { _ in stage.node.number = 1 }
    run.thread { stage.node.number = 2 }
    run.check {
      expect(stage.log.last!, equals: stage.node.number, as: "the last value")
      expect(stage.log.count, equals: 2, as: "calls")
      stage.finish()
    }
  },

  Program("actor-answers", "A handler that answers each change with another one ends with the newest value.") { run in
    let stage = Stage()
    stage.observe(\.sum) { _ in
      if stage.node.other != stage.node.number { stage.node.other = stage.node.number }
    }
    run.actor(stage)
    run.thread {
      stage.node.number = 1
      stage.node.number = 2
    }
    run.check {
      expect(stage.log.last!, equals: 4, as: "the last value")
      expectInOrder(stage.log.all)
      // One inside of the other for a change that the thread has stored and not queued yet.
      expect(stage.deepest <= 3, "calls are \(stage.deepest) deep")
      stage.finish()
    }
  },

  Program("actor-ends", "After the observation has ended on the actor, nothing that waited is delivered.") { run in
    let stage = Stage()
    let token = stage.observe(\.number)
    var count = 0
    run.actor(stage) { _ in
      token.invalidate()
      count = stage.log.count
    }
    run.thread {
      stage.node.number = 1
      stage.node.number = 2
    }
    run.check {
      expect(stage.log.count, equals: count, as: "calls after the end")
      stage.finish()
    }
  },

  Program("ended-by-handler", "A handler that ends its observation is the last one that a turn calls.") { run in
    let stage = Stage()
    stage.observe(\.number) { _ in stage.controller.unobserve(stage.node) }
    run.actor(stage)
    run.thread {
      stage.node.number = 1
      stage.node.number = 2
    }
    run.check {
      expect(stage.log.all, equals: [1], [2])
      stage.finish()
    }
  },

  Program("ended-during-turn", "An observation is ended by another thread while a turn delivers its changes.") { run in
    let stage = Stage()
    let token = stage.observe(\.number)
    run.actor(stage)
    run.thread {
      stage.node.number = 1
      stage.node.number = 2
    }
    run.thread {
      token.invalidate()
      let count = stage.log.count
      point()
      expect(stage.log.count <= count + 1, "two calls after the end")
    }
    run.check {
      expectInOrder(stage.log.all)
      stage.finish()
    }
  },

  Program(
    "observe-on-actor", "Who observes on the actor gets the value at that moment or a newer one, and the newest last."
  ) {
    run in
    let stage = Stage()
    let keeping = watch(stage.node, \.sum, Log<Int>())
    run.actor(stage) { actor in
      _ = stage.observe(\.sum, [.initial, .new], on: actor)
      expect(stage.log.count > 0, "the initial call is missing")
    }
    run.thread { stage.node.number = 1 }
    run.thread { stage.node.other = 2 }
    run.check {
      expectInOrder(stage.log.all)
      expect(stage.log.last!, equals: 3, as: "the last value")
      keeping.invalidate()
      stage.finish()
    }
  },

  Program(
    "replace-and-set-on-actor", "A path moves on one thread while its old end is set: the newest value is the last one."
  ) {
    run in
    let (stage, old, new) = (Stage(), Node(1), Node(9))
    stage.node.child = old
    stage.observe(\.childNumber)
    run.actor(stage)
    run.thread { old.number = 5 }
    run.thread { stage.node.child = new }
    run.check {
      expect(stage.log.last!, equals: 9, as: "the last value")
      expect(stage.log.all, equals: [9], [5, 9], [9, 9])
      stage.finish()
    }
  },

  Program("bind-on-actor", "A binding on an actor gets the newest value of two threads.") { run in
    let (stage, mirror) = (Stage(), Mirror())
    stage.actor.perform { actor in mirror.bind(stage.node, \.sum, to: \.number, isolation: actor) }
    Executor.shared.runAll()
    run.actor(stage)
    run.thread { stage.node.number = 1 }
    run.thread { stage.node.other = 2 }
    run.check {
      expect(mirror.number, equals: 3, as: "the target")
      mirror.kvoController.unobserveAll()
      stage.finish()
    }
  },

  Program("actor-dies", "An actor is deallocated while a change is on its way there.") { run in
    var stage: Stage? = Stage()
    let (node, watcher, controller) = (stage!.node, stage!.watcher, stage!.controller)
    var actor: StubActor? = stage!.actor
    let log = Log<Int>()
    actor!.perform { actor in
      controller.observe(node, \.number, options: .new, isolation: actor) {
        (_: Watcher, _: Node, change: KVOChange<Int>) in log.record(change.newValue ?? -1)
      }
    }
    Executor.shared.runAll()
    stage = nil
    run.thread { Executor.shared.runAll() }
    run.thread {
      node.number = 1
      node.number = 2
    }
    run.thread { actor = nil }
    run.check {
      withExtendedLifetime((watcher, actor, stage)) {}
      expect(log.all, equals: [], [1], [2], [1, 2], [2, 2])
      controller.unobserveAll()
      end([], of: node)
    }
  },

  Program(
    "several-on-actor", "Several key paths on an actor: each change is one call, however many of them it touches."
  ) {
    run in
    let (stage, mirror) = (Stage(), Mirror())
    stage.actor.perform { actor in
      mirror.observe(stage.node, [\.number, \.other, \.sum], isolation: actor) { [unowned stage] _, node in
        stage.call(node.sum)
      }
    }
    Executor.shared.runAll()
    run.actor(stage)
    run.thread { stage.node.number = 1 }
    run.thread { stage.node.other = 2 }
    run.check {
      expect(stage.log.count, equals: 2, as: "calls")
      expect(stage.log.last!, equals: 3, as: "the last sum")
      mirror.kvoController.unobserveAll()
      stage.finish()
    }
  },

  Program("several-and-unobserve-one", "A key path is taken out of several while two threads change them.") { run in
    let (stage, mirror) = (Stage(), Mirror())
    stage.actor.perform { actor in
      mirror.observe(stage.node, [\.number, \.other], isolation: actor) { [unowned stage] _, node in
        stage.call(node.other)
      }
    }
    Executor.shared.runAll()
    run.actor(stage) { _ in mirror.kvoController.unobserve(stage.node, \.number) }
    run.thread { stage.node.number = 1 }
    run.thread { stage.node.other = 2 }
    run.check {
      expect(stage.log.count, equals: 1, 2, as: "calls")
      expect(stage.log.last!, equals: 2, as: "the last value")
      expect(mirror.kvoController.observations.count, equals: 1, as: "observations")
      mirror.kvoController.unobserveAll()
      stage.finish()
    }
  },
]
