import KVOController

/// Programs about dependent keys, and about getters that are followed by reading them.
let dependentPrograms: [Program] = [
  Program("dependent-chain", "A key depends on a key that depends on two: each change is one call.") { run in
    let (node, log) = (Node(), Log<Int>())
    let token = watch(node, \.doubled, log)
    run.thread { node.number = 1 }
    run.thread { node.other = 10 }
    run.check {
      expectHeard(log, 22)
      expect(log.count, equals: 2, as: "the number of calls")
      end([token], of: node)
    }
  },

  Program("dependent-and-end", "An observation of a dependent key ends while a dependency is set.") { run in
    let (node, log) = (Node(), Log<Int>())
    let token = watch(node, \.doubled, log)
    run.thread { node.number = 1 }
    run.thread { token.invalidate() }
    run.check {
      expect(log.all, equals: [], [2])
      end([token], of: node)
    }
  },

  Program("dependent-and-observe", "An observation of a dependent key begins while a dependency is set.") { run in
    let (node, log) = (Node(), Log<Int>())
    let keeping = watch(node, \.items.count, Log<Int>())
    var token: NSKeyValueObservation?
    run.thread { node.number = 1 }
    run.thread { token = watch(node, \.sum, log, [.initial, .new]) }
    run.check {
      expectHeard(log, 1)
      end([keeping, token!], of: node)
    }
  },

  Program("dependent-path-replace", "A dependency is a path: its middle is replaced while the new end is set.") { run in
    let next = Node(5)
    let (root, log) = (Node(child: Node(1)), Log<Int>())
    let token = watch(root, \.childNumber, log)
    run.thread { root.child = next }
    run.thread { next.number = 7 }
    run.check {
      expectHeard(log, 7)
      expectHeard(log, 8) { next.number = 8 }
      end([token], of: root, next)
    }
  },

  Program("followed-two", "A getter is followed by reading: two of its properties are set on two threads.") { run in
    let child = Node(10)
    let (root, log) = (Node(1, child: child), Log<Int>())
    let token = watch(root, \.total, log)
    run.thread { root.number = 2 }
    run.thread { child.number = 20 }
    run.check {
      expectHeard(log, 22)
      end([token], of: root, child)
    }
  },

  Program("followed-replace", "A getter is followed while the object that it reads is replaced and set.") { run in
    let next = Node(20)
    let (root, log) = (Node(1, child: Node(10)), Log<Int>())
    let token = watch(root, \.total, log)
    run.thread { root.child = next }
    run.thread { next.number = 30 }
    run.check {
      expectHeard(log, 31)
      expectHeard(log, 41) { next.number = 40 }
      end([token], of: root, next)
    }
  },

  Program("followed-and-end", "An observation of a followed getter ends while it is read.") { run in
    let child = Node(10)
    let (root, log) = (Node(1, child: child), Log<Int>())
    let token = watch(root, \.total, log)
    run.thread { child.number = 20 }
    run.thread { token.invalidate() }
    run.check {
      expect(log.all, equals: [], [21])
      end([token], of: root, child)
    }
  },

  Program("followed-and-observe", "An observation of a followed getter begins while its object is set.") { run in
    let child = Node(10)
    let (root, log) = (Node(1, child: child), Log<Int>())
    let keeping = [watch(root, \.other, Log<Int>()), watch(child, \.other, Log<Int>())]
    var token: NSKeyValueObservation?
    run.thread { child.number = 20 }
    run.thread { token = watch(root, \.total, log, [.initial, .new]) }
    run.check {
      expectHeard(log, 21)
      end(keeping + [token!], of: root, child)
    }
  },

  Program("three-dependencies", "Three threads set what a getter reads: the newest value is heard.") { run in
    let child = Node(100)
    let (root, log) = (Node(1, child: child), Log<Int>())
    let token = watch(root, \.everything, log)
    run.thread { root.number = 2 }
    run.thread { root.other = 20 }
    run.thread { child.number = 200 }
    run.check {
      expectHeard(log, 222)
      end([token], of: root, child)
    }
  },
]
