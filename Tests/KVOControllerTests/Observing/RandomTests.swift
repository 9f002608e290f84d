import Testing
import _KVOTestSupport
import _RandomPrograms

/// Random programs, also inside of callbacks, against a model of the rules.
///
/// `KVO_SEED` in the environment repeats a run, `KVO_STEPS` says how many operations it has. A failure says which seed
/// it had, and shows a short program that fails too.
@Suite struct RandomTests {
  init() { relayClosuresIfRequested() }

  /// Two halves, which run at the same time.
  @Test(arguments: [0, 1 << 32]) func theEngineDoesWhatTheModelDoes(offset: UInt64) {
    let failure = RandomProgram.failure(operations: 70_000, offset: offset, usesControllers: false)
    #expect(failure == nil, "\(failure ?? "")")
  }
}
