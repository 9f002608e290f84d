import KVOController

extension Group {
  /// Changes that are made off the actor of their handler, by one thread, which then runs the actor's job. Part of the time passes
  /// on the threads of detached tasks, which bring the jobs.
  static var delivery: Group {
    Group("set off the actor") {
      Case("typed handler on any thread") {
        let model = Model(), watcher = Watcher()
        watcher.kvoController.observe(model, \.number) { (watcher: Watcher, _, change) in
          watcher.take(change.newValue ?? 0)
        }
        return .setting(model, telling: watcher)
      }
      Case.burst("bursts of 1,000, .each", of: 1, .beside("typed handler on any thread", atMost: 20))
      Case.burst("1,000 models, .each", of: 1000, .beside("typed handler on any thread"))
      Case(
        "a hop by Task", operations: 1000, prepare: { Listener.observing([], for: Watcher()) },
        work: { listener in
          for _ in 0..<1000 {
            Task.detached { await listener.hop() }
            listener.runJob()
          }
        })
      Case(
        "one change at a time, .each", .beside("a hop by Task", atMost: 2), operations: 1000,
        prepare: {
          let model = Model(), watcher = Watcher()
          return (model, watcher, Listener.observing([model], for: watcher))
        },
        work: { model, watcher, listener in
          for value in 0..<1000 {
            model.number = value
            while watcher.calls <= value { listener.runJob() }
          }
        })
      Case.waiting(".coalesced, while a call waits", options: [.old, .new])
      Case.waiting(".coalesced, while a call waits, without values", options: [])
    }
  }
}

extension Case {
  /// 1,000 changes, of one model or of several, which one job delivers.
  fileprivate static func burst(_ name: String, of count: Int, _ comparison: Comparison) -> Case {
    Case(
      name, comparison, operations: 1000,
      prepare: {
        let models = (0..<count).map { _ in Model() }, watcher = Watcher()
        return (models, watcher, Listener.observing(models, for: watcher))
      },
      work: { models, watcher, listener in
        for value in 0..<1000 { models[value % count].number = value; barrier() }
        while watcher.calls < 1000 { listener.runJob() }
      })
  }

  /// Changes while a coalesced call waits, which isn't made.
  fileprivate static func waiting(_ name: String, options: NSKeyValueObservingOptions) -> [Case] {
    [
      Case(name, [.beside("typed handler on any thread", atMost: 3)]) {
        let model = Model(), watcher = Watcher()
        let listener = Listener.observing([model], for: watcher, options: options, delivery: .coalesced)
        model.number = -1
        return Trial(.setting(model, telling: nil, keeping: listener, watcher))
      }
    ]
  }
}
