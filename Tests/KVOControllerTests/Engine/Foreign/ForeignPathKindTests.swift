#if !canImport(ObjectiveC)
import KVOController
import Testing
import _KVOTestSupport

/// Which objects must outlive their registrations.
@Suite(.sound) struct ForeignPathKindTests {
  private final class Dependent: ForeignNode, @unchecked Sendable {
    override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
      switch key {
      case "label": ["title"]
      case "title": ["child.name"]
      default: []
      }
    }

    override class func automaticallyNotifiesObservers(forKey key: String) -> Bool { key != "manual" }
  }

  @Test func aRegistrationThatIsReadToBeRemovedMustNotOutliveTheObject() {
    let node = Dependent()
    #expect(node.cannotRemoveInDeinit(forKey: "label"))
    #expect(node.cannotRemoveInDeinit(forKey: "child.name"))
    #expect(!node.cannotRemoveInDeinit(forKey: "manual"))
    #expect(ForeignNode(keepsFoundationStorage: false).cannotRemoveInDeinit(forKey: "name"))
  }
}
#endif
