/// An operation of a random program with elements, bindings, weak properties, and models that are observed as a whole. Numbers
/// name objects.
enum FormsOperation {
  /// A collection of a basket.
  enum Collection: Int, CaseIterable {
    case goods, offers, favorites
    /// Computed from the first.
    case visible
  }

  enum Edit {
    case assign([Int])
    /// In place; the position is reduced to one that exists.
    case insert(Int, at: Int)
    case remove(at: Int)
    /// By a proxy.
    case proxyInsert([Int], at: Int)
    case proxyRemove(at: Int, count: Int)
    case proxyReplace(at: Int, Int)
  }

  case edit(basket: Int, Collection, Edit)
  case setPrice(good: Int, Int)
  /// In place, each of the goods has its price raised, and one of them is removed.
  case raisePrices(basket: Int, removing: Int)
  case observeElements(observer: Int, basket: Int, Collection, initial: Bool, identifier: Int?)
  case unobserveCollection(observer: Int, basket: Int, Collection)
  case unobserveBasket(observer: Int, basket: Int)
  case observePrice(observer: Int, good: Int, identifier: Int?)
  /// With bindings from it; of one identifier if there is one.
  case unobservePrice(observer: Int, good: Int, identifier: Int?)
  case observeAll(observer: Int, good: Int, identifier: Int?)
  case unobserveGood(observer: Int, good: Int)
  case bind(observer: Int, slot: Int, good: Int)
  case bindTransformed(observer: Int, slot: Int, good: Int, offset: Int)
  case bindBothWays(observer: Int, slot: Int, good: Int)
  /// To the count of a good's tag, which is -1 if it has none.
  case bindCount(observer: Int, slot: Int, good: Int)
  case setSlot(observer: Int, slot: Int, Int)
  case weak(WeakOperation)
}

extension FormsOperation {
  static let baskets = 2
  static let goods = 5
  static let observers = 2
  static let slots = 2

  static func random(_ choices: inout Choices) -> FormsOperation {
    let (observer, basket) = (choices.below(observers), choices.below(baskets))
    let (good, slot, number) = (choices.below(goods), choices.below(slots), choices.below(4))
    let observed = choices.pick(Collection.allCases)
    let collection = observed == .visible ? .goods : observed
    let identifier = choices.isOne(in: 3) ? nil : choices.below(2)
    switch choices.below(30) {
    case 0...5: return .edit(basket: basket, collection, .random(&choices))
    case 6...8: return .setPrice(good: good, number)
    case 9: return .raisePrices(basket: basket, removing: good)
    case 10, 11:
      return .observeElements(
        observer: observer, basket: basket, observed, initial: choices.isOne(in: 2), identifier: identifier)
    case 12:
      return choices.isOne(in: 2) ? .unobserveBasket(observer: observer, basket: basket) : .setPrice(good: good, 7)
    case 13: return .observePrice(observer: observer, good: good, identifier: identifier)
    case 14: return .observeAll(observer: observer, good: good, identifier: identifier)
    case 15: return choices.isOne(in: 2) ? .unobserveGood(observer: observer, good: good) : .setPrice(good: good, 8)
    case 16: return .bind(observer: observer, slot: slot, good: good)
    case 17: return .bindTransformed(observer: observer, slot: slot, good: good, offset: number)
    case 18: return .bindBothWays(observer: observer, slot: slot, good: good)
    case 19: return .bindCount(observer: observer, slot: slot, good: good)
    case 20...26: return .weak(.random(&choices))
    case 27: return .unobserveCollection(observer: observer, basket: basket, observed)
    case 28: return .unobservePrice(observer: observer, good: good, identifier: identifier)
    default: return .setSlot(observer: observer, slot: slot, number)
    }
  }
}

extension FormsOperation.Edit {
  static func random(_ choices: inout Choices) -> Self {
    let (good, position) = (choices.below(FormsOperation.goods), choices.below(6))
    switch choices.below(6) {
    case 0: return .assign(choices.numbers(upTo: 5, below: FormsOperation.goods))
    case 1: return .insert(good, at: position)
    case 2: return .remove(at: position)
    case 3: return .proxyInsert([good] + choices.numbers(upTo: 2, below: FormsOperation.goods), at: position)
    case 4: return .proxyRemove(at: position, count: 1 + choices.below(2))
    default: return .proxyReplace(at: position, good)
    }
  }

  /// The elements after the edit, of an array.
  func edited(_ elements: [Int]) -> [Int] {
    var elements = elements
    switch self {
    case .assign(let all): elements = all
    case .insert(let good, let position): elements.insert(good, at: position % (elements.count + 1))
    case .remove(let position) where !elements.isEmpty: elements.remove(at: position % elements.count)
    case .proxyInsert(let goods, let position):
      elements.insert(contentsOf: goods, at: position % (elements.count + 1))
    case .proxyRemove(let position, let count) where !elements.isEmpty:
      let start = position % elements.count
      elements.removeSubrange(start..<min(elements.count, start + count))
    case .proxyReplace(let position, let good) where !elements.isEmpty: elements[position % elements.count] = good
    default: break
    }
    return elements
  }
}
