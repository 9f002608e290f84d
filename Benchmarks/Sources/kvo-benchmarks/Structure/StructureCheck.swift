/// Measures the values that ``Limit/all`` limits, and reports those that exceed them.
struct StructureCheck {
  private let limits: [Limit]
  /// By quantity and the "group/name" of a case.
  private var values: [Limit.Quantity: [String: Double]] = [:]

  init(_ groups: [Group], limits: [Limit] = Limit.all) throws {
    self.limits = limits
    let known = Set(groups.flatMap { group in group.cases.map(group.path) })
    for name in limits.flatMap(\.names) where !known.contains(name) {
      throw Options.Mistake(description: "there is a limit for \(name), but no such case")
    }
    values[.allocations] = allocations(in: groups)
    values[.bytes] = bytes(in: groups)
    if Instructions.isAvailable { values[.instructions] = try instructions(in: groups) }
  }

  /// A line for each limit, and one that sums up.
  var report: String {
    var lines: [String] = [], kept = 0, skipped = 0
    for limit in limits {
      guard let value = value(of: limit) else {
        skipped += 1
        continue
      }
      let isExceeded = limit.isExceeded(by: value)
      kept += isExceeded ? 0 : 1
      lines.append("\(isExceeded ? "error: exceeded" : "kept"): \(limit): \(value.short), at most \(limit.most.short)")
    }
    let exceeded = limits.count - kept - skipped
    lines.append("structure: \(kept) limits kept, \(exceeded) exceeded")
    if skipped > 0 { lines.append("skipped: \(skipped) limits that need glibc's allocator or Valgrind") }
    return lines.joined(separator: "\n")
  }

  var isPassed: Bool {
    !limits.contains { limit in value(of: limit).map(limit.isExceeded) ?? false }
  }

  private func value(of limit: Limit) -> Double? {
    limit.value { values[limit.quantity]?[$0] }
  }

  private func names(_ quantity: Limit.Quantity) -> [String] {
    limits.filter { $0.quantity == quantity }.flatMap(\.names)
  }

  private func allocations(in groups: [Group]) -> [String: Double] {
    var counts: [String: Double] = [:]
    for group in groups.map({ $0.only(names(.allocations)) }) {
      for (subject, make) in group.trials {
        let trial = make()
        // This creates everything that is created only once.
        _ = trial.run(100, .time)
        counts[group.path(of: subject)] = Runner.allocations(of: trial)
      }
    }
    return counts
  }

  private func bytes(in groups: [Group]) -> [String: Double] {
    var sizes: [String: Double] = [:]
    for group in groups.map({ $0.only(names(.bytes)) }) {
      for subject in group.cases {
        if case .size(let bytes) = subject.work { sizes[group.path(of: subject)] = bytes() }
      }
    }
    return sizes
  }

  private func instructions(in groups: [Group]) throws -> [String: Double] {
    let results = try Instructions.measure(groups.map { $0.only(names(.instructions)) }).flatMap { $0 }
    return Dictionary(uniqueKeysWithValues: results.map { ("\($0.group)/\($0.name)", $0.value) })
  }
}
