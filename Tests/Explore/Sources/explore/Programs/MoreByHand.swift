import Foundation
import KVOController
import Scheduler

/// More programs about changes by hand, coding, and proxies.
let moreByHandPrograms: [Program] = [
  Program("pairs-on-two-threads", "Two threads make pairs of two keys of one object.") { run in
    let (node, log) = (Node(), Log<Int>())
    let tokens = [watch(node, \.manual, log), watch(node, \.number, log)]
    run.thread {
      node.willChangeValue(forKey: "manual")
      node.manual = 1
      node.didChangeValue(forKey: "manual")
    }
    run.thread {
      node.willChangeValue(forKey: "tags")
      node.didChangeValue(forKey: "tags")
      node.number = 2
    }
    run.check {
      expect(log.all.sorted(), equals: [1, 2])
      end(tokens, of: node)
    }
  },

  Program("did-without-will", "didChange without willChange sends nothing, and doesn't end another thread's pair.") {
    run in
    let (node, log) = (Node(), Log<Int>())
    let token = watch(node, \.manual, log)
    run.thread {
      node.willChangeValue(forKey: "manual")
      node.manual = 1
      node.didChangeValue(forKey: "manual")
    }
    run.thread { node.didChangeValue(forKey: "manual") }
    run.check {
      expect(log.all, equals: [1])
      end([token], of: node)
    }
  },

  Program("two-pairs-of-one-key", "Two threads make pairs of one key: each has the old value of its own willChange.") {
    run in
    let node = Node()
    var (first, second): (Int?, Int?)
    let token = node.observe(\.manual, options: .old) { _, change in
      if explore_thread() == 0 { first = change.oldValue } else { second = change.oldValue }
    }
    run.thread {
      node.willChangeValue(forKey: "manual")
      node.manual = 1
      node.didChangeValue(forKey: "manual")
    }
    run.thread {
      node.willChangeValue(forKey: "manual")
      node.didChangeValue(forKey: "manual")
    }
    run.check {
      expect(first, equals: 0, as: "the old value of the thread that sets")
      expect(second, equals: 0, 1, as: "the old value of the other thread")
      end([token], of: node)
    }
  },

  Program("pair-and-path", "A path is led, on another thread, to an object whose key is between will and did.") { run in
    let leaf = Node()
    let (root, log) = (Node(child: nil), Log<Int>())
    let keeping = watch(leaf, \.other, Log<Int>())
    let token = watch(root, \.child?.manual, log)
    run.thread {
      leaf.willChangeValue(forKey: "manual")
      leaf.manual = 1
      leaf.didChangeValue(forKey: "manual")
    }
    run.thread { root.child = leaf }
    run.check {
      expectHeard(log, 1)
      end([keeping, token], of: root, leaf)
    }
  },

  Program("pair-of-dependency", "A pair of a dependency, and who observes the dependent key meanwhile.") { run in
    let (node, log) = (Node(), Log<Int>())
    let keeping = watch(node, \.other, log)
    var token: NSKeyValueObservation?
    run.thread {
      node.willChangeValue(forKey: "manual")
      node.manual = 1
      node.didChangeValue(forKey: "manual")
    }
    run.thread { token = watch(node, \.manualPlus, log, [.initial, .new]) }
    run.check {
      expectHeard(log, 2)
      end([keeping, token!], of: node)
    }
  },

  Program("code-and-set", "One property is coded while another one that affects the same key is set.") { run in
    let (node, log) = (Node(), Log<Int>())
    let token = watch(node, \.sum, log)
    run.thread { node.setValue(1, forKey: "number") }
    run.thread { node.other = 10 }
    run.check {
      expectHeard(log, 11)
      expect(log.count, equals: 2, as: "the number of calls")
      end([token], of: node)
    }
  },

  Program("code-listed-and-end", "A listed key is coded while its observation ends: one call or none.") { run in
    let (node, log) = (Node(), Log<Int>())
    let token = watch(node, \.listed, log)
    run.thread { node.setValue(1, forKey: "listed") }
    run.thread { token.invalidate() }
    run.check {
      expect(log.all, equals: [], [1])
      end([token], of: node)
    }
  },

  Program("code-and-read", "A property is read by coding while it is set: the former value or the new one.") { run in
    let (node, log) = (Node(1), Log<Int>())
    let token = watch(node, \.number, log)
    var read = 0
    run.thread { node.number = 2 }
    run.thread { read = node.value(forKey: "number") as! Int }
    run.check {
      expect(read, equals: 1, 2, as: "the value that was read")
      end([token], of: node)
    }
  },

  Program("proxy-and-end", "An element is inserted by a proxy while the observation ends.") { run in
    let (node, log) = (Node(), Log<Int>())
    let token = node.observe(\.items, options: .new) { _, change in
      log.record(change.kind == .insertion ? change.newValue!.count : -1)
    }
    run.thread { node.mutableArrayValue(forKey: "items").add(1) }
    run.thread { token.invalidate() }
    run.check {
      expect(log.all, equals: [], [1])
      expect(node.items, equals: [1], as: "items")
      end([token], of: node)
    }
  },

  Program("proxy-and-observe", "An observation begins while an element is inserted by a proxy.") { run in
    let (node, log) = (Node(), Log<Int>())
    let keeping = watch(node, \.other, log)
    var token: NSKeyValueObservation?
    run.thread { node.mutableArrayValue(forKey: "items").add(1) }
    run.thread { token = node.observe(\.items, options: []) { _, _ in log.record(1) } }
    run.check {
      expect(log.count <= 1, "two calls")
      expect(node.items, equals: [1], as: "items")
      end([keeping, token!], of: node)
    }
  },

  Program("proxies-of-two", "Two threads insert into two collections of one object.") { run in
    let (node, log) = (Node(), Log<Int>())
    let tokens = [
      node.observe(\.items, options: .new) { _, _ in log.record(1) },
      node.observe(\.tags, options: .new) { _, _ in log.record(2) },
    ]
    run.thread { node.mutableArrayValue(forKey: "items").add(1) }
    run.thread { node.mutableSetValue(forKey: "tags").add(2) }
    run.check {
      expect(log.all.sorted(), equals: [1, 2])
      expect(node.tags, equals: [2], as: "tags")
      end(tokens, of: node)
    }
  },

  Program("proxy-and-dependent", "A key depends on a collection, which a proxy changes while another one is set.") {
    run in
    let (node, log) = (Node(), Log<Int>())
    let token = watch(node, \.countAndOther, log)
    run.thread { node.mutableArrayValue(forKey: "items").add(1) }
    run.thread { node.other = 10 }
    run.check {
      expectHeard(log, 11)
      end([token], of: node)
    }
  },
]
