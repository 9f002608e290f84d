import KVOController

extension Group {
  /// Operations on several threads at once. Each has an object of its own, unless the case says that they share one.
  ///
  /// The time is that of the race by the rounds of all its threads: half as much on two threads as on one, if neither
  /// waits for the other.
  static var threads: Group {
    Group("sets on several threads", isCountable: false) {
      Case.race("block", fasterBy: 1.8) { _ in .blockSet(Model(), Watcher()) }
      Case.race("typed handler", fasterBy: 1.8) { _ in .typedSet(Model(), Watcher()) }
      Case.race("hand") { _ in
        let model = Hand(), watcher = Watcher()
        model.handlers.append { _, _, new in watcher.take(new) }
        return Loop(telling: watcher) { for value in 0..<$0 { model.number = value; barrier() } }
      }
      Case.race("own NotificationCenters") { _ in .notificationSet(.init()) }
      Case.race("one NotificationCenter", sharing: NotificationCenter()) { center, _ in
        .notificationSet(center)
      }
      Case.race("block, one object", sharing: Wide()) { .wideSet($0, thread: $1) }
      Case.race("observe + unobserve") { _ in .registration(Model()) }
      Case.race("observe + unobserve, one object", sharing: Model()) { model, _ in .registration(model) }
    }
  }
}

extension Case {
  fileprivate static func race(
    _ name: String, fasterBy speedup: Double? = nil, loop: @escaping (_ thread: Int) -> Loop
  ) -> [Case] {
    race(name, fasterBy: speedup, sharing: ()) { _, thread in loop(thread) }
  }

  /// The same on 1, 2 and 4 threads.
  fileprivate static func race<Shared>(
    _ name: String, fasterBy speedup: Double? = nil, sharing share: @autoclosure @escaping () -> Shared,
    loop: @escaping (_ shared: Shared, _ thread: Int) -> Loop
  ) -> [Case] {
    let first = "\(name), 1 thread"
    return [
      Case(first, threads: 1, sharing: share, loop: loop),
      Case("\(name), 2 threads", .beside(first, fasterBy: speedup), threads: 2, sharing: share, loop: loop),
      Case("\(name), 4 threads", .beside(first), threads: 4, sharing: share, loop: loop),
    ]
  }
}

extension Loop {
  fileprivate static func blockSet(_ model: Model, _ watcher: Watcher) -> Loop {
    watcher.observe(model, "number")
    return .setting(model, telling: watcher)
  }

  fileprivate static func typedSet(_ model: Model, _ watcher: Watcher) -> Loop {
    watcher.kvoController.observe(model, \.number) { (watcher: Watcher, _, change) in
      watcher.take(change.newValue ?? 0)
    }
    return .setting(model, telling: watcher)
  }

  fileprivate static func notificationSet(_ center: NotificationCenter) -> Loop {
    let model = Posting(center), watcher = Watcher()
    let token = model.add(watcher, object: model)
    return Loop(keeping: token, telling: watcher) { for value in 0..<$0 { model.number = value; barrier() } }
  }

  fileprivate static func wideSet(_ model: Wide, thread: Int) -> Loop {
    let watcher = Watcher()
    watcher.observe(model, "number\(thread)")
    return Loop(telling: watcher) {
      switch thread {
      case 0: for value in 0..<$0 { model.number0 = value; barrier() }
      case 1: for value in 0..<$0 { model.number1 = value; barrier() }
      case 2: for value in 0..<$0 { model.number2 = value; barrier() }
      default: for value in 0..<$0 { model.number3 = value; barrier() }
      }
    }
  }

  fileprivate static func registration(_ model: Model) -> Loop {
    let watcher = Watcher()
    let controller = watcher.kvoController
    return Loop {
      for _ in 0..<$0 {
        watcher.observe(model, "number")
        controller.unobserve(model, keyPath: "number")
      }
    }
  }
}
