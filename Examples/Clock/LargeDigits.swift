/// Digits of three columns and three rows, made of half blocks.
enum LargeDigits {
  static let height = 3

  /// The rows that spell a time such as `14:03:27`. Other characters are left out.
  static func rows(for time: String) -> [String] {
    let digits = time.compactMap { glyphs[$0] }
    return (0..<height).map { row in digits.map { $0[row] }.joined(separator: " ") }
  }

  private static let glyphs: [Character: [String]] = [
    "0": ["█▀█", "█ █", "▀▀▀"],
    "1": ["▀█ ", " █ ", "▀▀▀"],
    "2": ["▀▀█", "█▀▀", "▀▀▀"],
    "3": ["▀▀█", " ▀█", "▀▀▀"],
    "4": ["█ █", "▀▀█", "  ▀"],
    "5": ["█▀▀", "▀▀█", "▀▀▀"],
    "6": ["█▀▀", "█▀█", "▀▀▀"],
    "7": ["▀▀█", "  █", "  ▀"],
    "8": ["█▀█", "█▀█", "▀▀▀"],
    "9": ["█▀█", "▀▀█", "▀▀▀"],
    ":": ["▄", "▄", " "],
  ]
}
