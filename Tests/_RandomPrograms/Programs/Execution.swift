/// A program run with the engine, alongside the model or alone.
struct Execution {
  /// How engine and model differ, and at which step.
  private(set) var difference: String?
  /// The number of operations done.
  private(set) var count = 0

  /// Runs a program in both worlds, which must have the same calls and the same result.
  init(comparing program: [Step]) {
    let (real, model) = (RealWorld(), ModelWorld())
    for (index, step) in program.enumerated() where difference == nil {
      (real.script, real.events) = (step.script[...], [])
      (model.script, model.events) = (step.script[...], [])
      real.beginStep()
      model.beginStep()
      draining { real.perform(step.operation) }
      model.perform(step.operation)
      real.endStep()
      model.endStep()
      if model.isAmbiguous { break }
      if real.events != model.events {
        difference = "Step \(index):\n\(Self.list("engine", real.events))\(Self.list("model", model.events))"
      } else if real.living.map(\.id) != model.living.map(\.id) {
        difference =
          "Step \(index): alive are \(real.living.map(\.id)) in the engine, \(model.living.map(\.id)) in the model"
      } else if real.validTokens != model.validTokens {
        difference = "Step \(index): valid are \(real.validTokens) in the engine, \(model.validTokens) in the model"
      }
    }
    if difference == nil && !model.isAmbiguous && real.contents != model.contents {
      difference = "The nodes hold \(real.contents) in the engine, \(model.contents) in the model"
    }
    count = real.count
    model.end()
    let complaint = real.end()
    difference = difference ?? complaint
  }

  /// Runs a program with the engine alone. Nodes may be deallocated at any time; nothing may crash or leak.
  init(surviving program: [Step]) {
    let real = RealWorld()
    for step in program {
      (real.script, real.events) = (step.script[...], [])
      draining { real.perform(step.operation) }
    }
    count = real.count
    difference = real.end()
  }

  private static func list(_ name: String, _ events: [Event]) -> String {
    "  \(name):\n" + events.map { "    \($0)\n" }.joined()
  }
}
