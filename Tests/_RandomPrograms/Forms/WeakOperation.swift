/// An operation with weak properties: each good has a tag that it doesn't retain, and each tag a next one. Slots name the
/// tags that something else retains.
enum WeakOperation {
  /// A key path of a good that leads to or through its tag.
  enum Path: CaseIterable {
    case tag, count, nextCount
    /// The second one by its name.
    case named
  }

  enum Way: CaseIterable { case setter, coding, inPlace }

  case setTag(good: Int, slot: Int?, Way)
  case setNext(slot: Int, to: Int?)
  case setCount(slot: Int, Int)
  /// The tag is deallocated, and another one takes the slot.
  case replace(slot: Int)
  case observe(observer: Int, good: Int, Path)
  case observeTag(observer: Int, slot: Int)
}

extension WeakOperation {
  static let tags = 3

  static func random(_ choices: inout Choices) -> Self {
    let (observer, good) = (choices.below(FormsOperation.observers), choices.below(FormsOperation.goods))
    let (slot, other) = (choices.below(tags), choices.below(tags + 1))
    switch choices.below(10) {
    case 0...1: return .setTag(good: good, slot: other == tags ? nil : other, choices.pick(Way.allCases))
    case 2: return .setNext(slot: slot, to: other == tags ? nil : other)
    case 3...5: return .setCount(slot: slot, choices.below(4))
    case 6: return .replace(slot: slot)
    case 7: return .observeTag(observer: observer, slot: slot)
    default: return .observe(observer: observer, good: good, choices.pick(Path.allCases))
    }
  }
}
