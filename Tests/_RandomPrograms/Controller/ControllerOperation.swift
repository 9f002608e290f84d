import KVOController

/// A way to observe by a controller.
struct Form: Equatable {
  enum Way: CaseIterable {
    case block, context, action, changeAction, objectAction, typed, typedWithObserver

    var isTyped: Bool { self == .typed || self == .typedWithObserver }
  }

  let way: Way
  /// Whether the key path is passed in a list, if there is such a form.
  let isList: Bool
}

/// One of the controllers.
enum ControllerReference {
  case slot(Int)
  /// The one that the node in a place has for itself.
  case own(Int, retains: Bool)
}

/// The operations of a program with controllers.
enum ControllerOperation {
  case observe(id: Int, ControllerReference, Target, Path, NSKeyValueObservingOptions, Form, identifier: Int?)
  /// Ends what is observed of a node; of one key path if there is one, and with one identifier if there is one.
  case unobserve(ControllerReference, Target, Path?, identifier: Int?)
  case unobserveAll(ControllerReference)
  case invalidate(id: Int)
  /// Begins a sequence of the changes of a key that isn't an object: it isn't read, so all that shows of it is how long it
  /// keeps its object alive.
  case sequence(id: Int, ControllerReference, Target, Path)
  case dropSequence(id: Int)
  /// Puts a new controller into the place of another.
  case renew(Int)
}

extension Event {
  /// The part of this call that a form receives.
  func told(in form: Form) -> Event {
    switch form.way {
    case .block, .context, .typedWithObserver: self
    case .typed: told(observer: 0)
    case .action: Event(observer: observer, context: 0, root: 0, keyPath: "", kind: 0)
    case .changeAction: told(context: 0, root: 0, keyPath: "")
    case .objectAction: told(context: 0, keyPath: "")
    }
  }

  private func told(
    observer: Int? = nil, context: Int? = nil, root: Int? = nil, keyPath: String? = nil
  ) -> Event {
    Event(
      observer: observer ?? self.observer, context: context ?? self.context, root: root ?? self.root,
      keyPath: keyPath ?? self.keyPath, kind: kind, isPrior: isPrior, new: new, old: old, indexes: indexes)
  }
}
