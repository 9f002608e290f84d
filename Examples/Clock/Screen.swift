/// Where the views draw: places in large digits on a terminal, small ones if it has too little room, else line by line.
final class Screen {
  private let terminal: Terminal
  private let places: Int
  private var note = ""
  private var size: Terminal.Size?

  /// The column of the digits, which leaves room for a number and a name; and the width of a time in large digits.
  private static let digitColumn = 20
  private static let timeWidth = LargeDigits.rows(for: "00:00:00")[0].count

  init(places: Int, on terminal: Terminal) {
    self.places = places
    self.terminal = terminal
  }

  /// Draws a view's time at its place.
  func show(_ time: String, for name: String, at place: Int) {
    guard terminal.isInteractive else {
      terminal.write(padded(name, to: 15) + time + "\n")
      return
    }
    clearIfResized()
    let label = padded(" \(place + 1)  \(name)", to: Self.digitColumn - 1)
    if rowsPerPlace == 1 {
      draw(label.prefix(max(0, terminal.size.columns - time.count - 2)) + " " + time, at: place)
    } else {
      let digits = LargeDigits.rows(for: time)
      for (row, digits) in digits.enumerated() {
        let isMiddle = row == LargeDigits.height / 2
        draw((isMiddle ? label : padded("", to: label.count)) + digits, at: place, row: row)
      }
    }
  }

  /// Says that a view closed, and clears its place.
  func close(_ name: String, at place: Int, leaving count: Int) {
    let others =
      switch count {
      case 0: "none is left"
      case 1: "1 view goes on"
      default: "\(count) views go on"
      }
    note = "\(name) closed; \(others)"
    guard terminal.isInteractive else {
      terminal.write(note + "\n")
      return
    }
    for row in 0..<rowsPerPlace { draw("", at: place, row: row) }
    drawNote()
  }

  // MARK: On a terminal

  private var rowsPerPlace: Int {
    guard let size else { return 1 }
    let large = LargeDigits.height + 1
    let hasRoom = size.columns >= Self.digitColumn + Self.timeWidth && size.rows >= places * large + 3
    return hasRoom ? large : 1
  }

  /// A new size may change the layout: begins with an empty screen, on which the views draw themselves as they tick.
  private func clearIfResized() {
    guard terminal.size != size else { return }
    size = terminal.size
    terminal.clear()
    drawNote()
  }

  private func drawNote() {
    draw(" " + note, at: places)
    draw(" 1-\(places) close a view, q quits", at: places, row: 1)
  }

  private func draw(_ text: String, at place: Int, row: Int = 0) {
    terminal.write(text, atRow: 1 + place * rowsPerPlace + row)
  }

  private func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
