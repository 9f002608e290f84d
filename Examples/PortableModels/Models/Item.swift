import KVOController

/// Something in a cart.
public final class Item: KeyValueObject {
  /// What it is called.
  public let title: String
  /// What one of them costs, in cents.
  @Observed public var price: Int
  /// How many of them there are.
  @Observed public var quantity = 1

  /// What all of them cost: observable like the properties on which it depends.
  public var amount: Int { price * quantity }

  public override class var keyPaths: [String: AnyKeyPath] { ["amount": \Item.amount] }

  public override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    key == "amount" ? ["price", "quantity"] : super.keyPathsForValuesAffectingValue(forKey: key)
  }

  /// Creates an item, of which there is one.
  public init(_ title: String, price: Int) {
    self.title = title
    self.price = price
  }
}
