import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Prints each statement on the left and the reaction to it on the right, or below it on a narrow terminal.
nonisolated final class Transcript {
  private static let leftColumn = 40
  private var reactions: [String] = []

  /// Adds a reaction to the statement that is running.
  func report(_ reaction: String) {
    reactions.append(reaction)
  }

  /// Runs a statement, and prints it with the reactions to it.
  ///
  /// - Parameters:
  ///   - statement: The source text of the statement.
  ///   - silence: The reason why no reaction is expected.
  ///   - body: The statement.
  func run(_ statement: String, silence: String? = nil, _ body: () -> Void) {
    reactions = []
    body()
    let lines = reactions.isEmpty ? ["-" + (silence.map { "  (\($0))" } ?? "")] : reactions
    if columns < 72 {
      print(statement)
      for line in lines { print("    \(line)") }
    } else {
      let padding = String(repeating: " ", count: max(2, Self.leftColumn - statement.count))
      print("\(statement)\(padding)\(lines[0])")
      for line in lines.dropFirst() { print(String(repeating: " ", count: Self.leftColumn) + line) }
    }
  }

  #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
  /// The width of the terminal, or 80 where there is none.
  private var columns: Int {
    var size = winsize()
    guard isatty(STDOUT_FILENO) == 1, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return 80
    }
    return Int(size.ws_col)
  }
  #else
  private let columns = 80
  #endif
}
