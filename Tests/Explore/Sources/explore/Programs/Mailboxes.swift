import KVOController

/// Programs about what several observations leave for one actor, and about observations that are replaced meanwhile.
let mailboxPrograms: [Program] = [
  Program(
    "actor-between-store-and-append",
    "A property that two threads and the actor set has its newest value last, however long a thread takes to append it."
  ) {
    run in
    let stage = Stage()
    stage.observe(\.number)
    run.actor(stage) { _ in
      stage.node.number = 3
      expect(stage.log.count > 0, "the set has returned first")
    }
    run.thread { stage.node.number = 1 }
    run.thread { stage.node.number = 2 }
    run.check {
      expect(stage.log.last!, equals: stage.node.number, as: "the last value")
      expect(stage.log.count, equals: 3, as: "calls")
      stage.finish()
    }
  },

  Program("set-with-others-waiting", "A set on the actor delivers what waits before its own change, and then returns.")
  {
    run in
    let stage = Stage()
    let made = Signal()
    stage.observe(\.number)
    run.actor(stage) { _ in
      made.wait()
      stage.node.number = 3
      expect(stage.log.all, equals: [1, 2, 3], as: "calls when the set returns")
    }
    run.thread {
      stage.node.number = 1
      stage.node.number = 2
      made.send()
    }
    run.check { stage.finish() }
  },

  Program("keypaths-actor-sets-the-other", "The actor's change of one of several key paths comes after one that waits.")
  {
    run in
    let stage = Stage()
    let made = Signal()
    stage.observeNumberAndOther()
    run.actor(stage) { _ in
      made.wait()
      stage.node.other = 2
      expect(stage.log.all, equals: [1, 2], as: "calls when the set returns")
    }
    run.thread {
      stage.node.number = 1
      made.send()
    }
    run.check { stage.finish() }
  },

  Program("keypaths-two-threads", "Changes of several key paths reach the actor in the order in which they were made.")
  {
    run in
    let stage = Stage()
    let made = Signal()
    stage.observeNumberAndOther()
    run.actor(stage)
    run.thread {
      stage.node.number = 1
      made.send()
    }
    run.thread {
      made.wait()
      stage.node.other = 2
    }
    run.check {
      expect(stage.log.all, equals: [1, 2])
      stage.finish()
    }
  },

  Program("one-job", "Changes of several observations take one job, which delivers all that waits when it begins.") {
    run in
    let stage = Stage()
    var before = -1
    stage.observe(\.number)
    stage.observe(\.other)
    run.actor(stage)
    run.thread {
      stage.node.number = 1
      stage.node.other = 2
      stage.actor.enqueue { _ in before = stage.log.count }
    }
    run.check {
      expect(before, equals: 2, as: "calls before later work of the actor")
      stage.finish()
    }
  },

  Program("coalesced-no-values-last-change", "After each change of a list, a coalesced call comes that sees it.") {
    run in
    let (stage, screen) = (Stage(), Mirror())
    stage.actor.perform { actor in
      screen.observe(stage.node, [\.number, \.other], isolation: actor, delivery: .coalesced) {
        [unowned stage] _, node in
        stage.call(node.number + node.other)
        point()
      }
    }
    Executor.shared.runAll()
    run.actor(stage)
    run.thread {
      stage.node.number = 1
      stage.node.number = 2
    }
    run.thread { stage.node.other = 10 }
    run.check {
      expect(stage.log.last!, equals: 12, as: "what the last call has seen")
      screen.kvoController.unobserveAll()
      stage.finish()
    }
  },

  Program(
    "deliver-now-in-a-turn", "A handler that a job calls delivers what waits for other observations of its controller."
  ) { run in
    let stage = Stage()
    let made = Signal()
    stage.observe(\.number) { value in
      guard value == 1, made.isSent else { return }
      stage.actor.assumeIsolated { stage.controller.deliverNow(isolation: $0) }
      expect(stage.log.all, equals: [1, 10], as: "calls when it returns")
    }
    stage.observe(\.other)
    run.actor(stage) { _ in made.wait() }
    run.thread {
      stage.node.number = 1
      stage.node.other = 10
      stage.node.number = 2
      made.send()
    }
    run.check {
      expect(stage.log.all.sorted(), equals: [1, 2, 10])
      stage.finish()
    }
  },

  Program("deliver-now-and-two-threads", "What two threads leave is delivered once each, by jobs or by deliverNow.") {
    run in
    let stage = Stage()
    stage.observe(\.number)
    stage.observe(\.other)
    run.actor(stage) { actor in
      stage.controller.deliverNow(isolation: actor)
      stage.controller.deliverNow(isolation: actor)
    }
    run.thread { stage.node.number = 1 }
    run.thread { stage.node.other = 2 }
    run.check {
      expect(stage.log.all.sorted(), equals: [1, 2])
      stage.finish()
    }
  },

  Program(
    "replace-distinct-while-waiting", "What replaces a distinct observation gets what waits, and knows the last value."
  ) { run in
    let stage = Stage()
    let made = Signal()
    stage.actor.perform { stage.replaceDistinct(on: $0) }
    Executor.shared.runAll()
    run.actor(stage) { actor in
      made.wait()
      stage.replaceDistinct(on: actor)
    }
    run.thread {
      stage.node.number = 1
      made.send()
      stage.node.number = 1
    }
    run.check {
      expect(stage.log.all, equals: [1])
      stage.finish()
    }
  },

  Program(
    "replace-while-a-change-is-on-its-way", "What replaces an observation hears what is changed afterwards, at last."
  ) { run in
    _ = run.replacing(Stage())
  },

  Program(
    "replace-and-end-the-former", "Ending an observation that is being replaced drops nothing of the new one."
  ) { run in
    let former = run.replacing(Stage())
    run.thread { former.invalidate() }
  },

  Program("actor-dies-while-a-lane-is-put", "What is on its way to an actor that is gone is released.") { run in
    var stage: Stage? = Stage(retainsObserved: false)
    let (watcher, controller) = (stage!.watcher, stage!.controller)
    var node: Node? = stage!.node
    weak let weakNode = node
    var actor: StubActor? = stage!.actor
    actor!.perform { [node] actor in
      controller.observe(node!, \.number, options: .new, isolation: actor) { (_: Watcher, _: Node, _: KVOChange<Int>) in
      }
      controller.observe(node!, \.other, options: .new, isolation: actor) { (_: Watcher, _: Node, _: KVOChange<Int>) in
      }
    }
    Executor.shared.runAll()
    stage = nil
    run.thread { Executor.shared.runAll() }
    run.thread { [node] in
      node!.number = 1
      node!.other = 2
    }
    run.thread { actor = nil }
    run.check {
      withExtendedLifetime((actor, stage)) {}
      node = nil
      expect(weakNode == nil, "what waits for no actor is retained")
      withExtendedLifetime((watcher, controller)) {}
    }
  },
]

