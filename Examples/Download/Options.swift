import Foundation

/// The options on the command line.
struct Options {
  var steps = 40
  var interval: TimeInterval = 0.05
  var showsHelp = false

  /// An error on the command line, with a description for the user.
  struct Mistake: Error, CustomStringConvertible {
    let description: String
  }

  static let help = """
    Usage: Download [--steps N] [--interval SECONDS]

    A simulated download. One model counts the bytes received. A progress bar observes a computed property that
    depends on two others: in a single line on a terminal, as wide as that is; otherwise as one line per step.

      --steps N           the number of pieces, from 1 to 10000 (default: 40)
      --interval SECONDS  the time between two pieces, from 0 to 60 (default: 0.05)
      --help              show this text
    """

  init(_ arguments: some Sequence<String>) throws {
    var arguments = arguments.makeIterator()
    while let argument = arguments.next() {
      switch argument {
      case "--steps": steps = try Self.number(arguments.next(), for: argument, in: 1...10_000)
      case "--interval": interval = try Self.number(arguments.next(), for: argument, in: 0...60)
      case "--help", "-h": showsHelp = true
      default: throw Mistake(description: "unknown option '\(argument)'")
      }
    }
  }

  private static func number<Number: LosslessStringConvertible & Comparable>(
    _ text: String?, for option: String, in range: ClosedRange<Number>
  ) throws -> Number {
    guard let text, let number = Number(text), range.contains(number) else {
      throw Mistake(description: "\(option) needs a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}
