import KVOController

extension Group {
  /// A change of a property that isn't `@Observed`: of a model with a lock, and of what is computed from others.
  static var computedSets: Group {
    Group("set, computed") {
      Case("model with a lock, unobserved") {
        let model = Locked()
        return Loop { for value in 0..<$0 { model.set(value); barrier() } }
      }
      Case.locked("model with a lock") { Locked() }
      Case.locked("model with a lock, by hand") { LockedByHand() }
      Case("property of two keys") {
        let model = Computed(), watcher = Watcher()
        watcher.observe(model, \.area)
        return Loop(telling: watcher) { for value in 0..<$0 { model.width = value; barrier() } }
      }
      Case("listed property of two keys") {
        let model = ListedArea(), watcher = Watcher()
        watcher.observe(model, \.area)
        return Loop(telling: watcher) { for value in 0..<$0 { model.width = value; barrier() } }
      }
      Case("read a sum of 1,000 elements") {
        let model = Computed(count: 1_000)
        return Loop { for _ in 0..<$0 { use(model.sum); barrier() } }
      }
      Case("an element of a sum of 1,000", .beside("read a sum of 1,000 elements", atMost: 12)) {
        let model = Computed(count: 1_000), watcher = Watcher()
        let part = model.parts[500]
        watcher.observe(model, \.sum)
        return Loop(keeping: model, telling: watcher) { for value in 0..<$0 { part.number = value; barrier() } }
      }
    }
  }
}

extension Case {
  /// A model with a lock is set on the thread of its observer, and off a busy actor that observes it.
  fileprivate static func locked(_ name: String, _ make: @escaping () -> Locked) -> [Case] {
    [
      Case(name) {
        let model = make(), watcher = Watcher()
        let controller = KVOController(observer: watcher)
        controller.observe(model, \.count, options: .new) { _, change in watcher.take(change.newValue ?? 0) }
        return Loop(keeping: controller, telling: watcher) { for value in 0..<$0 { model.set(value); barrier() } }
      },
      Case("\(name), coalesced for a busy actor") {
        let model = make(), watcher = Watcher()
        let busy = BusyActor(model, watcher)
        return Loop(keeping: watcher, busy) { for value in 0..<$0 { model.set(value); barrier() } }
      },
    ]
  }
}

extension Watcher {
  /// Takes the new value.
  fileprivate func observe<Object: KeyValueObject>(_ object: Object, _ keyPath: KeyPath<Object, Int>) {
    kvoController.observe(object, keyPath, options: .new) { (watcher: Watcher, _, change) in
      watcher.take(change.newValue ?? 0)
    }
  }
}

extension Computed {
  /// Makes one with parts.
  fileprivate convenience init(count: Int) {
    self.init()
    parts = (0..<count).map { _ in Model() }
  }
}
