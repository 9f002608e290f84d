import KVOController

extension Group {
  /// A set that notifies several controllers, each with its own observer.
  static var severalObservers: Group {
    Group("set, several observers") {
      Case.blockSet(controllers: 1)
      Case.blockSet(controllers: 10, .beside("block, 1 controller", atMost: 10))
      Case.blockSet(controllers: 100, .beside("block, 1 controller", atMost: 100))
      Case.typedSet(controllers: 1)
      Case.typedSet(controllers: 10, .beside("typed handler, 1 controller"), .beside("hand, 10 handlers"))
      Case.typedSet(controllers: 100, .beside("typed handler, 1 controller"), .beside("hand, 100 handlers"))
      Case.handSet(handlers: 10)
      Case.handSet(handlers: 100)
      Case.notificationSet(blocks: 10)
      Case.notificationSet(blocks: 100)
    }
  }
}

extension Case {
  static func blockSet(controllers count: Int, _ comparisons: Comparison...) -> Case {
    Case("block, \(count) controller\(count == 1 ? "" : "s")", comparisons) {
      let model = Model(), watchers = (0..<count).map { _ in Watcher() }
      for watcher in watchers {
        watcher.kvoController.observe(model, keyPath: "number", options: [.old, .new]) { watcher, _, _ in
          (watcher as? Watcher)?.take(1)
        }
      }
      return Trial(.setting(model, telling: watchers[0], keeping: watchers))
    }
  }

  static func typedSet(controllers count: Int, _ comparisons: Comparison...) -> Case {
    Case("typed handler, \(count) controller\(count == 1 ? "" : "s")", comparisons) {
      let model = Model(), watchers = (0..<count).map { _ in Watcher() }
      for watcher in watchers {
        watcher.kvoController.observe(model, \.number) { (watcher: Watcher, _, change) in
          watcher.take(change.newValue ?? 0)
        }
      }
      return Trial(.setting(model, telling: watchers[0], keeping: watchers))
    }
  }

  static func handSet(handlers count: Int) -> Case {
    Case("hand, \(count) handlers") {
      let model = Hand(), watchers = (0..<count).map { _ in Watcher() }
      for watcher in watchers { model.handlers.append { _, _, new in watcher.take(new) } }
      return Loop(telling: watchers[0]) { for value in 0..<$0 { model.number = value; barrier() } }
    }
  }

  static func notificationSet(blocks count: Int) -> Case {
    Case("NotificationCenter.post, \(count) blocks") {
      let model = Posting(), watchers = (0..<count).map { _ in Watcher() }
      let tokens = watchers.map { model.add($0, object: model) }
      return Loop(keeping: tokens, telling: watchers[0]) { for value in 0..<$0 { model.number = value; barrier() } }
    }
  }
}
