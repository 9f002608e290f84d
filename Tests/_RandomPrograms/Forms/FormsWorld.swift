import KVOController

/// The same operations with real objects.
final class FormsWorld {
  final class Good: KeyValueObject {
    @Observed var price = 0
    @ObservedWeak var tag: WeakWorld.Tag?
    let number: Int

    init(_ number: Int) { self.number = number }

    override func isEqual(_ object: Any?) -> Bool {
      requireNoLock("a good is compared")
      return super.isEqual(object)
    }

    override var hash: Int {
      requireNoLock("a good is hashed")
      return super.hash
    }
  }

  final class Basket: KeyValueObject {
    @Observed var goods: [Good] = []
    @Observed var offers: [Good]?
    @Observed var favorites: Set<Good> = []
    var visible: [Good] { goods.filter { $0.number != FormsWorld.hidden } }
    let number: Int

    init(_ number: Int) { self.number = number }
  }

  final class Screen: KeyValueObject {
    @Observed var first = -1
    @Observed var second = -1
    let number: Int
    var calls: [String] = []

    init(_ number: Int) { self.number = number }

    static func slot(_ index: Int) -> ReferenceWritableKeyPath<Screen, Int> { index == 0 ? \.first : \.second }

    func note(_ good: Good, _ collection: FormsOperation.Collection, _ basket: Basket, _ change: KVOChange<Int>) {
      let text = change.isInitial ? "initial" : "\(change.newValue ?? -1)"
      calls.append("\(number) element \(good.number) of \(collection) of \(basket.number): \(text)")
    }
  }

  /// The good that is never visible.
  static let hidden = 0
  private let goods = (0..<FormsOperation.goods).map(Good.init)
  private let baskets = (0..<FormsOperation.baskets).map(Basket.init)
  private let screens = (0..<FormsOperation.observers).map(Screen.init)
  private let weak = WeakWorld()

  var slots: [[Int]] { screens.map { [$0.first, $0.second] } }

  /// Whether nothing is observed.
  var isUnobserved: Bool { (goods + baskets + weak.tags as [KeyValueObject]).allSatisfy { $0.observationInfo == nil } }

  func unobserveAll() {
    for screen in screens {
      screen.kvoController.unobserveAll()
      screen.kvoControllerNonRetaining.unobserveAll()
    }
  }

  /// Does an operation.
  ///
  /// - Returns: The calls that observers received, in alphabetical order.
  func run(_ operation: FormsOperation) -> [String] {
    switch operation {
    case .edit(let basket, let collection, let edit): change(baskets[basket], collection, edit)
    case .setPrice(let good, let price): goods[good].price = price
    case .raisePrices(let basket, let removed):
      baskets[basket].goods.removeAll { good in
        good.price += 1
        return good.number == removed
      }
    case .observeElements(let observer, let basket, let collection, let isInitial, let identifier):
      observe(screens[observer], baskets[basket], collection, isInitial ? [.new, .initial] : .new, identifier)
    case .unobserveCollection(let observer, let basket, let collection):
      switch collection {
      case .goods: screens[observer].unobserve(baskets[basket], \.goods)
      case .offers: screens[observer].unobserve(baskets[basket], \.offers)
      case .favorites: screens[observer].kvoController.unobserve(baskets[basket], keyPath: "favorites")
      case .visible: screens[observer].unobserve(baskets[basket], [\.visible])
      }
    case .unobserveBasket(let observer, let basket): screens[observer].unobserve(baskets[basket])
    case .observePrice(let observer, let good, let identifier):
      screens[observer].observe(goods[good], \.price, identifier: identifier.map { Tripwire($0) }) {
        screen, good, change in
        screen.calls.append("\(screen.number) price of \(good.number): \(change.newValue ?? -1)")
      }
    case .unobservePrice(let observer, let good, identifier: let identifier?):
      screens[observer].unobserve(goods[good], \.price, identifier: Tripwire(identifier))
    case .unobservePrice(let observer, let good, identifier: nil): screens[observer].unobserve(goods[good], \.price)
    case .observeAll(let observer, let good, let identifier):
      screens[observer].observe(allOf: goods[good], identifier: identifier.map { Tripwire($0) }) { screen, good, key in
        screen.calls.append("\(screen.number) \(key) of all of \(good.number)")
      }
    case .unobserveGood(let observer, let good): screens[observer].unobserve(goods[good])
    case .bind(let observer, let slot, let good):
      screens[observer].bind(goods[good], \.price, to: Screen.slot(slot))
    case .bindTransformed(let observer, let slot, let good, let offset):
      screens[observer].bind(goods[good], \.price, to: Screen.slot(slot)) { $0 + offset }
    case .bindBothWays(let observer, let slot, let good):
      screens[observer].bindBothWays(goods[good], \.price, with: Screen.slot(slot))
    case .bindCount(let observer, let slot, let good):
      screens[observer].bind(goods[good], \.tag?.count, to: Screen.slot(slot)) { $0 ?? -1 }
    case .weak(let operation): weak.run(operation, goods, screens)
    case .setSlot(let observer, let slot, let value): screens[observer][keyPath: Screen.slot(slot)] = value
    }
    defer { for screen in screens { screen.calls = [] } }
    return screens.flatMap(\.calls).sorted()
  }

