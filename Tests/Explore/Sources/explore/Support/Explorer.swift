import Foundation
import Scheduler

/// Explores programs, each in a process of its own.
///
/// - Returns: The status of the process: 0 if no program has failed.
func explore(_ options: Options) -> Int32 {
  if let unknown = options.names.first(where: { name in !allPrograms.contains { $0.name == name } }) {
    print("There is no program '\(unknown)'; --list shows all.")
    return 2
  }
  let programs = options.names.isEmpty ? allPrograms : allPrograms.filter { options.names.contains($0.name) }
  if options.lists {
    for program in programs { print("\(program.name): \(program.rule)") }
    return 0
  }
  guard options.replay == nil || programs.count == 1 else { Options.refuse() }
  var waiting = programs[...]
  var running: [Int32: (Program, UnsafeMutablePointer<explore_report>)] = [:]
  var (failures, schedules) = (0, UInt64(0))
  let end = options.total.map { Date(timeIntervalSinceNow: $0) }
  while true {
    while running.count < min(options.jobs, Int(maxChildren)), let program = waiting.popFirst() {
      let place = (0...).first { running[$0] == nil }!
      let report = explore_new_report()
      running[place] = (program, report)
      // What a program doesn't need is left for the next ones.
      let share = Double(min(options.jobs, waiting.count + 1)) / Double(waiting.count + 1)
      let seconds = end.map { max(0.1, $0.timeIntervalSinceNow * share) } ?? options.seconds
      start(program, report, options.scheduler(seconds: seconds), at: place)
    }
    guard !running.isEmpty else { break }
    let (program, report) = running.removeValue(forKey: explore_wait())!
    schedules += report.pointee.systematic + report.pointee.random
    if report.pointee.has_failed { failures += 1 }
    printReport(report.pointee, of: program)
  }
  print("\(programs.count) programs ran under \(schedules) schedules, and \(failures) failed")
  return failures == 0 ? 0 : 1
}

private let maxChildren: Int32 = 16

private func start(
  _ program: Program, _ report: UnsafeMutablePointer<explore_report>, _ options: explore_options, at place: Int32
) {
  let box = Unmanaged.passRetained(Work(program, report, options))
  let status = explore_start(
    place, report,
    { context in
      let work = Unmanaged<Work>.fromOpaque(context).takeUnretainedValue()
      work.run()
    }, box.toOpaque())
  box.release()
  guard status == 0 else { fatalError("No process could be started: \(status)") }
}

/// What a child process does.
private final class Work {
  private let program: Program
  private let report: UnsafeMutablePointer<explore_report>
  private var options: explore_options

  init(_ program: Program, _ report: UnsafeMutablePointer<explore_report>, _ options: explore_options) {
    (self.program, self.report, self.options) = (program, report, options)
  }

  func run() {
    Executor.shared.begin()
    // What the process makes once, such as the properties of a class, is made before.
    var first = explore_options()
    first.seconds = 0
    explore_begin(report, &first)
    for _ in 0..<3 { Run.run(program) }
    report.pointee.systematic = 0
    explore_begin(report, &options)
    while explore_next() { Run.run(program) }
  }
}

private func printReport(_ report: explore_report, of program: Program) {
  let schedules = report.systematic + report.random
  if report.has_failed {
    print("✘ \(program.name), after \(schedules) schedules: \(report.messageText)")
    print("  rule: \(program.rule)")
    print("  replay: explore --replay \(report.choicesText.isEmpty ? "0:0" : report.choicesText) '\(program.name)'")
  } else {
    let bound = report.bound < 0 ? "not even without preemptions" : "all with up to \(report.bound) preemptions"
    let diverged = report.diverged == 0 ? "" : ", \(report.diverged) diverged"
    print("✔ \(program.name): \(schedules) schedules of \(report.decisions) decisions, \(bound)\(diverged)")
  }
}
