#if !canImport(ObjectiveC)
import KVOController
import Testing
import _KVOTestSupport

/// Registrations for keys that a class doesn't have, which are Foundation's where it has Key-Value Observing.
@Suite struct UndefinedKeyTests {
  /// Handles undefined keys itself.
  private final class Lenient: KeyValueObject {
    var asked: [String] = []
    override func value(forUndefinedKey key: String) -> Any? {
      asked.append(key)
      return 5
    }
  }

  @Test func anUndefinedKeyWithRequestedValuesIsReadAtRegistration() {
    let (lenient, node, recorder) = (Lenient(), Node("node"), Recorder())
    recorder.observe(lenient, "missing", .new)
    recorder.observe(node, "missing", .prior)
    #expect(recorder.take() == [])
    #expect(lenient.asked == ["missing"])
  }
}
#endif
