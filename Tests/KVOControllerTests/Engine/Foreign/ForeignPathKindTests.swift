#if !canImport(ObjectiveC)
import KVOController
import Testing
import _KVOTestSupport

/// Which paths Foundation can observe as a whole, and which objects must outlive their registrations.
@Suite(.sound) struct ForeignPathKindTests {
  private func isForeign(_ keyPath: String, from root: KeyValueObject) -> Bool {
    ObservedPath.named(keyPath, of: root).leadsThroughForeignObjects(from: root)
  }

  private func chain(_ placement: Placement) -> any ChainNode {
    let chain = placement.chain
    return chain.head(child: chain.middle(child: chain.end()))
  }

  @Test(arguments: Placement.allCases) func onlyAPathThroughForeignObjectsIsFoundationsAsAWhole(_ placement: Placement)
  {
    let head = chain(placement)
    #expect(isForeign("child.child.name", from: head) == (placement == .everywhere))
    #expect(isForeign("name", from: head) == placement.isForeign(at: 0))
  }

  @Test func aPathThroughNilIsFoundationsAsFarAsItIsKnown() {
    #expect(isForeign("child.name", from: ForeignNode()))
    #expect(!isForeign("child.name", from: OwnChainNode()))
  }

  @Test func anObjectThatStandsForOthersTakesTheRestOfThePath() {
    let proxy = ForeignNode(registersPaths: true)
    proxy["child"] = OwnChainNode()
    #expect(isForeign("child.name", from: proxy))
  }

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
