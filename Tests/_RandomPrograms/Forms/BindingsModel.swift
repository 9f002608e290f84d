/// The rules of bindings, followed in the simplest way: one list of registrations, and one loop of looks.
struct BindingsModel {
  typealias Property = BindingsProperty

  enum Kind { case oneWay, bothWays }

  /// What bindings know of the two values when they look.
  struct Sight {
    /// nil if the object that has the source is nil.
    var source: Int?
    /// The object that has the source.
    var owner: Int?
    /// nil if a step of the target's path is nil.
    var target: Int?
  }

  /// What a binding in both directions remembers.
  struct Memory {
    var sides: (source: Int, target: Int)?
    var owner: Int?
    /// The values of the two looks before, the latest last.
    var former: [(source: Int, target: Int)?] = [nil, nil]
    var assigned: Assignment.Side?
    var answers = 0
  }

  struct Assignment {
    enum Side { case source, target }
    let value: Int
    let side: Side
  }

  /// A look of `bind`: it assigns the source's value, unless the target has it, or the own assignment alone has caused the look, and
  /// the source has what it had then.
  static func look(_ sight: Sight, assigned: Int?, isNotified: Bool) -> Assignment? {
    guard let source = sight.source, let target = sight.target, source != target else { return nil }
    return isNotified || source != assigned ? Assignment(value: source, side: .target) : nil
  }

  /// A look of `bindBothWays`.
  static func look(_ sight: Sight, _ memory: Memory) -> (Memory, Assignment?) {
    guard let source = sight.source else { return (Memory(), nil) }
    guard let target = sight.target else { return (memory, nil) }
    var next = memory
    next.former = [memory.former[1], (source, target)]
    next.assigned = nil
    next.owner = sight.owner
    guard let sides = memory.sides, memory.owner == sight.owner else {
      next.sides = (source, source)
      next.former[0] = nil
      next.answers = 0
      return assign(source, .target, unless: target, next)
    }
    let changed = (source: source != sides.source, target: target != sides.target)
    guard changed.source || changed.target else {
      next.answers = 0
      return (next, nil)
    }
    let side = changed.source ? Assignment.Side.source : .target
    let isAnswer = changed.source != changed.target && memory.assigned == side
    next.answers = isAnswer ? memory.answers + 1 : 0
    let isRepeated = memory.former[0].map { $0 == (source, target) } ?? false
    if isAnswer, isRepeated || next.answers > 100 {
      next.sides = (source, target)
      next.answers = 0
      return (next, nil)
    }
    let value = side == .source ? source : target
    next.sides = (value, value)
    return side == .source ? assign(value, .target, unless: target, next) : assign(value, .source, unless: source, next)
  }

  private static func assign(
    _ value: Int, _ side: Assignment.Side, unless present: Int, _ memory: Memory
  ) -> (Memory, Assignment?) {
    var memory = memory
    guard value != present else { return (memory, nil) }
    memory.assigned = side
    return (memory, Assignment(value: value, side: side))
  }

  // MARK: Bindings

  private struct Binding {
    let (kind, source, target): (Kind, BindingsPath, BindingsPath)
    var memory = Memory()
    /// The source's value that was assigned by the look before.
    var assigned: Int?
    var isLooking = false
    var isAssigning = false
    var hasCome = false
    var isNotified = false
    var looks = 0
  }

  private enum Registration {
    case source(Int)
    case target(Int)
    /// An observer that sets a property when another one has a value.
    case reaction(Property, Int, Property, Int)
  }

  private var values: [Property: Int] = [:]
  /// The objects that are there by their places, each with a number of its own.
  private(set) var objects = Array(0..<Property.objects)
  private var bindings: [Int: Binding] = [:]
  /// In the order in which they began.
  private var registrations: [(number: Int, registration: Registration)] = []
  private var firings: [Int: Int] = [:]
  private var latest = 0
  /// The number of assignments that an operation may still cause.
  private var budget = 0
  /// Whether an operation would stop the process, or take too long.
  private(set) var isEndless = false

  var count: Int { bindings.count }

  subscript(property: Property) -> Int { values[property] ?? property.initial }

  /// The property at the end of a path; nil if an object on it is nil.
  private func end(_ path: BindingsPath) -> Property? {
    guard path.leadsThroughChild else { return path.property }
    let child = self[Property(object: path.property.object, name: .child)]
    return child < 0 ? nil : Property(object: child, name: path.property.name)
  }

  private func hears(_ path: BindingsPath, _ changed: Property) -> Bool {
    if path.leadsThroughChild, changed == Property(object: path.property.object, name: .child) { return true }
    return end(path)?.group.contains(changed) == true
  }

