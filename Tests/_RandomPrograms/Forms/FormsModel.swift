/// The rules for elements, bindings, weak properties, and models that are observed as a whole, followed in the simplest way.
struct FormsModel {
  private struct Elements: Hashable {
    let observer: Int
    let basket: Int
    let collection: FormsOperation.Collection
    let identifier: Int?
  }

  private struct Pair: Hashable {
    let observer: Int
    let good: Int
    let identifier: Int?
  }

  private enum Binding {
    case plain(Int)
    case transformed(Int, offset: Int)
    case bothWays(Int)
    case count(Int)

    var isOfPrice: Bool { if case .count = self { false } else { true } }

    var good: Int {
      switch self {
      case .plain(let good), .transformed(let good, _), .bothWays(let good), .count(let good): good
      }
    }
  }

  private var collections = Array(
    repeating: [[Int]](repeating: [], count: FormsOperation.Collection.allCases.count), count: FormsOperation.baskets)
  private var prices = Array(repeating: 0, count: FormsOperation.goods)
  private(set) var slots = Array(
    repeating: Array(repeating: -1, count: FormsOperation.slots), count: FormsOperation.observers)
  /// Observations, and whether those that come are reported.
  private var elements: [(key: Elements, isInitial: Bool)] = []
  private var singles: [Pair] = []
  private var wholes: [Pair] = []
  private var bindings: [Int: [Int: Binding]] = [:]
  private var weak = WeakModel()
  private var calls: [String] = []

  /// Does an operation.
  ///
  /// - Returns: The calls that observers receive, in alphabetical order.
  mutating func run(_ operation: FormsOperation) -> [String] {
    calls = []
    switch operation {
    case .edit(let basket, let collection, let edit): change(basket, collection, edit)
    case .setPrice(let good, let price): setPrice(good, price)
    case .raisePrices(let basket, let removed):
      for good in self[basket, .goods] { setPrice(good, prices[good] + 1) }
      self[basket, .goods].removeAll { $0 == removed }
    case .observeElements(let observer, let basket, let collection, let isInitial, let identifier):
      let key = Elements(observer: observer, basket: basket, collection: collection, identifier: identifier)
      // One with an identifier replaces an equal one.
      if identifier != nil { elements.removeAll { $0.key == key } }
      elements.append((key, isInitial))
      if isInitial { for good in Set(self[basket, collection]) { call(key, good, "initial") } }
    case .unobserveCollection(let observer, let basket, let collection):
      elements.removeAll { $0.key.observer == observer && $0.key.basket == basket && $0.key.collection == collection }
    case .unobserveBasket(let observer, let basket):
      elements.removeAll { $0.key.observer == observer && $0.key.basket == basket }
    case .observePrice(let observer, let good, let identifier):
      Self.insert(Pair(observer: observer, good: good, identifier: identifier), &singles)
    case .unobservePrice(let observer, let good, let identifier):
      singles.removeAll {
        $0.observer == observer && $0.good == good && (identifier == nil || $0.identifier == identifier)
      }
      guard identifier == nil else { break }
      bindings[observer] = bindings[observer]?.filter { $0.value.good != good || !$0.value.isOfPrice }
    case .observeAll(let observer, let good, let identifier):
      Self.insert(Pair(observer: observer, good: good, identifier: identifier), &wholes)
    case .unobserveGood(let observer, let good):
      singles.removeAll { $0.observer == observer && $0.good == good }
      wholes.removeAll { $0.observer == observer && $0.good == good }
      weak.unobserve(observer, good)
      bindings[observer] = bindings[observer]?.filter { $0.value.good != good }
    case .bind(let observer, let slot, let good):
      if case .plain(good) = bindings[observer]?[slot] { break }
      bindings[observer, default: [:]][slot] = .plain(good)
      assign(observer, slot, prices[good])
    case .bindTransformed(let observer, let slot, let good, let offset):
      bindings[observer, default: [:]][slot] = .transformed(good, offset: offset)
      assign(observer, slot, prices[good] + offset)
    case .bindBothWays(let observer, let slot, let good):
      if case .bothWays(good) = bindings[observer]?[slot] { break }
      bindings[observer, default: [:]][slot] = .bothWays(good)
      assign(observer, slot, prices[good])
    case .bindCount(let observer, let slot, let good):
      bindings[observer, default: [:]][slot] = .count(good)
      assign(observer, slot, weak.count(of: good) ?? -1)
    case .weak(let operation): run(operation)
    case .setSlot(let observer, let slot, let value):
      slots[observer][slot] = value
      if case .bothWays(let good) = bindings[observer]?[slot], prices[good] != value { setPrice(good, value) }
    }
    return calls.sorted()
  }

  private static func insert(_ pair: Pair, _ pairs: inout [Pair]) {
    if pair.identifier != nil { pairs.removeAll { $0 == pair } }
    pairs.append(pair)
  }

  private subscript(basket: Int, collection: FormsOperation.Collection) -> [Int] {
    get {
      guard collection == .visible else { return collections[basket][collection.rawValue] }
      return self[basket, .goods].filter { $0 != FormsWorld.hidden }
    }
    set { collections[basket][collection.rawValue] = newValue }
  }

  private mutating func change(
    _ basket: Int, _ collection: FormsOperation.Collection, _ edit: FormsOperation.Edit
  ) {
    let former = self[basket, collection]
    // The elements of a set are those of its array, in the order of their numbers.
    self[basket, collection] =
      collection == .favorites ? Set(edit.edited(former)).sorted() : edit.edited(former)
    for (key, isInitial) in elements where isInitial && key.basket == basket {
      guard key.collection == collection || (key.collection == .visible && collection == .goods) else { continue }
      for good in Set(self[basket, key.collection]).subtracting(former) { call(key, good, "initial") }
    }
  }

  private mutating func setPrice(_ good: Int, _ price: Int) {
    prices[good] = price
    for (key, _) in elements where self[key.basket, key.collection].contains(good) { call(key, good, "\(price)") }
    for pair in singles where pair.good == good { calls.append("\(pair.observer) price of \(good): \(price)") }
    for pair in wholes where pair.good == good { calls.append("\(pair.observer) price of all of \(good)") }
    for (observer, bindings) in bindings {
      for (slot, binding) in bindings where binding.good == good {
        switch binding {
        case .plain, .bothWays: assign(observer, slot, price)
        case .transformed(_, let offset): assign(observer, slot, price + offset)
        case .count: break
        }
      }
    }
  }

  private mutating func run(_ operation: WeakOperation) {
    let effect = weak.run(operation)
    calls += effect.calls
    for pair in wholes where pair.good == effect.good { calls.append("\(pair.observer) tag of all of \(pair.good)") }
    for (observer, bindings) in bindings {
      for case (let slot, .count(let good)) in bindings where effect.counts.contains(good) {
        assign(observer, slot, weak.count(of: good) ?? -1)
      }
    }
  }

  private mutating func assign(_ observer: Int, _ slot: Int, _ value: Int) {
    slots[observer][slot] = value
  }

  private mutating func call(_ key: Elements, _ good: Int, _ change: String) {
    calls.append("\(key.observer) element \(good) of \(key.collection) of \(key.basket): \(change)")
  }
}
