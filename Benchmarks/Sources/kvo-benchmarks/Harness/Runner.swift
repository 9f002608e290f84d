import Probes

/// Measures the cases of a group.
struct Runner {
  /// How long a sample is to take, in nanoseconds.
  var sampleTime = 8e6
  /// How long a case may take in all, unless it takes that for `fewestSamples`.
  var caseTime = 4e9
  var fewestSamples = 3
  var mostSamples = 25

  static let quick = Runner(sampleTime: 1e6, caseTime: 2e8, fewestSamples: 3, mostSamples: 7)

  private struct Entry {
    let subject: Case
    let trial: Trial
    let iterations: Int
    let count: Int
    var samples: [Double] = []
    var operations: Double { Double(iterations * trial.operations) }
  }

  func measure(_ group: Group) -> [Measurement] {
    var entries: [String: Entry] = [:]
    for subject in group.cases {
      guard case .repeated(let make) = subject.work else { continue }
      entries[subject.name] = prepare(subject, make())
    }
    for turn in 0..<mostSamples {
      for name in group.cases.map(\.name) {
        guard let entry = entries[name], turn < entry.count else { continue }
        entries[name]?.samples.append(entry.trial.run(entry.iterations, .time) / entry.operations)
      }
    }
    return group.cases.map { subject in
      switch subject.work {
      case .size(let bytes): measurement(of: subject, in: group, .bytes, [bytes()], allocations: nil)
      case .repeated:
        measurement(
          of: subject, in: group, .nanoseconds, entries[subject.name]?.samples ?? [],
          allocations: entries[subject.name].flatMap { allocations(of: $0.trial) })
      }
    }
  }

  /// Warms a trial up, and finds out how many iterations make a sample, and how many samples there is time for.
  private func prepare(_ subject: Case, _ trial: Trial) -> Entry {
    var iterations = 1
    var start = Clock.wall
    var time = trial.run(iterations, .time)
    while time < sampleTime / 4, Clock.wall - start < caseTime / 4 {
      iterations *= 2
      start = Clock.wall
      time = trial.run(iterations, .time)
    }
    let elapsed = (Clock.wall - start) / Double(iterations)
    iterations = max(1, Int(Double(iterations) * sampleTime / max(time, 1)))
    let affordable = Int(caseTime / (elapsed * Double(iterations)))
    return Entry(
      subject: subject, trial: trial, iterations: iterations, count: min(mostSamples, max(fewestSamples, affordable)))
  }

  private func measurement(
    of subject: Case, in group: Group, _ unit: Measurement.Unit, _ samples: [Double], allocations: Double?
  ) -> Measurement {
    Measurement(
      group: group.name, name: subject.name, comparisons: subject.comparisons, unit: unit, samples: samples.sorted(),
      allocations: allocations)
  }

  /// How many blocks an operation allocates, once what is made only once is made.
  func allocations(of trial: Trial) -> Double? {
    guard probe_counts_allocations() else { return nil }
    let iterations = max(1, 1_000 / trial.operations)
    return trial.run(iterations, .allocations) / Double(iterations * trial.operations)
  }
}
