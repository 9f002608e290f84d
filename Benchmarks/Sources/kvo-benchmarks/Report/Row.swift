/// A line of the report: a result, and what it is held against.
struct Row {
  let subject: Measurement
  let comparison: Comparison?
  let other: Measurement?

  static func rows(of measurements: [Measurement]) -> [Row] {
    measurements.flatMap { rows(of: $0, among: measurements) }
  }

  /// One for each comparison; one without, if there are none.
  static func rows(of subject: Measurement, among measurements: [Measurement]) -> [Row] {
    guard !subject.comparisons.isEmpty else { return [Row(subject: subject, comparison: nil, other: nil)] }
    return subject.comparisons.map { comparison in
      Row(subject: subject, comparison: comparison, other: measurements.first { $0.name == comparison.other })
    }
  }

  var ratio: Double? { other.map { subject.value / $0.value } }

  var isMet: Bool? { comparison?.isMet(by: subject.value, other: other?.value) }

  /// The limit in words.
  var budget: String {
    switch comparison?.limit {
    case .ratio(let limit): "≤ \(limit.short)×"
    case .excess(let limit): "≤ +\(limit.short)"
    case .value(let limit): "≤ \(limit.short)"
    case .speedup(let limit): "≤ 1/\(limit.short)×"
    case nil: ""
    }
  }
}
