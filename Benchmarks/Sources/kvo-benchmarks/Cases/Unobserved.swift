import OtherModule

extension Group {
  /// The cost of a property that isn't observed.
  static var unobserved: Group {
    Group("unobserved property") {
      Case("set, plain") {
        let model = Plain()
        return Loop { for value in 0..<$0 { model.number = value; barrier() } }
      }
      Case("set", .beside("set, plain", atMost: 1.2), .beside("set, @Observable")) {
        let model = Model()
        return Loop { for value in 0..<$0 { model.number = value; barrier() } }
      }
      Case("set, after the last observer", .beside("set, plain", atMost: 1.5)) {
        let model = Model(), watcher = Watcher()
        watcher.kvoController.observe(model, keyPath: "number") { _, _, _ in }
        watcher.kvoController.unobserveAll()
        return Loop { for value in 0..<$0 { model.number = value; barrier() } }
      }
      Case("set, hand", .beside("set, plain")) {
        let model = Hand()
        return Loop { for value in 0..<$0 { model.number = value; barrier() } }
      }
      Case("set, @Observable", .beside("set, plain")) {
        let model = Tracked()
        return Loop { for value in 0..<$0 { model.number = value; barrier() } }
      }
      // In a function of its own, each access is checked for exclusivity, unless the optimizer sees all uses of the property.
      Case("set, one a call, plain") {
        let model = Plain()
        return Loop { for value in 0..<$0 { set(model, value) } }
      }
      Case("set, one a call, public plain") {
        let model = PublicPlain()
        return Loop { for value in 0..<$0 { set(model, value) } }
      }
      Case(
        "set, one a call", .beside("set, one a call, public plain", atMost: 1.1), .beside("set, one a call, plain")
      ) {
        let model = Model()
        return Loop { for value in 0..<$0 { set(model, value) } }
      }
      Case("set, one a call, public", .beside("set, one a call, public plain", atMost: 1.1)) {
        let model = PublicModel()
        return Loop { for value in 0..<$0 { set(model, value) } }
      }
      Case("element set, one a call, plain") {
        let list = PlainList()
        list.items = [0]
        return Loop { for value in 0..<$0 { setFirst(of: list, value) } }
      }
      Case("element set, one a call", .beside("element set, one a call, plain")) {
        let list = ListModel()
        list.items = [0]
        return Loop { for value in 0..<$0 { setFirst(of: list, value) } }
      }
      Case("get, plain") {
        let model = Plain()
        return Loop { for _ in 0..<$0 { use(model.number); barrier() } }
      }
      Case("get", .beside("get, plain", atMost: 1.2), .beside("get, @Observable")) {
        let model = Model()
        return Loop { for _ in 0..<$0 { use(model.number); barrier() } }
      }
      Case("get, observed", .beside("get, plain")) {
        let model = Model(), watcher = Watcher()
        watcher.kvoController.observe(model, keyPath: "number") { _, _, _ in }
        return Loop(keeping: watcher) { for _ in 0..<$0 { use(model.number); barrier() } }
      }
      Case("get, one a call, plain") {
        let model = Plain()
        return Loop { for _ in 0..<$0 { use(number(of: model)) } }
      }
      Case("get, one a call, public plain") {
        let model = PublicPlain()
        return Loop { for _ in 0..<$0 { use(number(of: model)) } }
      }
      Case(
        "get, one a call", .beside("get, one a call, public plain", atMost: 1.1), .beside("get, one a call, plain")
      ) {
        let model = Model()
        return Loop { for _ in 0..<$0 { use(number(of: model)) } }
      }
      Case("get, one a call, public", .beside("get, one a call, public plain", atMost: 1.1)) {
        let model = PublicModel()
        return Loop { for _ in 0..<$0 { use(number(of: model)) } }
      }
      Case("get, @Observable", .beside("get, plain")) {
        let model = Tracked()
        return Loop { for _ in 0..<$0 { use(model.number); barrier() } }
      }
    }
  }
}

@inline(never)
private func set(_ model: Plain, _ value: Int) {
  model.number = value
}

@inline(never)
private func set(_ model: Model, _ value: Int) {
  model.number = value
}

@inline(never)
private func set(_ model: PublicPlain, _ value: Int) {
  model.number = value
}

@inline(never)
private func set(_ model: PublicModel, _ value: Int) {
  model.number = value
}

@inline(never)
private func number(of model: Plain) -> Int {
  model.number
}

@inline(never)
private func number(of model: Model) -> Int {
  model.number
}

@inline(never)
private func number(of model: PublicPlain) -> Int {
  model.number
}

@inline(never)
private func number(of model: PublicModel) -> Int {
  model.number
}

@inline(never)
private func setFirst(of list: PlainList, _ value: Int) {
  list.items[0] = value
}

@inline(never)
private func setFirst(of list: ListModel, _ value: Int) {
  list.items[0] = value
}
