import KVOController

/// Programs about setting, observing, and ending.
let settingPrograms: [Program] = [
  Program("set-and-end", "After the end of an observation its handler isn't called again.") { run in
    let (node, log) = (Node(), Log<Int>())
    let token = watch(node, \.number, log)
    run.thread {
      node.number = 1
      node.number = 2
    }
    run.thread {
      token.invalidate()
      let count = log.count
      point()
      // A call that has begun already may be recorded yet, but none that begins later.
      expect(log.count <= count + 1, "two calls after the end")
    }
    run.check {
      expect(log.all, equals: [], [1], [2], [1, 2])
      end([token], of: node)
    }
  },

  Program("set-and-observe", "Who observes an observed object hears each value, initially or as a change.") { run in
    let (node, log, other) = (Node(), Log<Int>(), Log<Int>())
    let keeping = watch(node, \.other, other)
    var token: NSKeyValueObservation?
    run.thread { node.number = 1 }
    run.thread { token = watch(node, \.number, log, [.initial, .new]) }
    run.check {
      expectHeard(log, 1)
      expect(log.count <= 2, "a change is delivered twice: \(log.all)")
      expectHeard(log, 2) { node.number = 2 }
      end([keeping, token!], of: node)
    }
  },

  Program("set-two-properties", "Changes of two properties on two threads are both heard.") { run in
    let (node, log) = (Node(), Log<Int>())
    let tokens = [watch(node, \.number, log), watch(node, \.other, log)]
    run.thread { node.number = 1 }
    run.thread { node.other = 2 }
    run.check {
      expect(log.all.sorted(), equals: [1, 2])
      end(tokens, of: node)
    }
  },

  Program("set-one-property", "Two threads that set an Int spoil its value at most: each set is one call.") { run in
    let (node, log) = (Node(), Log<Int>())
    let token = node.observe(\.number, options: [.old, .new]) { _, change in
      log.record(change.newValue! * 10 + change.oldValue!)
    }
    run.thread { node.number = 1 }
    run.thread { node.number = 2 }
    run.check {
      expect(log.count, equals: 2, as: "the number of calls")
      end([token], of: node)
    }
  },

  Program("first-observers", "Two threads may be the first to observe an object.") { run in
    let (node, log) = (Node(), Log<Int>())
    var tokens: [NSKeyValueObservation?] = [nil, nil]
    run.thread { tokens[0] = watch(node, \.number, log) }
    run.thread { tokens[1] = watch(node, \.number, log) }
    run.check {
      node.number = 1
      expect(log.all, equals: [1, 1])
      end(tokens.map { $0! }, of: node)
    }
  },

  Program("first-and-last", "One observation ends while another begins: the object stays observed.") { run in
    let (node, log) = (Node(), Log<Int>())
    let first = watch(node, \.number, log)
    var second: NSKeyValueObservation?
    run.thread { first.invalidate() }
    run.thread { second = watch(node, \.other, log) }
    run.check {
      expectHeard(log, 1) { node.other = 1 }
      end([second!], of: node)
    }
  },

  Program("end-two", "Two observations end on two threads: the object isn't observed afterwards.") { run in
    let (node, log) = (Node(), Log<Int>())
    let tokens = [watch(node, \.number, log), watch(node, \.number, log)]
    for token in tokens { run.thread { token.invalidate() } }
    run.check {
      expectSilence(log) { node.number = 1 }
      end(tokens, of: node)
    }
  },

  Program("end-one-twice", "One observation is ended by two threads.") { run in
    let (node, log) = (Node(), Log<Int>())
    let token = watch(node, \.number, log)
    for _ in 0..<2 { run.thread { token.invalidate() } }
    run.thread { node.number = 1 }
    run.check {
      expect(log.all, equals: [], [1])
      end([token], of: node)
    }
  },

  Program("end-in-delivery", "Of three observers one ends during a delivery: the others hear the change once.") { run in
    let (node, logs) = (Node(), [Log<Int>(), Log<Int>(), Log<Int>()])
    let tokens = logs.map { watch(node, \.number, $0) }
    run.thread { node.number = 1 }
    run.thread { tokens[1].invalidate() }
    run.check {
      expect(logs[0].all, equals: [1])
      expect(logs[1].all, equals: [], [1])
      expect(logs[2].all, equals: [1])
      end(tokens, of: node)
    }
  },

  Program("set-in-handler", "A handler sets another property, while a third one is set on another thread.") { run in
    let (node, log) = (Node(), Log<Int>())
    let outer = node.observe(\.number, options: .new) { node, change in
      node.other = change.newValue! + 10
      log.record(change.newValue!)
    }
    let inner = watch(node, \.other, log)
    run.thread { node.number = 1 }
    run.thread { node.items = [1] }
    run.check {
      expect(log.all, equals: [11, 1])
      end([outer, inner], of: node)
    }
  },

  Program("newest-value", "A handler that comes later hears the value that an earlier one has set.") { run in
    let (node, log) = (Node(), Log<Int>())
    let first = watch(node, \.number, log)
    let last = node.observe(\.number, options: .new) { node, change in
      if change.newValue == 1 { node.number = 5 }
    }
    var other: NSKeyValueObservation?
    run.thread { node.number = 1 }
    run.thread { other = watch(node, \.other, log) }
    run.check {
      expect(log.all, equals: [5, 5])
      end([first, last, other!], of: node)
    }
  },

  Program("prior", "A prior call has its partner, and is made before the change.") { run in
    let (node, log) = (Node(), Log<Int>())
    let token = node.observe(\.number, options: [.prior, .old, .new]) { node, change in
      log.record(change.isPrior ? -change.oldValue! - 1 : change.newValue!)
    }
    var late: NSKeyValueObservation?
    run.thread { node.number = 1 }
    run.thread { late = watch(node, \.other, log) }
    run.check {
      expect(log.all, equals: [-1, 1])
      end([token, late!], of: node)
    }
  },

  Program("late-and-prior", "Who observes between a prior call and the change hears the change.") { run in
    let (node, log) = (Node(), Log<Int>())
    let token = node.observe(\.number, options: [.prior]) { _, _ in point() }
    var late: NSKeyValueObservation?
    run.thread { node.number = 1 }
    run.thread { late = watch(node, \.number, log, [.initial, .new]) }
    run.check {
      expectHeard(log, 1)
      end([token, late!], of: node)
    }
  },

  Program("old-values", "An old value is the one before the change, whoever observes meanwhile.") { run in
    let (node, log) = (Node(), Log<Int>())
    let keeping = watch(node, \.sum, Log<Int>())
    var late: NSKeyValueObservation?
    run.thread { node.number = 1 }
    run.thread {
      late = node.observe(\.number, options: [.initial, .old, .new]) { _, change in
        log.record(change.newValue! * 10 + (change.oldValue ?? 9))
      }
    }
    run.check {
      // Either the initial value is the new one, or the change is heard with the former one.
      expect(log.all.contains(19) || log.all.contains(10), "the change was not heard: \(log.all)")
      expect(!log.all.contains(11), "the new value is heard as the old one: \(log.all)")
      end([keeping, late!], of: node)
    }
  },

  Program("objects-as-values", "A former value is released without a lock, while another thread observes.") { run in
    let (node, log) = (Node(), Log<Int>())
    node.token = Token(1)
    let keeping = watch(node, \.other, log)
    var token: NSKeyValueObservation?
    run.thread { node.token = Token(2) }
    run.thread {
      token = node.observe(\.token, options: [.initial, .old, .new]) { _, change in
        log.record((change.newValue!)!.number)
      }
    }
    run.check {
      expectHeard(log, 2)
      end([keeping, token!], of: node)
    }
  },

  Program("objects-with-prior", "A former value is released without a lock, after a prior call too.") { run in
    let (node, log) = (Node(), Log<Int>())
    node.token = Token(1)
    let token = node.observe(\.token, options: .prior) { _, _ in log.record(1) }
    run.thread { node.token = Token(2) }
    run.thread { node.other = 1 }
    run.check {
      expect(log.all, equals: [1, 1])
      end([token], of: node)
    }
  },

  Program("end-before-call", "A handler that ends a later one's observation silences it for the change under way.") {
    run in
    let (node, log) = (Node(), Log<Int>())
    // Explored threads run one at a time.
    nonisolated(unsafe) let earlier = watch(node, \.number, log)
    let last = node.observe(\.number, options: []) { _, _ in earlier.invalidate() }
    run.thread { node.number = 1 }
    run.thread { node.other = 1 }
    run.check {
      expect(log.all, equals: [])
      end([earlier, last], of: node)
    }
  },
]
