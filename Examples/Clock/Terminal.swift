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

/// Standard input and output: a screen and a keyboard if both are a terminal, otherwise a stream of lines.
final class Terminal {
  struct Size: Equatable {
    var rows = 24
    var columns = 80
  }

  /// Whether there is a screen to draw on and a keyboard to read.
  let isInteractive: Bool

  /// Writes text unchanged.
  func write(_ text: String) {
    FileHandle.standardOutput.write(Data(text.utf8))
  }

  /// Replaces a row of the screen. The first row is 1; rows beyond the screen are ignored.
  func write(_ text: String, atRow row: Int) {
    guard row <= size.rows else { return }
    write("\u{1B}[\(row);1H\(text)\u{1B}[K")
  }

  /// Clears the screen.
  func clear() {
    write("\u{1B}[2J")
  }

  #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
  /// Takes over the screen, if there is one, and restores it if a signal ends the program.
  init() {
    let kind = ProcessInfo.processInfo.environment["TERM"] ?? "dumb"
    isInteractive = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 && kind != "dumb"
    guard isInteractive else { return }

    tcgetattr(STDIN_FILENO, &originalSettings)
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
      signal(number) { number in
        restoreTerminal()
        signal(number, SIG_DFL)
        raise(number)
      }
    }
    signal(SIGTSTP, SIG_IGN)

    var settings = originalSettings
    settings.c_lflag &= ~tcflag_t(ECHO | ICANON)
    tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l")  // The alternate screen, without cursor and line wrapping.
  }

  /// Restores the screen.
  func restore() {
    if isInteractive { restoreTerminal() }
  }

  /// The current number of rows and columns.
  var size: Size {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0 else { return Size() }
    return Size(rows: Int(size.ws_row), columns: Int(size.ws_col))
  }

  /// Waits for a key until `end`, and returns nil if none was pressed. Without a terminal it only waits.
  func key(before end: Date) -> Character? {
    while case let seconds = end.timeIntervalSinceNow, seconds > 0 {
      guard isInteractive else {
        Thread.sleep(until: end)
        continue
      }
      var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      guard poll(&input, 1, Int32((seconds * 1000).rounded(.up))) > 0 else { continue }
      var byte: UInt8 = 0
      // The terminal was closed: quit.
      return read(STDIN_FILENO, &byte, 1) == 1 ? Character(Unicode.Scalar(byte)) : "q"
    }
    return nil
  }
  #else
  init() {
    isInteractive = false
  }

  func restore() {}

  var size: Size { Size() }

  func key(before end: Date) -> Character? {
    Thread.sleep(until: end)
    return nil
  }
  #endif
}

#if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
/// The terminal's settings before the program changed them. Written once, before any signal handler reads them.
nonisolated(unsafe) private var originalSettings = termios()

/// Restores the terminal. Uses only functions that are safe in a signal handler.
private func restoreTerminal() {
  let sequence: StaticString = "\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"
  _ = write(STDOUT_FILENO, sequence.utf8Start, sequence.utf8CodeUnitCount)
  tcsetattr(STDIN_FILENO, TCSANOW, &originalSettings)
}
#endif
