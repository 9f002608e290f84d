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
    withExtendedLifetime(observer) {}
  }

  @Test func theAmountHasAName() {
    tea.quantity = 2
    #expect(tea.value(forKey: "amount") as? Int == 900)
  }

  @Test func theSummaryFollowsTheItems() {
    let summary = CartSummary(of: cart)
    #expect(summary.text == "0 items, 0 cents")
    cart.items = [tea]
    #expect(summary.text == "1 items, 450 cents")
    cart.items.append(cups)
    #expect(summary.text == "2 items, 1650 cents")
    cups.quantity = 3
    #expect(summary.text == "2 items, 4050 cents")
    cart.items.removeFirst()
    #expect(summary.text == "1 items, 3600 cents")
  }

  @Test func aRemovedItemIsForgotten() {
    let summary = CartSummary(of: cart)
    weak var forgotten: Item?
    do {
      let saucer = Item("Saucer", price: 300)
      forgotten = saucer
      cart.items = [saucer, tea]
      cart.items = [tea]
      saucer.quantity = 7
    }
    #expect(summary.text == "1 items, 450 cents")
    #expect(forgotten == nil)
  }

  @Test func totalNotifiesOncePerChange() {
    cart.items = [tea, cups]
    var totals: [Int?] = []
    let observer = NSObject()
    let controller = KVOController(observer: observer)
    controller.observe(cart, \.total, options: .new) { _, change in totals.append(change.newValue) }
    cart.discount = 10
    tea.quantity = 2
    #expect(totals == [1485, 1890])
    withExtendedLifetime(observer) {}
  }

  @Test func aSummaryIsReleased() {
    var summary: CartSummary? = CartSummary(of: cart)
    weak let life = summary
    cart.items = [tea]
    summary = nil
    #expect(life == nil)
    tea.quantity = 5
    #expect(cart.subtotal == 2250)
  }
}
