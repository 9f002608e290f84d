import Foundation

/// What the command line asks for.
struct Options {
  var steps = 40
  var interval: TimeInterval = 0.05
  var showsHelp = false

  /// What is wrong with a command line, in words for the person who typed it.
  struct Mistake: Error, CustomStringConvertible {
    let description: String
  }

  static let help = """
    Usage: Download [--steps N] [--interval SECONDS]

    A download, without a network. One model counts what has come; a progress bar observes the part of the whole,
    which depends on two properties: in one line on a terminal, else in a line for each step.

      --steps N           how many pieces come, from 1 to 10000 (default: 40)
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
