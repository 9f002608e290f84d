/// A case that is set up and ready to run.
struct Trial {
  /// How many operations an iteration is.
  let operations: Int
  /// Whether other programs can slow down the measurement. Then the least sample is used, otherwise the median.
  let isDisturbed: Bool
  /// Runs that many iterations, and returns what the meter says of them all.
  let run: (_ iterations: Int, _ meter: Meter) -> Double

  init(
    operations: Int = 1, isDisturbed: Bool = false, run: @escaping (_ iterations: Int, _ meter: Meter) -> Double
  ) {
    self.operations = operations
    self.isDisturbed = isDisturbed
    self.run = run
  }

  /// A loop that is measured as a whole.
  init(_ loop: Loop, operations: Int = 1) {
    self.init(operations: operations) { iterations, meter in
      meter { loop.run(iterations) }
    }
  }

  /// Work that uses up what is prepared for it, so that only the work itself is measured.
  init<State>(operations: Int, prepare: @escaping () -> State, work: @escaping (State) -> Void) {
    self.init(operations: operations) { iterations, meter in
      var sum = 0.0
      for _ in 0..<iterations {
        let state = prepare()
        sum += meter { work(state) }
        withExtendedLifetime(state) {}
      }
      return sum
    }
  }
}
