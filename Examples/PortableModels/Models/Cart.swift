import KVOController

/// A shopping cart.
public final class Cart: KeyValueObject {
  /// The items, in the order in which they were added.
  @Observed public var items: [Item] = []
  /// The discount, in percent.
  @Observed public var discount = 0
  /// The price of all items. A ``CartController`` keeps it up to date.
  @Observed public internal(set) var subtotal = 0

  /// The amount to pay.
  public var total: Int { subtotal - subtotal * discount / 100 }

  public override class var keyPaths: [String: AnyKeyPath] { ["total": \Cart.total] }

  public override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    key == "total" ? ["subtotal", "discount"] : super.keyPathsForValuesAffectingValue(forKey: key)
  }
}
