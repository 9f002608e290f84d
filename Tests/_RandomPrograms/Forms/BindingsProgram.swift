import KVOController

/// Random programs of bindings in one direction and in both, in rings, of parts of structs and dictionaries, of properties that
/// refuse or clamp values, and of objects that are equal, run with real objects and with a model of the rules.
package enum BindingsProgram {
  /// Runs programs with so many operations in all.
  ///
  /// - Returns: The first difference, with a short program that has one too; nil if there is none.
  package static func failure(operations: Int) -> String? {
    RandomRun.failure(operations: operations, inProgramsOf: 60, of: BindingsOperation.random, difference)
  }

  private static func difference(_ program: [BindingsOperation]) -> String? {
    let world = BindingsWorld()
    var model = BindingsModel()
    for operation in program {
      draining { world.run(operation) }
      model.run(operation)
      for property in BindingsProperty.all where world[property] != model[property] {
        return "\(operation): \(property) is \(world[property]) instead of \(model[property])"
      }
    }
    world.unobserveAll()
    return world.isUnobserved ? nil : "something is still observed"
  }
}

struct BindingsProperty: Hashable, CustomStringConvertible {
  enum Name: CaseIterable { case first, second, left, right, number, tag }

  let object: Int
  let name: Name

  var description: String { "\(object).\(name)" }

  static let objects = 5

  static let all = (0..<objects).flatMap { object in
    Name.allCases.map { BindingsProperty(object: object, name: $0) }
  }

  /// What is notified with it.
  var group: [BindingsProperty] {
    let names: [Name] =
      switch name {
      case .first, .second: [.first, .second]
      case .left, .right: [.left, .right]
      case .number, .tag: [name]
      }
    return names.map { BindingsProperty(object: object, name: $0) }
  }

  /// What the property makes of a value; nil if it refuses it.
  func made(of value: Int) -> Int? {
    guard name == .number else { return value }
    switch object {
    case 1: return value % 2 == 0 ? value : nil
    case 2: return min(max(value, 1), 3)
    default: return value
    }
  }
}

enum BindingsOperation {
  case bind(BindingsProperty, to: BindingsProperty, bothWays: Bool)
  case set(BindingsProperty, Int)
  case setBoth(BindingsProperty, Int, Int)
  case unobserve(Int, by: Int)

  static func random(_ choices: inout Choices) -> BindingsOperation {
    func property(_ choices: inout Choices) -> BindingsProperty {
      BindingsProperty(
        object: choices.below(BindingsProperty.objects), name: choices.pick(BindingsProperty.Name.allCases))
    }
    let (first, other, value) = (property(&choices), property(&choices), choices.below(6))
    switch choices.below(12) {
    case 0...4:
      let name = (first.name == .tag) == (other.name == .tag) ? other.name : first.name
      let target = BindingsProperty(
        object: other.object == first.object ? (first.object + 1) % BindingsProperty.objects : other.object, name: name)
      return .bind(first, to: target, bothWays: choices.isOne(in: 2))
    case 5...8: return .set(first, first.name == .tag ? value % BindingsWorld.tagCount : value)
    case 9, 10: return .setBoth(first, value, choices.below(6))
    default: return .unobserve(first.object, by: other.object)
    }
  }
}

/// The rules, followed in the simplest way.
struct BindingsModel {
  private final class Binding {
    let (source, target, isBothWays): (BindingsProperty, BindingsProperty, Bool)
    var last: (source: Int, target: Int)?
    var isLooking = false
    var isAgain = false
    /// What it gives something back to.
    var given: BindingsProperty?
    var isGivingAgain = false
    /// Whether another binding has changed that meanwhile.
    var isDisturbed = false

    init(_ source: BindingsProperty, _ target: BindingsProperty, _ isBothWays: Bool) {
      (self.source, self.target, self.isBothWays) = (source, target, isBothWays)
    }
  }

  private var values = Dictionary(
    uniqueKeysWithValues: BindingsProperty.all.map { ($0, $0.made(of: 0) ?? 0) })
  /// In the order in which they began.
  private var bindings: [Binding] = []
  /// Those that look, the latest last.
  private var looking: [Binding] = []

  subscript(property: BindingsProperty) -> Int { values[property] ?? 0 }

  mutating func run(_ operation: BindingsOperation) {
    switch operation {
    case .bind(let source, let target, let isBothWays):
      if let present = bindings.first(where: { $0.target == target }) {
        if present.source == source, present.isBothWays == isBothWays { return }
        bindings.removeAll { $0 === present }
      }
      let binding = Binding(source, target, isBothWays)
      bindings.append(binding)
      look(binding)
    case .set(let property, let value): assign(value, to: property)
    case .setBoth(let property, let first, let second):
      for (property, value) in zip(property.group, [first, second]) where property.group.count == 2 {
        values[property] = value
      }
      if property.group.count == 2 { notify(property) }
    case .unobserve(let object, let observer):
      bindings.removeAll { $0.source.object == object && $0.target.object == observer }
    }
  }

  private mutating func assign(_ value: Int, to property: BindingsProperty) {
    guard let made = property.made(of: value) else { return }
    values[property] = made
    notify(property)
  }

