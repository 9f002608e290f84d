import Foundation
import KVOController

/// The file of a cart, which knows whether the cart has to be saved.
public final class CartDocument: KeyValueObject {
  /// The cart of the document.
  public let cart: Cart
  /// Whether the cart has changed since it was last read or saved.
  @Observed public private(set) var isEdited = false

  /// Creates the document of a cart.
  public init(of cart: Cart) {
    self.cart = cart
    super.init()
    observe(allOf: cart) { document, _, _ in document.isEdited = true }
    observe(cart, elements: \.items, \.amount) { document, _, change in
      if change.changesValue { document.isEdited = true }
    }
  }

  /// Creates the document of a cart that was saved.
  public convenience init(reading data: Data) throws {
    self.init(of: try JSONDecoder().decode(Cart.self, from: data))
  }

  /// Returns the cart as data.
  public func save() throws -> Data {
    let data = try JSONEncoder().encode(cart)
    isEdited = false
    return data
  }
}
