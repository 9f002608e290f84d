import KVOController

extension Group {
  /// Handlers of an actor, and sequences.
  static var isolation: Group {
    Group("set, observer with an actor or a sequence") {
      Case("typed handler") {
        let model = Model(), watcher = Watcher()
        watcher.observe(model)
        return .setting(model, telling: watcher)
      }
      // Registered on the main actor and set there, as views do: called before the setter returns.
      Case("typed handler of the main actor, set there", .beside("typed handler")) {
        // The program runs on the main thread only.
        nonisolated(unsafe) let model = Model(), watcher = Watcher()
        MainActor.assumeIsolated { watcher.observe(model) }
        return .setting(model, telling: watcher)
      }
      // Nobody reads meanwhile; so each value takes the place of the one before.
      Case("values, the newest one waiting", .beside("typed handler")) {
        let model = Model(), watcher = Watcher()
        let values = watcher.kvoController.values(of: model, \.number, bufferingPolicy: .bufferingNewest(1))
        return .setting(model, telling: nil, keeping: watcher, values)
      }
    }
  }
}

extension Watcher {
  /// Takes the new number, by a typed handler in the isolation of the caller.
  func observe(_ model: Model, isolation: isolated (any Actor)? = #isolation) {
    kvoController.observe(model, \.number) { (watcher: Watcher, _, change) in watcher.take(change.newValue ?? 0) }
  }
}
