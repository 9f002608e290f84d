import KeyValueObserving
import Testing

/// Random operations, also from inside callbacks, against a model of the rules.
///
/// `KVO_SEED` in the environment repeats a run; a failure says which seed it had, and the few operations it takes.
@Suite struct RandomTests {
  /// An operation, and what the first callbacks during it do.
  private struct Step {
    let operation: Operation
    var script: [Operation]
  }

  @Test func theEngineDoesWhatTheModelDoes() {
    let environment = ProcessInfo.processInfo.environment
    let seed = environment["KVO_SEED"].flatMap { UInt64($0) } ?? .random(in: 0...UInt64(UInt32.max))
    for world in 0..<70 {
      var generator = OperationGenerator(seed: seed &+ UInt64(world))
      let steps = (0..<300).map { _ in
        Step(operation: generator.operation(nested: false), script: generator.script())
      }
      guard difference(steps) != nil else { continue }
      let few = shortened(steps)
      Issue.record(
        """
        KVO_SEED=\(seed &+ UInt64(world)):
        \(few.map { "\($0.operation) \($0.script)" }.joined(separator: "\n"))
        \(difference(few) ?? "")
        """)
      return
    }
  }

  /// The first step at which engine and model come to different calls, and those.
  private func difference(_ steps: [Step]) -> String? {
    let (real, model) = (RealWorld(), ModelWorld())
    defer {
      real.end()
      model.end()
    }
    for step in steps {
      (real.script, real.log) = (step.script[...], [])
      (model.script, model.log) = (step.script[...], [])
      real.perform(step.operation)
      model.perform(step.operation)
      if real.log != model.log {
        return "engine:\n\(real.log.joined(separator: "\n"))\nmodel:\n\(model.log.joined(separator: "\n"))"
      }
    }
    return nil
  }

  /// Steps without those that the difference doesn't need.
  private func shortened(_ steps: [Step]) -> [Step] {
    var steps = steps
    var before = Int.max
    while before > steps.reduce(0, { $0 + 1 + $1.script.count }) {
      before = steps.reduce(0) { $0 + 1 + $1.script.count }
      for index in steps.indices.reversed() {
        var fewer = steps
        fewer.remove(at: index)
        if difference(fewer) != nil {
          steps = fewer
          continue
        }
        for operation in steps[index].script.indices.reversed() {
          var fewer = steps
          fewer[index].script.remove(at: operation)
          if difference(fewer) != nil { steps = fewer }
        }
      }
    }
    return steps
  }
}
