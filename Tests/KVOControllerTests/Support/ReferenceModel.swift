import KVOController

/// What controllers should do, in the simplest way: a list of observations.
struct ReferenceModel {
  struct Observation {
    let controller: Int
    let object: Int
    let keyPath: String
    let identifier: Int?
    let form: Form
    let options: NSKeyValueObservingOptions
    let number: Int
  }

  struct Controller {
    let isRetaining: Bool
    var hasObserver = true
  }

  struct Object {
    /// The values that change: those of `radius` and of `center.x`, null where there is no center.
    var radius = 0
    var x: Int?
    /// Whether anybody but controllers holds it.
    var isHeld = true

    func value(_ keyPath: String) -> AnyHashable {
      switch keyPath {
      case "radius": radius
      case "diameter": 2 * radius
      default: x.map { AnyHashable($0) } ?? AnyHashable(null)
      }
    }
  }

  private(set) var observations: [Observation] = []
  var controllers: [Int: Controller] = [:]
  var objects: [Int: Object] = [:]
  /// What is heard, each with the number of the controller whose observer hears it.
  private var heard: [String] = []

  /// What was heard since the last time, in any order.
  mutating func take() -> [String] {
    defer { heard = [] }
    return heard.sorted()
  }

  /// One line for a call.
  static func line(_ controller: Int, _ form: Form, _ keyPath: String, _ object: Int, _ change: Change, _ number: Int)
    -> String
  {
    switch form.way {
    case .block, .context: "\(controller) hears of \(keyPath) of \(object) in \(number): \(change.text)"
    case .action: "\(controller) redraws"
    case .changeAction: "\(controller) updates: \(change.text)"
    case .objectAction: "\(controller) updates for \(object): \(change.text)"
    }
  }

  private mutating func hear(_ observation: Observation, _ change: Change) {
    guard controllers[observation.controller]?.hasObserver == true else { return }
    heard.append(
      Self.line(
        observation.controller, observation.form, observation.keyPath, observation.object, change, observation.number))
  }

  mutating func observe(_ new: Observation) {
    let isObserved = observations.contains {
      $0.controller == new.controller && $0.object == new.object && $0.keyPath == new.keyPath
        && $0.identifier == new.identifier
    }
    guard !isObserved else { return }
    observations.append(new)
    if new.options.contains(.initial) {
      hear(new, .setting(new: new.options.contains(.new) ? objects[new.object]?.value(new.keyPath) : nil))
    }
  }

  mutating func unobserve(where isEnded: (Observation) -> Bool) {
    observations.removeAll(where: isEnded)
    buryTheDead()
  }

  mutating func change(_ number: Int, _ keyPaths: [String], _ body: (inout Object) -> Void) {
    guard let old = objects[number] else { return }
    var new = old
    body(&new)
    objects[number] = new
    for observation in observations where observation.object == number && keyPaths.contains(observation.keyPath) {
      let oldValue = observation.options.contains(.old) ? old.value(observation.keyPath) : nil
      let newValue = observation.options.contains(.new) ? new.value(observation.keyPath) : nil
      if observation.options.contains(.prior) { hear(observation, .prior(old: oldValue)) }
      hear(observation, .setting(new: newValue, old: oldValue))
    }
  }

  mutating func dropController(_ number: Int) {
    controllers[number] = nil
    unobserve { $0.controller == number }
  }

  mutating func dropObject(_ number: Int) {
    objects[number]?.isHeld = false
    buryTheDead()
  }

  /// Removes the objects that nobody holds, with their observations.
  private mutating func buryTheDead() {
    for (number, object) in objects where !object.isHeld {
      let isRetained = observations.contains {
        $0.object == number && controllers[$0.controller]?.isRetaining == true
      }
      guard !isRetained else { continue }
      objects[number] = nil
      observations.removeAll { $0.object == number }
    }
  }
}
