extension ModelNode {
  func assign(_ key: Key, _ object: ModelNode?) {
    switch key {
    case .child: child = object
    case .next: next = object
    case .guide: guide = object
    case .friend: friend = object
    default: break
    }
  }

  func assign(_ key: Key, _ operand: Operand) {
    switch key {
    case .number: number = operand.int ?? 0
    case .name: name = operand.text
    case .maybe: maybe = operand.int
    case .ping: ping = operand.int ?? 0
    case .pong: pong = operand.int ?? 0
    case .manual: manual = operand.int ?? 0
    case .note: note = operand.text
    case .rank: rank = operand.int ?? 0
    case .secret: secret = operand.int ?? 0
    case .hidden: if type == .special { hidden = operand.int ?? 0 } else { secret = operand.int ?? 0 }
    case .lines: lines = operand.ints
    case .items: items = operand.ints
    case .tags: tags = Set(operand.ints)
    case .ordered: if case .ints(let numbers) = operand { ordered = numbers } else { ordered = nil }
    default: break
    }
  }

  /// The objects that a change of the set of tags actually removes and inserts.
  func change(_ edit: Operation.SetEdit, _ numbers: Set<Int>) -> ModelChange.Kind {
    switch edit {
    case .union: ModelChange.Kind(kind: .insertion, inserted: numbers.subtracting(tags))
    case .minus: ModelChange.Kind(kind: .removal, removed: numbers.intersection(tags))
    case .intersect: ModelChange.Kind(kind: .removal, removed: tags.subtracting(numbers))
    case .set:
      ModelChange.Kind(
        kind: .replacement, removed: tags.subtracting(numbers), inserted: numbers.subtracting(tags))
    }
  }
}

extension Operation.ArrayEdit {
  /// The outcome of this edit; nil if it has none.
  func plan<Element>(_ old: [Element], _ element: (Operand) -> Element?) -> ArrayPlan<Element>? {
    switch self {
    case .add(let operands):
      let new = operands.compactMap(element)
      return .inserting(new, at: new.indices.map { old.count + $0 }, into: old)
    case .insert(let operands, let places):
      let new = operands.compactMap(element)
      return .inserting(new, at: Self.places(places, inserting: new.count, into: old.count), into: old)
    case .remove(let places): return .removing(at: Self.places(places, in: old.count), from: old)
    case .replace(let places, let operands):
      let indexes = Self.places(places, in: old.count)
      let new = Self.operands(operands, for: indexes.count).compactMap(element)
      return new.count == indexes.count ? .replacing(at: indexes, in: old, with: new) : nil
    case .removeLast: return old.isEmpty ? nil : .removing(at: [old.count - 1], from: old)
    case .removeAll: return .removing(at: Array(old.indices), from: old)
    case .setArray(let operands): return .setting(operands.compactMap(element))
    }
  }
}
