import KVOController

/// A shopping cart.
public final class Cart: KeyValueObject, Codable {
  /// The items, in the order in which they were added.
  @Observed public var items: [Item] = []
  /// The discount, in percent.
  @Observed public var discount = 0

  /// The price of all items. Its observers are notified when an item changes, because its getter reads it.
  public var subtotal: Int { items.reduce(0) { $0 + $1.amount } }

  /// The amount to pay.
  public var total: Int { subtotal - subtotal * discount / 100 }
}
