import KVOController

/// An item in a cart.
public final class Item: KeyValueObject, Codable {
  /// The name of the item.
  public let title: String
  /// The price of one piece, in cents.
  @Observed public var price: Int
  /// The number of pieces.
  @Observed public var quantity = 1

  /// The price of all pieces. It has a name, so it can be observed by a string, and read by Key-Value Coding.
  public var amount: Int { price * quantity }

  public override class var keyPaths: [String: AnyKeyPath] { ["amount": \Item.amount] }

  public override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    key == "amount" ? ["price", "quantity"] : super.keyPathsForValuesAffectingValue(forKey: key)
  }

  /// Creates an item with a quantity of one.
  public init(_ title: String, price: Int) {
    self.title = title
    self.price = price
  }
}
