/// A line of the report: a result, and what it is held against.
struct Row {
  let subject: Measurement
  let comparison: Comparison?
  let other: Measurement?

  /// A result without comparisons has a row of its own, unless another result is held against it.
  static func rows(of measurements: [Measurement]) -> [Row] {
    measurements.flatMap { subject in
      guard !subject.comparisons.isEmpty else { return [Row(subject: subject, comparison: nil, other: nil)] }
      return subject.comparisons.map { comparison in
        Row(subject: subject, comparison: comparison, other: measurements.first { $0.name == comparison.other })
      }
    }
  }

  var ratio: Double? { other.map { subject.median / $0.median } }

  var isMet: Bool? { comparison?.isMet(by: subject.median, other: other?.median) }

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
