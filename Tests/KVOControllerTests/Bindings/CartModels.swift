import KVOController
import _KVOTestSupport

/// A model with elements.
class Basket: KeyValueObject, @unchecked Sendable {
  @Observed var goods: [Good] = []
  @Observed var offers: [Good]?
  @Observed var favorites: Set<Good> = []
  @Observed var ordered = NSOrderedSet()
  @Observed var next: Basket?
  /// Listed, with what it depends on.
  var cheapGoods: [Good] { goods.filter { $0.price < 10 } }

  override class var keyPaths: [String: AnyKeyPath] { ["cheapGoods": \Basket.cheapGoods] }

  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    key == "cheapGoods" ? ["goods"] : super.keyPathsForValuesAffectingValue(forKey: key)
  }
}

/// An element.
class Good: KeyValueObject, @unchecked Sendable {
  @Observed var name: String
  @Observed var price: Int
  @Observed var part: Good?
  final let identity = 0
  var isDear: Bool { price > 10 }
  final var note = ""

  init(_ name: String = "", price: Int = 0) {
    self.name = name
    self.price = price
  }
}

/// An observer of elements. What it notes can be read on any thread.
class Clerk: KeyValueObject, @unchecked Sendable {
  let calls = Locked<[String]>([])

  func note(_ call: String) { calls.append(call) }

  /// The calls since the last time.
  func take() -> [String] { calls.take() }

  @discardableResult
  func watch(_ basket: Basket, options: NSKeyValueObservingOptions = [.old, .new]) -> KVOObservation {
    observe(basket, elements: \.goods, \.price, options: options, isolation: nil) { clerk, good, change in
      clerk.note("\(good.name) \(change.oldValue.map(String.init) ?? "-")>\(change.newValue.map(String.init) ?? "-")")
    }
  }
}
