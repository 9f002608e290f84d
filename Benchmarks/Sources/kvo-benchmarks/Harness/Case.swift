/// Something that is measured, under a name.
///
/// A loop that does one operation a round is all that most cases need:
///
///     Case("block", .beside("hand", atMost: 3)) {
///       let model = Model(), watcher = Watcher()
///       watcher.kvoController.observe(model, keyPath: "number") { _, _, _ in watcher.take(1) }
///       return Loop(telling: watcher) { for value in 0..<$0 { model.number = value; barrier() } }
///     }
struct Case {
  enum Work {
    /// Measured many times, in turn with the other cases of its group.
    case repeated(() -> Trial)
    /// Looked at once, in bytes.
    case size(() -> Double)
  }

  let name: String
  let comparisons: [Comparison]
  let work: Work

  init(_ name: String, _ comparisons: Comparison..., loop: @escaping () -> Loop) {
    self.init(name, comparisons) { Trial(loop()) }
  }

  init(_ name: String, _ comparisons: [Comparison], trial: @escaping () -> Trial) {
    self.name = name
    self.comparisons = comparisons
    work = .repeated(trial)
  }

  /// Measures `work`, which does so many operations with what `prepare` makes.
  init<State>(
    _ name: String, _ comparisons: Comparison..., operations: Int, prepare: @escaping () -> State,
    work: @escaping (State) -> Void
  ) {
    self.init(name, comparisons) { Trial(operations: operations, prepare: prepare, work: work) }
  }

  /// Measures loops that run at the same time, each on a thread of its own, and may share what `share` makes.
  init<Shared>(
    _ name: String, _ comparisons: Comparison..., threads: Int, sharing share: @escaping () -> Shared,
    loop: @escaping (_ shared: Shared, _ thread: Int) -> Loop
  ) {
    self.init(name, comparisons) {
      let shared = share()
      return Trial(
        threads: (0..<threads).map { thread in
          defer { Self.leaveGap() }
          return loop(shared, thread)
        })
    }
  }

  /// Uses up memory, so that what is allocated before and after it isn't on one cache line by chance. It isn't
  /// deallocated, because it would be used for the next allocation.
  private static func leaveGap() {
    for size in stride(from: 16, through: 256, by: 16) {
      _ = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    }
    _ = UnsafeMutableRawPointer.allocate(byteCount: 4096, alignment: 16)
  }

  /// Looks at a number of bytes.
  init(_ name: String, _ comparisons: Comparison..., bytes: @escaping () -> Double) {
    self.name = name
    self.comparisons = comparisons
    work = .size(bytes)
  }
}
