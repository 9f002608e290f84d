import KVOController

/// A Swift key path that closures observe: of observed properties, or of a key that the class lists.
struct TypedKeyPath: @unchecked Sendable {
  typealias MakeEvent = (_ context: Int, _ root: Int, _ keyPath: String) -> Event

  /// Observes at a node.
  let observe: (RealNode, NSKeyValueObservingOptions, @escaping (RealNode, MakeEvent) -> Void) -> NSKeyValueObservation
  /// Observes at a node by a controller.
  let control:
    (KVOController, RealNode, NSKeyValueObservingOptions, AnyHashable?, Int, @escaping (Event) -> Void) ->
      KVOObservation
  /// The same, in the form that passes the observer.
  let controlWithObserver: (KVOController, RealNode, NSKeyValueObservingOptions, AnyHashable?, Int) -> KVOObservation

  init<Typed>(_ keyPath: KeyPath<RealNode, Typed>) {
    observe = { node, options, handler in
      // All calls are made on this thread.
      nonisolated(unsafe) let handler = handler
      return node.observe(keyPath, options: options) { object, change in
        handler(object) { Event(context: $0, root: $1, keyPath: $2, change: change) }
      }
    }
    control = { controller, node, options, identifier, id, handler in
      controller.observe(node, keyPath, options: options, identifier: identifier) { object, change in
        handler(Event(observer: 0, context: id, root: object.id, change: change))
      }
    }
    controlWithObserver = { controller, node, options, identifier, id in
      controller.observe(node, keyPath, options: options, identifier: identifier) {
        (observer: RealObserver, object, change) in
        observer.world.called(Event(observer: observer.id, context: id, root: object.id, change: change))
      }
    }
  }

  /// What begins sequences, by the keys of which there may be some.
  static let sequences: [String: @Sendable (KVOController, RealNode) -> Any] = [
    "number": { $0.changes(of: $1, \.number, bufferingPolicy: .bufferingNewest(1)) },
    "name": { $0.values(of: $1, \.name, bufferingPolicy: .bufferingNewest(1)) },
    "maybe": { $0.values(of: $1, \.maybe, bufferingPolicy: .bufferingNewest(1)) },
    "items": { $0.changes(of: $1, \.items, options: [], bufferingPolicy: .bufferingNewest(1)) },
  ]

  static let paths = all.keys.sorted()
  /// The paths that only closures observe: they have no name, or not in every class.
  static let followed = [
    "total": TypedKeyPath(\.total), "child.total": TypedKeyPath(\.child?.total), "boxSum": TypedKeyPath(\.boxSum),
    "next.boxSum": TypedKeyPath(\.next?.boxSum), "hidden": RealNode.hidden, "child.hidden": RealNode.hiddenOfChild,
    "rank": TypedKeyPath(\.rank), "child.rank": TypedKeyPath(\.child?.rank),
  ]
  static let followedPaths = followed.keys.sorted()
  /// The paths of one key. A longer path has another name until the objects on it exist.
  static let keys = paths.filter { !$0.contains(".") }

  static let all: [String: TypedKeyPath] = [
    "number": TypedKeyPath(\.number), "name": TypedKeyPath(\.name), "maybe": TypedKeyPath(\.maybe),
    "manual": TypedKeyPath(\.manual), "child": TypedKeyPath(\.child), "items": TypedKeyPath(\.items),
    "tags": TypedKeyPath(\.tags), "lines": TypedKeyPath(\.lines), "sum": TypedKeyPath(\.sum),
    "title": TypedKeyPath(\.title), "bottom": TypedKeyPath(\.bottom), "chosen": TypedKeyPath(\.chosen),
    "doubles": TypedKeyPath(\.doubles), "pong": TypedKeyPath(\.pong), "chosenSum": TypedKeyPath(\.chosenSum),
    "nextLabel": TypedKeyPath(\.nextLabel), "child.number": TypedKeyPath(\.child?.number),
    "child.next.name": TypedKeyPath(\.child?.next?.name), "guide.number": TypedKeyPath(\.guide?.number),
    "child.child.child.maybe": TypedKeyPath(\.child?.child?.child?.maybe),
    "reach": TypedKeyPath(\.reach), "next.guide.manual": TypedKeyPath(\.next?.guide?.manual),
  ]
}
