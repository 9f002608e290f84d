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
    case .structure: try checkStructure()
    case .instructions: try report(Instructions.measure(groups.filter(\.isCountable)), options)
    case .time:
      if !options.showsJSON { write(machine) }
      let runner = options.isQuick ? Runner.quick : Runner()
      try report(groups.lazy.map(runner.measure), options)
    }
  }

  /// Shows the groups one after another, as they are measured.
  private static func report(_ groups: some Sequence<[Measurement]>, _ options: Options) throws {
    var all: [[Measurement]] = []
    for group in groups {
      all.append(group)
      if !options.showsJSON { write("\(Table(group))") }
    }
    if options.showsJSON { write(try JSONReport(all).text()) }
    if let file = options.svg { try Chart(of: all).text.write(toFile: file, atomically: true, encoding: .utf8) }
  }

  /// On what is measured, and what a time means.
  private static var machine: String {
    var loads = [0.0, 0, 0]
    getloadavg(&loads, 3)
    return """
      Times of one operation: CPU time, the median of many samples; on several threads time by the wall, the least.
      \(ProcessInfo.processInfo.activeProcessorCount) processors, load \(loads[0].short) before the start.

      """
  }

  private static func checkStructure() throws {
    let check = try StructureCheck(Group.all)
    write(check.report)
    if !check.isPassed { exit(1) }
  }

  private static func write(_ text: String) {
    FileHandle.standardOutput.write(Data("\(text)\n".utf8))
  }

  private static func complain(_ text: String) {
    FileHandle.standardError.write(Data("kvo-benchmarks: \(text)\n".utf8))
  }
}
