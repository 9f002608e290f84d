import KVOController

extension Group {
  /// Key paths of more and more components, from `number` to `next.next.next.next.next.next.next.number`.
  static var depths: Group {
    Group(
      "key path of many components",
      (1...8).map(Case.leafSet(depth:)) + (2...8).map(Case.headReplacement(depth:))
        + [1, 2, 4, 8].map(Case.observing(depth:)))
  }
}

extension Case {
  private static func keyPath(_ depth: Int) -> String {
    String(repeating: "next.", count: depth - 1) + "number"
  }

  fileprivate static func leafSet(depth: Int) -> Case {
    Case("leaf set, depth \(depth)", depth == 1 ? [] : [.beside("leaf set, depth 1")]) {
      let head = Node(depth: depth), watcher = Watcher()
      let leaf = head.leaf
      watcher.observe(head, keyPath(depth))
      return Trial(Loop(keeping: head, telling: watcher) { for value in 0..<$0 { leaf.number = value; barrier() } })
    }
  }

  fileprivate static func headReplacement(depth: Int) -> Case {
    Case("head replaced, depth \(depth)", [.beside("leaf set, depth 1")]) {
      let head = Node(), watcher = Watcher()
      let rests = [Node(depth: depth - 1), Node(depth: depth - 1)]
      watcher.observe(head, keyPath(depth))
      return Trial(Loop(telling: watcher) { for value in 0..<$0 { head.next = rests[value & 1]; barrier() } })
    }
  }

  fileprivate static func observing(depth: Int) -> Case {
    Case("observe + unobserve, depth \(depth)", depth == 1 ? [] : [.beside("observe + unobserve, depth 1")]) {
      let head = Node(depth: depth), watcher = Watcher()
      let controller = watcher.kvoController, keyPath = keyPath(depth)
      return Trial(
        Loop {
          for _ in 0..<$0 {
            watcher.observe(head, keyPath)
            controller.unobserve(head, keyPath: keyPath)
          }
        })
    }
  }
}
