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

  /// Runs programs of a number of steps, each with the seed that follows that of the one before. Prints the first seed.
  ///
  /// - Parameters:
  ///   - count: The number of steps of all programs.
  ///   - length: The number of steps of each; nil for a single program.
  ///   - program: Returns what is wrong; nil if nothing is.
  /// - Returns: The seed of the first program that fails, and what is wrong.
  package static func failure(
    operations count: Int, inProgramsOf length: Int? = nil,
    _ program: (_ choices: inout Choices, _ steps: Range<Int>) -> String?
  ) -> String? {
    print("KVO_SEED=\(seed)")
    let count = operations(count)
    let steps = 0..<(length ?? count)
    for number in 0..<UInt64(max(1, count / max(1, steps.count))) {
      var choices = Choices(seed: seed &+ number)
      if let failure = program(&choices, steps) { return "KVO_SEED=\(seed &+ number): \(failure)" }
    }
    return nil
  }

  /// Runs random programs, each of so many operations.
  ///
  /// - Parameter difference: Runs a program, and returns what is wrong; nil if nothing is.
  /// - Returns: What is wrong, with a short program of which it is, too.
  static func failure<Operation>(
    operations count: Int, inProgramsOf length: Int, of random: (inout Choices) -> Operation,
    _ difference: ([Operation]) -> String?
  ) -> String? {
    failure(operations: count, inProgramsOf: length) { choices, steps in
      let program = steps.map { _ in random(&choices) }
      guard difference(program) != nil else { return nil }
      let short = shortened(program) { difference($0) != nil }
      return "\n\(short.map { "  \($0)" }.joined(separator: "\n"))\n\(difference(short) ?? "")"
    }
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

extension Range<Int> {
  /// The first step that fails, and what is wrong.
  package func firstFailure(_ step: () -> String?) -> String? {
    for number in self {
      if let failure = step() { return "step \(number), \(failure)" }
    }
    return nil
  }
}
