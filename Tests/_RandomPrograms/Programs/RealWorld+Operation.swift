import KVOController

/// The effects of operations on the engine.
extension RealWorld {
  func perform(_ operation: Operation) {
    performed()
    switch operation {
    case .set(let target, let key, let operand, .keyedPath):
      let start = slots[target.slot]
      var node: RealNode? = start
      for hop in target.hops { node = node?.node(hop) }
      if let node, !isFree(node, key) { return }
      let keyPath = (target.hops + [key]).map(\.rawValue).joined(separator: ".")
      let value = keyed(key, operand)
      start.setValue(value, forKeyPath: keyPath)
      withExtendedLifetime((start, value)) {}
    case .set(let target, let key, let operand, let way):
      let node = resolve(target)
      guard isFree(node, key) else { return }
      if way == .setter { return assign(node, key, operand) }
      let value = keyed(key, operand)
      node.setValue(value, forKey: key.rawValue)
      withExtendedLifetime(value) {}
    case .mutate(let target, let mutation):
      let node = resolve(target)
      if isFree(node, mutation.key) { mutate(node, mutation) }
    case .editArray(let target, let key, let edit):
      let node = resolve(target)
      if isFree(node, key) { editArray(node, key, edit) }
    case .editSet(let target, let edit, let numbers):
      let node = resolve(target)
      if isFree(node, .tags) { editSet(node, edit, numbers) }
    case .editOrderedSet(let target, let edit):
      let node = resolve(target)
      if isFree(node, .ordered) { editOrderedSet(node, edit) }
    case .pair(let target, let key, let operand, let inside):
      let node = resolve(target)
      guard isFree(node, key) else { return }
      node.willChangeValue(forKey: key.rawValue)
      for operation in inside { perform(operation) }
      if let operand { assign(node, key, operand) }
      node.didChangeValue(forKey: key.rawValue)
    case .will(let target, let key):
      let node = resolve(target)
      if isFree(node, key) { node.willChangeValue(forKey: key.rawValue) }
    case .did(let target, let key):
      let node = resolve(target)
      if isFree(node, key) { node.didChangeValue(forKey: key.rawValue) }
    case .indexedPair(let target, let key, let edit):
      let node = resolve(target)
      if isFree(node, key) { indexedPair(node, key, edit) }
    case .setPair(let target, let edit, let numbers):
      let node = resolve(target)
      if isFree(node, .tags) { setPair(node, edit, Set(numbers)) }
    case .observe(let id, let target, let path, let options, let listener):
      observe(id, resolve(target), path, options, listener)
    case .unobserve(let id, let withoutContext): unobserve(id, withoutContext: withoutContext)
    case .dropObserver(let number): dropObserver(number)
    case .renew(let slot, let id): slots[slot] = node(id)
    case .control(let operation): perform(operation)
    }
  }

  private func isFree(_ node: RealNode, _ key: Key) -> Bool { !key.isCollection || !stack.isEditing(node.id) }

  func resolve(_ target: Target) -> RealNode {
    var node = slots[target.slot]
    for hop in target.hops { node = node.node(hop) ?? node }
    return node
  }

  private func resolve(_ reference: Reference) -> RealNode? {
    switch reference {
    case .none: nil
    case .slot(let slot): slots[slot]
    case .new(let id): node(id)
    }
  }

  // MARK: Settings

  private func assign(_ node: RealNode, _ key: Key, _ operand: Operand) {
    switch key {
    case .number: node.number = operand.int ?? 0
    case .name: node.name = operand.text
    case .maybe: node.maybe = operand.int
    case .ping: node.ping = operand.int ?? 0
    case .pong: node.pong = operand.int ?? 0
    case .manual: node.manual = operand.int ?? 0
    case .note: node.note = operand.text
    case .rank: node.rank = operand.int ?? 0
    case .secret: node.namedSecret = operand.int ?? 0
    case .hidden: node.hidden = operand.int ?? 0
    case .boxes: node.boxes = boxes(operand)
    case .lines: node.lines = operand.ints
    case .items: node.items = operand.ints
    case .tags: node.tags = Set(operand.ints)
    case .ordered: node.ordered = ordered(operand)
    case .reach: node.reach = operand.int ?? 0
    case .title: node.title = operand.text
    case .doubles: node.doubles = operand.ints
    case .kids: node.kids = references(operand)
    case .child: withReference(operand) { node.child = $0 }
    case .next: withReference(operand) { node.next = $0 }
    case .guide: withReference(operand) { node.guide = $0 }
    case .friend: withReference(operand) { node.friend = $0 }
    default: break
    }
  }

  private func withReference(_ operand: Operand, _ body: (RealNode?) -> Void) {
    let node: RealNode? = if case .reference(let reference) = operand { resolve(reference) } else { nil }
    withExtendedLifetime(node) { body(node) }
  }

  private func ordered(_ operand: Operand) -> NSOrderedSet? {
    if case .ints(let numbers) = operand { NSOrderedSet(array: numbers) } else { nil }
  }

  private func boxes(_ operand: Operand) -> [RealNode.Box] { references(operand).map { RealNode.Box(node: $0) } }

  private func references(_ operand: Operand) -> [RealNode] {
    if case .references(let references) = operand { references.compactMap { resolve($0) } } else { [] }
  }

  /// A value as KVC takes it.
  private func keyed(_ key: Key, _ operand: Operand) -> Any? {
    switch operand {
    case .null: Any?.none
    case .int(let number): number.isMultiple(of: 2) ? number : NSNumber(value: number)
    case .text(let text): text
    case .reference(let reference): resolve(reference)
    case .ints(let numbers) where key == .tags: Set(numbers)
    case .ints(let numbers) where key == .ordered: NSOrderedSet(array: numbers)
    case .ints(let numbers): numbers
    case .references where key == .boxes: boxes(operand)
    case .references: references(operand)
    }
  }

