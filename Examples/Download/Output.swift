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

/// Standard output: a single line that is drawn again and again on a terminal, otherwise one line per text.
struct Output {
  #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
  private let isTerminal = isatty(STDOUT_FILENO) == 1

  /// The width to use: one less than the terminal has at the moment, or 60 where there is none.
  var columns: Int {
    var size = winsize()
    guard isTerminal, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 1 else { return 60 }
    return Int(size.ws_col) - 1
  }
  #else
  private let isTerminal = false
  let columns = 60
  #endif

  /// Replaces the text shown before. Line wrapping is off meanwhile, because the terminal may become narrower.
  func show(_ text: String) {
    write(isTerminal ? "\u{1B}[?7l\r\(text)\u{1B}[K\u{1B}[?7h" : text + "\n")
  }

  /// Ends the line, so that the next text starts on a new one.
  func end() {
    if isTerminal { write("\n") }
  }

  private func write(_ text: String) {
    FileHandle.standardOutput.write(Data(text.utf8))
  }
}
