import Foundation

/// The program: measures what it is asked for, and shows it.
@main
struct KVOBenchmarks {
  static func main() {
    do {
      let options = try Options(CommandLine.arguments.dropFirst())
      if options.showsHelp {
        write(Options.help)
      } else {
        try run(options)
      }
    } catch let mistake as Options.Mistake {
      complain("\(mistake); see --help")
      exit(2)
    } catch {
      complain("\(error)")
      exit(1)
    }
  }

  private static func run(_ options: Options) throws {
    let groups = Group.all.map { $0.filtered(by: options.filters) }.filter { !$0.cases.isEmpty }
    switch options.mode {
    case .regions: Instructions.runRegions(Group.all.map { $0.only(options.only) })
    case .instructions:
      for results in try Instructions.measure(groups.filter(\.isCountable)) { write("\(Table(results))") }
    case .structure: break
    case .time:
      let runner = options.isQuick ? Runner.quick : Runner()
      for group in groups { write("\(Table(runner.measure(group)))") }
    }
  }

  private static func write(_ text: String) {
    FileHandle.standardOutput.write(Data("\(text)\n".utf8))
  }

  private static func complain(_ text: String) {
    FileHandle.standardError.write(Data("kvo-benchmarks: \(text)\n".utf8))
  }
}
