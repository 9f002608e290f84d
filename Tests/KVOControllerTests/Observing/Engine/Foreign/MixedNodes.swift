#if !canImport(ObjectiveC)
import KVOController
import _KVOTestSupport

/// The keys of random programs with objects of both kinds: `number`, `factor`, `child`, `total`, which depends on `number`
/// and `factor`, and `sum`, which depends on `child.number` and `child.total`, and which only the engine's objects have.
final class OwnMixedNode: KeyValueObject, @unchecked Sendable {
  @Observed var number = 0
  @Observed var factor = 1
  @Observed var child: KeyValueObject?
  var total: Int { number * factor }
  var sum: Int {
    (child?.value(forKey: "number") as? Int ?? 0) + (child?.value(forKey: "total") as? Int ?? 0)
  }

  override class var keyPaths: [String: AnyKeyPath] {
    ["total": \OwnMixedNode.total, "sum": \OwnMixedNode.sum]
  }

  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    switch key {
    case "total": ["number", "factor"]
    case "sum": ["child.number", "child.total"]
    default: super.keyPathsForValuesAffectingValue(forKey: key)
    }
  }
}

final class ForeignMixedNode: ForeignNode, @unchecked Sendable {
  override func value(forKey key: String) -> Any? {
    guard key == "total" else { return super.value(forKey: key) }
    return (self["number"] as? Int ?? 0) * (self["factor"] as? Int ?? 1)
  }

  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    key == "total" ? ["number", "factor"] : super.keyPathsForValuesAffectingValue(forKey: key)
  }
}

/// Such a node as the model has it.
final class ModelMixedNode {
  let id: Int
  let isForeign: Bool
  var number = 0
  var factor = 1
  var child: ModelMixedNode?

  init(_ id: Int, isForeign: Bool) {
    self.id = id
    self.isForeign = isForeign
  }

  var total: Int { number * factor }

  func affecting(_ key: String) -> [[String]] {
    switch key {
    case "total": [["number"], ["factor"]]
    case "sum" where !isForeign: [["child", "number"], ["child", "total"]]
    default: []
    }
  }

  /// The value for a key path as an observer receives it; nil if there is none.
  func value(_ keys: ArraySlice<String>) -> String? {
    guard let key = keys.first else { return "object \(id)" }
    switch key {
    case "child": return child?.value(keys.dropFirst())
    case "number": return "\(number)"
    case "factor": return "\(factor)"
    case "total": return "\(total)"
    default: return isForeign ? nil : "\((child?.number ?? 0) + (child?.total ?? 0))"
    }
  }
}

/// A registration as the model has it.
struct ModelMixedRegistration {
  /// A key of an object that affects the value.
  private struct Place: Hashable {
    let id: Int
    let key: String
  }

  private let keys: [String]
  let options: NSKeyValueObservingOptions
  private weak var weakRoot: ModelMixedNode?
  private let retained: ModelMixedNode?

  init(
    _ root: ModelMixedNode, _ keyPath: String, _ options: NSKeyValueObservingOptions, isRetaining: Bool
  ) {
    keys = keyPath.split(separator: ".").map(String.init)
    self.options = options
    (weakRoot, retained) = (root, isRetaining ? root : nil)
  }

  var root: ModelMixedNode? { weakRoot }

  var value: String { root?.value(keys[...]) ?? "null" }

  /// How often a change of a key of an object notifies: once if the engine observes it; otherwise once for each key that the
  /// path needs of the object, and that is this one or depends on it.
  func calls(for key: String, of node: ModelMixedNode) -> Int {
    guard let root else { return 0 }
    var places: Set<Place> = []
    Self.follow(keys[...], root, &places)
    guard node.isForeign else { return places.contains(Place(id: node.id, key: key)) ? 1 : 0 }
    return places.count { $0.id == node.id && ($0.key == key || node.affecting($0.key).contains([key])) }
  }

  private static func follow(_ keys: ArraySlice<String>, _ node: ModelMixedNode, _ places: inout Set<Place>) {
    guard let key = keys.first else { return }
    places.insert(Place(id: node.id, key: key))
    if !node.isForeign {
      for affecting in node.affecting(key) { follow(affecting[...], node, &places) }
    }
    if key == "child", let child = node.child { follow(keys.dropFirst(), child, &places) }
  }
}
#endif
