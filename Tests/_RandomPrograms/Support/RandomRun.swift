import Foundation

/// The environment's settings for random tests, which repeat a run or make it longer.
package enum RandomRun {
  private static let environment = ProcessInfo.processInfo.environment

  /// Of `KVO_SEED`, or else of chance.
  package static let seed = environment["KVO_SEED"].flatMap { UInt64($0) } ?? .random(in: 0...UInt64(UInt32.max))

  /// The number of operations of a test: that of `KVO_STEPS`, or else so many, and fewer under a sanitizer.
  package static func operations(_ count: Int) -> Int {
    environment["KVO_STEPS"].flatMap { Int($0) } ?? (isSanitized ? count / 10 : count)
  }

  /// Whether a sanitizer watches this run, as its options or its runtime say.
  private static var isSanitized: Bool {
    #if os(Windows)
    return environment["ASAN_OPTIONS"] != nil
    #else
    let process = dlopen(nil, RTLD_NOW)
    return environment["ASAN_OPTIONS"] != nil || dlsym(process, "__tsan_init") != nil
      || dlsym(process, "__asan_init") != nil
    #endif
  }
}
