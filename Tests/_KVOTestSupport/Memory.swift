import Foundation

#if canImport(Darwin)
import Darwin

/// How many bytes this process has allocated and not freed; nil where the system doesn't say.
private var usedBytes: Int? {
  var statistics = malloc_statistics_t()
  malloc_zone_statistics(nil, &statistics)
  return Int(statistics.size_in_use)
}
#else
/// How many bytes of this process are in memory now; nil where the system doesn't say.
private var usedBytes: Int? {
  guard let counts = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
  return counts.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 4096 }
}
#endif

/// How many bytes this process uses now; 0 where the system doesn't say.
package var memoryInUse: Int { usedBytes ?? 0 }

/// Whether growth can be measured. Sanitizers don't release freed memory.
package let seesGrowth = !isSanitized && usedBytes != nil

/// How many cycles are enough to see what leaks.
package let manyCycles = 40_000

/// How many cycles the commonest use is put through: a million, but in debug builds, which are slow.
#if DEBUG
package let aMillionCycles = 40_000
#else
package let aMillionCycles = 1_000_000
#endif

/// Says on standard error if each of several times that `body` runs often leaves more memory in use than before.
///
/// It is for exit tests: in a process where other tests run, their memory would be counted too.
package func reportGrowth(_ name: String, cycles: Int = manyCycles, _ body: (Int) -> Void) {
  let parts = 4
  var last = 0
  let growths = (0...parts).map { part in
    for round in 0..<cycles / parts { draining { body(part * cycles / parts + round) } }
    defer { last = usedBytes ?? 0 }
    return (usedBytes ?? 0) - last
  }
  // At first caches are filled. A leak occurs each time, and has at least 16 bytes, the smallest allocation.
  let growth = growths.dropFirst().min() ?? 0
  guard growth >= cycles / parts * 8 else { return }
  FileHandle.standardError.write(Data("\(name): \(growth) bytes more after \(cycles / parts) cycles\n".utf8))
}

/// Runs a body, and releases what it has autoreleased: on Apple platforms Foundation's Key-Value Coding autoreleases what it
/// reads, which would otherwise outlive the body.
package func draining<Result>(_ body: () throws -> Result) rethrows -> Result {
  #if canImport(ObjectiveC)
  try autoreleasepool(invoking: body)
  #else
  try body()
  #endif
}