  private func observe(
    _ screen: Screen, _ basket: Basket, _ collection: FormsOperation.Collection, _ options: NSKeyValueObservingOptions,
    _ number: Int?
  ) {
    let identifier = number.map { Tripwire($0) }
    switch collection {
    case .goods:
      screen.observe(basket, elements: \.goods, \.price, options: options, identifier: identifier) {
        [unowned basket] screen, good, change in
        screen.note(good, .goods, basket, change)
      }
    case .offers:
      screen.observe(basket, elements: \.offers, \.price, options: options, identifier: identifier) {
        [unowned basket] screen, good, change in
        screen.note(good, .offers, basket, change)
      }
    case .visible:
      screen.observe(basket, elements: \.visible, \.price, options: options, identifier: identifier) {
        [unowned basket] screen, good, change in
        screen.note(good, .visible, basket, change)
      }
    case .favorites:
      screen.observe(basket, elements: \.favorites, \.price, options: options, identifier: identifier) {
        [unowned basket] screen, good, change in
        screen.note(good, .favorites, basket, change)
      }
    }
  }

  private func change(
    _ basket: Basket, _ collection: FormsOperation.Collection, _ edit: FormsOperation.Edit
  ) {
    switch collection {
    case .visible: break
    case .goods: change(basket, \.goods, basket.mutableArrayValue(forKey: "goods"), edit)
    case .offers:
      if case .assign(let all) = edit, all.isEmpty {
        basket.offers = nil
      } else {
        if basket.offers == nil { basket.offers = [] }
        change(basket, \.offers!, basket.mutableArrayValue(forKey: "offers"), edit)
      }
    case .favorites: changeFavorites(basket, edit)
    }
  }

  private func change(
    _ basket: Basket, _ path: ReferenceWritableKeyPath<Basket, [Good]>, _ proxy: NSMutableArray,
    _ edit: FormsOperation.Edit
  ) {
    let count = basket[keyPath: path].count
    switch edit {
    case .assign(let all): basket[keyPath: path] = all.map { goods[$0] }
    case .insert(let good, let position): basket[keyPath: path].insert(goods[good], at: position % (count + 1))
    case .remove(let position) where count > 0: basket[keyPath: path].remove(at: position % count)
    case .proxyInsert(let all, let position):
      let start = position % (count + 1)
      proxy.insert(all.map { goods[$0] }, at: IndexSet(start..<(start + all.count)))
    case .proxyRemove(let position, let number) where count > 0:
      let start = position % count
      proxy.removeObjects(at: IndexSet(start..<min(count, start + number)))
    case .proxyReplace(let position, let good) where count > 0:
      proxy.replaceObject(at: position % count, with: goods[good])
    default: break
    }
  }

  private func changeFavorites(_ basket: Basket, _ edit: FormsOperation.Edit) {
    let former = Set(basket.favorites.map(\.number))
    let new = Set(edit.edited(former.sorted()))
    func objects(_ numbers: Set<Int>) -> Set<Good> { Set(numbers.map { goods[$0] }) }
    let proxy = basket.mutableSetValue(forKey: "favorites")
    switch edit {
    case .assign: basket.favorites = objects(new)
    case .insert, .remove:
      for good in new.subtracting(former) { basket.favorites.insert(goods[good]) }
      for good in former.subtracting(new) { basket.favorites.remove(goods[good]) }
    case .proxyInsert: proxy.addObjects(from: Array(objects(new)))
    case .proxyRemove: for good in former.subtracting(new) { proxy.remove(goods[good]) }
    case .proxyReplace: proxy.setSet(objects(new))
    }
  }
}
