import KVOController

extension Group {
  /// Changes seen through a key path of two components: of its end, and of the object on the way.
  static var paths: Group {
    Group("child.number") {
      Case("block on number") {
        let node = Node(), watcher = Watcher()
        watcher.observe(node, "number")
        return Loop(telling: watcher) { for value in 0..<$0 { node.number = value; barrier() } }
      }
      Case("block, leaf set", .beside("block on number", atMost: 1.5)) {
        let child = Node(), node = Node(), watcher = Watcher()
        node.next = child
        watcher.observe(node, "next.number")
        return Loop(telling: watcher) { for value in 0..<$0 { child.number = value; barrier() } }
      }
      // By a new one, which was never observed.
      Case("block, child replaced", .beside("block on number", atMost: 10)) {
        let node = Node(), watcher = Watcher()
        watcher.observe(node, "next.number")
        return Loop(telling: watcher) { for _ in 0..<$0 { node.next = Node(); barrier() } }
      }
      Case("typed handler on number") {
        let node = Node(), watcher = Watcher()
        watcher.kvoController.observe(node, \.number) { (watcher: Watcher, _, _) in watcher.take(1) }
        return Loop(telling: watcher) { for value in 0..<$0 { node.number = value; barrier() } }
      }
      Case("typed handler, leaf set", .beside("typed handler on number", atMost: 1.5)) {
        let child = Node(), node = Node(), watcher = Watcher()
        node.next = child
        watcher.kvoController.observe(node, \.next?.number) { (watcher: Watcher, _, _) in watcher.take(1) }
        return Loop(telling: watcher) { for value in 0..<$0 { child.number = value; barrier() } }
      }
      Case("typed handler, child replaced", .beside("typed handler on number", atMost: 40)) {
        let node = Node(), watcher = Watcher()
        node.next = Node()
        watcher.kvoController.observe(node, \.next?.number) { (watcher: Watcher, _, _) in watcher.take(1) }
        return Loop(telling: watcher) { for _ in 0..<$0 { node.next = Node(); barrier() } }
      }
    }
  }
}

extension Watcher {
  /// Takes 1 for each change, by a block.
  func observe(_ object: KeyValueObject, _ keyPath: String, options: NSKeyValueObservingOptions = [.old, .new]) {
    kvoController.observe(object, keyPath: keyPath, options: options) { watcher, _, _ in
      (watcher as? Watcher)?.take(1)
    }
  }
}
