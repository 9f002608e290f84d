import KVOController

/// Programs about turns: what is delivered at once, and what waits.
let turnPrograms: [Program] = [
  Program("turn-takes-what-waited", "A turn delivers what waited when it began, and then other work of the actor runs.")
  { run in
    let stage = Stage()
    let (begun, made) = (Signal(), Signal())
    var countOfOthers = 0
    stage.observe(\.number) { value in
      guard value == 1 else { return }
      stage.actor.enqueue { _ in countOfOthers = stage.log.count }
      begun.send()
      made.wait()
    }
    run.actor(stage)
    run.thread { stage.node.number = 1 }
    run.thread {
      begun.wait()
      stage.node.number = 2
      stage.node.number = 3
      made.send()
    }
    run.check {
      expect(countOfOthers, equals: 1, as: "calls before other work of the actor")
      expect(stage.log.all, equals: [1, 2, 3])
      stage.finish()
    }
  },

  Program("set-does-not-wait", "A set on the actor doesn't deliver what another thread queues during the calls.") {
    run in
    let stage = Stage()
    let (begun, made) = (Signal(), Signal())
    stage.observe(\.sum) { value in
      guard !begun.isSent else { return }
      begun.send()
      made.wait()
    }
    run.actor(stage) { _ in
      stage.node.number = 1
      expect(stage.log.all, equals: [1], as: "calls when the set returns")
    }
    run.thread {
      begun.wait()
      stage.node.other = 2
      stage.node.other = 4
      made.send()
    }
    run.check {
      expect(stage.log.all, equals: [1, 3, 5])
      stage.finish()
    }
  },

  Program("handler-changes-while-others-wait", "A handler's change comes after those that wait, and not inside of it.")
  { run in
    let stage = Stage()
    let (begun, made) = (Signal(), Signal())
    stage.observe(\.sum) { value in
      guard value == 1 else { return }
      begun.send()
      made.wait()
      stage.node.child = nil
      stage.node.other += 10
      expect(stage.log.all, equals: [1], as: "calls inside of the handler")
    }
    run.actor(stage) { _ in
      stage.node.number = 1
      expect(stage.log.all, equals: [1, 3, 13], as: "calls when the set returns")
    }
    run.thread {
      begun.wait()
      stage.node.other = 2
      made.send()
    }
    run.check {
      expect(stage.deepest, equals: 1, as: "depth")
      stage.finish()
    }
  },

  Program("handler-changes-alone", "A handler's change is delivered inside of it if no other change waits.") { run in
    let stage = Stage()
    stage.observe(\.number) { value in
      guard value == 1 else { return }
      stage.node.number = 2
      expect(stage.log.last!, equals: 2, as: "the call inside of the handler")
    }
    run.actor(stage) { _ in
      stage.node.number = 1
      expect(stage.log.all, equals: [1, 2])
    }
    run.thread { stage.node.tags = [1] }
    run.check {
      expect(stage.deepest, equals: 2, as: "depth")
      stage.finish()
    }
  },

  Program(
    "actor-sets-during-two-threads", "Sets on the actor and on two threads are each delivered once, the newest last."
  ) {
    run in
    let stage = Stage()
    stage.observe(\.countAndOther)
    stage.observe(\.sum)
    run.actor(stage) { _ in stage.node.other = 100 }
    run.thread { stage.node.number = 1 }
    run.thread { stage.node.items = [1] }
    run.check {
      expect(stage.log.count, equals: 4, as: "calls")
      expect(stage.log.all.contains(101), "the newest values are missing: \(stage.log.all)")
      stage.finish()
    }
  },

  Program(
    "unobserve-and-observe-on-actor", "The actor ends and begins an observation while a thread changes its object."
  ) {
    run in
    let stage = Stage()
    let keeping = watch(stage.node, \.other, Log<Int>())
    stage.observe(\.number)
    run.actor(stage) { actor in
      stage.controller.unobserve(stage.node, \.number)
      let count = stage.log.count
      _ = stage.observe(\.number, [.initial, .new], on: actor)
      expect(stage.log.count > count, "the initial call is missing")
    }
    run.thread {
      stage.node.number = 1
      stage.node.number = 2
    }
    run.check {
      expectInOrder(stage.log.all)
      expect(stage.log.last!, equals: 2, as: "the last value")
      expect(stage.log.all.count { $0 == 2 } <= 3, "a change is delivered twice: \(stage.log.all)")
      keeping.invalidate()
      stage.finish()
    }
  },
]
