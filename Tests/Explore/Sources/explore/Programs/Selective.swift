import KVOController
import Scheduler

/// Programs about handlers that aren't called for each change.
let selectivePrograms: [Program] = [
  Program("coalesced-two-threads", "The last coalesced call has the newest value, whichever thread has made it.") {
    run in
    let stage = Stage()
    stage.observe(\.sum, .new, .coalesced)
    run.actor(stage)
    run.thread { stage.node.number = 1 }
    run.thread { stage.node.other = 2 }
    run.check {
      expectInOrder(stage.log.all)
      expect(stage.log.last!, equals: 3, as: "the last value")
      expect(stage.log.count <= 2, "calls: \(stage.log.all)")
      stage.finish()
    }
  },

  Program("coalesced-actor-sets-too", "Neither a set on the actor nor one of a thread is lost for a coalesced call.") {
    run in
    let stage = Stage()
    stage.observe(\.number, .new, .coalesced)
    run.actor(stage) { _ in
      stage.node.number = 1
      stage.node.number = 2
    }
    run.thread { stage.node.number = 3 }
    run.check {
      expect(stage.log.last!, equals: stage.node.number, as: "the last value")
      expect(stage.log.count <= 2, "calls: \(stage.log.all)")
      stage.finish()
    }
  },

  Program("coalesced-actor-sets-during-turns", "What the actor sets between coalesced calls is the newest value.") {
    run in
    let stage = Stage()
    stage.observe(\.sum, .new, .coalesced)
    run.actor(stage) { _ in
      stage.node.number = 1
      stage.controller.deliverNow()
      expect((stage.log.last ?? 0) % 2 == 1, "deliverNow has left what the actor has set: \(stage.log.all)")
      stage.node.number = 5
    }
    run.thread {
      stage.node.other = 2
      stage.node.other = 4
    }
    run.check {
      expectInOrder(stage.log.all)
      expect(stage.log.last!, equals: 9, as: "the last value")
      stage.finish()
    }
  },

  Program("coalesced-deliver-now", "deliverNow during the sets of two threads delivers in order, and loses nothing.") {
    run in
    let stage = Stage()
    stage.observe(\.sum, .new, .coalesced)
    stage.observe(\.number)
    run.actor(stage) { _ in
      stage.controller.deliverNow()
      stage.controller.deliverNow()
    }
    run.thread { stage.node.other = 10 }
    run.thread {
      stage.node.number = 1
      stage.node.number = 2
    }
    run.check {
      let sums = stage.log.all.filter { $0 >= 10 }
      expectInOrder(sums)
      expect(stage.log.all.last { $0 >= 10 } == 12, "the last sum: \(stage.log.all)")
      expect(stage.log.all.filter { $0 == 2 }.count >= 1, "the last number: \(stage.log.all)")
      stage.finish()
    }
  },

  Program("coalesced-ends", "No coalesced call is made after the end on the actor.") { run in
    let stage = Stage()
    let token = stage.observe(\.number, .new, .coalesced)
    var count = 0
    run.actor(stage) { _ in
      stage.node.number = 1
      token.invalidate()
      count = stage.log.count
    }
    run.thread {
      stage.node.number = 2
      stage.node.number = 3
    }
    run.check {
      expect(stage.log.count, equals: count, as: "calls after the end")
      stage.finish()
    }
  },

  Program("coalesced-begins", "The initial call comes at once, and no coalesced call after it has an older value.") {
    run in
    let stage = Stage()
    let keeping = watch(stage.node, \.other, Log<Int>())
    run.actor(stage) { actor in
      _ = stage.observe(\.number, [.initial, .new], .coalesced, on: actor)
      expect(stage.log.count, equals: 1, as: "calls at once")
    }
    run.thread {
      stage.node.number = 1
      stage.node.number = 2
    }
    run.check {
      expectInOrder(stage.log.all)
      expect(stage.log.last!, equals: 2, as: "the last value")
      keeping.invalidate()
      stage.finish()
    }
  },

  Program(
    "coalesced-begins-with-a-sum", "No coalesced call after the initial one has an older value that was read before it."
  ) {
    run in
    let stage = Stage()
    let keeping = watch(stage.node, \.sum, Log<Int>())
    run.actor(stage) { actor in
      _ = stage.observe(\.sum, [.initial, .new], .coalesced, on: actor)
      expect(stage.log.count, equals: 1, as: "initial calls")
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

  Program("coalesced-list", "After each change of a list, a coalesced call comes that sees it.") { run in
    let (stage, screen) = (Stage(), Node())
    stage.actor.perform { actor in
      screen.observe(stage.node, [\.number, \.other], isolation: actor, delivery: .coalesced) { _, node in
        stage.log.record(node.number + node.other)
      }
    }
    Executor.shared.runAll()
    run.actor(stage) { _ in stage.node.number += 1 }
    run.thread { stage.node.other = 2 }
    run.thread { stage.node.other += 4 }
    run.check {
      expect(stage.log.last!, equals: stage.node.number + stage.node.other, as: "the last values")
      screen.kvoController.unobserveAll()
      stage.finish()
    }
  },

  Program("coalesced-and-distinct", "A value that comes back calls nobody, and one that stays is called for.") { run in
    let stage = Stage()
    stage.observe(\.sum, .new, [.coalesced, .distinct])
    run.actor(stage)
    run.thread {
      stage.node.number = 1
      stage.node.number = 0
    }
    run.thread { stage.node.other = 10 }
    run.check {
      for (value, next) in zip([0] + stage.log.all, stage.log.all) { expect(value != next, "twice: \(stage.log.all)") }
      expect(stage.log.last!, equals: 10, as: "the last value")
      stage.finish()
    }
  },

  Program("distinct-on-actor", "Of two threads that set the same value one is called for, and the last one is right.") {
    run in
    let stage = Stage()
    stage.observe(\.number, .new, .distinct)
    run.actor(stage)
    run.thread { stage.node.number = 1 }
    run.thread {
      stage.node.number = 1
      stage.node.number = 2
    }
    run.check {
      for (value, next) in zip([0] + stage.log.all, stage.log.all) { expect(value != next, "twice: \(stage.log.all)") }
      expect(stage.log.last!, equals: stage.node.number, as: "the last value")
      stage.finish()
    }
  },

  Program("distinct-overlaps", "After calls that overlap on two threads, the next one is made in any case.") { run in
    let (node, watcher, log) = (Node(), Watcher(), Log<Int>())
    let controller = KVOController(observer: watcher)
    controller.observe(node, \.number, options: .new, delivery: .distinct) { _, change in
      log.record(change.newValue ?? -1)
      point()
    }
    run.thread { node.number = 1 }
    run.thread { node.number = 2 }
    run.check {
      let last = node.number
      let count = log.count
      node.number = last
      expect(log.count > count || log.last == last, "the handler doesn't know the last value: \(log.all), \(last)")
      withExtendedLifetime(watcher) { controller.unobserveAll() }
    }
  },

  Program("distinct-begins", "What a thread changes while a distinct observation begins isn't lost.") { run in
    let stage = Stage()
    let keeping = watch(stage.node, \.other, Log<Int>())
    var atBegin = 0
    run.actor(stage) { actor in
      _ = stage.observe(\.number, .new, .distinct, on: actor)
      atBegin = stage.node.number
    }
    run.thread {
      stage.node.number = 1
      stage.node.number = 2
      stage.node.number = 1
    }
    run.check {
      expect((stage.log.last ?? atBegin) == 1, "the last value: \(stage.log.all) after \(atBegin)")
      keeping.invalidate()
      stage.finish()
    }
  },
]