  private mutating func notify(_ property: BindingsProperty) {
    let group = property.group
    for binding in bindings.reversed()
    where group.contains(binding.source) || (binding.isBothWays && group.contains(binding.target)) {
      if let given = binding.given, group.contains(given), looking.last !== binding { binding.isDisturbed = true }
      look(binding)
    }
  }

  private mutating func look(_ binding: Binding) {
    binding.isAgain = true
    guard !binding.isLooking else { return }
    binding.isLooking = true
    looking.append(binding)
    var count = 0
    while binding.isAgain, count < 100 {
      binding.isAgain = false
      count += 1
      if binding.isBothWays {
        lookBothWays(binding, isFirst: count == 1)
      } else if self[binding.source] != self[binding.target] {
        assign(self[binding.source], to: binding.target)
      }
    }
    binding.isLooking = false
    looking.removeLast()
  }

  private mutating func lookBothWays(_ binding: Binding, isFirst: Bool) {
    let (source, target) = (self[binding.source], self[binding.target])
    let isFromSource = binding.last?.source != source
    guard isFromSource || binding.last?.target != target else { return }
    binding.last = (source, target)
    guard source != target else { return }
    let (value, changed, other) =
      isFromSource ? (source, binding.source, binding.target) : (target, binding.target, binding.source)
    assign(value, to: other)
    let made = self[other]
    let hasChangedAgain = self[changed] != value
    if isFromSource { binding.last?.target = made } else { binding.last?.source = made }
    guard !hasChangedAgain, made != value else { return }
    let isFirst = isFirst && !looking.contains { $0 !== binding && $0.given != nil && $0.isGivingAgain }
    (binding.given, binding.isGivingAgain, binding.isDisturbed) = (changed, !isFirst, false)
    assign(made, to: changed)
    binding.given = nil
    let adopted = binding.isDisturbed && isFirst ? made : self[changed]
    if isFromSource { binding.last?.source = adopted } else { binding.last?.target = adopted }
  }
}

/// The same operations with real objects.
final class BindingsWorld {
  struct Pair {
    var first = 0
    var second = 0
  }

  /// All are equal.
  final class Tag: KeyValueObject {
    override func isEqual(_ object: Any?) -> Bool { object is Tag }
    override var hash: Int { 0 }
  }

  final class Pane: KeyValueObject {
    @Observed var pair = Pair()
    @Observed var table: [String: Int] = [:]
    @Observed private var storedNumber: Int
    @Observed var tag: Tag
    let number: BindingsProperty

    init(_ index: Int, _ tag: Tag) {
      number = BindingsProperty(object: index, name: .number)
      storedNumber = number.made(of: 0) ?? 0
      self.tag = tag
    }

    var value: Int {
      get { storedNumber }
      set { if let made = number.made(of: newValue) { storedNumber = made } }
    }
  }

  static let tagCount = 3
  private let tags = (0..<tagCount).map { _ in Tag() }
  private let panes: [Pane]

  init() {
    panes = (0..<BindingsProperty.objects).map { [tags] in Pane($0, tags[0]) }
  }

  private static func keyPath(_ name: BindingsProperty.Name) -> ReferenceWritableKeyPath<Pane, Int>? {
    switch name {
    case .first: \.pair.first
    case .second: \.pair.second
    case .left: \.table[number: "left"]
    case .right: \.table[number: "right"]
    case .number: \.value
    case .tag: nil
    }
  }

  subscript(property: BindingsProperty) -> Int {
    let pane = panes[property.object]
    guard let keyPath = Self.keyPath(property.name) else { return tags.firstIndex { $0 === pane.tag } ?? -1 }
    return pane[keyPath: keyPath]
  }

  func run(_ operation: BindingsOperation) {
    switch operation {
    case .bind(let source, let target, let isBothWays):
      let (object, observer) = (panes[source.object], panes[target.object])
      switch (Self.keyPath(source.name), Self.keyPath(target.name), isBothWays) {
      case (let keyPath?, let other?, true): observer.bindBothWays(object, keyPath, with: other)
      case (let keyPath?, let other?, false): observer.bind(object, keyPath, to: other)
      case (_, _, true): observer.bindBothWays(object, \.tag, with: \.tag)
      case (_, _, false): observer.bind(object, \.tag, to: \.tag)
      }
    case .set(let property, let value):
      if let keyPath = Self.keyPath(property.name) {
        panes[property.object][keyPath: keyPath] = value
      } else {
        panes[property.object].tag = tags[value]
      }
    case .setBoth(let property, let first, let second):
      switch property.name {
      case .first, .second: panes[property.object].pair = Pair(first: first, second: second)
      case .left, .right: panes[property.object].table = ["left": first, "right": second]
      case .number, .tag: break
      }
    case .unobserve(let object, let observer): panes[observer].unobserve(panes[object])
    }
  }

  func unobserveAll() {
    for pane in panes { pane.kvoController.unobserveAll() }
  }

  var isUnobserved: Bool { panes.allSatisfy { $0.observationInfo == nil } }
}

extension [String: Int] {
  fileprivate subscript(number name: String) -> Int {
    get { self[name] ?? 0 }
    set { self[name] = newValue }
  }
}
