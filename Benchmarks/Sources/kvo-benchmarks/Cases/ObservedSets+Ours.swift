import KVOController

extension Case {
  static var typedSets: [Case] {
    [
      Case(
        "typed handler", .beside("hand", atMost: 4), .beside("withObservationTracking, re-armed"),
        .beside("NotificationCenter.post")
      ) {
        let model = Model(), watcher = Watcher()
        watcher.kvoController.observe(model, \.number) { (watcher: Watcher, _, change) in
          watcher.take(change.newValue ?? 0)
        }
        return .setting(model, telling: watcher)
      },
      Case("typed handler without the observer", .beside("hand", atMost: 4)) {
        let model = Model(), watcher = Watcher()
        let controller = KVOController(observer: watcher)
        controller.observe(model, \.number) { _, change in watcher.take(change.newValue ?? 0) }
        return .setting(model, telling: watcher, keeping: controller)
      },
      Case("typed handler, []", .beside("hand")) {
        let model = Model(), watcher = Watcher()
        watcher.kvoController.observe(model, \.number, options: []) { (watcher: Watcher, model, _) in
          watcher.take(model.number)
        }
        return .setting(model, telling: watcher)
      },
      // The value that is there is compared with, and replaced.
      Case("bound property", .beside("typed handler", atMost: 6)) {
        let model = Model(), watcher = Watcher()
        watcher.bind(model, \.number, to: \.bound)
        return .setting(model, telling: nil, keeping: watcher)
      },
      // Registered on the main actor and set there, as views do: called before the setter returns.
      Case("typed handler of the main actor", .beside("hand", atMost: 5)) {
        // The program runs on the main thread only.
        nonisolated(unsafe) let model = Model(), watcher = Watcher()
        MainActor.assumeIsolated { watcher.observe(model) }
        return .setting(model, telling: watcher)
      },
      Case("typed handler of the main actor, without the observer", .beside("hand", atMost: 5)) {
        nonisolated(unsafe) let model = Model(), watcher = Watcher()
        nonisolated(unsafe) let controller = KVOController(observer: watcher)
        MainActor.assumeIsolated {
          _ = controller.observe(model, \.number) { _, change in watcher.take(change.newValue ?? 0) }
        }
        return .setting(model, telling: watcher, keeping: controller)
      },
      // The sequence isn't read meanwhile, so each value replaces the one before.
      Case("values, the newest one waiting", .beside("hand")) {
        let model = Model(), watcher = Watcher()
        let values = watcher.kvoController.values(of: model, \.number, bufferingPolicy: .bufferingNewest(1))
        return .setting(model, telling: nil, keeping: watcher, values)
      },
      Case("another property", .beside("hand", atMost: 1.5)) {
        let model = Wide(), watcher = Watcher()
        watcher.kvoController.observe(model, \.number0) { (watcher: Watcher, _, change) in
          watcher.take(change.newValue ?? 0)
        }
        return Loop(keeping: watcher) { for value in 0..<$0 { model.number1 = value; barrier() } }
      },
    ]
  }

  static var blockSets: [Case] {
    [
      Case(
        "block", .beside("NotificationCenter.post with userInfo", atMost: 0.22), .beside("NotificationCenter.post"),
        .beside("hand")
      ) {
        let model = Model(), watcher = Watcher()
        watcher.kvoController.observe(model, keyPath: "number", options: [.old, .new]) { watcher, _, _ in
          (watcher as? Watcher)?.take(1)
        }
        return .setting(model, telling: watcher)
      },
      Case("block that reads the new value", .beside("NotificationCenter.post with userInfo", atMost: 0.22)) {
        let model = Model(), watcher = Watcher()
        watcher.kvoController.observe(model, keyPath: "number", options: [.old, .new]) { watcher, _, change in
          (watcher as? Watcher)?.take(change[.newKey] as? Int ?? 0)
        }
        return .setting(model, telling: watcher)
      },
      Case("block, []", .beside("hand")) {
        let model = Model(), watcher = Watcher()
        watcher.kvoController.observe(model, keyPath: "number") { watcher, _, _ in (watcher as? Watcher)?.take(1) }
        return .setting(model, telling: watcher)
      },
    ]
  }

  /// Key-Value Observing itself, without a controller.
  static var rawSet: [Case] {
    [
      Case("addObserver", .beside("hand"), .beside("NotificationCenter.post")) {
        let model = Model(), watcher = Watcher()
        model.addObserver(watcher, forKeyPath: "number", options: [.old, .new], context: nil)
        return .setting(model, telling: watcher)
      },
      Case("Foundation's observe(\\.number)", .beside("hand"), .beside("NotificationCenter.post")) {
        let model = Model()
        // All sets are made on this thread.
        nonisolated(unsafe) let watcher = Watcher()
        let observation = model.observe(\.number, options: [.old, .new]) { _, change in
          watcher.take(change.newValue ?? 0)
        }
        return .setting(model, telling: watcher, keeping: observation)
      },
    ]
  }
}

extension Watcher {
  /// Takes the new number, by a typed handler in the isolation of the caller.
  fileprivate func observe(_ model: Model, isolation: isolated (any Actor)? = #isolation) {
    kvoController.observe(model, \.number) { (watcher: Watcher, _, change) in watcher.take(change.newValue ?? 0) }
  }
}
