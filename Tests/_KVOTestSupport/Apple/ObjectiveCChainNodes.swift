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

extension NSObject {
  /// Foundation registers observers with its objects itself.
  package final func observeForeign(
    _ object: NSObject, _ keyPath: String, _ options: NSKeyValueObservingOptions, context: UnsafeMutableRawPointer?
  ) -> Bool { false }

  package final func unobserveForeign(
    _ object: NSObject, _ keyPath: String, context: UnsafeMutableRawPointer?
  ) -> Bool { false }
}

/// On these platforms Foundation itself takes care of soundness.
package struct ForeignSoundness: SuiteTrait, TestTrait {}

extension Trait where Self == ForeignSoundness {
  package static var sound: Self { ForeignSoundness() }
}
#endif
