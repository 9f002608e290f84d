import KVOController

/// The text field for the discount of a cart: what is typed changes the cart, and the other way round.
public final class DiscountField: KeyValueObject {
  /// The discount, in percent, between 0 and 50.
  @Observed public var percent = 0 {
    didSet {
      // What the field makes of a value reaches the cart too.
      let allowed = min(max(percent, 0), 50)
      if percent != allowed { percent = allowed }
    }
  }
  /// The text that the field shows.
  public private(set) var text = ""

  /// Shows the discount of a cart, instead of that of another one.
  public func edit(_ cart: Cart) {
    bindBothWays(cart, \.discount, with: \.percent)
    bind(cart, \.discount, to: \.text) { "\($0) %" }
  }
}
