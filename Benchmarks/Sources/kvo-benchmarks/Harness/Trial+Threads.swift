extension Trial {
  /// Loops that run at the same time, each on a thread of its own. An operation is a round of one of them.
  ///
  /// They are timed by the wall. The other meters see them one after another.
  init(threads loops: [Loop]) {
    self.init(operations: loops.count, isDisturbed: true) { iterations, meter in
      if case .time = meter {
        Race(loops.count).run { loops[$0].run(iterations) }
      } else {
        meter { for loop in loops { loop.run(iterations) } }
      }
    }
  }
}
