/// Where the views draw: in rows of large digits on a terminal, in small ones if it has too little room, and line by
/// line where the output isn't a terminal.
final class Screen {
  private struct Row {
    let name: String
    var time = ""
    var isDay = true
    var isObserving = false
  }

  private let terminal: Terminal
  private var rows: [Row]
  private var size: Terminal.Size?

  /// The column at which the digits begin, and the width of a time in large digits.
  private static let digitColumn = 20
  private static let timeWidth = LargeDigits.rows(for: "00:00:00")[0].count

  init(_ names: [String], on terminal: Terminal) {
    rows = names.map { Row(name: $0) }
    self.terminal = terminal
  }

  /// Draws a view's time in its row.
  func show(_ time: String, isDay: Bool, inRow row: Int) {
    let isNew = !rows[row].isObserving
    rows[row].time = time
    rows[row].isDay = isDay
    rows[row].isObserving = true
    if terminal.isInteractive {
      drawAllIfResized()
      draw(row)
      if isNew { drawHeader() }
    } else {
      terminal.write("\(padded(rows[row].name, to: 15))\(time)\n")
    }
  }

  /// Dims the row of a view that was released, at the time that it showed last.
  func release(_ row: Int) {
    rows[row].isObserving = false
    if terminal.isInteractive {
      drawAllIfResized()
      draw(row)
      drawHeader()
    } else {
      terminal.write("\(rows[row].name) released: \(summary)\n")
    }
  }

  /// "1 clock, 5 observers"
  private var summary: String {
    let count = rows.filter(\.isObserving).count
    return "1 clock, \(count == 0 ? "no" : "\(count)") \(count == 1 ? "observer" : "observers")"
  }

  // MARK: On a terminal

  private var isLarge: Bool {
    guard let size else { return false }
    return size.columns >= Self.digitColumn + Self.timeWidth
      && size.rows >= 2 + rows.count * (LargeDigits.height + 1) + 1
  }

  /// Draws everything if the size has changed, because that may change the layout.
  private func drawAllIfResized() {
    guard terminal.size != size else { return }
    size = terminal.size
    terminal.clear()
    for row in rows.indices { draw(row) }
    drawHeader()
  }

  private func drawHeader() {
    terminal.write(" \(Style.bold(summary))", atRow: 1)
    let height = isLarge ? LargeDigits.height + 1 : 1
    let help = " 1-\(rows.count) release a view or bring it back, q quits"
    terminal.write(Style.dim(help), atRow: 3 + rows.count * height + (isLarge ? 0 : 1))
  }

  private func draw(_ index: Int) {
    let row = rows[index]
    let name = " \(index + 1)  \(row.name)"
    let state = row.time.isEmpty ? "" : row.isObserving ? (row.isDay ? "day" : "night") : "released"
    let style = !row.isObserving ? Style.dim : row.isDay ? Style.day : Style.night
    if isLarge {
      let labels = [name, "    \(state)", ""]
      for (line, digits) in LargeDigits.rows(for: row.time).enumerated() {
        let label = padded(labels[line], to: Self.digitColumn - 1)
        terminal.write(style(label + digits), atRow: 3 + index * (LargeDigits.height + 1) + line)
      }
    } else {
      terminal.write(style("\(padded(name, to: Self.digitColumn - 1))\(row.time)  \(state)"), atRow: 3 + index)
    }
  }

  private func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
