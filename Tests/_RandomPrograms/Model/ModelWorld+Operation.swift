/// The effects of operations in the model.
extension ModelWorld {
  func perform(_ operation: Operation) {
    switch operation {
    case .set(let target, let key, let operand, .keyedPath):
      let start = slots[target.slot]
      var node: ModelNode? = start
      for hop in target.hops { node = node?.node(hop) }
      // Where nothing is set, the value is made all the same.
      guard let node else { return withExtendedLifetime(resolveAll(operand)) {} }
      if isFree(node, key) { set(node, key, operand, .keyedPath) }
      withExtendedLifetime(start) {}
    case .set(let target, let key, let operand, let way):
      let node = resolve(target)
      if isFree(node, key) { set(node, key, operand, way) }
    case .mutate(let target, let mutation):
      let node = resolve(target)
      if isFree(node, mutation.key) { mutate(node, mutation) }
    case .editArray(let target, let key, let edit):
      let node = resolve(target)
      if isFree(node, key) { editArray(node, key, edit) }
    case .editSet(let target, let edit, let numbers):
      let node = resolve(target)
      guard isFree(node, .tags) else { return }
      let change = node.change(edit, Set(numbers))
      stack.beginEdit(node.id, untilEnd: false)
      self.change(node, .tags, change) { node.tags = node.tags.subtracting(change.removed).union(change.inserted) }
      stack.end()
    case .editOrderedSet(let target, let edit):
      let node = resolve(target)
      if isFree(node, .ordered) { editOrderedSet(node, edit) }
    case .pair(let target, let key, let operand, let inside):
      let node = resolve(target)
      guard isFree(node, key) else { return }
      will(node, key)
      for operation in inside { perform(operation) }
      if let operand { set(node, key, operand, .setter) }
      did(node, key)
    case .will(let target, let key):
      let node = resolve(target)
      if isFree(node, key) { will(node, key) }
    case .did(let target, let key):
      let node = resolve(target)
      if isFree(node, key) { did(node, key) }
    case .indexedPair(let target, let key, let edit):
      let node = resolve(target)
      if isFree(node, key) { indexedPair(node, key, edit) }
    case .setPair(let target, let edit, let numbers):
      let node = resolve(target)
      guard isFree(node, .tags) else { return }
      let change = node.change(edit, Set(numbers))
      stack.beginEdit(node.id, untilEnd: true)
      will(node, .tags, change)
      set(node, .tags, .ints(Array(node.tags.subtracting(change.removed).union(change.inserted))), .setter)
      stack.end()
      did(node, .tags)
    case .observe(let id, let target, let path, let options, let listener):
      observe(id, resolve(target), path, options, listener)
    case .unobserve(let id, _): unobserve(id)
    case .dropObserver(let number): dropObserver(number)
    case .renew(let slot, let id): slots[slot] = node(id)
    case .control(let operation): perform(operation)
    }
  }

  private func isFree(_ node: ModelNode, _ key: Key) -> Bool { !key.isCollection || !stack.isEditing(node.id) }

  func resolve(_ target: Target) -> ModelNode {
    var node = slots[target.slot]
    for hop in target.hops { node = node.node(hop) ?? node }
    return node
  }

  func resolve(_ reference: Reference) -> ModelNode? {
    switch reference {
    case .none: nil
    case .slot(let slot): slots[slot]
    case .new(let id): node(id)
    }
  }

  // MARK: Settings

  /// Sets a property, which notifies of each property that is really stored; through KVC of the key that was set, and
  /// of nothing twice.
  private func set(_ node: ModelNode, _ key: Key, _ operand: Operand, _ way: Operation.Way) {
    switch (key, way) {
    case (.title, .keyedValue), (.title, .keyedPath), (.doubles, .keyedValue), (.doubles, .keyedPath),
      (.reach, .keyedValue), (.reach, .keyedPath):
      change(node, key, covers: true) { set(node, key, operand, .setter) }
    case (.friend, .keyedValue), (.friend, .keyedPath):
      let friend = resolve(operand)
      change(node, key) { node.friend = friend }
      withExtendedLifetime(friend) {}
    case (.title, .setter):
      guard case .text(let text) = operand else { return }
      store(node, .name, .text(text))
      store(node, .number, .int(text.count))
    case (.reach, .setter): store(node, .number, .int(operand.int ?? 0))
    case (.doubles, .setter):
      guard case .ints(let numbers) = operand else { return }
      store(node, .items, .ints(numbers.map { $0 / 2 }))
    case (.rank, _) where node.type == .special: store(node, .maybe, operand)
    case (.number, _):
      if case .null = operand { store(node, .number, .int(0)) } else { store(node, .number, operand) }
    default: store(node, key, operand)
    }
  }

