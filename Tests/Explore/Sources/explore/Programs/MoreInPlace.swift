import KVOController

/// More programs about mutations in place.
let moreInPlacePrograms: [Program] = [
  Program("append-and-end", "An observation of a collection ends while it is mutated in place.") { run in
    let (node, log) = (Node(), Log<Int>())
    let token = node.observe(\.items, options: .new) { _, change in log.record(change.newValue!.count) }
    run.thread { node.items.append(1) }
    run.thread { token.invalidate() }
    run.check {
      expect(log.all, equals: [], [1])
      end([token], of: node)
    }
  },

  Program("mutate-and-observe-other", "Another property is observed and set during a mutation in place.") { run in
    let (node, log, other) = (Node(), Log<Int>(), Log<Int>())
    let keeping = watch(node, \.number, log)
    var token: NSKeyValueObservation?
    run.thread { node.number += 1 }
    run.thread {
      token = watch(node, \.other, other)
      node.other = 5
    }
    run.check {
      expect(log.all, equals: [1])
      expect(other.all, equals: [5])
      end([keeping, token!], of: node)
    }
  },

  Program("mutate-and-observe", "Who observes a property during its mutation, without its value, hears its end.") {
    run in
    let (node, log) = (Node(), Log<Int>())
    let keeping = watch(node, \.other, log)
    var token: NSKeyValueObservation?
    var isObserved = false
    run.thread {
      modify(&node.number) {
        // As long as it takes. The other thread must have begun, and doesn't read the property.
        point()
        $0 += 1
      }
      if isObserved { point() }
    }
    run.thread {
      token = node.observe(\.number, options: []) { _, _ in log.record(1) }
      isObserved = true
    }
    run.check {
      expect(log.count <= 1, "two calls")
      expect(node.number, equals: 1, as: "number")
      end([keeping, token!], of: node)
    }
  },

  Program("mutate-dependency-and-end", "A dependency is mutated in place while the observation ends.") { run in
    let (node, log) = (Node(), Log<Int>())
    let token = watch(node, \.sum, log)
    run.thread { node.number += 1 }
    run.thread { token.invalidate() }
    run.check {
      expect(log.all, equals: [], [1])
      end([token], of: node)
    }
  },

  Program("mutate-two-dependencies", "Two dependencies are mutated in place on two threads: the sum is heard.") { run in
    let (node, log) = (Node(), Log<Int>())
    let token = watch(node, \.sum, log)
    run.thread { node.number += 1 }
    run.thread { node.other += 10 }
    run.check {
      expectHeard(log, 11)
      end([token], of: node)
    }
  },

  Program("mutate-middle", "The middle of a path is mutated in place while the end is set.") { run in
    let (former, next) = (Node(1), Node(5))
    let (root, log) = (Node(child: former), Log<Int>())
    let token = watch(root, \.child?.number, log)
    run.thread { modify(&root.child) { $0 = next } }
    run.thread { next.number = 7 }
    run.check {
      expectHeard(log, 7)
      expectHeard(log, 8) { next.number = 8 }
      end([token], of: root, former, next)
    }
  },

  Program("mutate-dependency-elsewhere", "A getter reads two objects: one is mutated in place, the other one set.") {
    run in
    let child = Node(10)
    let (root, log) = (Node(1, child: child), Log<Int>())
    let token = watch(root, \.friendly, log)
    root.friend = child
    root.other = 0
    run.thread { root.number += 1 }
    run.thread { child.number = 20 }
    run.check {
      expectHeard(log, 22)
      end([token], of: root, child)
    }
  },

  Program("mutate-first-observed", "A mutation in place begins before the object's key is observed, and ends after.") {
    run in
    let (node, log) = (Node(), Log<Int>())
    let began = Signal()
    var token: NSKeyValueObservation?
    let observed = Signal()
    run.thread {
      modify(&node.items) {
        began.send()
        observed.wait()
        $0.append(1)
      }
    }
    run.thread {
      began.wait()
      token = node.observe(\.items, options: []) { _, _ in log.record(1) }
      observed.send()
    }
    run.check {
      expect(log.all, equals: [1])
      end([token!], of: node)
    }
  },
]

/// Mutates a property in place, for as long as `body` runs.
private func modify<Value>(_ value: inout Value, _ body: (inout Value) -> Void) { body(&value) }
