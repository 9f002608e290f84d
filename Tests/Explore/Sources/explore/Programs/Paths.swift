import KVOController

/// Programs about key paths.
let pathPrograms: [Program] = [
  Program("replace-and-set-new", "The middle is replaced while the new end is set: the newest value is heard.") { run in
    let next = Node(5)
    let (root, log) = (Node(child: Node(1)), Log<Int>())
    let token = watch(root, \.child?.number, log)
    run.thread { root.child = next }
    run.thread { next.number = 7 }
    run.check {
      expectHeard(log, 7)
      expectHeard(log, 8) { next.number = 8 }
      end([token], of: root, next)
    }
  },

  Program("replace-and-set-old", "The middle is replaced while the old end is set: the old one falls silent.") { run in
    let (former, next) = (Node(1), Node(5))
    let (root, log) = (Node(child: former), Log<Int>())
    let token = watch(root, \.child?.number, log)
    run.thread { root.child = next }
    run.thread { former.number = 2 }
    run.check {
      expectHeard(log, 5)
      expectSilence(log) { former.number = 3 }
      expectHeard(log, 8) { next.number = 8 }
      end([token], of: root, former, next)
    }
  },

  Program("replace-two-levels", "Two objects of one path are replaced on two threads.") { run in
    let (middle, end0, end1) = (Node(child: Node(1)), Node(2), Node(3))
    let (root, log) = (Node(child: middle), Log<Int>())
    let other = Node(child: end1)
    let token = watch(root, \.child?.child?.number, log)
    run.thread { middle.child = end0 }
    run.thread { root.child = other }
    run.check {
      expectHeard(log, 3)
      expectSilence(log) { end0.number = 20 }
      expectSilence(log) { middle.child = nil }
      expectHeard(log, 30) { end1.number = 30 }
      end([token], of: root, middle, other, end0, end1)
    }
  },

  Program("replace-middle-of-new", "The end of a new middle is replaced while the path moves there.") { run in
    let (next, leaf) = (Node(child: Node(2)), Node(3))
    let (root, log) = (Node(child: Node(child: Node(1))), Log<Int>())
    let token = watch(root, \.child?.child?.number, log)
    run.thread { root.child = next }
    run.thread { next.child = leaf }
    run.check {
      expectHeard(log, 3)
      expectHeard(log, 4) { leaf.number = 4 }
      end([token], of: root, next, leaf)
    }
  },

  Program("replace-and-end", "An observation ends while the path moves: nothing is left on the objects.") { run in
    let (former, next) = (Node(1), Node(5))
    let (root, log) = (Node(child: former), Log<Int>())
    let token = watch(root, \.child?.number, log)
    run.thread { root.child = next }
    run.thread { token.invalidate() }
    run.check {
      expect(log.all, equals: [], [5])
      end([token], of: root, former, next)
    }
  },

  Program("replace-and-observe", "An observation of a path begins while the path moves.") { run in
    let (former, next) = (Node(1), Node(5))
    let (root, log) = (Node(child: former), Log<Int>())
    let keeping = [watch(root, \.number, log), watch(former, \.other, log), watch(next, \.other, log)]
    var token: NSKeyValueObservation?
    run.thread { root.child = next }
    run.thread { token = watch(root, \.child?.number, log, [.initial, .new]) }
    run.check {
      expectHeard(log, 5)
      expectSilence(log) { former.number = 3 }
      expectHeard(log, 8) { next.number = 8 }
      end(keeping + [token!], of: root, former, next)
    }
  },

  Program("away-and-back", "The path is led away and back while the end is set.") { run in
    let (leaf, other) = (Node(1), Node(5))
    let (root, log) = (Node(child: leaf), Log<Int>())
    let token = watch(root, \.child?.number, log)
    run.thread {
      root.child = other
      root.child = leaf
    }
    run.thread { leaf.number = 2 }
    run.check {
      expectHeard(log, 2)
      expectSilence(log) { other.number = 6 }
      expectHeard(log, 3) { leaf.number = 3 }
      end([token], of: root, leaf, other)
    }
  },

  Program("nil-and-back", "The middle becomes nil and an object again, while another thread sets its end.") { run in
    let leaf = Node(1)
    let (root, log) = (Node(child: leaf), Log<Int>())
    let token = watch(root, \.child?.number, log)
    run.thread {
      root.child = nil
      root.child = leaf
    }
    run.thread { leaf.number = 2 }
    run.check {
      expectHeard(log, -1)
      expectHeard(log, 2)
      expectHeard(log, 3) { leaf.number = 3 }
      end([token], of: root, leaf)
    }
  },
]