  private func resolve(_ operand: Operand) -> ModelNode? {
    if case .reference(let reference) = operand { resolve(reference) } else { nil }
  }

  private func resolveAll(_ operand: Operand) -> [ModelNode] {
    if case .references(let references) = operand { return references.compactMap { resolve($0) } }
    return [resolve(operand)].compactMap { $0 }
  }

  /// Stores a property, which notifies if its key is automatic.
  private func store(_ node: ModelNode, _ key: Key, _ operand: Operand) {
    switch operand {
    case .reference(let reference):
      let object = resolve(reference)
      notify(node, key) { node.assign(key, object) }
      withExtendedLifetime(object) {}
    case .references(let references):
      let objects = references.compactMap { resolve($0) }
      notify(node, key) { if key == .boxes { node.boxes = objects } else { node.kids = objects } }
    default: notify(node, key) { node.assign(key, operand) }
    }
  }

  private func notify(_ node: ModelNode, _ key: Key, _ body: () -> Void) {
    if key.isAutomatic(in: node.type) && key != .friend { change(node, key) { body() } } else { body() }
  }

  private func mutate(_ node: ModelNode, _ mutation: Operation.Mutation) {
    switch mutation {
    case .add(let number): change(node, .number) { node.number += number }
    case .addToMaybe(let number):
      guard node.maybe != nil else { return }
      change(node, .maybe) { node.maybe? += number }
    case .appendItem(let number): change(node, .items) { node.items.append(number) }
    case .popItem: change(node, .items) { _ = node.items.popLast() }
    case .sortItems: change(node, .items) { node.items.sort() }
    case .appendKid(let reference):
      guard let kid = resolve(reference) else { return }
      change(node, .kids) { node.kids.append(kid) }
    case .insertTag(let number): change(node, .tags) { node.tags.insert(number) }
    }
  }

  // MARK: Collections

  private func editArray(_ node: ModelNode, _ key: Key, _ edit: Operation.ArrayEdit) {
    if key == .kids {
      let plan = edit.plan(node.kids) { if case .reference(let reference) = $0 { resolve(reference) } else { nil } }
      editArray(node, key, plan) { node.kids = $0 }
    } else {
      let isDoubled = key == .doubles
      let values = key == .lines ? node.lines : node.items
      let plan = edit.plan(isDoubled ? values.map { $0 * 2 } : values) { $0.int }
      editArray(node, key, plan) {
        switch key {
        case .lines: node.lines = $0
        case .items: node.items = $0
        default: set(node, .doubles, .ints($0), .keyedValue)
        }
      }
    }
  }

  private func editArray<Element>(
    _ node: ModelNode, _ key: Key, _ plan: ArrayPlan<Element>?, _ store: ([Element]) -> Void
  ) {
    guard let plan else { return }
    guard key.isAutomatic else { return store(plan.result) }
    stack.beginEdit(node.id, untilEnd: key == .doubles)
    change(node, key, plan.change, covers: true) { store(plan.result) }
    stack.end()
  }

  private func editOrderedSet(_ node: ModelNode, _ edit: Operation.OrderedSetEdit) {
    guard let (edit, isKept) = edit.arrayEdit(node.ordered ?? []), isKept,
      let plan = edit.plan(node.ordered ?? [], { $0.int })
    else { return }
    stack.beginEdit(node.id, untilEnd: false)
    change(node, .ordered, plan.change) { node.ordered = plan.result }
    stack.end()
  }

  private func indexedPair(_ node: ModelNode, _ key: Key, _ edit: Operation.ArrayEdit) {
    let values = key == .lines ? node.lines : node.items
    guard let plan = edit.plan(values, { $0.int }), let indexes = plan.change.indexes, !indexes.isEmpty else { return }
    stack.beginEdit(node.id, untilEnd: true)
    will(node, key, plan.change)
    store(node, key, .ints(plan.result))
    stack.end()
    did(node, key)
  }
}
