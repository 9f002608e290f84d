/// The rules for weak properties, followed in the simplest way. Each tag has a number of its own.
struct WeakModel {
  private struct Tag {
    var count = 0
    var next: Int?
  }

  private struct Registration: Hashable {
    let observer: Int
    let good: Int
    let path: WeakOperation.Path
  }

  /// Those that haven't been deallocated.
  private var tags = Dictionary(uniqueKeysWithValues: (0..<WeakOperation.tags).map { ($0, Tag()) })
  private var slots = Array(0..<WeakOperation.tags)
  private var created = WeakOperation.tags
  private var tagOfGood = [Int?](repeating: nil, count: FormsOperation.goods)
  private var registrations: Set<Registration> = []
  private var observersOfTags: [Int: Set<Int>] = [:]

  /// The effect of an operation: the calls, and the goods of which a value changed.
  struct Effect {
    var calls: [String] = []
    /// The good whose tag was set.
    var good: Int?
    /// The goods whose observers of the tag's count are notified.
    var counts: [Int] = []
  }

  mutating func run(_ operation: WeakOperation) -> Effect {
    var effect = Effect()
    switch operation {
    case .setTag(let good, let slot, _):
      let affected = registrations.filter { $0.good == good }
      effect.calls = notify(affected) { model in model.tagOfGood[good] = slot.map { model.slots[$0] } }
      (effect.good, effect.counts) = (good, [good])
    case .setNext(let slot, let other):
      let number = slots[slot]
      let affected = registrations.filter { $0.path == .nextCount && tag(of: $0.good) == number }
      effect.calls = notify(affected) { model in model.tags[number]?.next = other.map { model.slots[$0] } }
    case .setCount(let slot, let count):
      let number = slots[slot]
      let affected = registrations.filter { registration in
        switch registration.path {
        case .tag: false
        case .count, .named: tag(of: registration.good) == number
        case .nextCount: tag(of: registration.good).flatMap(next) == number
        }
      }
      effect.calls = notify(affected) { $0.tags[number]?.count = count }
      effect.calls += observersOfTags[number, default: []].map { "\($0) tag \(number): \(count)" }
      effect.counts = tagOfGood.indices.filter { tag(of: $0) == number }
    case .replace(let slot):
      // Nothing is sent.
      tags[slots[slot]] = nil
      slots[slot] = created
      tags[created] = Tag()
      created += 1
    case .observe(let observer, let good, let path):
      registrations.insert(Registration(observer: observer, good: good, path: path))
    case .observeTag(let observer, let slot): observersOfTags[slots[slot], default: []].insert(observer)
    }
    return effect
  }

  mutating func unobserve(_ observer: Int, _ good: Int) {
    registrations = registrations.filter { $0.observer != observer || $0.good != good }
  }

  /// The count of the tag of a good.
  func count(of good: Int) -> Int? { tag(of: good).flatMap { tags[$0]?.count } }

  private func tag(of good: Int) -> Int? { tagOfGood[good].flatMap { tags[$0] == nil ? nil : $0 } }

  private func next(of tag: Int) -> Int? { tags[tag]?.next.flatMap { tags[$0] == nil ? nil : $0 } }

  private func value(_ registration: Registration) -> String {
    let tag = tag(of: registration.good)
    let value =
      switch registration.path {
      case .tag: tag
      case .count, .named: tag.flatMap { tags[$0]?.count }
      case .nextCount: tag.flatMap(next).flatMap { tags[$0]?.count }
      }
    return value.map(String.init) ?? "nil"
  }

  /// The calls for a change, with the values before and after it.
  private mutating func notify(_ affected: Set<Registration>, _ change: (inout Self) -> Void) -> [String] {
    let old = affected.map { ($0, value($0)) }
    change(&self)
    return old.map { "\($0.observer) \($0.path) of \($0.good): \($1) to \(value($0))" }
  }
}
