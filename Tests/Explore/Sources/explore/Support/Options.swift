import Foundation
import Scheduler

/// What the command line says.
struct Options {
  var seconds = 20.0
  /// The time for all programs; nil if each has its own.
  var total: Double?
  var bound: Int32 = 3
  var seed: UInt64 = 1
  var jobs = 2
  var names: [String] = []
  var replay: String?
  var lists = false

  static let usage = """
    usage: explore [--seconds S | --total S] [--bound B] [--seed N] [--jobs J] [--list] [--replay CHOICES] [PROGRAM ...]
      --seconds  the time for each program, on one processor (20)
      --total    the time for all programs together, instead
      --bound    the most preemptions of which all schedules are run (3)
      --seed     of the random priorities (1)
      --jobs     how many programs run at the same time (2)
      --replay   runs one schedule of one program, and prints its points; CHOICES are those of a failure
    """

  init(_ arguments: [String]) {
    var rest = arguments[...]
    func value() -> String {
      guard let value = rest.popFirst() else { Self.refuse() }
      return value
    }
    while let argument = rest.popFirst() {
      switch argument {
      case "--seconds": seconds = Double(value()) ?? seconds
      case "--total": total = Double(value())
      case "--bound": bound = Int32(value()) ?? bound
      case "--seed": seed = UInt64(value()) ?? seed
      case "--jobs": jobs = max(1, min(16, Int(value()) ?? jobs))
      case "--replay": replay = value()
      case "--list": lists = true
      case let name where !name.hasPrefix("-"): names.append(name)
      default: Self.refuse()
      }
    }
  }

  static func refuse() -> Never {
    print(usage)
    exit(2)
  }

  /// The options for the scheduler.
  func scheduler(seconds: Double) -> explore_options {
    var options = explore_options()
    options.seconds = seconds
    options.max_bound = bound
    options.seed = seed
    guard let replay else { return options }
    options.replays = true
    options.traces = true
    let choices = replay.split(separator: ",").map { $0.split(separator: ":").compactMap { UInt32($0) } }
    withUnsafeMutableBytes(of: &options.choices) { bytes in
      let places = bytes.bindMemory(to: explore_choice.self)
      for (index, choice) in choices.prefix(places.count).enumerated() where choice.count == 2 {
        places[index] = explore_choice(decision: choice[0], thread: choice[1])
      }
    }
    options.count = UInt32(min(choices.count, Int(explore_max_choices)))
    return options
  }
}

/// What a process has reported.
extension explore_report {
  /// The choices of a schedule, as `--replay` takes them.
  var choicesText: String {
    withUnsafeBytes(of: choices) { bytes in
      bytes.bindMemory(to: explore_choice.self).prefix(Int(count)).map { "\($0.decision):\($0.thread)" }
        .joined(separator: ",")
    }
  }

  var messageText: String {
    withUnsafeBytes(of: message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
