import Testing
import _RandomPrograms

/// Random programs of elements, bindings, weak properties, and models that are observed as a whole, against a model of the
/// rules.
@Suite struct RandomFormsTests {
  @Test func formsDoWhatTheModelDoes() {
    let failure = FormsProgram.failure(operations: 40_000)
    #expect(failure == nil, "\(failure ?? "")")
  }
}
