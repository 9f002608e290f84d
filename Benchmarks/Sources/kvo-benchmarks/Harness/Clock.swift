import Foundation

/// The two clocks, in nanoseconds.
enum Clock {
  /// The time that the process has used. The load of the machine matters little to it.
  static var cpu: Double { now(CLOCK_PROCESS_CPUTIME_ID) }

  /// The time that has passed. Only this clock shows how several threads help or hinder each other.
  static var wall: Double { now(CLOCK_MONOTONIC) }

  private static func now(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
}
