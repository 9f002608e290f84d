import Foundation
import Probes

/// Counts the instructions of cases, by running this program again under Valgrind.
///
/// Valgrind counts only inside of ``Meter/instructions``, and writes a file after each, of which a case may have
/// several.
struct Instructions {
  /// A message about an error, for the person who started the program.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  static var isAvailable: Bool {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .contains { FileManager.default.isExecutableFile(atPath: "\($0)/valgrind") }
  }

  /// The instructions of an operation of each case of the groups that is no size.
  static func measure(_ groups: [Group]) throws -> [[Measurement]] {
    let subjects = groups.flatMap { group in group.trials.map { group.path(of: $0.subject) } }
    guard !subjects.isEmpty else { return [] }
    var counts = try count(subjects).makeIterator()
    return groups.map { group in
      group.trials.compactMap { subject, _ in
        counts.next().map { Measurement(of: subject, in: group, .instructions, [$0]) }
      }
    }
  }

  /// Runs each case under Valgrind, and reports the numbers of operations and regions.
  static func runRegions(_ groups: [Group]) {
    for group in groups {
      for (_, make) in group.trials {
        let trial = make()
        let iterations = max(1, 1_000 / trial.operations)
        // This creates everything that is created only once.
        _ = trial.run(max(1, iterations / 10), .time)
        let regions = probe_region_count()
        _ = trial.run(iterations, .instructions)
        print(iterations * trial.operations, probe_region_count() - regions)
      }
    }
  }

  private static func count(_ subjects: [String]) throws -> [Double] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("kvo-benchmarks-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }

    let process = Process(), output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      [
        "valgrind", "--quiet", "--tool=callgrind", "--toggle-collect=probe_region", "--dump-after=probe_region",
        "--callgrind-out-file=\(folder.path)/out", Bundle.main.executablePath ?? CommandLine.arguments[0], "--regions",
      ] + subjects.flatMap { ["--only", $0] }
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let cases = text.split(separator: "\n").map { $0.split(separator: " ").compactMap { Int($0) } }
    guard process.terminationStatus == 0, cases.count == subjects.count, cases.allSatisfy({ $0.count == 2 }) else {
      throw Failure(description: "Valgrind ended with status \(process.terminationStatus) and \(cases.count) counts")
    }
    // One for each region, and one for the end.
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).count
    guard files == cases.map({ $0[1] }).reduce(1, +) else {
      throw Failure(description: "Valgrind wrote \(files) files, and not one for each region")
    }
    var file = 0
    return try cases.map { numbers in
      var sum = 0.0
      for _ in 0..<numbers[1] {
        file += 1
        sum += try total(folder.appendingPathComponent("out.\(file)"))
      }
      return sum / Double(numbers[0])
    }
  }

  /// The sum of a file that Valgrind wrote.
  private static func total(_ file: URL) throws -> Double {
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
      if line.hasPrefix("summary: "), let count = Double(line.dropFirst(9)) { return count }
    }
    throw Failure(description: "Valgrind wrote no summary to \(file.path)")
  }
}
