import KVOController

/// Programs about mutations in place.
let inPlacePrograms: [Program] = [
  Program("mutate-and-end", "An observation ends during a mutation in place.") { run in
    let (node, log) = (Node(), Log<Int>())
    let token = watch(node, \.number, log)
    run.thread { node.number += 1 }
    run.thread { token.invalidate() }
    run.check {
      expect(log.all, equals: [], [1])
      end([token], of: node)
    }
  },

  Program("mutate-old-end", "The end of a path is mutated in place while the path moves to another end.") { run in
    let (former, next) = (Node(1), Node(5))
    let (root, log) = (Node(child: former), Log<Int>())
    let token = watch(root, \.child?.number, log)
    run.thread { former.number += 10 }
    run.thread { root.child = next }
    run.check {
      expectHeard(log, 5)
      expectSilence(log) { former.number = 3 }
      expectHeard(log, 8) { next.number = 8 }
      end([token], of: root, former, next)
    }
  },

  Program("mutate-end-of-long-path", "The end is mutated in place while an object before the middle is replaced.") {
    run in
    let (leaf, next) = (Node(1), Node(5))
    let (middle, other) = (Node(child: leaf), Node(child: next))
    let (root, log) = (Node(child: middle), Log<Int>())
    let token = watch(root, \.child?.child?.number, log)
    run.thread { leaf.number += 10 }
    run.thread { root.child = other }
    run.check {
      expectHeard(log, 5)
      expectSilence(log) { leaf.number = 3 }
      expectHeard(log, 8) { next.number = 8 }
      end([token], of: root, middle, other, leaf, next)
    }
  },

  Program("mutate-and-set-dependency", "A dependency is mutated in place while the other one is set.") { run in
    let (node, log) = (Node(), Log<Int>())
    let token = watch(node, \.sum, log)
    run.thread { node.number += 10 }
    run.thread { node.other = 5 }
    run.check {
      expectHeard(log, 15)
      end([token], of: node)
    }
  },

  Program("mutate-dependency-of-path", "A dependency behind a path is mutated in place while the path moves.") { run in
    let (former, next) = (Node(1), Node(5))
    let (root, log) = (Node(child: former), Log<Int>())
    let token = watch(root, \.childNumber, log)
    run.thread { former.number += 10 }
    run.thread { root.child = next }
    run.check {
      expectHeard(log, 5)
      expectHeard(log, 8) { next.number = 8 }
      end([token], of: root, former, next)
    }
  },
]
