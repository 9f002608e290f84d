import KVOController

/// What the owner of a cart sees of it: a portable observer.
public final class CartSummary: KeyValueObject {
  /// The number of items and the amount to pay.
  public private(set) var text = ""

  /// Creates the summary of a cart, and keeps it up to date.
  public init(of cart: Cart) {
    super.init()
    observe(cart, \.total, options: [.initial, .new]) { summary, cart, change in
      summary.text = "\(cart.items.count) items, \(change.newValue ?? 0) cents"
    }
  }
}
