import KVOController

/// Keeps the subtotal of a cart up to date when its items change.
///
/// A key path can't continue through the elements of an array, so the controller observes each item.
public final class CartController: KeyValueObject {
  private let cart: Cart

  /// Creates the controller of a cart and sets the cart's subtotal.
  public init(of cart: Cart) {
    self.cart = cart
    super.init()
    observe(cart, \.items, options: [.initial, .old, .new]) { controller, cart, change in
      controller.follow(cart.items, insteadOf: change.oldValue ?? [])
    }
  }

  private func follow(_ items: [Item], insteadOf former: [Item]) {
    for item in former where !items.contains(item) {
      kvoController.unobserve(item)
    }
    for item in items {
      // Does nothing if the item is observed already.
      observe(item, \.amount) { controller, _, _ in controller.updateSubtotal() }
    }
    updateSubtotal()
  }

  private func updateSubtotal() {
    cart.subtotal = cart.items.reduce(0) { $0 + $1.amount }
  }
}
