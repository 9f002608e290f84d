import KVOController

/// Programs about changes that are notified by hand, and about coding.
let byHandPrograms: [Program] = [
  Program("pair-and-observe", "Who observes during a pair by hand, on another thread, hears the new value.") { run in
    let (node, log) = (Node(), Log<Int>())
    let keeping = watch(node, \.other, log)
    var token: NSKeyValueObservation?
    run.thread {
      node.willChangeValue(forKey: "manual")
      node.manual = 1
      node.didChangeValue(forKey: "manual")
    }
    run.thread { token = watch(node, \.manual, log, [.initial, .new]) }
    run.check {
      expectHeard(log, 1)
      end([keeping, token!], of: node)
    }
  },

  Program("pair-and-observe-path", "The same for who observes a path that ends there.") { run in
    let (leaf, log) = (Node(), Log<Int>())
    let root = Node(child: leaf)
    let keeping = [watch(root, \.other, log), watch(leaf, \.other, log)]
    var token: NSKeyValueObservation?
    run.thread {
      leaf.willChangeValue(forKey: "manual")
      leaf.manual = 1
      leaf.didChangeValue(forKey: "manual")
    }
    run.thread { token = watch(root, \.child?.manual, log, [.initial, .new]) }
    run.check {
      expectHeard(log, 1)
      end(keeping + [token!], of: root, leaf)
    }
  },

  Program("code-and-observe", "Who observes while another thread codes a listed key hears the new value.") { run in
    let (node, log) = (Node(), Log<Int>())
    let keeping = watch(node, \.other, log)
    var token: NSKeyValueObservation?
    run.thread { node.setValue(1, forKey: "coded") }
    run.thread { token = watch(node, \.coded, log, [.initial, .new]) }
    run.check {
      expectHeard(log, 1)
      end([keeping, token!], of: node)
    }
  },

  Program("code-dependent-and-observe", "The same for a key that depends on what its setter sets.") { run in
    let (node, log) = (Node(), Log<Int>())
    let keeping = watch(node, \.other, log)
    var token: NSKeyValueObservation?
    run.thread { node.setValue(1, forKey: "listed") }
    run.thread { token = watch(node, \.listed, log, [.initial, .new]) }
    run.check {
      expectHeard(log, 1)
      end([keeping, token!], of: node)
    }
  },

  Program("pair-and-end", "An observation ends between will and did.") { run in
    let (node, log) = (Node(), Log<Int>())
    let token = watch(node, \.manual, log)
    run.thread {
      node.willChangeValue(forKey: "manual")
      node.manual = 1
      node.didChangeValue(forKey: "manual")
    }
    run.thread { token.invalidate() }
    run.check {
      expect(log.all, equals: [], [1])
      end([token], of: node)
    }
  },
]
