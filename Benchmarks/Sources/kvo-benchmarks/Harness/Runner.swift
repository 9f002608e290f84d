import Probes

/// Measures the cases of a group, a sample of each in turn.
struct Runner {
  /// How long a sample is to take, in nanoseconds.
  var sampleTime = 8e6
  /// How long all samples of a case may take, unless there are only `fewestSamples`.
  var caseTime = 3e9
  var fewestSamples = 3
  var mostSamples = 25

  static let quick = Runner(sampleTime: 1e6, caseTime: 2e8, fewestSamples: 3, mostSamples: 7)

  /// A trial that is warm, and how it is sampled.
  private struct Entry {
    let trial: Trial
    let iterations: Int
    let count: Int
    var samples: [Double] = []
  }

  func measure(_ group: Group) -> [Measurement] {
    let trials = group.trials
    var entries = trials.map { prepare($0.make()) }
    for turn in 0..<(entries.map(\.count).max() ?? 0) {
      for index in entries.indices where turn < entries[index].count {
        let entry = entries[index]
        let time = entry.trial.run(entry.iterations, .time)
        entries[index].samples.append(time / Double(entry.iterations * entry.trial.operations))
      }
    }
    let results = zip(trials.map(\.subject.name), entries).map { ($0, $1) }
    let byName = Dictionary(uniqueKeysWithValues: results)
    return group.cases.map { subject in
      switch (subject.work, byName[subject.name]) {
      case (.size(let bytes), _): Measurement(of: subject, in: group, .bytes, [bytes()])
      case (_, let entry):
        Measurement(
          of: subject, in: group, .nanoseconds, entry?.samples ?? [], isLeast: entry?.trial.isDisturbed ?? false,
          allocations: entry.flatMap { Self.allocations(of: $0.trial) })
      }
    }
  }

  /// How many blocks an operation allocates, once what is made only once is made.
  static func allocations(of trial: Trial) -> Double? {
    guard probe_counts_allocations() else { return nil }
    let iterations = max(1, 1_000 / trial.operations)
    return trial.run(iterations, .allocations) / Double(iterations * trial.operations)
  }

  /// Warms a trial up, and finds out how many iterations make a sample, and how many samples there is time for.
  ///
  /// Where others disturb, there are more and shorter samples: so some of them are undisturbed.
  private func prepare(_ trial: Trial) -> Entry {
    let share = trial.isDisturbed ? 4.0 : 1
    let sampleTime = sampleTime / share
    var iterations = 1, time = 0.0, wall = 0.0
    while true {
      let start = Clock.wall
      time = trial.run(iterations, .time)
      wall = Clock.wall - start
      if time > sampleTime / 4 || wall > caseTime / 4 { break }
      iterations *= 2
    }
    let factor = max(sampleTime / time, 1 / Double(iterations))
    let affordable = caseTime / (wall * factor)
    return Entry(
      trial: trial, iterations: Int(Double(iterations) * factor),
      count: Int(min(Double(mostSamples) * share, max(Double(fewestSamples), affordable))))
  }
}
