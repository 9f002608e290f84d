import Probes

/// The body of a case, which performs an operation a given number of times.
///
/// Each round ends with ``barrier()``, in every loop that is compared with another. So the optimizer has to do each
/// round on its own, and can neither drop a store nor make a vector of several.
struct Loop {
  private let kept: [Any?]
  private let watcher: Watcher?
  private let times: Int
  private let body: (_ count: Int) -> Void

  /// - Parameters:
  ///   - kept: An object to retain as long as the loop.
  ///   - watcher: The observer of each round. Its calls are checked, so that a case that doesn't notify isn't measured.
  ///   - times: The number of its calls in a round.
  ///   - body: Does the rounds.
  init(keeping kept: Any?..., telling watcher: Watcher? = nil, times: Int = 1, body: @escaping (_ count: Int) -> Void) {
    self.kept = kept
    self.watcher = watcher
    self.times = times
    self.body = body
  }

  func run(_ count: Int) {
    let before = watcher?.calls ?? 0
    withExtendedLifetime(kept) { body(count) }
    guard let watcher, watcher.calls - before != count * times else { return }
    fatalError("told \(watcher.calls - before) times of \(count) rounds, not \(count * times) times")
  }
}

/// Keeps what was stored before it apart from what is stored after it, without an instruction.
@inline(__always)
func barrier() {
  probe_barrier()
}

/// Uses a value, without an instruction.
@inline(__always)
func use(_ value: Int) {
  probe_use(value)
}
