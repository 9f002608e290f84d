import KVOController

extension Group {
  /// A set of a property on which other keys depend, which are observed by blocks.
  static var dependents: Group {
    Group("set, with dependent keys") {
      Case("the key itself") {
        let model = Dependent(), watcher = Watcher()
        watcher.observe(model, "number")
        return .setting(model, telling: watcher)
      }
      [1, 2, 4, 8].map(Case.chain)
      [1, 2, 4, 8].map(Case.fan)
      Case("observe + unobserve, the key itself") { .observing("number") }
      Case("observe + unobserve, chain of 1", .beside("observe + unobserve, the key itself")) { .observing("chain1") }
      Case("observe + unobserve, chain of 8", .beside("observe + unobserve, the key itself")) { .observing("chain8") }
    }
  }
}

extension Case {
  /// One key is observed, so many dependencies away.
  fileprivate static func chain(_ count: Int) -> Case {
    Case("chain of \(count)", .beside("the key itself")) {
      let model = Dependent(), watcher = Watcher()
      watcher.observe(model, "chain\(count)")
      return .setting(model, telling: watcher)
    }
  }

  /// So many keys are observed.
  fileprivate static func fan(_ count: Int) -> Case {
    Case("fan of \(count)", .beside("the key itself")) {
      let model = Dependent(), watcher = Watcher()
      for number in 1...count { watcher.observe(model, "fan\(number)") }
      return .setting(model, telling: watcher, times: count)
    }
  }
}

extension Loop {
  fileprivate static func setting(_ model: Dependent, telling watcher: Watcher, times: Int = 1) -> Loop {
    Loop(telling: watcher, times: times) { for value in 0..<$0 { model.number = value; barrier() } }
  }

  fileprivate static func observing(_ key: String) -> Loop {
    let model = Dependent(), watcher = Watcher()
    let controller = watcher.kvoController
    return Loop {
      for _ in 0..<$0 {
        watcher.observe(model, key)
        controller.unobserve(model, keyPath: key)
      }
    }
  }
}
