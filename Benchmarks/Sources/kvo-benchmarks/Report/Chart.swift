import Foundation

/// The comparisons that decide as a picture: how many times the alternative a case takes, on a logarithmic scale.
///
/// Its colors are those of a light page, or of a dark one if the reader prefers that.
struct Chart {
  private struct Line {
    let entry: Summary
    let ratio: Double
    let goal: Double?
  }

  private static let width = 1020.0
  private static let left = 640.0
  private static let right = 90.0
  private static let top = 60.0
  private static let rowHeight = 34.0

  private static let style = """
    text { font: 20.0px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328 }
    .faint { fill: #656d76 }
    .line { stroke: #d0d7de } .one { stroke: #656d76 } .budget { stroke: #9a6700; stroke-width: 2 }
    .less { fill: #1a7f64; stroke: #1a7f64 } .more { fill: #b35900; stroke: #b35900 }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3 } .faint { fill: #8d96a0 }
      .line { stroke: #30363d } .one { stroke: #8d96a0 } .budget { stroke: #d29922 }
      .less { fill: #3fb98f; stroke: #3fb98f } .more { fill: #e08b3e; stroke: #e08b3e }
    }
    """

  private let lines: [Line]
  /// The powers of ten between which all ratios are.
  private let powers: ClosedRange<Int>

  init(of groups: [[Measurement]]) {
    let rows = groups.flatMap { Row.rows(of: $0) }
    lines = Summary.all.compactMap { entry in
      guard let row = rows.first(where: entry.matches), let ratio = row.ratio, ratio > 0 else { return nil }
      return Line(entry: entry, ratio: ratio, goal: row.comparison?.largestRatio)
    }
    let logarithms = lines.map { log10($0.ratio) }
    powers = Int((logarithms.min() ?? 0).rounded(.down))...Int(max(1, (logarithms.max() ?? 0).rounded(.up)))
  }

  var text: String {
    let bottom = Self.top + Double(lines.count) * Self.rowHeight
    let head = [
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1020 \(Int(bottom) + 16)\" width=\"1020\">",
      "<style>\(Self.style)</style>",
      words("ratios, on a logarithmic scale; a vertical bar is the goal", x: 24, y: 26, "faint"),
    ]
    let rows = lines.enumerated().flatMap { draw($1, y: Self.top + Double($0) * Self.rowHeight) }
    return (head + scale(to: bottom) + rows + ["</svg>"]).joined(separator: "\n") + "\n"
  }

  private func draw(_ line: Line, y: Double) -> [String] {
    let middle = y + Self.rowHeight / 2, end = position(line.ratio), kind = line.ratio <= 1 ? "less" : "more"
    var parts = [
      """
      <text x="24" y="\(number(middle + 6.7))">\(escape(line.entry.name)) \
      <tspan class="faint">vs. \(escape(line.entry.otherName))</tspan></text>
      """,
      self.line(position(1), middle, end, middle, kind),
      """
      <circle class="\(kind)" cx="\(number(end))" cy="\(number(middle))" r="6.7"/>
      """,
      words("\(line.ratio.short)×", x: Self.width - Self.right + 14, y: middle + 6.7, "value"),
    ]
    if let goal = line.goal {
      parts.append(self.line(position(goal), y + 3, position(goal), y + Self.rowHeight - 3, "budget"))
    }
    return parts
  }

  private func scale(to bottom: Double) -> [String] {
    powers.flatMap { power in
      let x = position(pow(10, Double(power)))
      return [
        line(x, Self.top - 6, x, bottom, power == 0 ? "one" : "line"),
        words(Self.name(ofPower: power), x: x - 4, y: Self.top - 10, "faint"),
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
