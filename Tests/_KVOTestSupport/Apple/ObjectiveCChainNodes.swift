#if canImport(ObjectiveC)
import KVOController
import Testing

/// Creates the foreign nodes of a chain.
struct ForeignChainNodes: Sendable {
  func node() -> any ChainNode { ObjectiveCChainNode() }
}

/// One that Foundation observes.
private final class ObjectiveCChainNode: NSObject, ChainNode, @unchecked Sendable {
  @objc dynamic var name = ""
  @objc dynamic var number = 0
  @objc dynamic var items: [Int] = []
  @objc dynamic private var child: NSObject?

  var anyChild: NSObject? {
    get { child }
    set { child = newValue }
  }
}

extension ChainNode {
  /// How often the engine's object is registered with; for another object, whether Foundation has registered anything.
  package var registrationCount: Int {
    (self as? KeyValueObject)?.registrationCount ?? (observationInfo == nil ? 0 : 1)
  }
}

/// On these platforms Foundation itself takes care of soundness.
package struct ForeignSoundness: SuiteTrait, TestTrait {}

extension Trait where Self == ForeignSoundness {
  package static var sound: Self { ForeignSoundness() }
}
#endif
