import KVOController

/// Makes up programs.
struct ProgramGenerator {
  static let slots = 4
  static let observers = 3
  /// Two for each observer.
  static let controllers = 6

  var choices: Choices
  /// Whether most registrations are those of controllers.
  private let usesControllers: Bool
  private var latest = 100
  /// The ids of registrations, and of what controllers observe.
  private var registered: [Int] = []
  /// The latest observations, to repeat them.
  private var observed: (Target, Path, Listener)?
  /// The observations of controllers, to return to them.
  var controlled: [Controlled] = []

  init(_ choices: Choices, usesControllers: Bool) {
    self.choices = choices
    self.usesControllers = usesControllers
  }

  /// A program of so many steps, or fewer if there is nothing left to decide from.
  mutating func program(steps: Int) -> [Step] {
    var program: [Step] = []
    while program.count < steps && !choices.isExhausted { program.append(step()) }
    return program
  }

  private mutating func step() -> Step {
    let operation = operation(nested: false)
    guard choices.isOne(in: 3) else { return Step(operation: operation, script: []) }
    return Step(operation: operation, script: (0..<choices.below(6)).map { _ in self.operation(nested: true) })
  }

  // MARK: Operations

  private mutating func operation(nested: Bool) -> Operation {
    switch choices.below(32) {
    case 0...8: return setting()
    case 9, 10: return .mutate(target(), mutation())
    case 11, 12:
      let key = choices.pick([Key.items, .items, .kids, .doubles, .lines])
      return .editArray(target(), key, arrayEdit(of: key))
    case 13: return .editSet(target(), setEdit(), choices.numbers(upTo: 3))
    case 14: return .editOrderedSet(target(), orderedSetEdit())
    case 15...17: return pair()
    case 18:
      if choices.isOne(in: 3) { return .will(target(), choices.pick([.manual, .maybe, .sum, .note, .title])) }
      return .did(target(), choices.pick([.manual, .maybe, .sum, .note, .title, .number, .child, .chosen]))
    case 19: return .indexedPair(target(), choices.pick([.lines, .items]), arrayEdit(of: .items))
    case 20: return .setPair(target(), setEdit(), choices.numbers(upTo: 3))
    case 21...27:
      let isByController = usesControllers && !choices.isOne(in: 5)
      return isByController ? .control(control()) : observation()
    case 28...30 where usesControllers: return .control(endOfControl())
    case 28...30: return .unobserve(id: registeredID(), withoutContext: choices.isOne(in: 2))
    default:
      switch choices.below(4) {
      case 0: return .dropObserver(choices.below(Self.observers))
      case 1, 2: return .renew(slot: choices.below(Self.slots), id: number())
      default: return .set(target(), .child, .reference(.none), .setter)
      }
    }
  }

  mutating func number() -> Int {
    latest += 1
    return latest
  }

  /// The id of something new that is observed.
  mutating func registration() -> Int {
    registered.append(number())
    return registered[registered.count - 1]
  }

  /// The id of something that was observed not long ago.
  mutating func registeredID() -> Int {
    registered.isEmpty ? 0 : registered[registered.count - 1 - choices.below(min(registered.count, 16))]
  }

  mutating func target() -> Target {
    let hops = choices.isOne(in: 3) ? 1 + choices.below(2) : 0
    return Target(
      slot: choices.below(Self.slots), hops: (0..<hops).map { _ in choices.pick([.child, .child, .next, .friend]) })
  }

  private mutating func reference() -> Reference {
    switch choices.below(8) {
    case 0: .none
    case 1: .new(number())
    default: .slot(choices.below(Self.slots))
    }
  }

  private mutating func operand(_ key: Key, keyed: Bool) -> Operand {
    switch key {
    case .number: keyed && choices.isOne(in: 4) ? .null : .int(choices.below(5))
    case .ping, .pong, .manual, .rank, .secret, .hidden, .reach: .int(choices.below(5))
    case .maybe: choices.isOne(in: 3) ? .null : .int(choices.below(5))
    case .name, .note, .title: .text(choices.pick(["", "a", "ab", "abc"]))
    case .child, .next, .friend, .guide: .reference(reference())
    case .ordered: choices.isOne(in: 3) ? .null : .ints(Set(choices.numbers(upTo: 4)).sorted())
    case .kids, .boxes: .references((0..<choices.below(4)).map { _ in reference() })
    case .doubles: .ints(choices.numbers(upTo: 4).map { $0 * 2 })
    default: .ints(choices.numbers(upTo: 4))
    }
  }

