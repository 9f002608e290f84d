import KVOController

extension Group {
  /// Sets on several threads, each of an object of its own; the time of one set is that of the race by all its sets.
  static var threads: Group {
    Group("threads") {
      Case("block, own objects, 1 thread", threads: 1) { _ in .observedSet }
      Case("block, own objects, 2 threads", .beside("block, own objects, 1 thread", fasterBy: 1.8), threads: 2) { _ in
        .observedSet
      }
      Case("block, own objects, 4 threads", .beside("block, own objects, 1 thread"), threads: 4) { _ in .observedSet }
    }
  }
}

extension Loop {
  static var observedSet: Loop {
    let model = Model(), watcher = Watcher()
    watcher.observe(model, "number")
    return .setting(model, telling: watcher)
  }
}
