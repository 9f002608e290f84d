import KVOController

extension Group {
  /// The cost of a weak property that isn't observed.
  static var weakReferences: Group {
    Group("weak property") {
      Case("set, plain") {
        let model = PlainWeakModel(), first = Plain(), second = Plain()
        return Loop { for round in 0..<$0 { set(model, round & 1 == 0 ? first : second) } }
      }
      Case("set", .beside("set, plain", atMost: 1)) {
        let model = WeakModel(), first = Plain(), second = Plain()
        return Loop { for round in 0..<$0 { set(model, round & 1 == 0 ? first : second) } }
      }
      Case("get, plain") {
        let model = PlainWeakModel(), parent = Plain()
        model.parent = parent
        return Loop(keeping: parent) { for _ in 0..<$0 { use(number(of: model)) } }
      }
      Case("get", .beside("get, plain", atMost: 1)) {
        let model = WeakModel(), parent = Plain()
        model.parent = parent
        return Loop(keeping: parent) { for _ in 0..<$0 { use(number(of: model)) } }
      }
      Case("set, with a typed handler", .beside("set")) {
        let model = WeakModel(), first = Plain(), second = Plain(), watcher = Watcher()
        watcher.observe(model, \.parent) { watcher, _, _ in watcher.take(1) }
        return Loop(telling: watcher) { for round in 0..<$0 { set(model, round & 1 == 0 ? first : second) } }
      }
    }
  }
}

@inline(never)
private func set(_ model: PlainWeakModel, _ parent: Plain?) {
  model.parent = parent
}

@inline(never)
private func set(_ model: WeakModel, _ parent: Plain?) {
  model.parent = parent
}

@inline(never)
private func number(of model: PlainWeakModel) -> Int {
  model.parent?.number ?? 0
}

@inline(never)
private func number(of model: WeakModel) -> Int {
  model.parent?.number ?? 0
}
