#if !canImport(ObjectiveC)
import KVOController
import Testing

/// What the ``ForeignNode``s of one test have to complain about.
package final class ForeignLedger: Sendable {
  /// The one of the running test, which other threads don't have.
  @TaskLocal package static var current: ForeignLedger?

  private let violations = Locked<[String]>([])
  private let objects = Locked(0)

  package init() {}

  /// The number of objects that exist, or whose registrations are left.
  package var count: Int { objects.current }

  func count(_ number: Int) { objects.add(number) }

  /// The complaints since the last time.
  package func take() -> [String] { violations.take() }

  /// Records what Foundation wouldn't survive.
  static func report(_ violation: String, in ledger: ForeignLedger?) {
    if let ledger { ledger.violations.append(violation) } else { Issue.record("\(violation)") }
  }
}

/// Gives each test a ``ForeignLedger``, and expects it to be empty at the end.
package struct ForeignSoundness: SuiteTrait, TestTrait, TestScoping {
  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let ledger = ForeignLedger()
    try await ForeignLedger.$current.withValue(ledger, operation: function)
    #expect(ledger.take() == [], sourceLocation: test.sourceLocation)
    #expect(ledger.count == 0, "registrations or objects are left", sourceLocation: test.sourceLocation)
  }
}

extension Trait where Self == ForeignSoundness {
  /// Registrations with foreign objects are removed once each, and nothing is read from an object that is deallocated.
  package static var sound: Self { ForeignSoundness() }
}
#endif
