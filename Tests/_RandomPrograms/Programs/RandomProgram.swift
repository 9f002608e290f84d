import Foundation

/// Programs that are made up, run, and on failure shortened.
package enum RandomProgram {
  /// Runs programs until so many operations are done, one program a seed, and every eighth without a comparison. Prints the
  /// first seed.
  ///
  /// - Parameter offset: What is added to the seed of the run.
  /// - Returns: Nil if the engine does what the model does, or else the seed and a short program.
  package static func failure(operations: Int, offset: UInt64, usesControllers: Bool) -> String? {
    var seed = RandomRun.seed &+ offset
    print("KVO_SEED=\(seed)")
    var count = 0
    while count < RandomRun.operations(operations) {
      let generator = ProgramGenerator(Choices(seed: seed), usesControllers: usesControllers)
      let (failure, done) = run(generator, steps: 150, isCompared: !seed.isMultiple(of: 8))
      if let failure { return "KVO_SEED=\(seed):\n\(failure)" }
      count += done
      seed &+= 1
    }
    return nil
  }

  /// Runs the program that bytes make up.
  ///
  /// - Returns: Nil if the engine does what the model does, or else a short program.
  package static func run(bytes: [UInt8]) -> String? {
    var choices = Choices(bytes: bytes)
    let isCompared = !choices.isOne(in: 8)
    let usesControllers = choices.isOne(in: 2)
    let generator = ProgramGenerator(choices, usesControllers: usesControllers)
    return run(generator, steps: 200, isCompared: isCompared).failure
  }

  private static func run(
    _ generator: ProgramGenerator, steps: Int, isCompared: Bool
  ) -> (failure: String?, count: Int) {
    var generator = generator
    let program = generator.program(steps: steps)
    let execute = isCompared ? Execution.init(comparing:) : Execution.init(surviving:)
    let execution = execute(program)
    guard let difference = execution.difference else { return (nil, execution.count) }
    return (explain(program, execute) ?? "not again: \(difference)", execution.count)
  }

  /// A short program with the same fault, as a list, and how the worlds differ then; nil if they don't differ again.
  private static func explain(_ program: [Step], _ execute: ([Step]) -> Execution) -> String? {
    var steps = program
    var size = Int.max
    while steps.size < size {
      size = steps.size
      steps = shortened(steps) { execute($0).difference != nil }
      for index in steps.indices {
        steps[index].script = shortened(steps[index].script) { script in
          var fewer = steps
          fewer[index].script = script
          return execute(fewer).difference != nil
        }
      }
    }
    return execute(steps).difference.map { "\(steps.list)\n\($0)" }
  }
}

extension [Step] {
  fileprivate var size: Int { reduce(0) { $0 + 1 + $1.script.count } }

  /// One line for each operation; those done inside of callbacks are set in.
  fileprivate var list: String {
    enumerated().map { index, step in
      "\(index): \(step.operation)" + step.script.map { "\n     in a call: \($0)" }.joined()
    }
    .joined(separator: "\n")
    .replacingOccurrences(of: #"_RandomPrograms\.(\w+\.)*"#, with: ".", options: .regularExpression)
    .replacingOccurrences(of: #"KVOController\.\w+\(rawValue: (\d+)\)"#, with: "$1", options: .regularExpression)
  }
}
