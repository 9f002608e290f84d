import Foundation

/// The comparisons, except those of sizes, as a picture: how many times the alternative a case takes, on a logarithmic scale.
///
/// Its colors are those of a light page, or of a dark one if the reader prefers that.
struct Chart {
  private static let width = 1020.0
  private static let left = 580.0
  private static let right = 70.0
  private static let rowHeight = 20.0
  private static let headHeight = 30.0
  private static let top = 44.0

  private static let style = """
    text { font: 12px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328 }
    .head { font-weight: 600 } .faint { fill: #656d76 }
    .line { stroke: #d0d7de } .one { stroke: #656d76 } .budget { stroke: #9a6700; stroke-width: 2 }
    .less { fill: #1a7f64; stroke: #1a7f64 } .more { fill: #b35900; stroke: #b35900 }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3 } .faint { fill: #8d96a0 }
      .line { stroke: #30363d } .one { stroke: #8d96a0 } .budget { stroke: #d29922 }
      .less { fill: #3fb98f; stroke: #3fb98f } .more { fill: #e08b3e; stroke: #e08b3e }
    }
    """

  private let groups: [(name: String, rows: [Row])]
  /// The powers of ten between which all ratios are.
  private let powers: ClosedRange<Int>

  init(_ groups: [[Measurement]]) {
    self.groups = groups.compactMap { measurements in
      let rows = Row.rows(of: measurements).filter { $0.ratio.map { $0 > 0 } ?? false && $0.subject.unit != .bytes }
      return rows.first.map { ($0.subject.group, rows) }
    }
    let logarithms = self.groups.flatMap(\.rows).compactMap(\.ratio).map(log10)
    powers = Int((logarithms.min() ?? 0).rounded(.down))...Int(max(1, (logarithms.max() ?? 0).rounded(.up)))
  }

  var text: String {
    var y = Self.top, body: [String] = []
    for group in groups {
      y += Self.headHeight
      body.append(words(group.name, x: 12, y: y - 8, "head"))
      for row in group.rows {
        body += draw(row, y: y)
        y += Self.rowHeight
      }
    }
    return
      ([
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(Self.width)) \(Int(y) + 16)" width="\(Int(Self.width))">
        """,
        "<style>\(Self.style)</style>",
        words("ratios, on a logarithmic scale; a vertical bar is the goal", x: Self.left, y: 16, "faint"),
      ] + scale(to: y) + body + ["</svg>"]).joined(separator: "\n") + "\n"
  }

  private func draw(_ row: Row, y: Double) -> [String] {
    guard let ratio = row.ratio, let other = row.other else { return [] }
    let middle = y + Self.rowHeight / 2, end = position(ratio), kind = ratio <= 1 ? "less" : "more"
    var parts = [
      """
      <text x="24" y="\(number(middle + 4))">\(escape(row.subject.name)) \
      <tspan class="faint">vs. \(escape(other.name))</tspan></text>
      """,
      line(position(1), middle, end, middle, kind),
      """
      <circle class="\(kind)" cx="\(number(end))" cy="\(number(middle))" r="4"/>
      """,
      words("\(ratio.short)×", x: Self.width - Self.right + 14, y: middle + 4, "value"),
    ]
    if let budget = row.comparison?.largestRatio {
      parts.append(line(position(budget), y + 3, position(budget), y + Self.rowHeight - 3, "budget"))
    }
    return parts
  }

  private func scale(to bottom: Double) -> [String] {
    powers.flatMap { power in
      let x = position(pow(10, Double(power)))
      return [
        line(x, Self.top - 6, x, bottom, power == 0 ? "one" : "line"),
        words(Self.name(ofPower: power), x: x - 4, y: 34, "faint"),
      ]
    }
  }

  private static func name(ofPower power: Int) -> String {
    let ratio = Int(pow(10, Double(abs(power)))).grouped
    return power < 0 ? "1/\(ratio)" : "\(ratio)×"
  }

  private func position(_ ratio: Double) -> Double {
    let share = (log10(ratio) - Double(powers.lowerBound)) / Double(powers.count - 1)
    return Self.left + share * (Self.width - Self.left - Self.right)
  }

  private func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ kind: String) -> String {
    """
    <line class="\(kind)" x1="\(number(x1))" y1="\(number(y1))" x2="\(number(x2))" y2="\(number(y2))"/>
    """
  }

  private func words(_ text: String, x: Double, y: Double, _ kind: String) -> String {
    """
    <text class="\(kind)" x="\(number(x))" y="\(number(y))">\(escape(text))</text>
    """
  }

  private func number(_ value: Double) -> String { String(format: "%.1f", value) }

  private func escape(_ text: String) -> String {
    text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
  }
}

extension Comparison {
  /// The limit as a ratio, where it is one.
  fileprivate var largestRatio: Double? {
    switch limit {
    case .ratio(let ratio): ratio
    case .speedup(let speedup): 1 / speedup
    default: nil
    }
  }
}
