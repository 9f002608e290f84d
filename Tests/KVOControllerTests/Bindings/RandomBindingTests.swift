import Testing
import _KVOTestSupport
import _RandomPrograms

/// Random programs of bindings, against a model of the rules, and with two threads against the values that these have set last.
@Suite(.watched) struct RandomBindingTests {
  @Test func bindingsDoWhatTheModelDoes() {
    let failure = BindingsProgram.failure(operations: 10_000)
    #expect(failure == nil, "\(failure ?? "")")
  }

  @Test func bindingsThatTwoThreadsDriveHaveTheLastValues() {
    let failure = BindingsThreads.failure(operations: 6_400)
    #expect(failure == nil, "\(failure ?? "")")
  }
}
