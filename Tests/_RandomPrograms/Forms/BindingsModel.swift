/// The rules of bindings, followed in the simplest way: one list of registrations, and one loop of looks.
struct BindingsModel {
  typealias Property = BindingsProperty

  enum Kind { case oneWay, bothWays }

  private enum Side { case source, target }

  private struct Binding {
    let (kind, source, target): (Kind, BindingsPath, BindingsPath)
    var isLooking = false
    /// The value of the assignment under way.
    var assigning: Int?
    /// The side that has changed last since the latest look began.
    var side: Side?
    var isNotified = false
    /// The source's value that was assigned last, if nothing else than own assignments has come since.
    var assigned: Int?
    /// What the latest assignment has assigned to the source; nil if it was to the target.
    var returned: Int?
    /// The number of assignments since something else than an own one has come.
    var assignments = 0
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
      let former = self
      for (property, value) in zip(group, [first, second]) { values[property] = value }
      notify(group[0], former)
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
    come(latest, .source, nil)
  }

  private mutating func assign(_ value: Int, to property: Property) {
    budget -= 1
    guard budget > 0, !isEndless else { return isEndless = true }
    guard let made = property.made(of: value) else { return }
    var former = self
    values[property] = made
    notify(property, former)
    // The setter's `didSet` comes after the observers.
    if let clamped = property.clamped(self[property]), clamped != self[property] {
      former = self
      values[property] = clamped
      notify(property, former)
    }
  }

  private mutating func notify(_ property: Property, _ former: BindingsModel) {
    for (number, registration) in registrations.reversed() where hears(registration, property) {
      guard !isEndless else { return }
      switch registration {
      case .source(let number): come(number, .source, former)
      case .target(let number): come(number, .target, former)
      case .reaction(let observed, let value, let other, let new):
        guard self[observed] == value, firings[number, default: 0] < 2 else { continue }
        firings[number, default: 0] += 1
        assign(new, to: other)
      }
    }
  }

  /// The value of one side of a binding; nil if an object on its path is nil.
  private func value(_ side: Side, of binding: Binding) -> Int? {
    end(side == .source ? binding.source : binding.target).map { self[$0] }
  }

  private mutating func come(_ number: Int, _ side: Side, _ former: BindingsModel?) {
    guard let binding = bindings[number] else { return }
    if binding.kind == .bothWays {
      let (old, new) = (former?.value(side, of: binding), value(side, of: binding))
      // Another part of the property has changed, or it is the echo of what is being assigned.
      if binding.assigning == nil ? old == new && old != nil : side == .target && new == binding.assigning { return }
    }
    bindings[number]?.side = side
    if bindings[number]?.assigning == nil { bindings[number]?.isNotified = true }
    guard bindings[number]?.isLooking == false else { return }
    bindings[number]?.isLooking = true
    while let binding = bindings[number], let side = binding.side, !isEndless {
      if binding.isNotified {
        bindings[number]?.assignments = 0
        bindings[number]?.assigned = nil
      }
      bindings[number]?.side = nil
      bindings[number]?.isNotified = false
      if binding.kind == .bothWays, !binding.isNotified, binding.assignments > 100 { continue }
      guard let (value, property) = look(number, side, isNotified: binding.isNotified) else { continue }
      bindings[number]?.assigning = value
      bindings[number]?.assignments += 1
      assign(value, to: property)
      bindings[number]?.assigning = nil
      if bindings[number]?.side == nil { bindings[number]?.side = .source }
    }
    bindings[number]?.isLooking = false
  }

  /// What a look assigns: the value of the side that has changed, unless a step of a path is nil, or the other side has it. Of the
  /// source's it assigns none that it has assigned, if the own assignment alone has caused the look.
  private mutating func look(_ number: Int, _ side: Side, isNotified: Bool) -> (value: Int, of: Property)? {
    guard let binding = bindings[number], let source = end(binding.source), let target = end(binding.target),
      self[source] != self[target]
    else { return nil }
    // The source has what the target has given it, so only the target may have changed since.
    let isReturned = self[source] == binding.returned
    guard case .source = side, !isReturned else {
      let value = self[target]
      bindings[number]?.returned = value
      return (value, source)
    }
    if !isNotified, self[source] == binding.assigned { return nil }
    let value = self[source]
    bindings[number]?.assigned = value
    bindings[number]?.returned = nil
    return (value, target)
  }
}
