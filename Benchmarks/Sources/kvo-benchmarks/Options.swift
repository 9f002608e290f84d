/// What the command line asks for.
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

  /// What is wrong with a command line, in words for the person who typed it.
  struct Mistake: Error, CustomStringConvertible {
    let description: String
  }

  static let help = """
    Usage: kvo-benchmarks [--filter TEXT]... [--quick] [--json] [--svg FILE]
           kvo-benchmarks --instructions [--filter TEXT]... [--json]
           kvo-benchmarks --structure

    Measures what observing costs, beside its alternatives, in one run. Times are CPU times of one operation, medians of
    many samples; where several threads run, times by the wall. Beside each stand the blocks that it allocates.

      --filter TEXT    only cases whose "group/name" contains TEXT, and those they are compared with
      --quick          fewer and shorter samples
      --json           the results as JSON instead of a table
      --svg FILE       also draws how the results compare with the alternatives
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