  private func mutate(_ node: RealNode, _ mutation: Operation.Mutation) {
    switch mutation {
    case .add(let number): node.number += number
    case .addToMaybe(let number): if node.maybe != nil { node.maybe? += number }
    case .appendItem(let number): node.items.append(number)
    case .popItem: _ = node.items.popLast()
    case .sortItems: node.items.sort()
    case .appendKid(let reference): if let kid = resolve(reference) { node.kids.append(kid) }
    case .insertTag(let number): node.tags.insert(number)
    }
  }

  // MARK: Collections

  private func editArray(_ node: RealNode, _ key: Key, _ edit: Operation.ArrayEdit) {
    stack.beginEdit(node.id, untilEnd: key == .doubles)
    defer { stack.end() }
    let proxy = node.mutableArrayValue(forKey: key.rawValue)
    switch edit {
    case .add(let operands):
      let objects = objects(operands)
      if objects.count == 1 { proxy.add(objects[0]) } else { proxy.addObjects(from: objects) }
    case .insert(let operands, let places):
      let objects = objects(operands)
      let indexes = Operation.ArrayEdit.places(places, inserting: objects.count, into: proxy.count)
      if objects.count == 1 {
        proxy.insert(objects[0], at: indexes[0])
      } else {
        proxy.insert(objects, at: IndexSet(indexes))
      }
    case .remove(let places):
      let indexes = Operation.ArrayEdit.places(places, in: proxy.count)
      if indexes.count == 1 { proxy.removeObject(at: indexes[0]) } else { proxy.removeObjects(at: IndexSet(indexes)) }
    case .replace(let places, let operands):
      let indexes = Operation.ArrayEdit.places(places, in: proxy.count)
      let objects = objects(Operation.ArrayEdit.operands(operands, for: indexes.count))
      guard objects.count == indexes.count else { return }
      if indexes.count == 1 {
        proxy.replaceObject(at: indexes[0], with: objects[0])
      } else {
        proxy.replaceObjects(at: IndexSet(indexes), with: objects)
      }
    case .removeLast: proxy.removeLastObject()
    case .removeAll: proxy.removeAllObjects()
    case .setArray(let operands): proxy.setArray(objects(operands))
    }
  }

  private func objects(_ operands: [Operand]) -> [Any] {
    operands.compactMap { operand in
      switch operand {
      case .int(let number): number
      case .reference(let reference): resolve(reference)
      default: nil
      }
    }
  }

  private func editSet(_ node: RealNode, _ edit: Operation.SetEdit, _ numbers: [Int]) {
    stack.beginEdit(node.id, untilEnd: false)
    defer { stack.end() }
    let proxy = node.mutableSetValue(forKey: "tags")
    switch edit {
    case .union: if numbers.count == 1 { proxy.add(numbers[0]) } else { proxy.union(Set(numbers)) }
    case .minus: if numbers.count == 1 { proxy.remove(numbers[0]) } else { proxy.minus(Set(numbers)) }
    case .intersect: if numbers.isEmpty { proxy.removeAllObjects() } else { proxy.intersect(Set(numbers)) }
    case .set: proxy.setSet(Set(numbers))
    }
  }

  private func editOrderedSet(_ node: RealNode, _ edit: Operation.OrderedSetEdit) {
    stack.beginEdit(node.id, untilEnd: false)
    defer { stack.end() }
    let proxy = node.mutableOrderedSetValue(forKey: "ordered")
    switch edit {
    case .add(let number): proxy.add(number)
    case .insert(let number, let place): proxy.insert(number, at: place % (proxy.count + 1))
    case .remove(let place): if proxy.count > 0 { proxy.removeObject(at: place % proxy.count) }
    case .replace(let place, let number):
      if proxy.count > 0 { proxy.replaceObject(at: place % proxy.count, with: number) }
    }
  }

  private func indexedPair(_ node: RealNode, _ key: Key, _ edit: Operation.ArrayEdit) {
    let values = key == .lines ? node.lines : node.items
    guard let plan = edit.plan(values, { $0.int }), let places = plan.change.indexes, !places.isEmpty else { return }
    let indexes = IndexSet(places)
    stack.beginEdit(node.id, untilEnd: true)
    node.willChange(plan.change.kind, valuesAt: indexes, forKey: key.rawValue)
    if key == .lines { node.lines = plan.result } else { node.items = plan.result }
    stack.end()
    node.didChange(plan.change.kind, valuesAt: indexes, forKey: key.rawValue)
  }

  private func setPair(_ node: RealNode, _ edit: Operation.SetEdit, _ numbers: Set<Int>) {
    let kind: NSKeyValueSetMutationKind
    let result: Set<Int>
    switch edit {
    case .union: (kind, result) = (.union, node.tags.union(numbers))
    case .minus: (kind, result) = (.minus, node.tags.subtracting(numbers))
    case .intersect: (kind, result) = (.intersect, node.tags.intersection(numbers))
    case .set: (kind, result) = (.set, numbers)
    }
    stack.beginEdit(node.id, untilEnd: true)
    node.willChangeValue(forKey: "tags", withSetMutation: kind, using: numbers)
    node.tags = result
    stack.end()
    node.didChangeValue(forKey: "tags", withSetMutation: kind, using: numbers)
  }
}

extension RealNode {
  func node(_ key: Key) -> RealNode? {
    switch key {
    case .child: child
    case .next: next
    case .guide: guide
    case .friend: friend
    case .chosen: chosen
    default: nil
    }
  }
}
