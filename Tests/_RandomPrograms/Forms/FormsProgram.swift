/// Random programs of elements, bindings, weak properties, and models that are observed as a whole, run with real objects and
/// with a model of the rules.
package enum FormsProgram {
  /// Runs programs with so many operations in all.
  ///
  /// - Returns: The first difference, with a short program that has one too; nil if there is none.
  package static func failure(operations: Int) -> String? {
    RandomRun.failure(operations: operations, inProgramsOf: 200, of: FormsOperation.random, difference)
  }

  private static func difference(_ program: [FormsOperation]) -> String? {
    let world = FormsWorld()
    var model = FormsModel()
    for operation in program {
      let (calls, expected) = (draining { world.run(operation) }, model.run(operation))
      if calls != expected { return "\(operation): called \(calls) instead of \(expected)" }
      if world.slots != model.slots { return "\(operation): bound \(world.slots) instead of \(model.slots)" }
    }
    world.unobserveAll()
    return world.isUnobserved ? nil : "something is still observed"
  }
}
