import KVOController

/// The effects of operations on real controllers.
extension RealWorld {
  func perform(_ operation: ControllerOperation) {
    switch operation {
    case .observe(let id, let reference, let target, let path, let options, let form, let identifier):
      let (controller, node) = (controller(reference), resolve(target))
      observe(id, controller, node, path.description, options, form, identifier)
    case .unobserve(let reference, let target, let path, let identifier):
      let (controller, node) = (controller(reference), resolve(target))
      if let path, let identifier {
        controller.unobserve(node, keyPath: path.description, identifier: Tripwire(identifier))
      } else if let path {
        controller.unobserve(node, keyPath: path.description)
      } else {
        controller.unobserve(node)
      }
    case .unobserveAll(let reference): controller(reference).unobserveAll()
    case .invalidate(let id): tokens[id]?.invalidate()
    case .sequence(let id, let reference, let target, let path):
      sequences[id] = TypedKeyPath.sequences[path.description]?(controller(reference), resolve(target))
    case .dropSequence(let id): sequences[id] = nil
    case .renew(let slot): controllers[slot] = newController(slot)
    }
  }

  func newController(_ slot: Int) -> KVOController {
    KVOController(observer: observers[slot % observers.count], retainObserved: slot != 1)
  }

  private func controller(_ reference: ControllerReference) -> KVOController {
    switch reference {
    case .slot(let slot): controllers[slot]
    case .own(let slot, retains: true): slots[slot].kvoController
    case .own(let slot, retains: false): slots[slot].kvoControllerNonRetaining
    }
  }

  /// The tokens that are valid.
  var validTokens: Set<Int> { Set(tokens.filter { $0.value.isValid }.keys) }

  private func observe(
    _ id: Int, _ controller: KVOController, _ node: RealNode, _ keyPath: String, _ options: NSKeyValueObservingOptions,
    _ form: Form, _ identifier: Int?
  ) {
    let captured = Tripwire(id)
    let block: FBKVONotificationBlock = { observer, object, change in
      (observer as? RealObserver)?.received(captured.number, keyPath, object, change)
    }
    let (identifier, context) = (identifier.map { AnyHashable(Tripwire($0)) }, UnsafeMutableRawPointer(bitPattern: id))
    switch (form.way, form.isList) {
    case (.block, false):
      controller.observe(node, keyPath: keyPath, options: options, identifier: identifier, block: block)
    case (.block, true):
      controller.observe(node, keyPaths: [keyPath], options: options, identifier: identifier, block: block)
    case (.context, false): controller.observe(node, keyPath: keyPath, options: options, context: context)
    case (.context, true): controller.observe(node, keyPaths: [keyPath], options: options, context: context)
    case (.action, _):
      controller.observe(
        node, keyPath: keyPath, options: options, identifier: identifier, action: RealObserver.redraw)
    case (.changeAction, _):
      controller.observe(
        node, keyPath: keyPath, options: options, identifier: identifier, action: RealObserver.update(change:))
    case (.objectAction, _):
      controller.observe(
        node, keyPath: keyPath, options: options, identifier: identifier, action: RealObserver.update(change:object:))
    case (.typed, _):
      tokens[id] = TypedKeyPath.all[keyPath]?
        .control(controller, node, options, identifier, id) { [unowned self] in called($0) }
    case (.typedWithObserver, _):
      tokens[id] = TypedKeyPath.all[keyPath]?.controlWithObserver(controller, node, options, identifier, id)
    }
  }
}

extension RealObserver {
  /// A block's call.
  fileprivate func received(_ id: Int, _ keyPath: String, _ object: Any, _ change: [NSKeyValueChangeKey: Any]) {
    var change = change
    let isNamed = change.removeValue(forKey: .keyPathKey) as? String == keyPath
    world.called(
      Event(
        observer: self.id, context: id, root: (object as? RealNode)?.id ?? -1, keyPath: isNamed ? keyPath : "",
        change: change))
  }

  fileprivate func redraw() {
    world.called(Event(observer: id, context: 0, root: 0, keyPath: "", kind: 0), mayBePrior: true)
  }

  fileprivate func update(change: [NSKeyValueChangeKey: Any]) {
    world.called(Event(observer: id, context: 0, root: 0, keyPath: "", change: change))
  }

  fileprivate func update(change: [NSKeyValueChangeKey: Any], object: Any) {
    world.called(
      Event(observer: id, context: 0, root: (object as? RealNode)?.id ?? -1, keyPath: "", change: change))
  }
}
