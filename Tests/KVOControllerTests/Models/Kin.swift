import KVOController

/// A model with weak references.
class Kin: KeyValueObject, @unchecked Sendable {
  @Observed var name = ""
  @Observed var number = 0
  @Observed var child: Kin?
  @Observed var items: [Int] = []
  @ObservedWeak var parent: Kin?
  @ObservedWeak var anything: NSObject?
  /// Runs in the deinit.
  var whenReleased: (() -> Void)?

  convenience init(_ name: String, number: Int = 0, child: Kin? = nil, parent: Kin? = nil) {
    self.init()
    (self.name, self.number, self.child, self.parent) = (name, number, child, parent)
  }

  deinit { whenReleased?() }

  var title: String { parent.map { "\($0.name)/\(name)" } ?? name }
  var grandparent: Kin? { parent?.parent }

  override class var keyPaths: [String: AnyKeyPath] { ["title": \Kin.title, "grandparent": \Kin.grandparent] }

  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    switch key {
    case "title": ["name", "parent.name"]
    case "grandparent": ["parent.parent"]
    default: super.keyPathsForValuesAffectingValue(forKey: key)
    }
  }
}

/// A model with a weak reference and nothing else.
final class Lone: KeyValueObject, @unchecked Sendable {
  @ObservedWeak var other: Lone?
}

/// A model whose weak reference has observers of its own.
final class Watched: KeyValueObject, @unchecked Sendable {
  var seen: [String] = []
  @ObservedWeak var kin: Kin? {
    didSet { seen.append("\(oldValue?.name ?? "nil") to \(kin?.name ?? "nil")") }
  }
}
