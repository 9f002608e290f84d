import Foundation

/// The results as JSON.
struct JSONReport: Encodable {
  private struct Held: Encodable {
    let to: String?
    let ratio: Double?
    let budget: String?
    let isMet: Bool?
  }

  private struct Result: Encodable {
    let group: String
    let name: String
    let unit: Measurement.Unit
    /// The median, or on several threads the least.
    let value: Double
    let least: Double
    let most: Double
    let samples: Int
    let allocations: Double?
    let held: [Held]
  }

  private let processors = ProcessInfo.processInfo.activeProcessorCount
  private let results: [Result]

  init(_ groups: [[Measurement]]) {
    results = groups.flatMap { measurements in
      measurements.map { subject in
        let rows = Row.rows(of: subject, among: measurements)
        return Result(
          group: subject.group, name: subject.name, unit: subject.unit, value: subject.value,
          least: subject.samples[0], most: subject.samples[subject.samples.count - 1], samples: subject.samples.count,
          allocations: subject.allocations,
          held: rows.filter { $0.comparison != nil }.map {
            Held(to: $0.other?.name, ratio: $0.ratio, budget: $0.budget.isEmpty ? nil : $0.budget, isMet: $0.isMet)
          })
      }
    }
  }

  func text() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}
