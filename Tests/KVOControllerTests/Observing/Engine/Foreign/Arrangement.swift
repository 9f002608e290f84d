#if !canImport(ObjectiveC)
import KVOController
import Testing
import _KVOTestSupport

/// A node of the engine's.
final class OwnNode: KeyValueObject, @unchecked Sendable {
  @Observed var child: KeyValueObject?
  @Observed var number: Int? = 0
  @Observed var factor = 1
  @Observed var items: [KeyValueObject] = []
  var total: Int { (number ?? 0) * factor }

  override class var keyPaths: [String: AnyKeyPath] { ["total": \OwnNode.total] }
  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    key == "total" ? ["number", "factor"] : super.keyPathsForValuesAffectingValue(forKey: key)
  }
}

/// Where on a path of three keys there are foreign objects, and whether the controller retains the first one.
struct Arrangement: Sendable, CustomStringConvertible {
  let placement: Placement
  var isRetaining = true

  /// - Parameter index: The object's place on the path.
  func node(_ index: Int, _ number: Int = 0) -> KeyValueObject {
    let node: KeyValueObject = placement.isForeign(at: index) ? ForeignNode() : OwnNode()
    node.setValue(number, forKey: "number")
    return node
  }

  /// A root, a middle with a leaf, which the root leads to, and another middle with another leaf.
  func path() -> (
    root: KeyValueObject, first: KeyValueObject, second: KeyValueObject, leaf: KeyValueObject, other: KeyValueObject
  ) {
    let path = (root: node(0), first: node(1), second: node(1), leaf: node(2, 1), other: node(2, 10))
    path.root.setValue(path.first, forKey: "child")
    path.first.setValue(path.leaf, forKey: "child")
    path.second.setValue(path.other, forKey: "child")
    return path
  }

  var description: String { "\(placement)\(isRetaining ? "" : ", unretained")" }

  static let all = Placement.allCases.flatMap {
    [Arrangement(placement: $0), Arrangement(placement: $0, isRetaining: false)]
  }
  static let own = Arrangement(placement: .nowhere)
}
#endif
