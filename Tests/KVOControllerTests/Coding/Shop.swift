import KVOController
import _KVOTestSupport

/// An element of collections.
final class Item: RegisteredObject, @unchecked Sendable {
  @Observed var name: String
  @Observed var price: Int?
  @Observed var tags: [String] = []
  @Observed var colors: Set<String> = []
  @Observed var part: Item?

  init(_ name: String = "", _ price: Int? = nil, tags: [String] = [], colors: Set<String> = [], part: Item? = nil) {
    self.name = name
    self.price = price
    self.tags = tags
    self.colors = colors
    self.part = part
  }
}

/// A model with a collection.
final class Shop: KeyValueObject, @unchecked Sendable {
  @Observed var items: [Item]
  @Observed var stock: [Item]?
  @Observed var neighbour: Shop?

  init(_ items: [Item] = []) { self.items = items }

  var total: Int { items.compactMap(\.price).reduce(0, +) }

  override class var keyPaths: [String: AnyKeyPath] { ["total": \Shop.total] }

  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    key == "total" ? ["items.@sum.price"] : super.keyPathsForValuesAffectingValue(forKey: key)
  }
}
