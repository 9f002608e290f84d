/// The result of a case: of one operation of it, where it is repeated.
struct Measurement {
  enum Unit: String, Encodable {
    case nanoseconds, bytes, instructions
  }

  let group: String
  let name: String
  let comparisons: [Comparison]
  let unit: Unit
  /// Sorted; never empty.
  let samples: [Double]
  /// Whether the least sample stands for all, and not the median.
  let isLeast: Bool
  /// The allocations of an operation; nil if they can't be counted.
  let allocations: Double?

  init(
    of subject: Case, in group: Group, _ unit: Unit, _ samples: [Double], isLeast: Bool = false,
    allocations: Double? = nil
  ) {
    self.group = group.name
    name = subject.name
    comparisons = subject.comparisons
    self.unit = unit
    self.samples = samples.sorted()
    self.isLeast = isLeast
    self.allocations = allocations
  }

  /// The sample that stands for all.
  var value: Double {
    if isLeast { return samples[0] }
    let middle = samples.count / 2
    return samples.count.isMultiple(of: 2) ? (samples[middle - 1] + samples[middle]) / 2 : samples[middle]
  }
}
