import KVOController

/// A controller in the model: a list of observations.
final class ModelController {
  private(set) weak var observer: ModelObserver?
  let retains: Bool
  var observations: [ModelObservation] = []
  /// Whether all of its observations end with its observer, as they do since it began a sequence.
  var endsWithObserver = false

  init(_ observer: ModelObserver, retains: Bool) {
    self.observer = observer
    self.retains = retains
  }

  deinit {
    end { _ in true }
  }

  func end(where condition: (ModelObservation) -> Bool) {
    for observation in observations where condition(observation) { observation.registration.isRemoved = true }
    observations.removeAll(where: condition)
  }
}

/// An observation of a controller.
final class ModelObservation {
  let registration: Registration
  let identifier: Int?
  private let retained: ModelNode?
  /// Whether it began before the observer died.
  let hadObserver: Bool

  init(_ registration: Registration, identifier: Int?, retained: ModelNode?) {
    self.registration = registration
    hadObserver = registration.controller?.observer != nil
    self.identifier = identifier
    self.retained = retained
  }
}

/// The effects of operations on controllers in the model.
extension ModelWorld {
  func perform(_ operation: ControllerOperation) {
    switch operation {
    case .observe(let id, let reference, let target, let path, let options, let form, let identifier):
      observe(id, controller(reference), resolve(target), path, options, form, identifier)
    case .unobserve(let reference, let target, let path, let identifier):
      let node = resolve(target)
      controller(reference)
        .end { observation in
          observation.registration.root === node
            && (path == nil || observation.registration.path.description == path?.description)
            && (identifier == nil || observation.identifier == identifier)
        }
    case .unobserveAll(let reference): controller(reference).end { _ in true }
    case .invalidate(let id):
      guard let observation = tokens[id]?.object else { return }
      observation.registration.controller?.end { $0 === observation }
    case .sequence(let id, let reference, let target, let path):
      beginSequence(id, controller(reference), resolve(target), path)
    case .dropSequence(let id):
      guard let observation = sequences[id]?.object else { return }
      observation.registration.controller?.end { $0 === observation }
    case .renew(let slot): controllers[slot] = newController(slot)
    }
  }

  func newController(_ slot: Int) -> ModelController {
    ModelController(observers[slot % observers.count], retains: slot != 1)
  }

  private func controller(_ reference: ControllerReference) -> ModelController {
    switch reference {
    case .slot(let slot): return controllers[slot]
    case .own(let slot, let retains):
      let node = slots[slot]
      let controller = node.controllers[retains] ?? ModelController(node, retains: retains)
      node.controllers[retains] = controller
      return controller
    }
  }

  private func observe(
    _ id: Int, _ controller: ModelController, _ node: ModelNode, _ path: Path, _ options: NSKeyValueObservingOptions,
    _ form: Form, _ identifier: Int?
  ) {
    // Each typed one without identifier is one of its own.
    let present = controller.observations.first {
      $0.registration.root === node && $0.registration.path.description == path.description
        && $0.identifier == identifier && $0.registration.form?.way.isTyped == form.way.isTyped
        && !(form.way.isTyped && identifier == nil)
    }
    if present != nil, !form.way.isTyped { return }
    let observation = ModelObservation(
      Registration(id: id, node, path, options, controller, form), identifier: identifier,
      retained: controller.retains && node !== controller.observer ? node : nil)
    controller.observations.append(observation)
    register(observation.registration) {
      if let present { controller.end { $0 === present } }
    }
    if form.way.isTyped { tokens[id] = Weak(observation) }
  }

  /// Registers nothing, because it notifies nothing.
  private func beginSequence(_ id: Int, _ controller: ModelController, _ node: ModelNode, _ path: Path) {
    guard controller.observer != nil else { return }
    let registration = Registration(id: id, node, path, [], controller, Form(way: .typed, isList: false))
    let retained = controller.retains && node !== controller.observer ? node : nil
    // No other has this identifier.
    let observation = ModelObservation(registration, identifier: -id, retained: retained)
    controller.observations.append(observation)
    controller.endsWithObserver = true
    sequences[id] = Weak(observation)
  }

  /// Ends what controllers observe whose observer has died, if they have begun sequences.
  func endWithObservers() {
    for controller in controllers where controller.endsWithObserver && controller.observer == nil {
      controller.end(where: \.hadObserver)
      // What it observes without an observer goes on until the controller is deallocated.
      controller.endsWithObserver = false
    }
  }

  /// The tokens that are valid.
  var validTokens: Set<Int> {
    Set(tokens.filter { $0.value.object?.registration.isAlive == true }.keys)
  }
}
