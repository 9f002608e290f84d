import KVOController

extension ProgramGenerator {
  /// The object and the key path that a controller observes.
  struct Controlled {
    let controller: ControllerReference
    let target: Target
    let path: Path
  }

  mutating func control() -> ControllerOperation {
    if choices.isOne(in: 6) {
      let path = Path([choices.pick([Key.number, .name, .maybe, .items])], nil)
      return .sequence(id: registration(), controller(), target(), path)
    }
    let options = NSKeyValueObservingOptions(rawValue: UInt(choices.below(16)))
    let way = choices.pick(Form.Way.allCases)
    var controlled = choice()
    if TypedKeyPath.all[controlled.path.description] == nil || controlled.path.keys.count > 1, way.isTyped {
      controlled = Controlled(
        controller: controlled.controller, target: controlled.target, path: Path(choices.pick(TypedKeyPath.keys)))
    }
    self.controlled.append(controlled)
    return .observe(
      id: registration(), controlled.controller, controlled.target, controlled.path, options,
      Form(way: way, isList: choices.isOne(in: 3)), identifier: way == .context ? nil : identifier())
  }

  mutating func endOfControl() -> ControllerOperation {
    let controlled = choice()
    switch choices.below(12) {
    case 0...2: return .unobserve(controlled.controller, controlled.target, controlled.path, identifier: nil)
    case 3...5:
      return .unobserve(controlled.controller, controlled.target, controlled.path, identifier: choices.below(2))
    case 6, 7: return .unobserve(controlled.controller, controlled.target, nil, identifier: nil)
    case 8: return .unobserveAll(controlled.controller)
    case 9: return .renew(choices.below(Self.controllers))
    case 10: return .dropSequence(id: registeredID())
    default: return .invalidate(id: registeredID())
    }
  }

  /// Often one of the latest.
  private mutating func choice() -> Controlled {
    if !controlled.isEmpty && !choices.isOne(in: 3) {
      return controlled[controlled.count - 1 - choices.below(min(controlled.count, 8))]
    }
    let path = choices.isOne(in: 2) ? Path(choices.pick(TypedKeyPath.paths)) : path()
    return Controlled(controller: controller(), target: target(), path: path)
  }

  private mutating func controller() -> ControllerReference {
    choices.isOne(in: 4)
      ? .own(choices.below(Self.slots), retains: choices.isOne(in: 2)) : .slot(choices.below(Self.controllers))
  }

  private mutating func identifier() -> Int? { choices.isOne(in: 2) ? nil : choices.below(2) }
}
