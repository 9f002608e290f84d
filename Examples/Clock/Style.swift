import Foundation

/// How text looks on a terminal. The colors are those of the terminal's theme, so they fit a light and a dark one.
enum Style {
  static func day(_ text: String) -> String { hasColors ? "\u{1B}[33m\(text)\u{1B}[0m" : text }
  static func night(_ text: String) -> String { hasColors ? "\u{1B}[94m\(text)\u{1B}[0m" : text }
  static func bold(_ text: String) -> String { "\u{1B}[1m\(text)\u{1B}[0m" }
  static func dim(_ text: String) -> String { "\u{1B}[2m\(text)\u{1B}[0m" }

  /// False if the user asked for no colors: https://no-color.org
  private static let hasColors = (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
}
