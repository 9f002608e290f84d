import KVOController

extension Group {
  /// One observation from beginning to end while more and more others exist, of objects and observers of their own.
  static var manyObservations: Group {
    Group("observe, set, unobserve, beside others", isCountable: false) {
      Case.whole(beside: 0)
      Case.whole(beside: 1_000, .beside("beside 0"))
      Case.whole(beside: 100_000, .beside("beside 0"))
      Case.whole(beside: 1_000_000, .beside("beside 0"))
    }
  }
}

extension Case {
  /// A controller observes a thousand of the others.
  fileprivate static func whole(beside count: Int, _ comparisons: Comparison...) -> Case {
    Case("beside \(count.grouped)", comparisons) {
      let watchers = (0..<(count + 999) / 1_000).map { _ in Watcher() }
      let models = (0..<count).map { _ in Model() }
      for (number, model) in models.enumerated() { watchers[number / 1_000].observe(model, "number") }

      let model = Model(), watcher = Watcher()
      let controller = watcher.kvoController
      return Trial(
        Loop(keeping: models, watchers, telling: watcher) {
          for value in 0..<$0 {
            watcher.observe(model, "number")
            model.number = value
            controller.unobserve(model, keyPath: "number")
          }
        })
    }
  }
}
