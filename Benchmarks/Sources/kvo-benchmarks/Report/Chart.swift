import Foundation

/// Comparisons as a picture: how many times the alternative a case takes, on a logarithmic scale.
///
/// Its colors are those of a light page, or of a dark one if the reader prefers that.
struct Chart {
  private struct Line {
    let name: String
    let other: String
    let ratio: Double
    let budget: Double?
  }

  private static let width = 1020.0
  private static let right = 90.0
  private static let headHeight = 30.0

  private let fontSize: Double
  private let left: Double
  private var rowHeight: Double { fontSize * 1.7 }
  private var top: Double { fontSize * 3 }

  private var style: String {
    """
    text { font: \(number(fontSize))px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328 }
    .head { font-weight: 600 } .faint { fill: #656d76 }
    .line { stroke: #d0d7de } .one { stroke: #656d76 } .budget { stroke: #9a6700; stroke-width: 2 }
    .less { fill: #1a7f64; stroke: #1a7f64 } .more { fill: #b35900; stroke: #b35900 }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3 } .faint { fill: #8d96a0 }
      .line { stroke: #30363d } .one { stroke: #8d96a0 } .budget { stroke: #d29922 }
      .less { fill: #3fb98f; stroke: #3fb98f } .more { fill: #e08b3e; stroke: #e08b3e }
    }
    """
  }

  private let groups: [(name: String?, lines: [Line])]
  /// The powers of ten between which all ratios are.
  private let powers: ClosedRange<Int>

  /// All comparisons, except those of sizes.
  init(_ groups: [[Measurement]]) {
    self.init(
      fontSize: 12, left: 580,
      groups.compactMap { measurements in
        let lines = Row.rows(of: measurements).filter { $0.subject.unit != .bytes }.compactMap { row in
          Self.line(row, row.subject.name, row.other?.name ?? "")
        }
        return lines.isEmpty ? nil : (measurements.first?.group, lines)
      })
  }

  /// The comparisons that decide, with names for readers who know none of the others.
  init(summaryOf groups: [[Measurement]]) {
    let rows = groups.flatMap { Row.rows(of: $0) }
    let lines = Summary.all.compactMap { entry in
      rows.first { entry.matches($0) }.flatMap { Self.line($0, entry.name, entry.otherName) }
    }
    self.init(fontSize: 20, left: 640, [(nil, lines)])
  }

  private init(fontSize: Double, left: Double, _ groups: [(name: String?, lines: [Line])]) {
    (self.fontSize, self.left, self.groups) = (fontSize, left, groups)
    let logarithms = groups.flatMap(\.lines).map { log10($0.ratio) }
    powers = Int((logarithms.min() ?? 0).rounded(.down))...Int(max(1, (logarithms.max() ?? 0).rounded(.up)))
  }

  private static func line(_ row: Row, _ name: String, _ other: String) -> Line? {
    guard let ratio = row.ratio, ratio > 0 else { return nil }
    return Line(name: name, other: other, ratio: ratio, budget: row.comparison?.largestRatio)
  }

  var text: String {
    var y = top, body: [String] = []
    for group in groups {
      if let name = group.name {
        y += Self.headHeight
        body.append(words(name, x: 12, y: y - 8, "head"))
      }
      for line in group.lines {
        body += draw(line, y: y)
        y += rowHeight
      }
    }
    return
      ([
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(Self.width)) \(Int(y) + 16)" width="\(Int(Self.width))">
        """,
        "<style>\(style)</style>",
        words("ratios, on a logarithmic scale; a vertical bar is the goal", x: 24, y: fontSize * 1.3, "faint"),
      ] + scale(to: y) + body + ["</svg>"]).joined(separator: "\n") + "\n"
  }

  private func draw(_ line: Line, y: Double) -> [String] {
    let middle = y + rowHeight / 2, end = position(line.ratio), kind = line.ratio <= 1 ? "less" : "more"
    var parts = [
      """
      <text x="24" y="\(number(middle + fontSize / 3))">\(escape(line.name)) \
      <tspan class="faint">vs. \(escape(line.other))</tspan></text>
      """,
      self.line(position(1), middle, end, middle, kind),
      """
      <circle class="\(kind)" cx="\(number(end))" cy="\(number(middle))" r="\(number(fontSize / 3))"/>
      """,
      words("\(line.ratio.short)×", x: Self.width - Self.right + 14, y: middle + fontSize / 3, "value"),
    ]
    if let budget = line.budget {
      parts.append(self.line(position(budget), y + 3, position(budget), y + rowHeight - 3, "budget"))
    }
    return parts
  }

  private func scale(to bottom: Double) -> [String] {
    powers.flatMap { power in
      let x = position(pow(10, Double(power)))
      return [
        line(x, top - 6, x, bottom, power == 0 ? "one" : "line"),
        words(Self.name(ofPower: power), x: x - 4, y: top - 10, "faint"),
      ]
    }
  }

  private static func name(ofPower power: Int) -> String {
    let ratio = Int(pow(10, Double(abs(power)))).grouped
    return power < 0 ? "1/\(ratio)" : "\(ratio)×"
  }

  private func position(_ ratio: Double) -> Double {
    let share = (log10(ratio) - Double(powers.lowerBound)) / Double(powers.count - 1)
    return left + share * (Self.width - left - Self.right)
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
