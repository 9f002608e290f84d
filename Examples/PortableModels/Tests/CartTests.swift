import KVOController
import PortableModels
import Testing

/// Tests of the models. They run on every platform, so testing a model doesn't need a device.
@Suite struct CartTests {
  let cart = Cart()
  let tea = Item("Tea", price: 450)
  let cups = Item("Cups", price: 1200)

  @Test func theAmountFollowsPriceAndQuantity() {
    var amounts: [Int?] = []
    let observer = NSObject()
    let controller = KVOController(observer: observer)
    controller.observe(tea, \.amount, options: [.initial, .new]) { _, change in amounts.append(change.newValue) }
    tea.quantity = 2
    tea.price = 400
    #expect(amounts == [450, 900, 800])
  }

  @Test func theSubtotalFollowsTheItems() {
    let controller = CartController(of: cart)
    cart.items = [tea]
    #expect(cart.subtotal == 450)
    cart.items.append(cups)
    #expect(cart.subtotal == 1650)
    cups.quantity = 3
    #expect(cart.subtotal == 4050)
    cart.items.removeFirst()
    #expect(cart.subtotal == 3600)
    withExtendedLifetime(controller) {}
  }

  @Test func aRemovedItemIsForgotten() {
    let controller = CartController(of: cart)
    weak var forgotten: Item?
    do {
      let saucer = Item("Saucer", price: 300)
      forgotten = saucer
      cart.items = [saucer, tea]
      cart.items = [tea]
      saucer.quantity = 7
    }
    #expect(cart.subtotal == 450)
    #expect(forgotten == nil)
    withExtendedLifetime(controller) {}
  }

  @Test func totalNotifiesOncePerChange() {
    let controller = CartController(of: cart)
    cart.items = [tea, cups]
    var totals: [Int?] = []
    let observer = NSObject()
    let display = KVOController(observer: observer)
    display.observe(cart, \.total, options: .new) { (_: NSObject, _, change) in totals.append(change.newValue) }
    cart.discount = 10
    tea.quantity = 2
    #expect(totals == [1485, 1890])
    withExtendedLifetime(controller) {}
  }

  @Test func withoutItsControllerACartStaysAsItIs() {
    var controller: CartController? = CartController(of: cart)
    weak let life = controller
    cart.items = [tea]
    controller = nil
    #expect(life == nil)
    tea.quantity = 5
    #expect(cart.subtotal == 450)
  }
}
