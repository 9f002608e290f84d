import KVOController

/// Programs about bindings: whatever the schedule, the last values agree.
let bindingPrograms: [Program] = [
  Program("bind-two-threads", "A binding without an actor keeps the last value of two threads.") { run in
    let (node, mirror) = (Node(), Mirror())
    mirror.bind(node, \.sum, to: \.number)
    run.thread { node.number = 1 }
    run.thread { node.other = 2 }
    run.check {
      expect(mirror.number, equals: 3, as: "the target")
      finish(mirror, node)
    }
  },

  Program("bind-three-threads", "A binding without an actor keeps the last value of three threads.") { run in
    let (root, child, mirror) = (Node(child: Node(1)), Node(4), Mirror())
    let former = root.child
    mirror.bind(root, \.child?.number, to: \.maybe)
    run.thread { former?.number = 2 }
    run.thread { root.child = child }
    run.thread { child.number = 5 }
    run.check {
      expect(mirror.maybe ?? 0, equals: 5, as: "the target")
      finish(mirror, root, child)
    }
  },

  Program("bind-and-begin", "A binding that begins while another property of its source is set has the last value.") {
    run in
    let (node, mirror, other) = (Node(), Mirror(), Mirror())
    other.bind(node, \.number, to: \.number)
    run.thread { mirror.bind(node, \.number, to: \.number) }
    run.thread { node.number = 1 }
    run.check {
      expect(mirror.number, equals: 1, as: "the target")
      other.kvoController.unobserveAll()
      finish(mirror, node)
    }
  },

  Program("bind-both-ways", "Two threads set both sides of a binding, which agree at the end.") { run in
    let (node, mirror) = (Node(), Mirror())
    mirror.bindBothWays(node, \.number, with: \.number)
    run.thread { node.number = 1 }
    run.thread { mirror.number = 2 }
    run.check {
      expect(mirror.number, equals: node.number, as: "the target")
      expect(node.number, equals: 1, 2, as: "the source")
      finish(mirror, node)
    }
  },

  Program("bind-both-ways-three", "Three threads set a source and two targets, which agree at the end.") { run in
    let (node, mirror, other) = (Node(), Mirror(), Mirror())
    mirror.bindBothWays(node, \.number, with: \.number)
    other.bindBothWays(node, \.number, with: \.number)
    run.thread { node.number = 1 }
    run.thread { mirror.number = 2 }
    run.thread { other.number = 3 }
    run.check {
      expect(mirror.number, equals: node.number, as: "the target")
      expect(other.number, equals: node.number, as: "the other target")
      other.kvoController.unobserveAll()
      finish(mirror, node)
    }
  },

  Program("bind-both-ways-path", "The object that has the source is replaced while the target is set.") { run in
    let (root, next, mirror) = (Node(child: Node(1)), Node(5), Mirror())
    mirror.bindBothWays(root, \.child!.number, with: \.number)
    run.thread { root.child = next }
    run.thread { mirror.number = 2 }
    run.check {
      expect(mirror.number, equals: next.number, as: "the target")
      expect(next.number, equals: 2, 5, as: "the source")
      finish(mirror, root, next)
    }
  },

  Program("bind-both-ways-and-end", "A binding in both directions ends while both sides are set.") { run in
    let (node, mirror) = (Node(), Mirror())
    let token = mirror.bindBothWays(node, \.number, with: \.number)
    run.thread { node.number = 1 }
    run.thread { token.invalidate() }
    run.thread { mirror.number = 2 }
    run.check {
      node.number = 5
      expect(mirror.number != 5, "the binding goes on")
      mirror.number = 6
      expect(node.number, equals: 5, as: "the source")
      finish(mirror, node)
    }
  },

  Program("bind-both-ways-twice", "Two threads bind one property to two sources: one of them stays.") { run in
    let (node, other, mirror) = (Node(1), Node(2), Mirror())
    run.thread { mirror.bindBothWays(node, \.number, with: \.number) }
    run.thread { mirror.bindBothWays(other, \.number, with: \.number) }
    run.check {
      expect(mirror.kvoController.observations.count, equals: 1, as: "observations")
      mirror.number = 7
      expect([node.number, other.number].filter { $0 == 7 }.count, equals: 1, as: "sources that are set")
      finish(mirror, node, other)
    }
  },

  Program("bind-both-ways-on-actor", "A binding in both directions on an actor agrees at the end.") { run in
    let (stage, mirror) = (Stage(), Mirror())
    stage.actor.perform { actor in mirror.bindBothWays(stage.node, \.number, with: \.number, isolation: actor) }
    Executor.shared.runAll()
    run.actor(stage) { _ in mirror.number = 2 }
    run.thread { stage.node.number = 1 }
    run.check {
      expect(mirror.number, equals: stage.node.number, as: "the target")
      expect(mirror.number, equals: 1, 2, as: "both")
      mirror.kvoController.unobserveAll()
      stage.finish()
    }
  },
]

/// Ends all bindings of an observer, and expects that nothing is observed afterwards.
private func finish(_ mirror: Mirror, _ nodes: Node...) {
  mirror.kvoController.unobserveAll()
  for node in nodes { expect(node.registrationCount, equals: 0, as: "registrations") }
  expect(mirror.registrationCount, equals: 0, as: "registrations of the target")
}
