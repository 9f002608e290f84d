import KVOController
import PortableModels
import Testing

/// Tests of what watches and edits a cart as a whole. They run on every platform.
@Suite struct CartDocumentTests {
  let cart = Cart()
  let tea = Item("Tea", price: 450)

  @Test func aCartIsSavedAndRead() throws {
    cart.items = [tea, Item("Cups", price: 1200)]
    cart.discount = 10
    let document = CartDocument(of: cart)
    let copy = try CartDocument(reading: document.save())
    #expect(copy.cart.items.map(\.title) == ["Tea", "Cups"])
    #expect(copy.cart.items.map(\.price) == [450, 1200])
    #expect(copy.cart.discount == 10)
    #expect(!copy.isEdited)
  }

  @Test func everyChangeOfTheCartIsAnEdit() throws {
    let document = CartDocument(of: cart)
    cart.items = [tea]
    #expect(document.isEdited)
    _ = try document.save()
    #expect(!document.isEdited)
    tea.quantity = 1
    #expect(!document.isEdited)
    tea.quantity = 2
    #expect(document.isEdited)
    _ = try document.save()
    cart.items = []
    _ = try document.save()
    tea.quantity = 3
    #expect(!document.isEdited)
    cart.discount = 5
    #expect(document.isEdited)
  }

  @Test func theDiscountIsEditedBothWays() {
    let field = DiscountField()
    cart.discount = 20
    field.edit(cart)
    #expect(field.percent == 20 && field.text == "20 %")
    field.percent = 30
    #expect(cart.discount == 30 && field.text == "30 %")
    cart.discount = 80
    #expect(cart.discount == 50 && field.percent == 50)
  }

  @Test func aFieldIsReusedForAnotherCart() {
    let field = DiscountField()
    field.edit(cart)
    let other = Cart()
    other.discount = 5
    field.edit(other)
    field.percent = 10
    #expect(cart.discount == 0 && other.discount == 10)
    cart.discount = 40
    #expect(field.percent == 10 && field.text == "10 %")
  }
}
