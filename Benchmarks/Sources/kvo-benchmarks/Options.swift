/// The options of the command line.
struct Options {
  enum Mode {
    case time, instructions, structure
    /// Run by this program itself, under Valgrind.
    case regions
  }

  var mode = Mode.time
  var filters: [String] = []
  var only: [String] = []
  var isQuick = false
  var showsJSON = false
  var svg: String?
  var showsHelp = false

  /// An error in the command line, with a message for its author.
  struct Mistake: Error, CustomStringConvertible {
    let description: String
  }

  static let help = """
    Usage: kvo-benchmarks [--filter TEXT]... [--quick] [--json] [--svg FILE]
           kvo-benchmarks --instructions [--filter TEXT]... [--json]
           kvo-benchmarks --structure

    Measures the cost of observing, compared with its alternatives, in one run. Times are CPU times of one operation,
    medians of many samples; on several threads, they are elapsed times. Each row also has the number of allocations.

      --filter TEXT    only cases whose "group/name" contains TEXT, and those they are compared with
      --quick          fewer and shorter samples
      --json           the results as JSON instead of a table
      --svg FILE       also draws a chart of the few ratios that decide
      --instructions   counts instructions instead of time; needs Valgrind
      --structure      measures no time, but checks allocations, sizes and growth against their limits, with status 1 if
                       one is exceeded; growth needs Valgrind
      --help           show this text
    """

  init(_ arguments: some Sequence<String>) throws {
    var arguments = arguments.makeIterator()
    while let argument = arguments.next() {
      switch argument {
      case "--filter": filters.append(try Self.value(arguments.next(), for: argument))
      case "--quick": isQuick = true
      case "--json": showsJSON = true
      case "--svg": svg = try Self.value(arguments.next(), for: argument)
      case "--instructions": mode = .instructions
      case "--structure": mode = .structure
      case "--regions": mode = .regions
      case "--only": only.append(try Self.value(arguments.next(), for: argument))
      case "--help", "-h": showsHelp = true
      default: throw Mistake(description: "unknown option '\(argument)'")
      }
    }
  }

  private static func value(_ text: String?, for option: String) throws -> String {
    guard let text, !text.isEmpty else { throw Mistake(description: "\(option) needs a value") }
    return text
  }
}
