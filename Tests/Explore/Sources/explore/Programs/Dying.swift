import KVOController

/// Programs about objects, observers, and controllers that are deallocated.
let dyingPrograms: [Program] = [
  Program("object-dies-and-end", "An object is deallocated while its observation ends.") { run in
    let log = Log<Int>()
    var node: Node? = Node()
    let token = watch(node!, \.number, log)
    run.thread { node = nil }
    run.thread { token.invalidate() }
  },

  Program(
    "undeclared-key-dies", "Two threads observe a key that the class doesn't declare, each of an object of its own."
  ) { run in
    for _ in 0..<2 {
      let (node, mirror) = (Node(), Mirror())
      run.thread {
        let controller = KVOController(observer: mirror)
        for _ in 0..<2 {
          controller.observe(node, keyPath: "undeclared") { _, _, _ in }
          controller.unobserve(node)
        }
      }
      run.check { end([], of: node) }
    }
  },

  Program("object-dies-of-setter", "The thread that sets a property has the last reference to the object.") { run in
    let log = Log<Int>()
    var node: Node? = Node()
    let token = watch(node!, \.number, log)
    run.thread { [node] in node!.number = 1 }
    run.thread { token.invalidate() }
    node = nil
    run.check { expect(log.all, equals: [], [1]) }
  },

  Program("observer-dies-and-set", "An observer is deallocated while a change is delivered to it.") { run in
    let (node, log) = (Node(), Log<Int>())
    var watcher: Watcher? = Watcher()
    let controller = KVOController(observer: watcher)
    controller.observe(node, \.number, options: .new) { (_: Watcher, _: Node, change: KVOChange<Int>) in
      log.record(change.newValue!)
    }
    run.thread { node.number = 1 }
    run.thread { watcher = nil }
    run.check {
      expect(log.all, equals: [], [1])
      expectSilence(log) { node.number = 2 }
      controller.unobserveAll()
      end([], of: node)
    }
  },

  Program("controller-dies-and-set", "A controller is deallocated while a change is delivered.") { run in
    let (node, log, watcher) = (Node(), Log<Int>(), Watcher())
    var controller: KVOController? = KVOController(observer: watcher)
    controller!.observe(node, \.number, options: .new) { (_: Watcher, _: Node, change: KVOChange<Int>) in
      log.record(change.newValue!)
    }
    run.thread { node.number = 1 }
    run.thread { controller = nil }
    run.check {
      expect(log.all, equals: [], [1])
      withExtendedLifetime(watcher) {}
      end([], of: node)
    }
  },

  Program("middle-dies", "The middle of a path loses its last reference on the thread that replaces it.") { run in
    let (root, log) = (Node(child: Node(1)), Log<Int>())
    let token = watch(root, \.child?.number, log)
    var held = root.child
    run.thread { root.child = nil }
    run.thread {
      held!.number = 2
      held = nil
    }
    run.check {
      expectHeard(log, -1)
      end([token], of: root)
    }
  },

  Program("weak-middle-dies", "An object behind a getter is deallocated while the path is followed.") { run in
    let (root, log) = (Node(), Log<Int>())
    var friend: Node? = Node(4)
    root.friend = friend
    let token = watch(root, \.friendSum, log)
    run.thread { root.number = 1 }
    run.thread { friend = nil }
    run.check {
      expect(log.all, equals: [5], [1])
      expectHeard(log, 2) { root.number = 2 }
      end([token], of: root)
    }
  },

  Program("root-of-path-dies", "The root of a path is deallocated while an object on the path changes.") { run in
    let (leaf, log) = (Node(1), Log<Int>())
    var root: Node? = Node(child: leaf)
    let token = watch(root!, \.child?.number, log)
    run.thread { root = nil }
    run.thread { leaf.number = 2 }
    run.check {
      expect(log.all, equals: [], [2])
      expectSilence(log) { leaf.number = 3 }
      end([token], of: leaf)
    }
  },

  Program("object-dies-in-controller", "An object of a controller that doesn't retain dies while it is unobserved.") {
    run in
    let (log, watcher) = (Log<Int>(), Watcher())
    let controller = KVOController(observer: watcher, retainObserved: false)
    var node: Node? = Node()
    controller.observe(node!, \.number, options: .new) { (_: Watcher, _: Node, change: KVOChange<Int>) in
      log.record(change.newValue!)
    }
    run.thread { node = nil }
    run.thread { controller.unobserveAll() }
    run.check {
      expect(controller.observations.count, equals: 0, as: "observations")
      withExtendedLifetime(watcher) {}
    }
  },

  Program("deinit-changes", "An object sets an observed property of another one in its deinit.") { run in
    let (node, log) = (Node(), Log<Int>())
    var last: Last? = Last(node)
    let token = watch(node, \.number, log)
    run.thread { last = nil }
    run.thread { node.other = 1 }
    run.check {
      expect(log.all, equals: [9])
      withExtendedLifetime(last) {}
      end([token], of: node)
    }
  },
]

/// Sets a property of a node in its deinit.
private final class Last: Counted {
  private let node: Node
  init(_ node: Node) {
    self.node = node
    super.init()
  }
  deinit { node.number = 9 }
}