extension Run {
  /// The actor replaces an observation while a thread sets its property twice. If the second value is set afterwards, it is the last that
  /// is heard. Returns the token of the former.
  fileprivate func replacing(_ stage: Stage) -> KVOObservation {
    let (isReplaced, isLate) = (Signal(), Signal())
    var token: KVOObservation?
    stage.actor.perform { token = stage.replace(on: $0, isFirst: true) }
    Executor.shared.runAll()
    actor(stage) { actor in
      _ = stage.replace(on: actor)
      isReplaced.send()
    }
    thread {
      stage.node.number = 1
      if isReplaced.isSent { isLate.send() }
      stage.node.number = 2
    }
    check {
      if isLate.isSent { expect(stage.log.all.last ?? 0, equals: 2, as: "the last value") }
      stage.finish()
    }
    return token!
  }
}

extension Stage {
  /// Observes two keys of the node by one call, on the actor.
  fileprivate func observeNumberAndOther() {
    actor.perform { actor in
      self.controller.observe(self.node, keyPaths: ["number", "other"], options: .new, isolation: actor) {
        [unowned self] _, _, change in call(change[.newKey] as? Int ?? -1)
      }
    }
    Executor.shared.runAll()
  }

  /// Observes the number with an identifier. Only what replaces the first observation records its calls.
  fileprivate func replace(on actor: isolated StubActor, isFirst: Bool = false) -> KVOObservation {
    controller.observe(node, \.number, options: .new, identifier: 1, isolation: actor) {
      [unowned self] (_: Watcher, _: Node, change: KVOChange<Int>) in
      if !isFirst { call(change.newValue ?? -1) }
    }
  }

  fileprivate func replaceDistinct(on actor: isolated StubActor) {
    controller.observe(
      node, \.number, options: .new, identifier: 1, isolation: actor, delivery: .distinct
    ) { [unowned self] (_: Watcher, _: Node, change: KVOChange<Int>) in call(change.newValue ?? -1) }
  }
}
