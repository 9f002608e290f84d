/// The results of a group as text.
struct Table: CustomStringConvertible {
  private let rows: [Row]

  init(_ measurements: [Measurement]) {
    rows = Row.rows(of: measurements)
  }

  var description: String {
    guard let first = rows.first?.subject else { return "" }
    var lines = [[first.group, "", "allocs", "alternative", "", "ratio", "goal", ""]]
    var previous: String?
    for row in rows {
      let isNew = row.subject.name != previous
      previous = row.subject.name
      lines.append([
        isNew ? "  " + row.subject.name : "",
        isNew ? row.subject.value.short + row.subject.unit.suffix : "",
        isNew ? row.subject.allocations?.short ?? "" : "",
        row.other?.name ?? "",
        row.other.map { $0.value.short + $0.unit.suffix } ?? "",
        row.ratio.map { $0.short + "×" } ?? "",
        row.budget,
        row.isMet.map { $0 ? "met" : "MISSED" } ?? "",
      ])
    }
    return lines.map(format).joined(separator: "\n") + "\n"
  }

  private static let widths = [48, 12, 7, 40, 12, 8, 9, 6]
  private static let isLeading = [true, false, false, true, false, false, false, true]

  private func format(_ cells: [String]) -> String {
    var line = ""
    for (index, cell) in cells.enumerated() {
      let padding = String(repeating: " ", count: max(0, Self.widths[index] - cell.count))
      line += (Self.isLeading[index] ? cell + padding : padding + cell) + "  "
    }
    while line.last == " " { line.removeLast() }
    return line
  }
}

extension Measurement.Unit {
  var suffix: String {
    switch self {
    case .nanoseconds: " ns"
    case .bytes: " B"
    case .instructions: " in"
    }
  }
}
