#if !canImport(ObjectiveC)
/// Finds the stops of a route: every key of every object whose change concerns the value at the end of a key path.
struct Walk {
  /// The stops, each once, in their order.
  private(set) var stops: [Route.Stop] = []

  init(_ course: Route.Course, from root: KeyValueObject) {
    switch course {
    case .components(let components):
      follow(components, from: root, .value)
    case .reads(let read):
      for read in ReadTracker.track(root, { read(root) }).reads {
        guard let info = read.owner.madeObservationInfo else { continue }
        visit(info.keys.key(read.name), of: read.owner, info, .route)
      }
    }
    if stops.count > 1 { stops.sort() }
  }

  /// Goes along `components`; the last one plays `role`, those before it lead to it.
  private mutating func follow(_ components: [String], from start: KeyValueObject, _ role: Link.Role) {
    var object = start
    for (index, component) in components.enumerated() {
      guard !component.hasPrefix("@"), let info = object.madeObservationInfo else { return }
      let key = info.keys.key(component)
      let rest = components[(index + 1)...]
      guard !rest.isEmpty else {
        visit(key, of: object, info, role)
        return
      }
      visit(key, of: object, info, .route)
      let value = key.value(of: object)
      guard let next = value as? KeyValueObject else {
        if let value { refuse(value, rest, at: component, of: object) }
        return
      }
      object = next
    }
  }

  /// Stops at a key, and at all that it depends on.
  private mutating func visit(_ key: Key, of object: KeyValueObject, _ info: ObservationInfo, _ role: Link.Role) {
    let stop = Route.Stop(info: info, key: key, role: role)
    if let index = stops.firstIndex(of: stop) {
      guard !stops[index].role.isSuperset(of: role) else { return }
      stops[index].role.formUnion(role)
    } else {
      stops.append(stop)
    }
    for affecting in key.affectingKeyPaths {
      follow(affecting, from: object, role.intersection(.route))
    }
  }

  private func refuse(_ value: Any, _ rest: ArraySlice<String>, at key: String, of object: KeyValueObject) {
    guard value is any ObjectCollection, rest.first?.hasPrefix("@") == false else { return }
    let path = rest.joined(separator: ".")
    misuse(
      """
      [<\(type(of: value))> addObserver:forKeyPath:options:context:] is not supported. Key path: \(path). A key path can't be \
      observed through a collection: observe "\(key)" of <\(name(object))>, or "\(path)" of each element.
      """)
  }
}
#endif
