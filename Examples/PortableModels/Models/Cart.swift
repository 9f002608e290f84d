import KVOController

/// Items that somebody wants to buy.
public final class Cart: KeyValueObject {
  /// The items, in the order in which they came.
  @Observed public var items: [Item] = []
  /// What is taken off, in percent.
  @Observed public var discount = 0
  /// What the items cost together; a ``CartController`` keeps it right.
  @Observed public internal(set) var subtotal = 0

  /// What is to be paid.
  public var total: Int { subtotal - subtotal * discount / 100 }

  public override class var keyPaths: [String: AnyKeyPath] { ["total": \Cart.total] }

  public override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    key == "total" ? ["subtotal", "discount"] : super.keyPathsForValuesAffectingValue(forKey: key)
  }
}