  private mutating func setting() -> Operation {
    let way = choices.pick([Operation.Way.setter, .setter, .setter, .keyedValue, .keyedPath])
    let objects: [Key] = [.child, .child, .next] + (way == .setter ? [] : [.friend])
    let others: [Key] =
      [
        .number, .number, .name, .maybe, .manual, .note, .items, .kids, .tags, .ordered, .lines, .ping, .pong, .title,
        .doubles, .rank, .secret, .boxes, .reach,
      ] + (way == .setter ? [.hidden] : [])
    let key = choices.isOne(in: 3) ? choices.pick(objects) : choices.pick(others)
    return .set(target(), key, operand(key, keyed: way != .setter), way)
  }

  private mutating func mutation() -> Operation.Mutation {
    switch choices.below(7) {
    case 0: .add(choices.below(3))
    case 1: .addToMaybe(choices.below(3))
    case 2: .appendItem(choices.below(5))
    case 3: .popItem
    case 4: .sortItems
    case 5: .appendKid(reference())
    default: .insertTag(choices.below(5))
    }
  }

  private mutating func arrayEdit(of key: Key) -> Operation.ArrayEdit {
    switch choices.below(8) {
    case 0: return .add(elements(of: key))
    case 1, 2: return .insert(elements(of: key), at: choices.numbers(upTo: 3))
    case 3: return .remove(at: choices.numbers(upTo: 3))
    case 4: return .replace(at: choices.numbers(upTo: 3), with: elements(of: key))
    case 5: return .removeLast
    case 6: return .removeAll
    default: return .setArray(elements(of: key))
    }
  }

  private mutating func elements(of key: Key) -> [Operand] {
    (0..<choices.below(4)).map { _ in key == .kids ? .reference(reference()) : .int(choices.below(5) * 2) }
  }

  private mutating func setEdit() -> Operation.SetEdit { choices.pick([.union, .minus, .intersect, .set]) }

  private mutating func orderedSetEdit() -> Operation.OrderedSetEdit {
    switch choices.below(5) {
    case 0: .add(choices.below(5))
    case 1, 2: .insert(choices.below(5), at: choices.below(5))
    case 3: .remove(at: choices.below(5))
    default: .replace(at: choices.below(5), with: choices.below(5))
    }
  }

  private mutating func pair() -> Operation {
    let settable: [Key] = [
      .manual, .guide, .guide, .friend, .note, .lines, .number, .child, .title, .name, .reach, .reach,
    ]
    let others: [Key] = [.sum, .chosen, .label, .ghost, .echo, .doubles, .kids]
    let isSet = !choices.isOne(in: 4)
    let key = choices.pick(isSet ? settable : others)
    let target = target()
    let count = choices.isOne(in: 3) ? 1 + choices.below(3) : 0
    let inside = (0..<count).map { _ in
      choices.isOne(in: 2) ? operation(nested: true) : isSet ? again(target, key) : .will(target, .manual)
    }
    return .pair(target, key, isSet ? operand(key, keyed: false) : nil, inside: inside)
  }

  /// Another change of a property, by a pair or, where paths don't lead through it, without notification.
  private mutating func again(_ target: Target, _ key: Key) -> Operation {
    let operand = operand(key, keyed: false)
    if choices.isOne(in: 2) || key == .guide || key == .friend { return .pair(target, key, operand, inside: []) }
    return .set(target, key, operand, .setter)
  }

  // MARK: Registrations

  private mutating func observation() -> Operation {
    let options = NSKeyValueObservingOptions(rawValue: UInt(choices.below(16)))
    if choices.isOne(in: 6) {
      let path = choices.pick(choices.isOne(in: 2) ? TypedKeyPath.followedPaths : TypedKeyPath.paths)
      return .observe(id: registration(), target(), Path(path), options, .closure)
    }
    if let (target, path, listener) = observed, choices.isOne(in: 4) {
      return .observe(id: registration(), target, path, options, listener)
    }
    let listener: Listener =
      choices.isOne(in: 4) ? .slot(choices.below(Self.slots)) : .observer(choices.below(Self.observers))
    let (target, path) = (target(), path())
    observed = (target, path, listener)
    return .observe(id: registration(), target, path, options, listener)
  }

  mutating func path() -> Path {
    let middles = choices.pick([0, 0, 1, 1, 2, 3])
    var keys = (0..<middles).map { _ in choices.pick([Key.child, .child, .next, .guide, .friend, .chosen]) }
    if choices.isOne(in: 6) {
      let key = choices.pick([Key.items, .kids, .tags, .lines, .ordered, .doubles])
      let operators =
        switch key {
        case .kids: ["count", "sum.number", "max.number"]
        case .ordered: ["count"]
        default: ["count", "sum.self"]
        }
      return Path(keys + [key], choices.pick(operators))
    }
    keys.append(choices.pick(Key.named))
    return Path(keys, nil)
  }
}
