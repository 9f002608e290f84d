import Testing
import _RandomPrograms

/// Random programs of bindings, against a model of the rules.
///
/// `KVO_SEED` in the environment repeats a run, `KVO_STEPS` says how many operations it has.
@Suite struct RandomBindingTests {
  @Test func bindingsDoWhatTheModelDoes() {
    let failure = BindingsProgram.failure(operations: 10_000)
    #expect(failure == nil, "\(failure ?? "")")
  }
}
