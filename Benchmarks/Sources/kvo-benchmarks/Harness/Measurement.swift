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
  /// Allocations of an operation; nil where none can be told.
  let allocations: Double?

  var median: Double {
    let middle = samples.count / 2
    return samples.count.isMultiple(of: 2) ? (samples[middle - 1] + samples[middle]) / 2 : samples[middle]
  }
}
