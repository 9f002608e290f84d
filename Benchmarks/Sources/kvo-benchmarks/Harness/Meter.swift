import Probes

/// The measurements of a piece of work.
enum Meter {
  /// The nanoseconds that it takes.
  case time
  /// The blocks that it allocates.
  case allocations
  /// Nothing here: Valgrind counts the instructions from outside.
  case instructions

  func callAsFunction(_ work: () -> Void) -> Double {
    switch self {
    case .time:
      let start = Clock.cpu
      work()
      return Clock.cpu - start
    case .allocations:
      probe_start_counting()
      work()
      return Double(probe_stop_counting())
    case .instructions:
      withoutActuallyEscaping(work) { work in
        var context = work
        withUnsafeMutablePointer(to: &context) {
          probe_region({ $0.assumingMemoryBound(to: (() -> Void).self).pointee() }, $0)
        }
      }
      return 0
    }
  }
}
