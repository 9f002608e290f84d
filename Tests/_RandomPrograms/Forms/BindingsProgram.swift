/// Random programs of bindings in one direction and in both, in rings, of parts of structs and dictionaries, through objects that are
/// replaced and deallocated, of properties that refuse or clamp values, of NaN, and of objects that are equal, with observers that
/// react, run with real objects and with a model of the rules.
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
      // More bindings of properties that can't agree take too long.
      if case .bind = operation, model.count >= 8 { continue }
      var next = model
      next.run(operation)
      if next.isEndless { continue }
      model = next
      if let failure = draining({ world.run(operation) }) { return "\(operation): \(failure)" }
      for property in BindingsProperty.all where world[property] != model[property.of(model.objects)] {
        return "\(operation): \(property) is \(world[property]) instead of \(model[property.of(model.objects)])"
      }
    }
    world.unobserveAll()
    return world.isUnobserved ? nil : "something is still observed"
  }
}

/// A property of an object, which is a number: that of a place in operations, and in the model one of its own, which begins with it.
struct BindingsProperty: Hashable, CustomStringConvertible {
  /// A child is an object, -1 for nil.
  enum Name: CaseIterable { case first, second, left, right, number, steady, tag, real, child }

  let object: Int
  let name: Name

  var description: String { "\(object).\(name)" }

  static let objects = 5
  /// What stands for NaN.
  static let nan = 7

  static let all = (0..<objects).flatMap { object in
    Name.allCases.filter { $0 != .child }.map { BindingsProperty(object: object, name: $0) }
  }

  /// The property of the object that is at the place.
  func of(_ objects: [Int]) -> BindingsProperty { BindingsProperty(object: objects[object], name: name) }

  /// What is notified with it.
  var group: [BindingsProperty] {
    let names: [Name] =
      switch name {
      case .first, .second: [.first, .second]
      case .left, .right: [.left, .right]
      case .number, .steady, .tag, .real, .child: [name]
      }
    return names.map { BindingsProperty(object: object, name: $0) }
  }

  var initial: Int { name == .child ? -1 : made(of: 0) ?? 0 }

  /// What the setter makes of a value; nil if it refuses it.
  func made(of value: Int) -> Int? {
    guard name == .number else { return value }
    switch object % Self.objects {
    case 1: return value % 2 == 0 ? value : nil
    case 2: return min(max(value, 1), 3)
    case 3: return value | 1
    default: return value
    }
  }

  /// What `didSet` makes of a value; nil if there is none.
  func clamped(_ value: Int) -> Int? {
    guard name == .steady else { return nil }
    return (object % Self.objects).isMultiple(of: 2) ? min(value, 3) : max(value, 2)
  }
}

struct BindingsPath: Hashable, CustomStringConvertible {
  let property: BindingsProperty
  /// Whether the property is the child's.
  var leadsThroughChild = false

  var description: String { "\(property.object).\(leadsThroughChild ? "child." : "")\(property.name)" }

  func of(_ objects: [Int]) -> BindingsPath {
    BindingsPath(property: property.of(objects), leadsThroughChild: leadsThroughChild)
  }
}

enum BindingsOperation {
  case bind(BindingsPath, to: BindingsPath, BindingsModel.Kind)
  case set(BindingsProperty, Int)
  case setBoth(BindingsProperty, Int, Int)
  /// An observer sets the second property when the first one has a value, at most twice.
  case react(BindingsProperty, Int, BindingsProperty, Int)
  case unobserve(Int, by: Int)
  /// Lets go of an object, which is deallocated, and puts another one in its place.
  case replace(Int)

  static func random(_ choices: inout Choices) -> BindingsOperation {
    func property(_ choices: inout Choices) -> BindingsProperty {
      BindingsProperty(
        object: choices.below(BindingsProperty.objects), name: choices.pick(BindingsProperty.Name.allCases))
    }
    let (first, other, value) = (property(&choices), property(&choices), choices.below(6))
    switch choices.below(20) {
    case 0...6 where first.name != .child:
      let name = first.name.kind == other.name.kind ? other.name : first.name
      let object = other.object == first.object ? (first.object + 1) % BindingsProperty.objects : other.object
      let kind = choices.isOne(in: 2) ? BindingsModel.Kind.bothWays : .oneWay
      let target = BindingsPath(
        property: BindingsProperty(object: object, name: name),
        leadsThroughChild: kind == .oneWay && choices.isOne(in: 5))
      return .bind(BindingsPath(property: first, leadsThroughChild: choices.isOne(in: 4)), to: target, kind)
    case 7, 8: return .setBoth(first, value, choices.below(6))
    case 9: return .react(observable(first), value, observable(other), choices.below(6))
    case 10: return .unobserve(first.object, by: other.object)
    case 11: return .replace(first.object)
    default: return .set(first, first.value(&choices))
    }
  }

  /// A property with numbers.
  private static func observable(_ property: BindingsProperty) -> BindingsProperty {
    property.name.kind == 0 ? property : BindingsProperty(object: property.object, name: .number)
  }
}

extension BindingsProperty {
  fileprivate func value(_ choices: inout Choices) -> Int {
    switch name {
    case .tag: choices.below(BindingsWorld.tagCount)
    case .real: choices.isOne(in: 3) ? Self.nan : choices.below(6)
    // Its own child would retain itself.
    case .child: choices.isOne(in: 3) ? -1 : (object + 1 + choices.below(Self.objects - 1)) % Self.objects
    default: choices.below(6)
    }
  }
}

extension BindingsProperty.Name {
  /// A number that those have which can be bound to each other.
  fileprivate var kind: Int {
    switch self {
    case .first, .second, .left, .right, .number, .steady: 0
    case .tag: 1
    case .real: 2
    case .child: 3
    }
  }
}
