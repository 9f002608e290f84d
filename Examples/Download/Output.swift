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

/// The standard output: one line that is drawn over and over on a terminal, else a line for each text.
struct Output {
  #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
  private let isTerminal = isatty(STDOUT_FILENO) == 1
  #else
  private let isTerminal = false
  #endif

  /// Shows a text in place of the one before.
  func show(_ text: String) {
    write(isTerminal ? "\r\(text)\u{1B}[K" : text + "\n")
  }

  /// Ends what is shown: what comes after it begins on a line of its own.
  func end() {
    if isTerminal { write("\n") }
  }

  private func write(_ text: String) {
    FileHandle.standardOutput.write(Data(text.utf8))
  }
}
