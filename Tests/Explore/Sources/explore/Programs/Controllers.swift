import KVOController

/// Programs about controllers.
let controllerPrograms: [Program] = [
  Program("replace-identifier-and-set", "Two threads replace one identifier, while a third one sets: one is left.") {
    run in
    let (node, log, watcher) = (Node(), Log<Int>(), Watcher())
    let controller = KVOController(observer: watcher)
    observe(node, \.number, controller, log, identifier: 1)
    for _ in 0..<2 { run.thread { observe(node, \.number, controller, log, identifier: 1) } }
    run.thread { node.number = 1 }
    run.check {
      expectHeard(log, 2) { node.number = 2 }
      expect(controller.observations.count, equals: 1, as: "observations")
      controller.unobserveAll()
      withExtendedLifetime(watcher) {}
      end([], of: node)
    }
  },

  Program(
    "replace-path-and-set",
    "One thread replaces the observation of a path, with an initial call, while another one sets: it ends with the value."
  ) {
    run in
    let (root, log, watcher) = (Node(child: Node(0)), Log<Int?>(), Watcher())
    let controller = KVOController(observer: watcher)
    func observe() {
      controller.observe(root, \.child?.number, options: [.initial, .new], identifier: 1) {
        (_: Watcher, _: Node, change: KVOChange<Int?>) in log.record(change.newValue!)
      }
    }
    observe()
    run.thread { observe() }
    run.thread { root.child?.number = 1 }
    run.check {
      expect(log.all.contains(1), "1 was not heard")
      controller.unobserveAll()
      withExtendedLifetime(watcher) {}
      end([], of: root)
    }
  },

  Program("replace-on-actor-and-set", "An actor replaces an observation, with an initial call, while two threads set.")
  {
    run in
    replaceOnActor(run, .each)
  },

  Program("replace-coalesced-and-set", "An actor replaces a coalesced observation, while two threads set.") { run in
    replaceOnActor(run, .coalesced)
  },

  Program("observe-same-twice", "Two threads observe the same string: the first stays.") {
    run in
    let (node, log, watcher) = (Node(), Log<Int>(), Watcher())
    let controller = KVOController(observer: watcher)
    for _ in 0..<2 {
      run.thread { controller.observe(node, keyPath: "number", options: .new) { _, _, _ in log.record(node.number) } }
    }
    run.check {
      node.number = 1
      expect(log.all, equals: [1])
      expect(controller.observations.count, equals: 1, as: "observations")
      controller.unobserveAll()
      withExtendedLifetime(watcher) {}
      end([], of: node)
    }
  },

  Program("identifiers", "Two identifiers are two observations; unobserving the key path ends both.") { run in
    let (node, log, watcher) = (Node(), Log<Int>(), Watcher())
    let controller = KVOController(observer: watcher)
    run.thread { observe(node, \.number, controller, log, identifier: 1) }
    run.thread { observe(node, \.number, controller, log, identifier: 2) }
    run.check {
      node.number = 1
      expect(log.all, equals: [1, 1])
      controller.unobserve(node, keyPath: "number")
      end([], of: node)
      withExtendedLifetime(watcher) {}
    }
  },

  Program("unobserve-and-observe", "A key path is unobserved while it is observed again.") { run in
    let (node, log, watcher) = (Node(), Log<Int>(), Watcher())
    let controller = KVOController(observer: watcher)
    observe(node, \.number, controller, log)
    run.thread { controller.unobserve(node, \.number) }
    run.thread { observe(node, \.number, controller, log) }
    run.check {
      node.number = 1
      expect(log.all, equals: [], [1])
      expect(controller.observations.count, equals: log.count, as: "observations")
      controller.unobserveAll()
      end([], of: node)
      withExtendedLifetime(watcher) {}
    }
  },

  Program("unobserve-all-and-set", "A controller ends all observations while their objects change.") { run in
    let (node, other, log, watcher) = (Node(), Node(), Log<Int>(), Watcher())
    let controller = KVOController(observer: watcher)
    observe(node, \.number, controller, log)
    observe(other, \.number, controller, log)
    run.thread { node.number = 1 }
    run.thread { controller.unobserveAll() }
    run.check {
      expect(log.all, equals: [], [1])
      end([], of: node, other)
      withExtendedLifetime(watcher) {}
    }
  },

  Program("unobserve-all-and-observe", "A controller ends all observations while another one begins.") { run in
    let (node, other, log, watcher) = (Node(), Node(), Log<Int>(), Watcher())
    let controller = KVOController(observer: watcher)
    observe(node, \.number, controller, log)
    weak var captured: Node?
    run.thread { controller.unobserveAll() }
    run.thread {
      let node = Node()
      captured = node
      controller.observe(other, \.number, options: .new) { (_: Watcher, _: Node, change: KVOChange<Int>) in
        withExtendedLifetime(node) { log.record(change.newValue!) }
      }
    }
    run.check {
      other.number = 2
      expect(log.all, equals: [], [2])
      expect(controller.observations.count, equals: log.count, as: "observations")
      controller.unobserveAll()
      expect(captured == nil, "a handler is retained after the end")
      end([], of: node, other)
      withExtendedLifetime(watcher) {}
    }
  },

  Program("old-token", "An old token doesn't end a later observation of the same key path.") { run in
    let (node, log, watcher) = (Node(), Log<Int>(), Watcher())
    let controller = KVOController(observer: watcher)
    let token = observe(node, \.number, controller, log)
    run.thread {
      controller.unobserve(node, \.number)
      observe(node, \.number, controller, log)
    }
    run.thread { token.invalidate() }
    run.check {
      expectHeard(log, 1) { node.number = 1 }
      controller.unobserveAll()
      end([], of: node)
      withExtendedLifetime(watcher) {}
    }
  },

  Program("context", "A registration by context is unobserved while a change is delivered to it.") { run in
    let (node, mirror) = (Node(), Mirror())
    let controller = KVOController(observer: mirror)
    controller.observe(node, keyPath: "number", options: .new, context: nil)
    run.thread { node.number = 1 }
    run.thread { controller.unobserve(node, keyPath: "number") }
    run.check {
      expect(mirror.log.all, equals: [], [1])
      end([], of: node)
    }
  },

  Program("several-and-end", "Several key paths are one observation: an unobserve ends all or none.") { run in
    let (node, mirror) = (Node(), Mirror())
    let token = mirror.observe(node, [\.number, \.other]) { mirror, _ in mirror.log.record(1) }
    run.thread {
      node.number = 1
      node.other = 1
    }
    run.thread { token.invalidate() }
    run.check {
      expect(mirror.log.all, equals: [], [1], [1, 1])
      mirror.kvoController.unobserveAll()
      end([], of: node)
    }
  },

  Program("bind-and-end", "A binding ends while its source is set.") { run in
    let (node, mirror) = (Node(), Mirror())
    let token = mirror.bind(node, \.number, to: \.number)
    run.thread { node.number = 1 }
    run.thread { token.invalidate() }
    run.check {
      expect(mirror.number, equals: 0, 1, as: "the target")
      expect(token.isValid, equals: false, as: "isValid")
      node.number = 5
      expect(mirror.number != 5, "the binding goes on")
      mirror.kvoController.unobserveAll()
      end([], of: node)
    }
  },

  Program("bind-path", "A binding of a path gets the newest value while the path moves.") { run in
    let next = Node(5)
    let (root, mirror) = (Node(child: Node(1)), Mirror())
    mirror.bind(root, \.child?.number, to: \.maybe)
    run.thread { root.child = next }
    run.thread { root.other = 1 }
    run.check {
      expect(mirror.maybe ?? 0, equals: 5, as: "the target")
      mirror.kvoController.unobserveAll()
      end([], of: root, next)
    }
  },

  Program("lazy-controller", "Two threads are the first to read kvoController.") { run in
    let (node, mirror) = (Node(), Mirror())
    var controllers: [KVOController?] = [nil, nil]
    for number in 0..<2 { run.thread { controllers[number] = mirror.kvoController } }
    run.check {
      expect(controllers[0] === controllers[1], "two controllers")
      controllers = []
      withExtendedLifetime(node) {}
    }
  },
]

/// Observes a key path for a watcher.
@discardableResult
private func observe(
  _ node: Node, _ keyPath: KeyPath<Node, Int>, _ controller: KVOController, _ log: Log<Int>, identifier: Int? = nil
) -> KVOObservation {
  controller.observe(node, keyPath, options: .new, identifier: identifier.map(AnyHashable.init)) {
    (_: Watcher, _: Node, change: KVOChange<Int>) in log.record(change.newValue!)
  }
}

private func replaceOnActor(_ run: Run, _ delivery: KVODelivery) {
  let stage = Stage()
  func begin(_ actor: isolated StubActor) {
    stage.controller.observe(
      stage.node, \.sum, options: [.initial, .new], identifier: 1, isolation: actor, delivery: delivery
    ) { (_: Watcher, _: Node, change: KVOChange<Int>) in stage.call(change.newValue!) }
  }
  stage.actor.perform { begin($0) }
  run.actor(stage) { begin($0) }
  run.thread { stage.node.number = 1 }
  run.thread { stage.node.other = 10 }
  run.check {
    expect(stage.log.last!, equals: 11, as: "the last value")
    stage.finish()
  }
}