  private func hears(_ registration: Registration, _ changed: Property) -> Bool {
    switch registration {
    case .source(let number): bindings[number].map { hears($0.source, changed) } ?? false
    case .target(let number): bindings[number].map { hears($0.target, changed) } ?? false
    case .reaction(let property, _, _, _): property.group.contains(changed)
    }
  }

  mutating func run(_ operation: BindingsOperation) {
    budget = 3_000
    isEndless = false
    switch operation {
    case .bind(let source, let target, let kind): bind(source.of(objects), target.of(objects), kind)
    case .set(let property, let value):
      assign(property.name == .child ? (value < 0 ? -1 : objects[value]) : value, to: property.of(objects))
    case .setBoth(let property, let first, let second):
      let group = property.of(objects).group
      guard group.count == 2 else { break }
      for (property, value) in zip(group, [first, second]) { values[property] = value }
      notify(group[0])
    case .react(let property, let value, let other, let new):
      latest += 1
      registrations.append((latest, .reaction(property.of(objects), value, other.of(objects), new)))
    case .unobserve(let object, let observer):
      let (source, target) = (objects[object], objects[observer])
      end { $0.source.property.object == source && $0.target.property.object == target }
    case .replace(let place):
      let object = objects[place]
      // Nothing leads to the object any longer.
      for other in objects where self[Property(object: other, name: .child)] == object {
        assign(-1, to: Property(object: other, name: .child))
      }
      end { $0.source.property.object == object || $0.target.property.object == object }
      registrations.removeAll {
        if case .reaction(let property, _, let other, _) = $0.registration {
          property.object == object || other.object == object
        } else {
          false
        }
      }
      objects[place] += Property.objects
    }
  }

  private mutating func end(_ isEnded: (Binding) -> Bool) {
    let ended = Set(bindings.filter { isEnded($0.value) }.keys)
    for number in ended { bindings[number] = nil }
    registrations.removeAll {
      switch $0.registration {
      case .source(let number), .target(let number): ended.contains(number)
      case .reaction: false
      }
    }
  }

  private mutating func bind(_ source: BindingsPath, _ target: BindingsPath, _ kind: Kind) {
    if bindings.values.contains(where: { $0.source == source && $0.target == target && $0.kind == kind }) { return }
    end { $0.target == target }
    latest += 1
    bindings[latest] = Binding(kind: kind, source: source, target: target)
    if kind == .bothWays { registrations.append((latest, .target(latest))) }
    registrations.append((latest, .source(latest)))
    come(latest)
  }

  private mutating func assign(_ value: Int, to property: Property) {
    budget -= 1
    guard budget > 0, !isEndless else { return isEndless = true }
    guard let made = property.made(of: value) else { return }
    values[property] = made
    notify(property)
    // The setter's `didSet` comes after the observers.
    if let clamped = property.clamped(self[property]), clamped != self[property] {
      values[property] = clamped
      notify(property)
    }
  }

  private mutating func notify(_ property: Property) {
    for (number, registration) in registrations.reversed() where hears(registration, property) {
      guard !isEndless else { return }
      switch registration {
      case .source(let binding), .target(let binding):
        if bindings[binding] != nil, hears(registration, property) { come(binding) }
      case .reaction(let observed, let value, let other, let new):
        guard self[observed] == value, firings[number, default: 0] < 2 else { continue }
        firings[number, default: 0] += 1
        assign(new, to: other)
      }
    }
  }

  private mutating func come(_ number: Int) {
    bindings[number]?.hasCome = true
    if bindings[number]?.isAssigning == false { bindings[number]?.isNotified = true }
    guard bindings[number]?.isLooking == false else { return }
    bindings[number]?.isLooking = true
    while let binding = bindings[number], binding.hasCome, !isEndless {
      bindings[number]?.looks = binding.isNotified ? 0 : binding.looks + 1
      bindings[number]?.hasCome = false
      bindings[number]?.isNotified = false
      guard let assignment = look(number, binding) else { continue }
      bindings[number]?.isAssigning = true
      if let property = assignment.side == .source ? end(binding.source) : end(binding.target) {
        assign(assignment.value, to: property)
      }
      bindings[number]?.isAssigning = false
      bindings[number]?.hasCome = true
    }
    bindings[number]?.isLooking = false
  }

  private mutating func look(_ number: Int, _ binding: Binding) -> Assignment? {
    let (source, target) = (end(binding.source), end(binding.target))
    let sight = Sight(source: source.map { self[$0] }, owner: source?.object, target: target.map { self[$0] })
    switch binding.kind {
    case .oneWay:
      let assignment = Self.look(sight, assigned: binding.assigned, isNotified: binding.isNotified)
      bindings[number]?.assigned = assignment?.value
      return assignment
    case .bothWays:
      let (memory, assignment) = Self.look(sight, binding.memory)
      bindings[number]?.memory = memory
      return assignment
    }
  }
}
