#if !canImport(ObjectiveC)
import KVOController
import Testing
import _KVOTestSupport

/// A test target that links the module too, as the app in which it runs does, has another `KeyValueObject` than the app.
@Suite struct LinkedTwiceTests {
  /// Stands for a model of the app.
  private final class Model: ForeignNode, @unchecked Sendable {
    var title: String { "" }

    override class var classNames: [String] { ["App.Model", "KVOController.KeyValueObject", "NSObject"] }
    override class var runtime: ImitatedClass? { imitated }
    private static let imitated = ImitatedClass(getters: [:])
  }

  @Test func theMessageSaysThatTheModuleIsLinkedTwice() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (model, recorder) = (Model(in: nil), Recorder())
      KVOController(observer: recorder).observe(model, \.title) { _, _ in }
    }
    #expect(said("<Model 0x", "is linked twice", "Link it once", in: result))
    #expect(!said("Mark the property", in: result))
  }
}
#endif
