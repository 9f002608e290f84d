import KVOController

/// More programs about key paths.
let morePathPrograms: [Program] = [
  Program("cycle", "A path leads through one object twice.") { run in
    let (node, log) = (Node(1), Log<Int>())
    node.child = node
    let token = watch(node, \.child?.child?.number, log)
    let other = Node(5)
    other.child = other
    run.thread { node.number = 2 }
    run.thread { node.child = other }
    run.check {
      expectHeard(log, 5)
      expectHeard(log, 6) { other.number = 6 }
      node.child = nil
      other.child = nil
      end([token], of: node, other)
    }
  },

  Program("two-observers-of-path", "Two observations lead through one middle, which is replaced while one ends.") {
    run in
    let (former, next) = (Node(1), Node(5))
    let (root, log, other) = (Node(child: former), Log<Int>(), Log<Int>())
    let tokens = [watch(root, \.child?.number, log), watch(root, \.child?.other, other)]
    run.thread { root.child = next }
    run.thread { tokens[1].invalidate() }
    run.check {
      expectHeard(log, 5)
      expect(other.all, equals: [], [0])
      expectHeard(log, 8) { next.number = 8 }
      end(tokens, of: root, former, next)
    }
  },

  Program("replace-with-prior", "A path with prior calls moves while its new end is set.") { run in
    let next = Node(5)
    let (root, log) = (Node(child: Node(1)), Log<Int>())
    let token = root.observe(\.child?.number, options: [.prior, .new]) { _, change in
      log.record(change.isPrior ? -2 : change.newValue!!)
    }
    run.thread { root.child = next }
    run.thread { next.number = 7 }
    run.check {
      expectHeard(log, 7)
      token.invalidate()
      end([token], of: root, next)
    }
  },

  Program("replace-old-values", "The old value of a replaced middle is that of its end before.") { run in
    let (former, next) = (Node(1), Node(5))
    let (root, log) = (Node(child: former), Log<Int>())
    let token = root.observe(\.child?.number, options: [.old, .new]) { _, change in
      log.record(change.oldValue!! * 10 + change.newValue!!)
    }
    run.thread { root.child = next }
    run.thread { root.other = 3 }
    run.check {
      expect(log.all, equals: [15])
      end([token], of: root, former, next)
    }
  },

  Program("replace-and-replace-back", "Two threads replace the middles of two paths with each other's object.") { run in
    let (one, two) = (Node(1), Node(2))
    let (left, right, log, other) = (Node(child: one), Node(child: two), Log<Int>(), Log<Int>())
    let tokens = [watch(left, \.child?.number, log), watch(right, \.child?.number, other)]
    run.thread { left.child = two }
    run.thread { right.child = one }
    run.check {
      expect(log.all, equals: [2])
      expect(other.all, equals: [1])
      expectHeard(log, 20) { two.number = 20 }
      expectHeard(other, 10) { one.number = 10 }
      end(tokens, of: left, right, one, two)
    }
  },

  Program("set-leaf-and-end", "The end of a path is set while the observation ends.") { run in
    let leaf = Node(1)
    let (root, log) = (Node(child: leaf), Log<Int>())
    let token = watch(root, \.child?.number, log)
    run.thread { leaf.number = 2 }
    run.thread { token.invalidate() }
    run.check {
      expect(log.all, equals: [], [2])
      end([token], of: root, leaf)
    }
  },

  Program("replace-twice-and-set", "The middle is replaced twice while the second object is set.") { run in
    let (first, second) = (Node(5), Node(6))
    let (root, log) = (Node(child: Node(1)), Log<Int>())
    let token = watch(root, \.child?.number, log)
    run.thread {
      root.child = first
      root.child = second
    }
    run.thread { second.number = 7 }
    run.check {
      expectHeard(log, 7)
      expectSilence(log) { first.number = 50 }
      end([token], of: root, first, second)
    }
  },

  Program("replace-in-handler", "A handler replaces the middle, while another thread sets the end.") { run in
    // Explored threads run one at a time.
    nonisolated(unsafe) let (former, next) = (Node(1), Node(5))
    let (root, log) = (Node(child: former), Log<Int>())
    let token = root.observe(\.child?.number, options: .new) { root, change in
      log.record(change.newValue!!)
      if change.newValue! == 2 { root.child = next }
    }
    run.thread { former.number = 2 }
    run.thread { next.number = 7 }
    run.check {
      expect(log.all.contains(5) || log.all.contains(7), "the new end was not heard: \(log.all)")
      expectHeard(log, 7)
      end([token], of: root, former, next)
    }
  },

  Program("observe-two-paths", "Two threads begin observations that lead through one object.") { run in
    let leaf = Node(1)
    let (root, log) = (Node(child: leaf), Log<Int>())
    var tokens: [NSKeyValueObservation?] = [nil, nil]
    run.thread { tokens[0] = watch(root, \.child?.number, log) }
    run.thread { tokens[1] = watch(root, \.child?.number, log) }
    run.check {
      leaf.number = 2
      expect(log.all, equals: [2, 2])
      end(tokens.map { $0! }, of: root, leaf)
    }
  },
]
