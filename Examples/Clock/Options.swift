import Foundation

/// What the command line asks for.
struct Options {
  var ticks = Int.max
  var closeAfter: Int?
  var interval: TimeInterval = 1
  var showsHelp = false

  /// What is wrong with a command line, in words for the person who typed it.
  struct Mistake: Error, CustomStringConvertible {
    let description: String
  }

  static let help = """
    Usage: Clock [--ticks N] [--close-after N] [--interval SECONDS]

    A world clock. One model ticks; a view for each city observes it and draws itself: in place and in large
    digits on a terminal, else a line a tick. Closing a view releases it, and the others go on.

      --ticks N           end after N ticks (default: never)
      --close-after N     close the last open view every N ticks, and end when none is left
      --interval SECONDS  the time between two ticks, from 0.01 to 3600 (default: 1)
      --help              show this text

    On a terminal, the number of a view closes it, and q ends the program.
    """

  init(_ arguments: some Sequence<String>) throws {
    var arguments = arguments.makeIterator()
    while let argument = arguments.next() {
      switch argument {
      case "--ticks": ticks = try Self.count(arguments.next(), for: argument)
      case "--close-after": closeAfter = try Self.count(arguments.next(), for: argument)
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
