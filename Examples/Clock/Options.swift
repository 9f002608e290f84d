import Foundation

/// The options on the command line.
struct Options {
  var ticks = Int.max
  var releaseAfter: Int?
  var interval: TimeInterval = 1
  var showsHelp = false

  /// An error on the command line, with a description for the user.
  struct Mistake: Error, CustomStringConvertible {
    let description: String
  }

  static let help = """
    Usage: Clock [--ticks N] [--release-after N] [--interval SECONDS]

    A world clock. One model ticks. A view for each city observes it and draws itself: in large digits on a terminal,
    yellow by day and blue by night; otherwise as one line per tick. Releasing a view ends its observation.

      --ticks N           stop after N ticks (default: never)
      --release-after N   release the last view every N ticks, and stop when there is none left
      --interval SECONDS  the time between two ticks, from 0.01 to 3600 (default: 1)
      --help              show this text

    On a terminal, the number of a view releases it or brings it back, and q quits.
    """

  init(_ arguments: some Sequence<String>) throws {
    var arguments = arguments.makeIterator()
    while let argument = arguments.next() {
      switch argument {
      case "--ticks": ticks = try Self.count(arguments.next(), for: argument)
      case "--release-after": releaseAfter = try Self.count(arguments.next(), for: argument)
      case "--interval": interval = try Self.interval(arguments.next(), for: argument)
      case "--help", "-h": showsHelp = true
      default: throw Mistake(description: "unknown option '\(argument)'")
      }
    }
  }

  private static func count(_ text: String?, for option: String) throws -> Int {
    guard let text, let count = Int(text), count > 0 else {
      throw Mistake(description: "\(option) needs a whole number greater than 0")
    }
    return count
  }

  private static func interval(_ text: String?, for option: String) throws -> TimeInterval {
    guard let text, let interval = TimeInterval(text), (0.01...3600).contains(interval) else {
      throw Mistake(description: "\(option) needs a number of seconds from 0.01 to 3600")
    }
    return interval
  }
}
